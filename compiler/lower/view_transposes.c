// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-view-transposes: a contraction of a transposed copy reads the original through a view.
//
// On buffers a linalg.transpose is a copy. Where a contraction is all that reads the copy, it can
// read the original instead by memref.transpose, which moves no element and may move any axis, the
// batch's too (fold_transposes.c on tensors can exchange the last two only). What reads strides, as
// the BLAS entries do, then needs no copy at all.
#include "compiler/bridge/memory.h"
#include "compiler/ir/builder.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/passes.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

// A transposed copy: linalg.transpose of source into an allocation that it fills.
typedef struct copy {
  MlirOperation transpose;
  MlirValue source, target;
  unsigned permutation[3];
  int rank;
} copy;

static bool is_transpose(MlirOperation operation) {
  return assay_operation_is(operation, "linalg.transpose");
}

static bool read_copy(MlirOperation transpose, copy *out_copy) {
  MlirValue source = mlirOperationGetOperand(transpose, 0);
  MlirValue target = mlirOperationGetOperand(transpose, 1);
  MlirAttribute permutation =
      mlirOperationGetAttributeByName(transpose, mlirStringRefCreateFromCString("permutation"));
  intptr_t rank = mlirDenseArrayGetNumElements(permutation);
  if (!mlirTypeIsAMemRef(mlirValueGetType(target)) || rank > 3 || !mlirValueIsAOpResult(target) ||
      !assay_operation_is(mlirOpResultGetOwner(target), "memref.alloc"))
    return false;
  *out_copy = (copy){transpose, source, target, {0}, (int)rank};
  for (int i = 0; i < rank; i++)
    out_copy->permutation[i] = (unsigned)mlirDenseI64ArrayGetElement(permutation, i);
  return true;
}

// Whether the contraction reads the copy, and only reads it.
static bool only_reads(MlirOperation contraction, MlirValue target) {
  return assay_contraction_named(contraction) &&
         !mlirValueEqual(mlirOperationGetOperand(contraction, 2), target);
}

// Whether all that knows the copy is its transpose, contractions that read it and its end, in one
// block.
static bool is_private(const copy *it) {
  MlirBlock block = mlirOperationGetBlock(it->transpose);
  for (MlirOpOperand use = mlirValueGetFirstUse(it->target); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool known = mlirOperationEqual(user, it->transpose) || only_reads(user, it->target) ||
                 assay_operation_is(user, "memref.dealloc");
    if (!known || !mlirBlockEqual(mlirOperationGetBlock(user), block))
      return false;
  }
  return true;
}

static bool has_operand(MlirOperation operation, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++)
    if (mlirValueEqual(mlirOperationGetOperand(operation, i), value))
      return true;
  return false;
}

// Whether the source holds what the copy holds wherever a contraction reads the copy, and during
// it.
static bool source_stays(const copy *it) {
  bool same = false;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(it->transpose));
  for (; !mlirOperationIsNull(at); at = mlirOperationGetNextInBlock(at)) {
    same = same && !assay_memory_may_write(at, it->source);
    if (mlirOperationEqual(at, it->transpose))
      same = true;
    else if (!same && assay_contraction_named(at) && has_operand(at, it->target))
      return false;
  }
  return true;
}

// memref.transpose of the source, right before the transpose.
static MlirValue view_source(const copy *it) {
  MlirContext context = mlirOperationGetContext(it->transpose);
  MlirType source = mlirValueGetType(it->source), target = mlirValueGetType(it->target);
  int64_t strides[3], offset, moved[3], sizes[3];
  if (mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(source, strides, &offset)))
    return (MlirValue){NULL};
  for (int i = 0; i < it->rank; i++) {
    moved[i] = strides[it->permutation[i]];
    sizes[i] = mlirShapedTypeGetDimSize(target, i);
  }
  MlirAttribute layout = mlirStridedLayoutAttrGet(context, offset, it->rank, moved);
  MlirType type = mlirMemRefTypeGet(mlirShapedTypeGetElementType(source), it->rank, sizes, layout,
                                    mlirMemRefTypeGetMemorySpace(source));
  assay_builder builder = assay_builder_aside(it->transpose);
  unsigned permutation[3] = {it->permutation[0], it->permutation[1], it->permutation[2]};
  MlirNamedAttribute attribute = assay_builder_attribute(
      &builder, "permutation",
      mlirAffineMapAttrGet(mlirAffineMapPermutationGet(context, it->rank, permutation)));
  MlirValue view = assay_builder_add_value(&builder, &(assay_recipe){.name = "memref.transpose",
                                                                     .operand_count = 1,
                                                                     .operands = &it->source,
                                                                     .attribute_count = 1,
                                                                     .attributes = &attribute,
                                                                     .result_count = 1,
                                                                     .results = &type});
  assay_builder_place(&builder, it->transpose);
  return view;
}

// Gives the contractions the view, and removes the copy with its allocation.
static void replace(const copy *it) {
  MlirValue view = view_source(it);
  if (mlirValueIsNull(view))
    return;
  MlirOperation allocation = mlirOpResultGetOwner(it->target);
  for (;;) {
    MlirOpOperand use = mlirValueGetFirstUse(it->target);
    if (mlirOpOperandIsNull(use))
      break;
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (assay_contraction_named(user))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), view);
    else
      mlirOperationDestroy(user);
  }
  mlirOperationDestroy(allocation);
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations transposes = assay_operations_collect(root, is_transpose);
  for (int i = 0; i < transposes.count; i++) {
    copy found;
    if (read_copy(transposes.items[i], &found) && is_private(&found) && source_stays(&found))
      replace(&found);
  }
  free(transposes.items);
  return ASSAY_OK;
}

static const char *const dialects[] = {"memref", NULL};

const assay_pass assay_pass_view_transposes = {
    .argument = "assay-view-transposes",
    .description = "Let matmul and batch_matmul read transposed buffers through views",
    .anchor = "func.func",
    .dialects = dialects,
    .run = run,
};
