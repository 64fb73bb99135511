// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/checks/plant.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mutants found; // a pass has no data of its own
static int short_launch;

enum { MARKS = 16384 }; // threads of a launch, at most

static const char *const names[MUTATION_COUNT] = {
    "barrier", "guard", "guard low", "guard up", "remainder", "loop low", "loop up",
    "axes",    "ids",   "load",      "store",    "offset",    "grid"};

const char *mutation_name(mutation kind) {
  return names[kind];
}

void mutate_begin(int launch) {
  found.count = found.launches = 0;
  short_launch = launch;
}

const mutants *mutate_found(void) {
  return &found;
}

int mutate_add(const planter *of, mutation kind) {
  if (found.count == MUTANTS)
    abort();
  mutant *it = &found.items[found.count];
  *it = (mutant){.kind = kind};
  snprintf(it->kernel, sizeof it->kernel, "%s", of->kernel);
  snprintf(it->text, sizeof it->text, "%s", of->text);
  for (int i = 0; i < found.count; i++)
    if (found.items[i].kind == kind && strcmp(found.items[i].kernel, of->kernel) == 0 &&
        strcmp(found.items[i].text, of->text) == 0)
      it->nth++;
  return ++found.count;
}

static const char selector[] =
    "gpu.module @selector {\n"
    "  memref.global \"private\" @mutant : memref<1xi32> = dense<0>\n"
    "  memref.global \"private\" @marks : memref<16384xi32> = dense<0>\n"
    "  gpu.func @" MUTATE_SELECT "(%n: i32) kernel {\n"
    "    %at = memref.get_global @mutant : memref<1xi32>\n"
    "    %zero = arith.constant 0 : index\n"
    "    memref.store %n, %at[%zero] : memref<1xi32>\n"
    "    gpu.return\n  }\n"
    "  gpu.func @" MUTATE_DIFFERS "(%n: i32, %out: memref<i32>) kernel {\n"
    "    %marks = memref.get_global @marks : memref<16384xi32>\n"
    "    %zero = arith.constant 0 : index\n"
    "    %one = arith.constant 1 : index\n"
    "    %end = arith.constant 16384 : index\n"
    "    %no = arith.constant false\n"
    "    %any = scf.for %i = %zero to %end step %one iter_args(%so_far = %no) -> (i1) {\n"
    "      %mark = memref.load %marks[%i] : memref<16384xi32>\n"
    "      %is = arith.cmpi eq, %mark, %n : i32\n"
    "      %both = arith.ori %is, %so_far : i1\n"
    "      scf.yield %both : i1\n    }\n"
    "    %word = arith.extui %any : i1 to i32\n"
    "    memref.store %word, %out[] : memref<i32>\n"
    "    gpu.return\n  }\n}\n";

static MlirBlock body_of(MlirOperation operation) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
}

static void add_selector(MlirOperation kernels) {
  MlirOperation module = mlirOperationCreateParse(mlirOperationGetContext(kernels),
                                                  mlirStringRefCreateFromCString(selector),
                                                  mlirStringRefCreateFromCString("selector"));
  MlirOperation first = mlirBlockGetFirstOperation(body_of(kernels));
  for (;;) {
    MlirOperation part = mlirBlockGetFirstOperation(body_of(module));
    if (mlirOperationIsNull(part))
      break;
    mlirOperationMoveBefore(part, first);
  }
  mlirOperationDestroy(module);
}

static MlirValue get_global(const assay_builder *at, const char *name, int64_t count) {
  MlirType memref = mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(at->context, 32), 1, &count,
                                                (MlirAttribute){NULL});
  MlirNamedAttribute attribute = assay_builder_attribute(
      at, "name", mlirFlatSymbolRefAttrGet(at->context, mlirStringRefCreateFromCString(name)));
  return assay_builder_add_value(at, &(assay_recipe){.name = "memref.get_global",
                                                     .attribute_count = 1,
                                                     .attributes = &attribute,
                                                     .result_count = 1,
                                                     .results = &memref});
}

static void prepare(planter *it, MlirOperation kernel) {
  MlirOperation first = mlirBlockGetFirstOperation(body_of(kernel));
  assay_builder at = assay_builder_aside(first);
  MlirValue place[] = {get_global(&at, "mutant", 1),
                       plant_number(&at, mlirIndexTypeGet(at.context), 0)};
  it->selected =
      assay_builder_apply(&at, "memref.load", mlirIntegerTypeGet(at.context, 32), 2, place);
  it->marks = get_global(&at, "marks", MARKS);
  MlirValue before = plant_combine(&at, "arith.muli", plant_thread_id(&at, "gpu.block_id"),
                                   plant_thread_id(&at, "gpu.block_dim"));
  it->own = plant_combine(&at, "arith.addi", before, plant_thread_id(&at, "gpu.thread_id"));
  assay_builder_place(&at, first);
}

static void mutate_kernel(MlirOperation kernel) {
  MlirStringRef name = mlirStringAttrGetValue(plant_attribute(kernel, "sym_name"));
  char text[32];
  snprintf(text, sizeof text, "%.*s", (int)name.length, name.data);
  planter it = {.kernel = text, .operations = assay_operations_collect(kernel, NULL)};
  // Before any is changed, since what is planted at one becomes another's operand.
  plant_text *texts = calloc((size_t)it.operations.count, sizeof *texts);
  if (texts == NULL)
    abort();
  for (int i = 0; i < it.operations.count; i++)
    texts[i] = plant_describe(it.operations.items[i]);
  prepare(&it, kernel);
  for (int i = 0; i < it.operations.count; i++) {
    it.text = texts[i].text;
    plant_all(&it, it.operations.items[i]);
  }
  free(texts);
  assay_operations_release(&it.operations);
}

// Blocks are along x.
static void mutate_launch(MlirOperation launch) {
  int64_t blocks;
  if (!assay_constant_read(mlirOperationGetOperand(launch, 0), &blocks) || blocks < 2)
    return;
  if (found.launches++ == short_launch) {
    assay_builder at = assay_builder_aside(launch);
    mlirOperationSetOperand(launch, 0, plant_number(&at, mlirIndexTypeGet(at.context), blocks - 1));
    assay_builder_place(&at, launch);
  }
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations all = assay_operations_collect(root, NULL);
  for (int i = 0; i < all.count; i++)
    if (assay_operation_is(all.items[i], "gpu.func"))
      mutate_kernel(all.items[i]);
    else if (assay_operation_is(all.items[i], "gpu.launch_func"))
      mutate_launch(all.items[i]);
  for (int i = 0; i < all.count; i++)
    if (assay_operation_is(all.items[i], "gpu.module"))
      add_selector(all.items[i]);
  assay_operations_release(&all);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "gpu", "memref", "scf", NULL};

const assay_pass mutate_pass = {
    .argument = "test-mutate",
    .description = "Plant mistakes in kernels",
    .anchor = "builtin.module",
    .dialects = dialects,
    .run = run,
};
