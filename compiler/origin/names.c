// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/names.h"

#include "compiler/origin/sources.h"

#include <mlir-c/BuiltinAttributes.h>
#include <string.h>

static MlirStringRef text(const char *of) {
  return mlirStringRefCreateFromCString(of);
}

static bool is_at(MlirOperation operation, const assay_origin_op *op) {
  assay_place place;
  return assay_origin_is_narrow(operation) &&
         assay_place_find(mlirOperationGetLocation(operation), &place) && place.line == op->line &&
         place.column == op->column && mlirStringRefEqual(place.file, text(op->file));
}

assay_code assay_names_find(const assay_operations *program, assay_shared *shared,
                            const assay_origin_op *before, assay_origin_op *op, assay_error *err) {
  // Two neighbours of one place have one name: a lowered operation is many.
  if (before != NULL && before->line == op->line && before->column == op->column &&
      strcmp(before->file, op->file) == 0) {
    op->name = before->name;
    return ASSAY_OK;
  }
  for (int i = 0; i < program->count && op->file[0] != '\0'; i++) {
    if (!is_at(program->items[i], op))
      continue;
    // Names end with a zero in MLIR's own table.
    op->name = assay_shared_string(shared,
                                   mlirIdentifierStr(mlirOperationGetName(program->items[i])).data);
    if (op->name == NULL)
      return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
    break;
  }
  return ASSAY_OK;
}

void assay_flags_drop(MlirOperation operation) {
  MlirStringRef key = text("fastmathFlags");
  if (!mlirOperationHasInherentAttributeByName(operation, key))
    return;
  MlirAttribute none =
      mlirAttributeParseGet(mlirOperationGetContext(operation), text("#llvm.fastmath<none>"));
  mlirOperationSetInherentAttributeByName(operation, key, none);
}
