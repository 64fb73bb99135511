// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/kinds.h"

#include "compiler/ir/walk.h"
#include "compiler/origin/slots.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/libm.h"
#include "compiler/rounding/operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *name, const char *const names[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
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
      "intr.fabs",
      "intr.copysign",
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

int assay_kind_chosen(MlirOperation select) {
  MlirValue condition = mlirOperationGetOperand(select, 0);
  MlirValue yes = mlirOperationGetOperand(select, 1), no = mlirOperationGetOperand(select, 2);
  if (!mlirValueIsAOpResult(condition))
    return 0;
  MlirOperation compare = mlirOpResultGetOwner(condition);
  if (!assay_operation_is(compare, "llvm.fcmp"))
    return 0;
  MlirValue a = mlirOperationGetOperand(compare, 0), b = mlirOperationGetOperand(compare, 1);
  bool straight = mlirValueEqual(a, yes) && mlirValueEqual(b, no);
  bool crossed = mlirValueEqual(a, no) && mlirValueEqual(b, yes);
  int64_t how = mlirIntegerAttrGetValueInt(attribute_of(compare, "predicate"));
  // LLVM's numbers: ogt, oge, olt, ole; the same with "or unordered" are 7 on.
  int64_t ordered = how > 7 ? how - 7 : how;
  bool greater = ordered == 2 || ordered == 3, smaller = ordered == 4 || ordered == 5;
  if ((!straight && !crossed) || (!greater && !smaller))
    return 0;
  return greater == straight ? 1 : -1;
}

// The greater and the smaller of two are those of the shadows: where two are close, the program may
// take the other one.
static bool chooses(MlirOperation operation, const char *name, assay_shadow_op *op) {
  static const char *const greater[] = {"intr.maximum", "intr.maxnum", "intr.maximumnum",
                                        "call @fmax", "call @fmaxf"};
  static const char *const smaller[] = {"intr.minimum", "intr.minnum", "intr.minimumnum",
                                        "call @fmin", "call @fminf"};
  int chosen = strcmp(name, "select") == 0 ? assay_kind_chosen(operation) : 0;
  if (chosen > 0 || is_among(name, greater, sizeof greater / sizeof *greater))
    op->two = fmaxl;
  else if (chosen < 0 || is_among(name, smaller, sizeof smaller / sizeof *smaller))
    op->two = fminl;
  else
    return false;
  op->compute = ASSAY_ROUNDED_LIBM;
  return true;
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
  if (chooses(operation, name, op))
    return ASSAY_SHADOW_COMPUTE;
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
