// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/structured.h"

#include "compiler/ir/walk.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/Linalg.h>

static bool is_static(MlirType type) {
  return !mlirTypeIsAUnrankedMemRef(type) &&
         (!mlirTypeIsAMemRef(type) || mlirShapedTypeHasStaticShape(type));
}

static bool read_operands(assay_arena *arena, assay_structured *to) {
  to->operand_count = (int)mlirOperationGetNumOperands(to->operation);
  MlirValue *operands = assay_arena_take(arena, (size_t)to->operand_count, sizeof *operands);
  for (int i = 0; i < to->operand_count; i++) {
    operands[i] = mlirOperationGetOperand(to->operation, i);
    if (!is_static(mlirValueGetType(operands[i])))
      return false;
  }
  to->operands = operands;
  for (int i = to->operand_count - to->out_count; i < to->operand_count; i++)
    if (i < 0 || !mlirTypeIsAMemRef(mlirValueGetType(operands[i])))
      return false;
  return true;
}

// The loop that an expression is, or -1.
static intptr_t loop_of(MlirAffineMap map, intptr_t result) {
  MlirAffineExpr expression = mlirAffineMapGetResult(map, result);
  return mlirAffineExprIsADim(expression) ? mlirAffineDimExprGetPosition(expression) : -1;
}

// A loop's extent is that of an axis that it alone runs along.
static bool find_extents(assay_arena *arena, assay_structured *to) {
  int64_t *extents = assay_arena_take(arena, (size_t)to->rank + 1, sizeof *extents);
  for (int i = 0; i < to->rank; i++)
    extents[i] = -1;
  for (int i = 0; i < to->operand_count; i++) {
    MlirType type = mlirValueGetType(to->operands[i]);
    for (intptr_t j = 0; j < mlirAffineMapGetNumResults(to->maps[i]); j++) {
      intptr_t loop = loop_of(to->maps[i], j);
      if (loop >= 0)
        extents[loop] = mlirShapedTypeGetDimSize(type, j);
    }
  }
  to->extents = extents;
  for (int i = 0; i < to->rank; i++)
    if (extents[i] < 0)
      return false;
  return true;
}

static bool uses_loop(const assay_structured *structured, int operand, int loop) {
  MlirAffineMap map = structured->maps[operand];
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); i++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, i), loop))
      return true;
  return false;
}

// linalg.generic says it; the loops of named operations reduce where no result depends on them.
static void find_iterators(assay_arena *arena, assay_structured *to) {
  bool *reduces = assay_arena_take(arena, (size_t)to->rank + 1, sizeof *reduces);
  MlirContext context = mlirOperationGetContext(to->operation);
  MlirAttribute iterators = mlirOperationGetAttributeByName(
      to->operation, mlirStringRefCreateFromCString("iterator_types"));
  MlirAttribute parallel = mlirAttributeParseGet(
      context, mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>"));
  for (int i = 0; i < to->rank; i++) {
    if (!mlirAttributeIsNull(iterators)) {
      reduces[i] = !mlirAttributeEqual(mlirArrayAttrGetElement(iterators, i), parallel);
      continue;
    }
    reduces[i] = true;
    for (int j = to->operand_count - to->out_count; j < to->operand_count; j++)
      reduces[i] = reduces[i] && !uses_loop(to, j, i);
  }
  to->reduces = reduces;
}

static bool read_copy(assay_arena *arena, assay_structured *to) {
  to->out_count = 1;
  if (!read_operands(arena, to))
    return false;
  MlirAffineMap *maps = assay_arena_take(arena, 2, sizeof *maps);
  to->rank = (int)mlirShapedTypeGetRank(mlirValueGetType(to->operands[1]));
  maps[0] = maps[1] =
      mlirAffineMapMultiDimIdentityGet(mlirOperationGetContext(to->operation), to->rank);
  to->maps = maps;
  bool *reduces = assay_arena_take(arena, (size_t)to->rank + 1, sizeof *reduces);
  for (int i = 0; i < to->rank; i++)
    reduces[i] = false;
  to->reduces = reduces;
  return find_extents(arena, to);
}

static bool read_linalg(assay_arena *arena, assay_structured *to) {
  MlirAttribute maps_attribute = mlirLinalgGetIndexingMapsAttribute(to->operation);
  if (mlirAttributeIsNull(maps_attribute) || mlirOperationGetNumRegions(to->operation) != 1 ||
      mlirOperationGetNumResults(to->operation) != 0)
    return false;
  to->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(to->operation, 0));
  to->out_count = (int)mlirOperationGetNumOperands(mlirBlockGetTerminator(to->body));
  if (!read_operands(arena, to) ||
      mlirArrayAttrGetNumElements(maps_attribute) != to->operand_count ||
      mlirBlockGetNumArguments(to->body) != to->operand_count)
    return false;
  MlirAffineMap *maps = assay_arena_take(arena, (size_t)to->operand_count, sizeof *maps);
  for (int i = 0; i < to->operand_count; i++) {
    maps[i] = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps_attribute, i));
    if (mlirAffineMapGetNumSymbols(maps[i]) != 0)
      return false;
  }
  to->maps = maps;
  to->rank = to->operand_count == 0 ? 0 : (int)mlirAffineMapGetNumDims(maps[0]);
  if (!find_extents(arena, to))
    return false;
  find_iterators(arena, to);
  return true;
}

bool assay_structured_read(assay_arena *arena, MlirOperation operation,
                           assay_structured *out_structured) {
  *out_structured = (assay_structured){.operation = operation};
  if (assay_operation_is(operation, "memref.copy"))
    return read_copy(arena, out_structured);
  return read_linalg(arena, out_structured);
}

int64_t assay_structured_steps(const assay_structured *structured, bool reduces) {
  int64_t steps = 1;
  for (int i = 0; i < structured->rank; i++)
    if (structured->reduces[i] == reduces)
      steps *= structured->extents[i];
  return steps;
}

static bool is_axis(MlirAffineMap map, int loop) {
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); i++)
    if (loop_of(map, i) == loop)
      return true;
  return false;
}

bool assay_structured_apart(const assay_structured *structured) {
  for (int i = structured->operand_count - structured->out_count; i < structured->operand_count;
       i++)
    for (int loop = 0; loop < structured->rank; loop++)
      if (structured->extents[loop] > 1 && !structured->reduces[loop] &&
          !is_axis(structured->maps[i], loop))
        return false;
  return true;
}

bool assay_structured_steady(const assay_structured *structured) {
  for (int i = structured->operand_count - structured->out_count; i < structured->operand_count;
       i++)
    for (int loop = 0; loop < structured->rank; loop++)
      if (structured->extents[loop] > 1 && structured->reduces[loop] &&
          uses_loop(structured, i, loop))
        return false;
  return true;
}

bool assay_structured_any_reduces(const assay_structured *structured) {
  for (int i = 0; i < structured->rank; i++)
    if (structured->reduces[i])
      return true;
  return false;
}
