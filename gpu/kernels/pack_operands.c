// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-pack-operands: what a library's matrix product cannot read becomes a copy that it can.
//
// A library's matrix has rows (or, transposed, columns) of unit stride that do not overlap. An
// operand of other strides is copied to memory of its own before the product, and a result of other
// strides is computed there and copied back. The copies are memref.copy, of which kernels are made.
#include "compiler/ir/builder.h"
#include "compiler/lower/contraction.h"
#include "gpu/kernels/kernels.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

// Whether rows of unit stride, `stride` apart, are a matrix for the library; the stride of a single
// row is never used.
static bool has_rows(int64_t rows, int64_t columns, int64_t stride, int64_t step) {
  return (columns <= 1 || step == 1) && (rows <= 1 || stride >= columns);
}

static bool is_readable(MlirType type, int rank, bool may_transpose) {
  int64_t strides[3] = {0}, offset;
  if (mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return false;
  int row = rank - 2, column = rank - 1;
  int64_t rows = mlirShapedTypeGetDimSize(type, row);
  int64_t columns = mlirShapedTypeGetDimSize(type, column);
  return has_rows(rows, columns, strides[row], strides[column]) ||
         (may_transpose && has_rows(columns, rows, strides[column], strides[row]));
}

static void copy(const assay_builder *at, MlirValue from, MlirValue to) {
  MlirValue operands[] = {from, to};
  assay_builder_add(
      at, &(assay_recipe){.name = "memref.copy", .operand_count = 2, .operands = operands});
}

// Memory of its own for an operand, in row-major order.
static MlirValue allocate(const assay_builder *at, MlirValue like) {
  MlirType type = mlirValueGetType(like);
  int64_t shape[3];
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int i = 0; i < rank; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  MlirType plain = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank, shape,
                                               mlirAttributeGetNull());
  MlirNamedAttribute none = assay_builder_attribute(
      at, "operandSegmentSizes",
      mlirAttributeParseGet(at->context, mlirStringRefCreateFromCString("array<i32: 0, 0>")));
  return assay_builder_add_value(at, &(assay_recipe){.name = "memref.alloc",
                                                     .attribute_count = 1,
                                                     .attributes = &none,
                                                     .result_count = 1,
                                                     .results = &plain});
}

static void pack(MlirOperation operation, int number, bool is_result) {
  MlirValue operand = mlirOperationGetOperand(operation, number);
  assay_builder before = assay_builder_aside(operation);
  MlirValue packed = allocate(&before, operand);
  copy(&before, operand, packed); // of a result too: the product may add to it
  assay_builder_place(&before, operation);
  mlirOperationSetOperand(operation, number, packed);
  MlirOperation next = mlirOperationGetNextInBlock(operation); // a terminator follows at the latest
  assay_builder after = assay_builder_aside(next);
  if (is_result)
    copy(&after, packed, operand);
  assay_builder_add(
      &after, &(assay_recipe){.name = "memref.dealloc", .operand_count = 1, .operands = &packed});
  assay_builder_place(&after, next);
}

static assay_code run(MlirOperation function, assay_error *err) {
  (void)err;
  assay_operations found = assay_operations_collect(function, assay_contraction_named);
  for (int i = 0; i < found.count; i++) {
    assay_contraction contraction;
    if (!assay_contraction_read(found.items[i], &contraction))
      continue;
    for (int operand = 0; operand < 3; operand++) {
      MlirType type = mlirValueGetType(mlirOperationGetOperand(found.items[i], operand));
      bool is_result = operand == 2;
      if (mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
          !is_readable(type, contraction.rank, !is_result))
        pack(found.items[i], operand, is_result);
    }
  }
  assay_operations_release(&found);
  return ASSAY_OK;
}

static const char *const dialects[] = {"memref", NULL};

const assay_pass assay_pass_gpu_pack_operands = {
    .argument = "assay-gpu-pack-operands",
    .description = "Copy operands of matrix products that a library could not read",
    .anchor = "func.func",
    .dialects = dialects,
    .run = run,
};
