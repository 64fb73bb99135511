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

static bool is_constant(MlirStringRef name) {
  static const char end[] = ".const"; // and .constant
  for (size_t i = 0; i + sizeof end - 1 <= name.length; i++)
    if (memcmp(name.data + i, end, sizeof end - 1) == 0)
      return true;
  return false;
}

static bool is_inside_one(MlirOperation operation, const assay_origin_op *op) {
  MlirOperation parent = mlirOperationGetParentOperation(operation);
  return !mlirOperationIsNull(parent) && is_at(parent, op);
}

// The operation's name among the program's: its own, where one of that name stands at its place;
// else that of the only one there, but for constants, which a pass made it of; else its own, or the
// first one's where it has none. Null: none stands there.
static MlirStringRef find(const assay_operations *program, const assay_origin_op *op) {
  MlirStringRef only = {NULL, 0}, first = {NULL, 0};
  bool several = false;
  for (int i = 0; i < program->count; i++) {
    if (!is_at(program->items[i], op))
      continue;
    // Names end with a zero in MLIR's own table.
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(program->items[i]));
    if (mlirStringRefEqual(name, text(op->name)))
      return name;
    if (first.data == NULL)
      first = name;
    if (is_constant(name) || is_inside_one(program->items[i], op))
      continue;
    several |= only.data != NULL;
    if (only.data == NULL)
      only = name;
  }
  if (only.data == NULL)
    only = first;
  return several && op->name[0] != '\0' ? text(op->name) : only;
}

assay_code assay_names_find(const assay_operations *program, assay_shared *shared,
                            const assay_origin_op *before, assay_origin_op *op, assay_error *err) {
  if (op->file[0] == '\0')
    return ASSAY_OK;
  // Two neighbours of one operation have one name: a lowered operation is many.
  if (before != NULL && before->line == op->line && before->column == op->column &&
      strcmp(before->file, op->file) == 0 && strcmp(before->name, op->name) == 0)
    return ASSAY_OK;
  MlirStringRef name = find(program, op);
  if (name.data != NULL && !mlirStringRefEqual(name, text(op->name)))
    op->name = assay_shared_string(shared, name.data);
  return op->name != NULL ? ASSAY_OK : assay_fail(err, ASSAY_FAILED, "the shared memory is full");
}

void assay_flags_drop(MlirOperation operation) {
  MlirStringRef key = text("fastmathFlags");
  if (!mlirOperationHasInherentAttributeByName(operation, key))
    return;
  MlirAttribute none =
      mlirAttributeParseGet(mlirOperationGetContext(operation), text("#llvm.fastmath<none>"));
  mlirOperationSetInherentAttributeByName(operation, key, none);
}
