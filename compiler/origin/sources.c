// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/sources.h"

#include "compiler/origin/constants.h"
#include "compiler/origin/places.h"
#include "compiler/origin/watched.h"

bool assay_origin_is_narrow(MlirOperation operation) {
  return !mlirOperationIsNull(operation) && !assay_operation_is(operation, "builtin.module") &&
         !assay_operation_is(operation, "func.func") && !assay_operation_is(operation, "llvm.func");
}

assay_code assay_sources_mark(const assay_operations *all, assay_origin_kind kind,
                              assay_shared *shared, assay_origin_report *report, assay_error *err) {
  if (kind == ASSAY_ORIGIN_LOSS)
    return ASSAY_OK;
  const int first = ASSAY_ORIGIN_EVENTS + ASSAY_ORIGIN_ARGUMENTS + 1;
  for (int i = 0; i < all->count; i++) {
    int count = report->constant_count;
    if (!assay_constant_mark(all->items[i], kind, first + count) || count == ASSAY_ORIGIN_CONSTANTS)
      continue;
    MlirValue unused[ASSAY_ORIGIN_OPERANDS];
    report->constant_count++;
    if (!assay_watched_describe(all->items[i], shared, &report->constants[count], unused))
      return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
  }
  return ASSAY_OK;
}

static void load_dialect(MlirModule module, const char *name) {
  MlirContext context = mlirOperationGetContext(mlirModuleGetOperation(module));
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString(name));
}

assay_code assay_origin_prepare(MlirModule module, assay_origin_kind kind, assay_shared *shared,
                                assay_origin_report *out_report, assay_error *err) {
  static const char *const needed[] = {"llvm", "linalg", "tensor", "vector", "arith", "complex"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    load_dialect(module, needed[i]);
  *out_report = (assay_origin_report){0};
  assay_operations all = assay_operations_collect(mlirModuleGetOperation(module), NULL);
  assay_places_mark(&all);
  assay_sources_hide(&all);
  assay_operations_release(&all);
  all = assay_operations_collect(mlirModuleGetOperation(module), NULL); // with parts of constants
  assay_code code = assay_sources_mark(&all, kind, shared, out_report, err);
  assay_operations_release(&all);
  return code;
}
