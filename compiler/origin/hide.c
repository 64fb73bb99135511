// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that nobody sees to be constants: conversions fold what they see.
#include "compiler/ir/linalg.h"
#include "compiler/origin/sources.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>
#include <string.h>

// Larger ones are weights, which nobody folds, and which it takes time to copy.
static const int64_t MOST_ELEMENTS = (int64_t)1 << 20;

static bool has_end(MlirStringRef name, const char *end) {
  size_t length = strlen(end);
  return name.length > length && memcmp(name.data + name.length - length, end, length) == 0;
}

static bool is_constant(MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  return mlirOperationGetNumResults(operation) == 1 &&
         mlirOperationGetNumOperands(operation) == 0 &&
         (has_end(name, ".constant") || has_end(name, ".const"));
}

static bool has_start(MlirStringRef name, const char *start) {
  size_t length = strlen(start);
  return name.length >= length && memcmp(name.data, start, length) == 0;
}

static MlirType element_of(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static bool is_float_arithmetic(MlirOperation operation) {
  static const char *const names[] = {"arith.",     "math.",          "tosa.add", "tosa.sub",
                                      "tosa.mul",   "tosa.pow",       "tosa.exp", "tosa.log",
                                      "tosa.rsqrt", "tosa.reciprocal"};
  if (mlirOperationGetNumResults(operation) != 1 ||
      !mlirTypeIsAFloat(element_of(mlirValueGetType(mlirOperationGetResult(operation, 0)))))
    return false;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (has_start(name, names[i]))
      return mlirOperationGetNumOperands(operation) > 0;
  return false;
}

// Whether an operand may be something that nobody sees to be a constant.
static bool may_hide(MlirOpOperand use, bool is_float) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  MlirOperation parent = mlirOperationGetParentOperation(user);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(user));
  unsigned number = mlirOpOperandGetOperandNumber(use);
  if (!mlirOperationIsNull(parent) && assay_operation_is(parent, "llvm.mlir.global"))
    return false;
  if (has_start(name, "tosa.")) // the others want constants; mul, as its shift
    return is_float_arithmetic(user) && number < 2;
  if (has_start(name, "sparse_tensor."))
    return false;
  return is_float || is_float_arithmetic(user);
}

static MlirValue freeze(const assay_builder *at, MlirValue value) {
  return assay_builder_apply(at, "llvm.freeze", mlirValueGetType(value), 1, &value);
}

static MlirValue freeze_complex(const assay_builder *at, MlirValue value) {
  MlirType part = mlirComplexTypeGetElementType(mlirValueGetType(value));
  const MlirValue parts[] = {
      freeze(at, assay_builder_apply(at, "complex.re", part, 1, &value)),
      freeze(at, assay_builder_apply(at, "complex.im", part, 1, &value)),
  };
  return assay_builder_apply(at, "complex.create", mlirValueGetType(value), 2, parts);
}

static MlirValue freeze_element(const assay_builder *body, const MlirValue elements[],
                                const void *data) {
  (void)data;
  bool is_complex = mlirTypeIsAComplex(mlirValueGetType(elements[0]));
  return is_complex ? freeze_complex(body, elements[0]) : freeze(body, elements[0]);
}

static MlirValue freeze_tensor(const assay_builder *at, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirAffineMap map = mlirAffineMapMultiDimIdentityGet(at->context, mlirShapedTypeGetRank(type));
  const MlirAffineMap maps[] = {map, map};
  return assay_linalg_loops(at, &(assay_loops){.input_count = 1,
                                               .inputs = &value,
                                               .maps = maps,
                                               .reduction = -1,
                                               .init = assay_builder_empty(at, type),
                                               .body = freeze_element});
}

static MlirValue freeze_flat(const assay_builder *at, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
    count *= mlirShapedTypeGetDimSize(type, i);
  MlirType flat = mlirVectorTypeGet(1, &count, mlirShapedTypeGetElementType(type));
  MlirValue line = assay_builder_apply(at, "vector.shape_cast", flat, 1, &value);
  line = freeze(at, line);
  return assay_builder_apply(at, "vector.shape_cast", type, 1, &line);
}

// complex.constant [1.0, 2.0]: its parts become constants of their own, for else they are folded.
static MlirValue take_apart(const assay_builder *at, MlirValue value) {
  MlirAttribute parts = mlirOperationGetAttributeByName(mlirOpResultGetOwner(value),
                                                        mlirStringRefCreateFromCString("value"));
  MlirValue none = {NULL}, made[2];
  if (mlirAttributeIsNull(parts) || !mlirAttributeIsAArray(parts) ||
      mlirArrayAttrGetNumElements(parts) != 2)
    return none;
  for (int i = 0; i < 2; i++)
    made[i] = freeze(at, assay_builder_constant(at, mlirArrayAttrGetElement(parts, i)));
  return assay_builder_apply(at, "complex.create", mlirValueGetType(value), 2, made);
}

static bool is_frozen_type(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type) || mlirTypeIsAF32(type) ||
         mlirTypeIsAF64(type) || mlirTypeIsAInteger(type);
}

static bool is_small(MlirType type) {
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type) && count <= MOST_ELEMENTS; i++)
    count *= mlirShapedTypeGetDimSize(type, i);
  return count <= MOST_ELEMENTS;
}

// A value that is the constant's, and that nobody sees to be one; null where there is no way.
static MlirValue hide(const assay_builder *at, MlirValue value) {
  MlirType type = mlirValueGetType(value), element = element_of(type);
  MlirValue none = {NULL};
  bool is_complex = mlirTypeIsAComplex(element);
  if (!is_frozen_type(is_complex ? mlirComplexTypeGetElementType(element) : element))
    return none;
  if (mlirTypeIsARankedTensor(type)) // constants have static shapes
    return mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)) && is_small(type)
               ? freeze_tensor(at, value)
               : none;
  if (is_complex)
    return mlirTypeIsAComplex(type) ? take_apart(at, value) : none;
  if (mlirTypeIsAVector(type) && mlirVectorTypeIsScalable(type))
    return none;
  bool is_flat = !mlirTypeIsAVector(type) || mlirShapedTypeGetRank(type) == 1;
  return is_flat ? freeze(at, value) : freeze_flat(at, value);
}

static MlirOpOperand *find_uses(MlirValue value, bool is_float, int *out_count) {
  int count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    count++;
  MlirOpOperand *uses = malloc(((size_t)count + 1) * sizeof *uses);
  if (uses == NULL)
    abort();
  *out_count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (*out_count < count && may_hide(use, is_float))
      uses[(*out_count)++] = use;
  return uses;
}

static void hide_constant(MlirOperation constant) {
  MlirValue value = mlirOperationGetResult(constant, 0);
  MlirType element = element_of(mlirValueGetType(value));
  int count;
  bool is_float = mlirTypeIsAFloat(element) || mlirTypeIsAComplex(element);
  MlirOpOperand *uses = find_uses(value, is_float, &count);
  MlirOperation next = mlirOperationGetNextInBlock(constant);
  if (count > 0 && !mlirOperationIsNull(next)) {
    assay_builder at = assay_builder_aside(constant);
    MlirValue hidden = hide(&at, value);
    for (int i = 0; i < count && !mlirValueIsNull(hidden); i++)
      mlirOperationSetOperand(mlirOpOperandGetOwner(uses[i]),
                              mlirOpOperandGetOperandNumber(uses[i]), hidden);
    assay_builder_place(&at, next);
  }
  free(uses);
}

void assay_sources_hide(const assay_operations *all) {
  for (int i = 0; i < all->count; i++)
    if (is_constant(all->items[i]))
      hide_constant(all->items[i]);
}
