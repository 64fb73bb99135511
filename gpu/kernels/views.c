// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-views: a reshape of a buffer is another view of it.
//
// memref.reshape takes its new sizes from a buffer, which the host would have to read; but where
// the result's type says them, they are known. Its verifier wants both types without strides, so
// that the new view is contiguous from the same start.
#include "compiler/ir/builder.h"
#include "compiler/ir/walk.h"
#include "gpu/kernels/kernels.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { MAX_RANK = 64 };

static bool is_plain(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) <= MAX_RANK &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

static bool can_view(MlirOperation operation) {
  return assay_operation_is(operation, "memref.reshape") &&
         is_plain(mlirValueGetType(mlirOperationGetOperand(operation, 0))) &&
         is_plain(mlirValueGetType(mlirOperationGetResult(operation, 0)));
}

static MlirValue view(const assay_builder *at, MlirValue source, MlirType type) {
  int64_t sizes[MAX_RANK + 1], strides[MAX_RANK + 1], offset = 0, stride = 1;
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int i = rank - 1; i >= 0; i--) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
    strides[i] = stride;
    stride *= sizes[i];
  }
  const int32_t segments[] = {1, 0, 0, 0}; // the source; offsets, sizes and strides are numbers
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "operandSegmentSizes",
                              mlirDenseI32ArrayGet(at->context, 4, segments)),
      assay_builder_numbers(at, "static_offsets", 1, &offset),
      assay_builder_numbers(at, "static_sizes", rank, sizes),
      assay_builder_numbers(at, "static_strides", rank, strides),
  };
  return assay_builder_add_value(
      at, &(assay_recipe){.name = "memref.reinterpret_cast",
                          .operand_count = 1,
                          .operands = &source,
                          .attribute_count = sizeof attributes / sizeof *attributes,
                          .attributes = attributes,
                          .result_count = 1,
                          .results = &type});
}

static assay_code run(MlirOperation module, assay_error *err) {
  (void)err;
  assay_operations reshapes = assay_operations_collect(module, can_view);
  for (int i = 0; i < reshapes.count; i++) {
    MlirOperation operation = reshapes.items[i];
    MlirValue result = mlirOperationGetResult(operation, 0);
    assay_builder at = assay_builder_aside(operation);
    MlirValue made = view(&at, mlirOperationGetOperand(operation, 0), mlirValueGetType(result));
    assay_builder_place(&at, operation);
    mlirValueReplaceAllUsesOfWith(result, made);
    mlirOperationDestroy(operation);
  }
  assay_operations_release(&reshapes);
  return ASSAY_OK;
}

static const char *const dialects[] = {"memref", NULL};

const assay_pass assay_pass_gpu_views = {
    .argument = "assay-gpu-views",
    .description = "Replace memref.reshape by views that read no shape",
    .anchor = "builtin.module",
    .dialects = dialects,
    .run = run,
};
