// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/diagnostics.h"
#include "compiler/ir/walk.h"
#include "compiler/origin/helpers.h"
#include "compiler/origin/names.h"
#include "compiler/origin/sources.h"
#include "compiler/origin/watched.h"

#include <mlir-c/BuiltinAttributes.h>
#include <string.h>

typedef struct instrumentation {
  assay_watch_helpers helpers;
  assay_shared *shared;
  assay_origin_kind kind;
  assay_operations names; // of the program as the user wrote it
  assay_operations watched;
  int part_count; // of their results
  assay_origin_op *ops;
  assay_origin_report *report;
} instrumentation;

static assay_code no_room(assay_error *err) {
  return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
}

static MlirValue take(const assay_builder *at, const assay_watched_part *part, MlirValue whole) {
  MlirNamedAttribute position = assay_builder_numbers(at, "position", part->depth, part->position);
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.extractvalue",
                                                     .operand_count = 1,
                                                     .operands = &whole,
                                                     .attribute_count = 1,
                                                     .attributes = &position,
                                                     .result_count = 1,
                                                     .results = &part->type});
}

static MlirValue put(const assay_builder *at, const assay_watched_part *part, MlirValue whole,
                     MlirValue value) {
  MlirNamedAttribute position = assay_builder_numbers(at, "position", part->depth, part->position);
  MlirType type = mlirValueGetType(whole);
  const MlirValue operands[] = {whole, value};
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.insertvalue",
                                                     .operand_count = 2,
                                                     .operands = operands,
                                                     .attribute_count = 1,
                                                     .attributes = &position,
                                                     .result_count = 1,
                                                     .results = &type});
}

// What stands for the whole result once one part of it was looked at. *out_first: the operation
// that takes the whole from the one that is watched.
static MlirValue look(const instrumentation *it, const assay_builder *at, int number,
                      const assay_watched_part *part, MlirValue whole, const MlirValue operands[],
                      MlirOperation *out_first) {
  bool inside = part->depth > 0;
  MlirValue value = inside ? take(at, part, whole) : whole;
  MlirValue looked = assay_watch_call(&it->helpers, at, number, &it->ops[number], value, operands);
  *out_first = mlirOpResultGetOwner(inside ? value : looked);
  return inside ? put(at, part, whole, looked) : looked;
}

// Watches an operation; *number: that of its first part, then of the next operation's.
static assay_code watch(instrumentation *it, MlirOperation operation, int *number,
                        assay_error *err) {
  assay_watched_part parts[ASSAY_WATCHED_PARTS];
  MlirValue operands[ASSAY_ORIGIN_OPERANDS];
  MlirOperation own[2] = {operation, operation}; // that go on using the result as it is
  int count = assay_watched_parts(operation, it->helpers.symbols, parts);
  MlirValue result = mlirOperationGetResult(operation, 0), whole = result;
  assay_flags_drop(operation);
  assay_builder at = assay_builder_aside(operation);
  for (int i = 0; i < count; i++, ++*number) {
    assay_origin_op *op = &it->ops[*number];
    if (!assay_watched_describe(operation, it->shared, op, operands))
      return no_room(err);
    op->result = assay_watched_type(parts[i].type);
    TRY(assay_names_find(&it->names, it->shared, *number > 0 ? op - 1 : NULL, op, err));
    MlirOperation first;
    whole = look(it, &at, *number, &parts[i], whole, operands, &first);
    if (i == 0) {
      own[0] = first;
      own[1] = mlirOpResultGetOwner(whole);
    }
  }
  assay_builder_place(&at, mlirOperationGetNextInBlock(operation));
  mlirValueReplaceAllUsesExcept(result, whole, 2, own);
  return ASSAY_OK;
}

static assay_code find_watched(instrumentation *it, MlirModule module, assay_error *err) {
  assay_operations all = assay_operations_collect(mlirModuleGetOperation(module), NULL);
  assay_code code = assay_sources_mark(&all, it->kind, it->shared, it->report, err);
  for (int i = 0; i < all.count; i++) {
    assay_watched_part parts[ASSAY_WATCHED_PARTS];
    int count = assay_watched_parts(all.items[i], it->helpers.symbols, parts);
    it->part_count += count;
    if (count > 0)
      assay_operations_add(&it->watched, all.items[i]);
  }
  assay_operations_release(&all);
  return code;
}

static assay_code watch_all(instrumentation *it, assay_error *err) {
  int count = it->part_count, number = 0;
  it->ops = assay_shared_take(it->shared, ((size_t)count + 1) * sizeof *it->ops);
  if (it->ops == NULL)
    return no_room(err);
  it->report->op_count = count;
  it->report->ops = it->ops;
  for (int i = 0; i < it->watched.count; i++)
    TRY(watch(it, it->watched.items[i], &number, err));
  for (int i = 0; i < it->report->constant_count; i++)
    TRY(assay_names_find(&it->names, it->shared, NULL, &it->report->constants[i], err));
  return ASSAY_OK;
}

assay_code assay_origin_instrument(MlirModule module, assay_origin_kind kind, bool hasty,
                                   MlirModule names, assay_shared *shared,
                                   assay_origin_report *report, assay_error *err) {
  MlirOperation root = mlirModuleGetOperation(module);
  assay_operations functions = {NULL, 0, 0};
  assay_code code = assay_operations_functions(&functions, module, err);
  assay_operations_release(&functions);
  TRY(code);
  instrumentation it = {.helpers = {.module = module,
                                    .symbols = mlirSymbolTableCreate(root),
                                    .hasty = hasty,
                                    .infinite = kind == ASSAY_ORIGIN_INF},
                        .shared = shared,
                        .kind = kind,
                        .names = assay_operations_collect(mlirModuleGetOperation(names), NULL),
                        .report = report};
  code = find_watched(&it, module, err);
  if (code == ASSAY_OK)
    code = watch_all(&it, err);
  mlirSymbolTableDestroy(it.helpers.symbols);
  assay_operations_release(&it.names);
  assay_operations_release(&it.watched);
  TRY(code);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlirOperationGetContext(root));
  bool valid = mlirOperationVerify(root);
  assay_diagnostics_close(&diagnostics);
  return valid ? ASSAY_OK
               : assay_diagnostics_fail(&diagnostics, "instrumenting for the origin of a NaN", err);
}
