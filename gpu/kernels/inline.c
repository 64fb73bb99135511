// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation's body, moved into its kernel.
#include "compiler/ir/walk.h"
#include "gpu/kernels/draft.h"

#include <mlir-c/BuiltinAttributes.h>

// Whether the value is made inside the operation.
static bool is_inside(MlirOperation operation, MlirValue value) {
  MlirOperation at = mlirValueIsAOpResult(value)
                         ? mlirOpResultGetOwner(value)
                         : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  while (!mlirOperationIsNull(at)) {
    if (mlirOperationEqual(at, operation))
      return true;
    at = mlirOperationGetParentOperation(at);
  }
  return false;
}

// What the body reads of the host code, brought in; linalg.index by the loops' indices.
static void bind(assay_kernel_draft *draft, const MlirValue indices[]) {
  MlirOperation operation = draft->of->operation;
  assay_operations inside = assay_operations_collect(operation, NULL);
  for (int i = 1; i < inside.count; i++) { // after the operation itself
    MlirOperation each = inside.items[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(each); j++) {
      MlirValue value = mlirOperationGetOperand(each, j);
      if (!is_inside(operation, value))
        mlirOperationSetOperand(each, j, assay_draft_bring(draft, value));
    }
  }
  for (int i = 1; i < inside.count; i++) {
    if (!assay_operation_is(inside.items[i], "linalg.index"))
      continue;
    MlirAttribute loop =
        mlirOperationGetAttributeByName(inside.items[i], mlirStringRefCreateFromCString("dim"));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(inside.items[i], 0),
                                  indices[mlirIntegerAttrGetValueInt(loop)]);
    mlirOperationDestroy(inside.items[i]);
  }
  assay_operations_release(&inside);
}

static bool is_used(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

void assay_draft_inline(assay_kernel_draft *draft, const assay_builder *at,
                        const assay_draft_step *step, const MlirValue held[], MlirValue results[]) {
  const assay_structured *of = draft->of;
  int inputs = of->operand_count - of->out_count;
  if (mlirBlockIsNull(of->body)) {
    results[0] = assay_draft_load(draft, at, 0, step);
    return;
  }
  bind(draft, step->indices);
  for (int i = 0; i < of->operand_count; i++) {
    MlirValue argument = mlirBlockGetArgument(of->body, i);
    if (is_used(argument))
      mlirValueReplaceAllUsesOfWith(argument, held != NULL && i >= inputs
                                                  ? held[i - inputs]
                                                  : assay_draft_load(draft, at, i, step));
  }
  MlirOperation yield = mlirBlockGetTerminator(of->body);
  for (MlirOperation next;
       !mlirOperationEqual(next = mlirBlockGetFirstOperation(of->body), yield);) {
    mlirOperationRemoveFromParent(next);
    mlirBlockAppendOwnedOperation(at->block, next);
  }
  for (int i = 0; i < of->out_count; i++)
    results[i] = mlirOperationGetOperand(yield, i);
}
