// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does at one step of its loops.
#include "compiler/ir/walk.h"
#include "gpu/kernels/draft.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

MlirValue assay_draft_index(const assay_builder *at, int64_t number) {
  return assay_builder_constant(at, mlirIntegerAttrGet(mlirIndexTypeGet(at->context), number));
}

static MlirValue read_id(const assay_builder *at, const char *name) {
  MlirType index = mlirIndexTypeGet(at->context);
  MlirStringRef x = mlirStringRefCreateFromCString("#gpu<dim x>");
  MlirNamedAttribute dimension =
      assay_builder_attribute(at, "dimension", mlirAttributeParseGet(at->context, x));
  return assay_builder_add_value(at, &(assay_recipe){.name = name,
                                                     .attribute_count = 1,
                                                     .attributes = &dimension,
                                                     .result_count = 1,
                                                     .results = &index});
}

MlirValue assay_draft_thread(const assay_builder *at) {
  return read_id(at, "gpu.thread_id");
}

MlirValue assay_draft_block(const assay_builder *at) {
  return read_id(at, "gpu.block_id");
}

// A block in the operation's region, as the inside of a loop or of a condition.
static assay_builder enter(const assay_builder *at, MlirOperation operation, int region,
                           MlirBlock block) {
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(operation, region), block);
  return (assay_builder){at->context, block, at->location};
}

assay_builder assay_draft_if(const assay_builder *at, MlirValue condition) {
  MlirOperation operation = assay_builder_add(
      at, &(assay_recipe){
              .name = "scf.if", .operand_count = 1, .operands = &condition, .region_count = 2});
  return enter(at, operation, 0, mlirBlockCreate(0, NULL, NULL));
}

assay_builder assay_draft_if_below(const assay_builder *at, MlirValue left, MlirValue right) {
  enum { ULT = 6 };
  return assay_draft_if(at, assay_builder_compare(at, ULT, left, right));
}

assay_draft_loop assay_draft_for(const assay_builder *at, MlirValue from, int64_t to, int64_t step,
                                 int count, const MlirValue carried[]) {
  enum { BOUNDS = 3, MOST = 64 };
  MlirValue operands[BOUNDS + MOST] = {from, assay_draft_index(at, to),
                                       assay_draft_index(at, step)};
  MlirType types[1 + MOST] = {mlirIndexTypeGet(at->context)};
  MlirLocation locations[1 + MOST] = {at->location};
  for (int i = 0; i < count; i++) {
    operands[BOUNDS + i] = carried[i];
    types[1 + i] = mlirValueGetType(carried[i]);
    locations[1 + i] = at->location;
  }
  MlirOperation operation = assay_builder_add(at, &(assay_recipe){.name = "scf.for",
                                                                  .operand_count = BOUNDS + count,
                                                                  .operands = operands,
                                                                  .result_count = count,
                                                                  .results = types + 1,
                                                                  .region_count = 1});
  MlirBlock block = mlirBlockCreate(1 + count, types, locations);
  return (assay_draft_loop){operation, enter(at, operation, 0, block),
                            mlirBlockGetArgument(block, 0)};
}

void assay_draft_yield(const assay_builder *at, int count, const MlirValue values[]) {
  assay_builder_add(
      at, &(assay_recipe){.name = "scf.yield", .operand_count = count, .operands = values});
}

static MlirValue combine(const assay_builder *at, const char *name, MlirValue left,
                         MlirValue right) {
  MlirValue operands[] = {left, right};
  return assay_builder_apply(at, name, mlirValueGetType(left), 2, operands);
}

// Divisions by constants cost less in 32 bits, and nearly all numbers of steps fit.
void assay_draft_split(const assay_kernel_draft *draft, const assay_builder *at, bool reduces,
                       MlirValue number, MlirValue indices[]) {
  const assay_structured *of = draft->of;
  MlirType index = mlirIndexTypeGet(at->context);
  bool narrow = assay_structured_steps(of, reduces) <= INT32_MAX;
  MlirType type = narrow ? mlirIntegerTypeGet(at->context, 32) : index;
  int outermost = 0;
  while (outermost < of->rank && (of->reduces[outermost] != reduces || of->extents[outermost] == 1))
    outermost++;
  MlirValue rest = {NULL};
  for (int i = of->rank - 1; i >= 0; i--) {
    if (of->reduces[i] != reduces)
      continue;
    if (of->extents[i] == 1 || i == outermost) {
      indices[i] = of->extents[i] == 1 ? assay_draft_index(at, 0) : number;
      if (i == outermost && !mlirValueIsNull(rest))
        indices[i] = narrow ? assay_builder_apply(at, "arith.index_castui", index, 1, &rest) : rest;
      continue;
    }
    if (mlirValueIsNull(rest))
      rest = narrow ? assay_builder_apply(at, "arith.index_castui", type, 1, &number) : number;
    MlirValue extent = assay_builder_constant(at, mlirIntegerAttrGet(type, of->extents[i]));
    MlirValue digit = combine(at, "arith.remui", rest, extent);
    indices[i] = narrow ? assay_builder_apply(at, "arith.index_castui", index, 1, &digit) : digit;
    rest = combine(at, "arith.divui", rest, extent);
  }
}

// Whether the operand's elements lie in the order of the steps.
static bool is_linear(const assay_structured *of, int operand) {
  MlirType type = mlirValueGetType(of->operands[operand]);
  if (!mlirAffineMapIsIdentity(of->maps[operand]) || of->rank < 2 ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return false;
  for (int i = 0; i < of->rank; i++)
    if (mlirShapedTypeGetDimSize(type, i) != of->extents[i])
      return false;
  return true;
}

// The memref as one axis.
static MlirValue flatten(assay_kernel_draft *draft, MlirValue memref) {
  MlirContext context = draft->head.context;
  MlirType type = mlirValueGetType(memref);
  MlirAttribute axes[64];
  int64_t size = 1, rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; i++) {
    axes[i] = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), i);
    size *= mlirShapedTypeGetDimSize(type, i);
  }
  MlirAttribute group = mlirArrayAttrGet(context, rank, axes);
  MlirNamedAttribute reassociation =
      assay_builder_attribute(&draft->head, "reassociation", mlirArrayAttrGet(context, 1, &group));
  MlirType flat = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 1, &size,
                                              mlirMemRefTypeGetMemorySpace(type));
  return assay_builder_add_value(&draft->head, &(assay_recipe){.name = "memref.collapse_shape",
                                                               .operand_count = 1,
                                                               .operands = &memref,
                                                               .attribute_count = 1,
                                                               .attributes = &reassociation,
                                                               .result_count = 1,
                                                               .results = &flat});
}

// The value of one expression of an operand's map.
static MlirValue place(const assay_kernel_draft *draft, const assay_builder *at,
                       MlirAffineExpr expression, const MlirValue indices[]) {
  if (mlirAffineExprIsADim(expression))
    return indices[mlirAffineDimExprGetPosition(expression)];
  if (mlirAffineExprIsAConstant(expression))
    return assay_draft_index(at, mlirAffineConstantExprGetValue(expression));
  MlirAffineMap map = mlirAffineMapGet(at->context, draft->of->rank, 0, 1, &expression);
  MlirNamedAttribute attribute = assay_builder_attribute(at, "map", mlirAffineMapAttrGet(map));
  MlirType index = mlirIndexTypeGet(at->context);
  return assay_builder_add_value(at, &(assay_recipe){.name = "affine.apply",
                                                     .operand_count = draft->of->rank,
                                                     .operands = indices,
                                                     .attribute_count = 1,
                                                     .attributes = &attribute,
                                                     .result_count = 1,
                                                     .results = &index});
}

// Sets operands[0] to the memref and those that follow to the element's indices; their number.
static int address(assay_kernel_draft *draft, const assay_builder *at, int operand,
                   const assay_draft_step *step, MlirValue operands[]) {
  const assay_structured *of = draft->of;
  operands[0] = assay_draft_bring(draft, of->operands[operand]);
  if (!mlirValueIsNull(step->linear) && is_linear(of, operand)) {
    operands[0] = flatten(draft, operands[0]);
    operands[1] = step->linear;
    return 2;
  }
  int rank = (int)mlirAffineMapGetNumResults(of->maps[operand]);
  for (int i = 0; i < rank; i++)
    operands[1 + i] = place(draft, at, mlirAffineMapGetResult(of->maps[operand], i), step->indices);
  return 1 + rank;
}

MlirValue assay_draft_load(assay_kernel_draft *draft, const assay_builder *at, int operand,
                           const assay_draft_step *step) {
  MlirType type = mlirValueGetType(draft->of->operands[operand]);
  if (!mlirTypeIsAMemRef(type))
    return assay_draft_bring(draft, draft->of->operands[operand]);
  MlirValue operands[64];
  int count = address(draft, at, operand, step, operands);
  return assay_builder_apply(at, "memref.load", mlirShapedTypeGetElementType(type), count,
                             operands);
}

MlirValue assay_draft_held(assay_kernel_draft *draft, const assay_builder *at, int result,
                           const assay_draft_step *step) {
  const assay_structured *of = draft->of;
  if (of->starts != NULL && !mlirValueIsNull(of->starts[result]))
    return assay_draft_bring(draft, of->starts[result]);
  return assay_draft_load(draft, at, of->operand_count - of->out_count + result, step);
}

void assay_draft_store(assay_kernel_draft *draft, const assay_builder *at, int operand,
                       const assay_draft_step *step, MlirValue value) {
  MlirValue operands[65] = {value};
  int count = address(draft, at, operand, step, operands + 1);
  assay_builder_add(
      at,
      &(assay_recipe){.name = "memref.store", .operand_count = 1 + count, .operands = operands});
}
