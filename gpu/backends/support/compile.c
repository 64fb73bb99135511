// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/compile.h"

#include "compiler/base/clock.h"
#include "compiler/ir/builder.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/signature.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Dialect/GPU.h>
#include <stdlib.h>
#include <string.h>

// gpu.object's formats, as gpu::CompilationTarget numbers them.
enum { FORMAT_ASSEMBLY = 2, FORMAT_BINARY = 3 };

static int count_contractions(MlirModule module) {
  assay_operations found =
      assay_operations_collect(mlirModuleGetOperation(module), assay_contraction_named);
  free(found.items);
  return found.count;
}

// The module as it reads in print: its locations are lines there.
static assay_code read_back(const assay_context *context, MlirModule *module, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  const char *text = assay_module_print(arena, *module);
  MlirContext mlir = assay_context_get(context);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlir);
  MlirOperation read = mlirOperationCreateParse(mlir, mlirStringRefCreateFromCString(text),
                                                mlirStringRefCreateFromCString("nvvm"));
  assay_diagnostics_close(&diagnostics);
  assay_arena_destroy(arena);
  if (mlirOperationIsNull(read))
    return assay_diagnostics_fail(&diagnostics, "reading the kernels back", err);
  mlirModuleDestroy(*module);
  *module = mlirModuleFromOperation(read);
  return ASSAY_OK;
}

static MlirAttribute parse(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
}

// gpu.binary of the code in the place of the gpu.module that it was made from.
static void replace_by_binary(MlirOperation kernels, const assay_gpu_kind *kind, const void *bytes,
                              size_t size) {
  MlirContext context = mlirOperationGetContext(kernels);
  assay_builder builder = assay_builder_aside(kernels);
  MlirAttribute object = mlirGPUObjectAttrGet(
      context, parse(context, "#nvvm.target<chip = \"sm_80\">"),
      kind->assembly ? FORMAT_ASSEMBLY : FORMAT_BINARY,
      mlirStringRefCreate(bytes, kind->assembly ? size - 1 : size), (MlirAttribute){NULL});
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(
          &builder, "sym_name",
          mlirOperationGetAttributeByName(kernels, mlirStringRefCreateFromCString("sym_name"))),
      assay_builder_attribute(&builder, "objects", mlirArrayAttrGet(context, 1, &object)),
      assay_builder_attribute(&builder, "offloadingHandler",
                              parse(context, "#gpu.select_object<0>")),
  };
  assay_builder_add(
      &builder,
      &(assay_recipe){.name = "gpu.binary", .attribute_count = 3, .attributes = attributes});
  assay_builder_place(&builder, kernels);
  mlirOperationDestroy(kernels);
}

static bool is_gpu_module(MlirOperation operation) {
  return assay_operation_is(operation, "gpu.module");
}

static assay_code embed(const assay_gpu_compiler *compiler, MlirModule module, bool watched,
                        assay_load_report *report, assay_error *err) {
  assay_operations found = assay_operations_collect(mlirModuleGetOperation(module), is_gpu_module);
  assay_code code = ASSAY_OK;
  for (int i = 0; i < found.count && code == ASSAY_OK; i++) {
    void *bytes;
    size_t size;
    if (watched && compiler->kind->examine != NULL)
      compiler->kind->examine(found.items[i], &report->figures);
    code = compiler->kind->assemble(found.items[i], &bytes, &size, err);
    if (code != ASSAY_OK)
      break;
    replace_by_binary(found.items[i], compiler->kind, bytes, size);
    free(bytes);
  }
  assay_operations_release(&found);
  return code;
}

static assay_code lower(const assay_gpu_compiler *compiler, bool watched,
                        const assay_program *program, MlirModule *module, assay_load_report *report,
                        assay_error *err) {
  const assay_pipeline *pipeline = compiler->pipeline;
  for (int stage = 0; stage < pipeline->stage_count; stage++) {
    const char *name = pipeline->stage[stage].name;
    if (strcmp(name, "kernels") == 0) {
      TRY(assay_signature_check(*module, program, err));
      report->contractions_named = count_contractions(*module);
    } else if (strcmp(name, "llvm") == 0) {
      TRY(read_back(compiler->context, module, err));
      TRY(embed(compiler, *module, watched, report, err));
    }
    TRY(assay_pipeline_run_stage(compiler->context, pipeline, stage, *module,
                                 watched ? &report->costs : NULL, err));
  }
  return ASSAY_OK;
}

assay_code assay_gpu_compile(const assay_gpu_compiler *compiler, bool watched,
                             const assay_program *program, assay_object *object,
                             assay_load_report *report, assay_error *err) {
  double start = assay_clock_now();
  MlirModule module;
  TRY(assay_module_emit(compiler->context, program, &module, err));
  assay_code code = lower(compiler, watched, program, &module, report, err);
  if (code == ASSAY_OK)
    code = assay_target_compile(compiler->target, module, &object->bytes, &object->size,
                                watched ? &report->costs : NULL, err);
  mlirModuleDestroy(module);
  report->seconds_compile = assay_clock_now() - start;
  return code;
}
