// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/kinds.h"

#include "compiler/origin/slots.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/libm.h"
#include "compiler/rounding/operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *name, const char *const names[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

// The lanes of the flat form of an array that its element has.
static int64_t offset_of(MlirType type, MlirAttribute position) {
  int64_t offset = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(position); i++) {
    if (mlirTypeIsALLVMStructType(type))
      return -1;
    type = mlirLLVMArrayTypeGetElementType(type);
    int lanes = assay_slots_type(type).lanes;
    offset += mlirDenseI64ArrayGetElement(position, i) * (lanes == 0 ? 1 : lanes);
  }
  return offset;
}

static int *take_map(int lanes) {
  int *map = malloc(((size_t)lanes + 1) * sizeof *map);
  if (map == NULL)
    abort();
  for (int i = 0; i <= lanes; i++)
    map[i] = i;
  return map;
}

static MlirAttribute attribute_of(MlirOperation operation, const char *name) {
  return mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString(name));
}

// Which lane of the operands each lane of a result is; NULL where that is not known beforehand.
static int *map_of(MlirOperation operation, const char *name, const assay_shadow_op *op) {
  int lanes = op->result.lanes == 0 ? 1 : op->result.lanes;
  if (strcmp(name, "fneg") == 0 || strcmp(name, "freeze") == 0 || strcmp(name, "intr.fabs") == 0 ||
      strcmp(name, "intr.copysign") == 0)
    return take_map(lanes);
  MlirType whole = mlirOperationGetNumOperands(operation) > 0
                       ? mlirValueGetType(mlirOperationGetOperand(operation, 0))
                       : (MlirType){NULL};
  bool extracts = strcmp(name, "extractvalue") == 0, inserts = strcmp(name, "insertvalue") == 0;
  if ((extracts || inserts) && op->operand_count == (extracts ? 1 : 2)) {
    int64_t offset = offset_of(whole, attribute_of(operation, "position"));
    int *map = offset >= 0 ? take_map(lanes) : NULL;
    int part = extracts ? lanes : op->operands[1].lanes == 0 ? 1 : op->operands[1].lanes;
    for (int i = 0; map != NULL && i < part; i++)
      if (extracts)
        map[i] = (int)offset + i;
      else
        map[offset + i] = lanes + i;
    return map;
  }
  if (strcmp(name, "shufflevector") != 0)
    return NULL;
  MlirAttribute mask = attribute_of(operation, "mask");
  int *map = take_map(lanes);
  for (int i = 0; i < lanes; i++)
    map[i] = mlirDenseI32ArrayGetElement(mask, i);
  return map;
}

// What gives one of its operands' lanes, whatever else it is given.
static bool is_move(const char *name) {
  static const char *const moves[] = {
      "fneg",
      "select",
      "freeze",
      "shufflevector",
      "extractvalue",
      "insertvalue",
      "intr.fabs",
      "intr.copysign",
      "intr.maximum",
      "intr.minimum",
      "intr.maxnum",
      "intr.minnum",
      "intr.maximumnum",
      "intr.minimumnum",
      "call @fmax",
      "call @fmin",
      "call @fmaxf",
      "call @fminf",
      "call @fabs",
      "call @fabsf",
      "intr.vector.reduce.fmax",
      "intr.vector.reduce.fmin",
      "intr.vector.reduce.fmaximum",
      "intr.vector.reduce.fminimum",
      "intr.vector.insert",
      "intr.vector.extract",
  };
  return is_among(name, moves, sizeof moves / sizeof *moves);
}

assay_shadow_kind assay_kind_of(MlirOperation operation, MlirSymbolTable symbols,
                                assay_shadow_op *op) {
  char full[192];
  const char *name = assay_watched_name(operation, sizeof full, full);
  assay_rounded rounded;
  if (strcmp(name, "extractelement") == 0)
    return ASSAY_SHADOW_EXTRACT;
  if (strcmp(name, "insertelement") == 0)
    return ASSAY_SHADOW_INSERT;
  if (is_move(name))
    return ASSAY_SHADOW_MOVE;
  if (strcmp(name, "load") == 0)
    return ASSAY_SHADOW_LOAD;
  if (strcmp(name, "fpext") == 0 || strcmp(name, "fptrunc") == 0)
    return ASSAY_SHADOW_CHANGE;
  assay_rounding_class class = assay_operation_classify(operation, symbols, &rounded);
  if (class != ASSAY_ROUNDING_KNOWN && class != ASSAY_ROUNDING_REDUCES)
    return ASSAY_SHADOW_START;
  op->compute = rounded.kind;
  if (rounded.kind == ASSAY_ROUNDED_LIBM) {
    op->one = rounded.operand_count == 1 ? assay_libm_find_one(rounded.name) : NULL;
    op->two = rounded.operand_count == 2 ? assay_libm_find_two(rounded.name) : NULL;
    if (op->one == NULL && op->two == NULL)
      return ASSAY_SHADOW_START;
  }
  return class == ASSAY_ROUNDING_REDUCES ? ASSAY_SHADOW_REDUCE : ASSAY_SHADOW_COMPUTE;
}

void assay_kind_complete(MlirOperation operation, assay_shadow_op *op) {
  bool extracts = op->kind == ASSAY_SHADOW_EXTRACT, inserts = op->kind == ASSAY_SHADOW_INSERT;
  bool is_indexed = op->operand_count == (extracts ? 2 : 3);
  if ((extracts || inserts) && !is_indexed)
    op->kind = ASSAY_SHADOW_MOVE; // the lane is a number of odd width
  char full[192];
  if (op->kind == ASSAY_SHADOW_MOVE)
    op->map = map_of(operation, assay_watched_name(operation, sizeof full, full), op);
}
