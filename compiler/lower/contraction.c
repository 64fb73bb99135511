// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/contraction.h"

#include "compiler/bridge/memory.h"
#include "compiler/ir/linalg.h"

#include <math.h>
#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/Linalg.h>

bool assay_contraction_named(MlirOperation operation) {
  return assay_operation_is(operation, "linalg.matmul") ||
         assay_operation_is(operation, "linalg.batch_matmul");
}

// How an operand's map reads the loops (batch,) m, n, k: its last two axes are the loops row and
// column, or exchanged; any batch axis is the first.
static bool read_map(MlirAffineMap map, int rank, int row, int column, bool *out_transposed) {
  if (mlirAffineMapGetNumDims(map) != rank + 1 || mlirAffineMapGetNumResults(map) != rank)
    return false;
  intptr_t axis[3];
  for (int i = 0; i < rank; i++) {
    MlirAffineExpr expression = mlirAffineMapGetResult(map, i);
    if (!mlirAffineExprIsADim(expression))
      return false;
    axis[i] = mlirAffineDimExprGetPosition(expression);
  }
  *out_transposed = axis[rank - 2] == column;
  return (axis[rank - 2] == row && axis[rank - 1] == column) ||
         (axis[rank - 2] == column && axis[rank - 1] == row);
}

static bool read_maps(assay_contraction *contraction) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(contraction->operation);
  int m = contraction->rank - 2, n = m + 1, k = m + 2;
  const struct {
    int row, column;
    bool *transposed;
  } operand[] = {{m, k, &contraction->lhs_transposed}, {k, n, &contraction->rhs_transposed}};
  for (int i = 0; i < 2; i++) {
    MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (!read_map(map, contraction->rank, operand[i].row, operand[i].column, operand[i].transposed))
      return false;
  }
  bool out_transposed;
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 2));
  return read_map(map, contraction->rank, m, n, &out_transposed) && !out_transposed;
}

static bool allows_tf32(MlirOperation operation) {
  MlirAttribute precision = mlirOperationGetDiscardableAttributeByName(
      operation, mlirStringRefCreateFromCString(ASSAY_PRECISION_ATTRIBUTE));
  return !mlirAttributeIsNull(precision) && mlirAttributeIsAString(precision) &&
         mlirStringRefEqual(mlirStringAttrGetValue(precision),
                            mlirStringRefCreateFromCString("tf32"));
}

bool assay_contraction_read(MlirOperation operation, assay_contraction *out_contraction) {
  if (!assay_contraction_named(operation))
    return false;
  *out_contraction = (assay_contraction){
      .operation = operation,
      .lhs = mlirOperationGetOperand(operation, 0),
      .rhs = mlirOperationGetOperand(operation, 1),
      .out = mlirOperationGetOperand(operation, 2),
      .rank = assay_operation_is(operation, "linalg.matmul") ? 2 : 3,
  };
  MlirType type = mlirValueGetType(out_contraction->out);
  out_contraction->element = mlirShapedTypeGetElementType(type);
  for (int i = 0; i < 3; i++) {
    MlirType operand = mlirValueGetType(mlirOperationGetOperand(operation, i));
    if (mlirShapedTypeGetRank(operand) != out_contraction->rank ||
        !mlirTypeEqual(mlirShapedTypeGetElementType(operand), out_contraction->element))
      return false;
  }
  out_contraction->tf32 = mlirTypeIsAF32(out_contraction->element) && allows_tf32(operation);
  return read_maps(out_contraction);
}

MlirOperation assay_fill_before(MlirOperation operation, MlirValue buffer) {
  MlirOperation fill = {NULL};
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(operation));
  for (; !mlirOperationEqual(at, operation); at = mlirOperationGetNextInBlock(at)) {
    if (assay_operation_is(at, "linalg.fill") && mlirOperationGetNumOperands(at) == 2 &&
        mlirValueEqual(mlirOperationGetOperand(at, 1), buffer))
      fill = at;
    else if (!mlirOperationIsNull(fill) && assay_memory_may_touch(at, buffer))
      fill = (MlirOperation){NULL};
  }
  return fill;
}

static bool is_positive_zero(MlirValue value) {
  MlirAttribute number = assay_constant_value(value);
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAFloat(number))
    return false;
  double zero = mlirFloatAttrGetValueDouble(number);
  return zero == 0 && !signbit(zero);
}

MlirOperation assay_contraction_zeros(const assay_contraction *contraction) {
  MlirOperation fill = assay_fill_before(contraction->operation, contraction->out);
  if (mlirOperationIsNull(fill) || !is_positive_zero(mlirOperationGetOperand(fill, 0)))
    return (MlirOperation){NULL};
  return fill;
}
