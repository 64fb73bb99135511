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
  assay_origin_op *ops;
  assay_origin_report *report;
} instrumentation;

static assay_code no_room(assay_error *err) {
  return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
}

static assay_code watch(instrumentation *it, int number, assay_error *err) {
  MlirOperation operation = it->watched.items[number];
  MlirValue operands[ASSAY_ORIGIN_OPERANDS];
  assay_origin_op *op = &it->ops[number];
  if (!assay_watched_describe(operation, it->shared, op, operands))
    return no_room(err);
  TRY(assay_names_find(&it->names, it->shared, number > 0 ? op - 1 : NULL, op, err));
  assay_flags_drop(operation);
  MlirValue result = mlirOperationGetResult(operation, 0);
  assay_builder at = assay_builder_aside(operation);
  MlirValue looked =
      assay_watch_call(&it->helpers, &at, number, &it->ops[number], result, operands);
  MlirOperation call = mlirOpResultGetOwner(looked);
  assay_builder_place(&at, mlirOperationGetNextInBlock(operation));
  mlirValueReplaceAllUsesExcept(result, looked, 1, &call);
  return ASSAY_OK;
}

static assay_code find_watched(instrumentation *it, MlirModule module, assay_error *err) {
  assay_operations all = assay_operations_collect(mlirModuleGetOperation(module), NULL);
  assay_code code = assay_sources_mark(&all, it->kind, it->shared, it->report, err);
  for (int i = 0; i < all.count; i++)
    if (assay_watched_is(all.items[i], it->helpers.symbols))
      assay_operations_add(&it->watched, all.items[i]);
  assay_operations_release(&all);
  return code;
}

static assay_code watch_all(instrumentation *it, assay_error *err) {
  int count = it->watched.count;
  it->ops = assay_shared_take(it->shared, ((size_t)count + 1) * sizeof *it->ops);
  if (it->ops == NULL)
    return no_room(err);
  it->report->op_count = count;
  it->report->ops = it->ops;
  for (int i = 0; i < count; i++)
    TRY(watch(it, i, err));
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
