// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-fold-transposes: a contraction of a transposed tensor reads the tensor itself through an
// indexing map, so that no transposed copy is made. It keeps its name.
#include "compiler/lower/contraction.h"
#include "compiler/lower/passes.h"

#include <assert.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Dialect/Linalg.h>
#include <stdlib.h>

static bool transpose_of(MlirValue value, MlirOperation *out_transpose) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *out_transpose = mlirOpResultGetOwner(value);
  return assay_operation_is(*out_transpose, "linalg.transpose");
}

// A transpose whose only moved axes are the last two, which is what the maps of named contractions
// can say: they keep the batch first.
static bool exchanges_last_two(MlirOperation transpose, int rank) {
  MlirAttribute permutation =
      mlirOperationGetAttributeByName(transpose, mlirStringRefCreateFromCString("permutation"));
  if (mlirDenseArrayGetNumElements(permutation) != rank)
    return false;
  return (rank == 2 || mlirDenseI64ArrayGetElement(permutation, 0) == 0) &&
         mlirDenseI64ArrayGetElement(permutation, rank - 1) == rank - 2;
}

static MlirAttribute exchange_results(MlirAttribute map_attribute, int rank) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(map_attribute);
  MlirAffineExpr results[3];
  assert(rank == 2 || rank == 3);
  for (int i = 0; i < rank; i++)
    results[i] = mlirAffineMapGetResult(map, i);
  MlirAffineExpr last = results[rank - 1];
  results[rank - 1] = results[rank - 2];
  results[rank - 2] = last;
  return mlirAffineMapAttrGet(mlirAffineMapGet(mlirAffineMapGetContext(map),
                                               mlirAffineMapGetNumDims(map), 0, rank, results));
}

static void fold_operand(const assay_contraction *contraction, int number) {
  MlirOperation operation = contraction->operation, transpose;
  MlirValue operand = mlirOperationGetOperand(operation, number);
  if (!transpose_of(operand, &transpose) || !exchanges_last_two(transpose, contraction->rank))
    return;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(operation), elements[3];
  for (int i = 0; i < 3; i++)
    elements[i] = mlirArrayAttrGetElement(maps, i);
  elements[number] = exchange_results(elements[number], contraction->rank);
  MlirContext context = mlirOperationGetContext(operation);
  mlirOperationSetAttributeByName(operation, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(context, 3, elements));
  mlirOperationSetOperand(operation, number, mlirOperationGetOperand(transpose, 0));
  fold_operand(contraction, number); // a transpose of a transpose
}

// A transpose that is left without uses is dead code, and removed as such by later passes.
static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations contractions = assay_operations_collect(root, assay_contraction_named);
  for (int i = 0; i < contractions.count; i++) {
    assay_contraction contraction;
    if (!assay_contraction_read(contractions.items[i], &contraction) ||
        mlirOperationGetNumResults(contraction.operation) == 0)
      continue; // on buffers somebody may write between the transpose and its use
    fold_operand(&contraction, 0);
    fold_operand(&contraction, 1);
  }
  free(contractions.items);
  return ASSAY_OK;
}

const assay_pass assay_pass_fold_transposes = {
    .argument = "assay-fold-transposes",
    .description = "Fold transposes of operands into the maps of matmul and batch_matmul",
    .anchor = "func.func",
    .run = run,
};
