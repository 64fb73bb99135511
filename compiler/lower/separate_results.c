// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-separate-results: a function returns no buffer twice.
//
// Equal results become one buffer in bufferization or before. Each has a place of its own with the
// caller, and buffer-results-to-out-params of LLVM 22 crashes on an allocation that is returned
// twice when it is to hoist it there; so repeated ones are copied.
#include "compiler/ir/builder.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/passes.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

static bool is_return(MlirOperation operation) {
  return assay_operation_is(operation, "func.return");
}

static bool was_returned_before(MlirOperation operation, intptr_t number) {
  MlirValue value = mlirOperationGetOperand(operation, number);
  for (intptr_t i = 0; i < number; i++)
    if (mlirValueEqual(mlirOperationGetOperand(operation, i), value))
      return true;
  return false;
}

// A copy of the buffer, made right before the operation.
static MlirValue copy_before(MlirOperation operation, MlirValue buffer) {
  MlirType type = mlirValueGetType(buffer);
  assay_builder builder = assay_builder_aside(operation);
  const int32_t segments[] = {0, 0}; // neither dynamic sizes nor symbols
  MlirNamedAttribute attribute = assay_builder_attribute(
      &builder, "operandSegmentSizes", mlirDenseI32ArrayGet(builder.context, 2, segments));
  MlirOperation allocation = assay_builder_add(&builder, &(assay_recipe){.name = "memref.alloc",
                                                                         .attribute_count = 1,
                                                                         .attributes = &attribute,
                                                                         .result_count = 1,
                                                                         .results = &type});
  MlirValue copied[] = {buffer, mlirOperationGetResult(allocation, 0)};
  assay_builder_add(&builder,
                    &(assay_recipe){.name = "memref.copy", .operand_count = 2, .operands = copied});
  assay_builder_place(&builder, operation);
  return copied[1];
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations returns = assay_operations_collect(root, is_return);
  for (int i = 0; i < returns.count; i++) {
    MlirOperation operation = returns.items[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(operation); j++) {
      MlirValue value = mlirOperationGetOperand(operation, j);
      MlirType type = mlirValueGetType(value);
      if (mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
          was_returned_before(operation, j))
        mlirOperationSetOperand(operation, j, copy_before(operation, value));
    }
  }
  free(returns.items);
  return ASSAY_OK;
}

static const char *const dialects[] = {"memref", NULL};

const assay_pass assay_pass_separate_results = {
    .argument = "assay-separate-results",
    .description = "Copy buffers that a function returns more than once",
    .anchor = "func.func",
    .dialects = dialects,
    .run = run,
};
