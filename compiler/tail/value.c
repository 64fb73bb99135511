// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/value.h"

#include "compiler/bridge/small_floats.h"
#include "compiler/ir/excerpt.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>

static assay_code refuse(MlirType type, assay_error *err) {
  assay_excerpt text = {.length = 0};
  mlirTypePrint(type, assay_excerpt_append, &text);
  return assay_fail(err, ASSAY_UNSUPPORTED, "a value of type %s", text.text);
}

// Elements and scalars.
static assay_code read_element(MlirType type, assay_value_type *value, assay_error *err) {
  MlirType part = type;
  value->element_type = type;
  value->is_complex = mlirTypeIsAComplex(type);
  if (value->is_complex)
    part = mlirComplexTypeGetElementType(type);
  value->element = ASSAY_ELEMENT_INTEGER;
  value->bits = 64;
  if (mlirTypeIsAInteger(part))
    value->bits = (int)mlirIntegerTypeGetWidth(part);
  else if (mlirTypeIsAFloat(part))
    value->bits = (int)mlirFloatTypeGetWidth(part);
  else if (!mlirTypeIsAIndex(part))
    return refuse(type, err);
  if (mlirTypeIsAF16(part))
    value->element = ASSAY_ELEMENT_F16;
  else if (mlirTypeIsABF16(part))
    value->element = ASSAY_ELEMENT_BF16;
  else if (mlirTypeIsAF32(part))
    value->element = ASSAY_ELEMENT_F32;
  else if (mlirTypeIsAF64(part))
    value->element = ASSAY_ELEMENT_F64;
  else if (assay_small_float_of(part) < ASSAY_SMALL_FLOAT_COUNT && !value->is_complex)
    value->element = (assay_element)(ASSAY_ELEMENT_F8 + (int)assay_small_float_of(part));
  else if (mlirTypeIsAFloat(part))
    return refuse(type, err);
  if (value->bits > 128 || value->bits == 0)
    return refuse(type, err);
  value->bytes = 1;
  while (8 * value->bytes < value->bits)
    value->bytes *= 2;
  return ASSAY_OK;
}

static assay_code read_shape(MlirType type, assay_value_type *value, assay_error *err) {
  value->has_rank = mlirShapedTypeHasRank(type);
  if (!value->has_rank)
    return ASSAY_OK;
  intptr_t rank = mlirShapedTypeGetRank(type);
  // A complex number is seen as one dimension more.
  if (rank >= ASSAY_OBSERVED_MAX_RANK)
    return refuse(type, err);
  value->rank = (int)rank;
  for (int i = 0; i < value->rank; i++)
    value->dim[i] = mlirShapedTypeIsDynamicDim(type, i) ? -1 : mlirShapedTypeGetDimSize(type, i);
  return ASSAY_OK;
}

static assay_code read_layout(MlirType type, assay_value_type *value, assay_error *err) {
  if (!value->has_rank)
    return ASSAY_OK;
  if (mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, value->stride, &value->offset)))
    return refuse(type, err);
  for (int i = 0; i < value->rank; i++)
    if (mlirShapedTypeIsDynamicStrideOrOffset(value->stride[i]))
      value->stride[i] = ASSAY_VALUE_DYNAMIC;
  if (mlirShapedTypeIsDynamicStrideOrOffset(value->offset))
    value->offset = ASSAY_VALUE_DYNAMIC;
  return ASSAY_OK;
}

assay_code assay_value_type_read(MlirType type, assay_value_type *out_type, assay_error *err) {
  *out_type = (assay_value_type){.type = type, .form = ASSAY_VALUE_SCALAR, .has_rank = true};
  if (!mlirTypeIsAShaped(type))
    return read_element(type, out_type, err);
  TRY(read_element(mlirShapedTypeGetElementType(type), out_type, err));
  TRY(read_shape(type, out_type, err));
  if (mlirTypeIsAVector(type)) {
    out_type->form = ASSAY_VALUE_VECTOR;
    return mlirVectorTypeIsScalable(type) ? refuse(type, err) : ASSAY_OK;
  }
  if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type)) {
    out_type->form = ASSAY_VALUE_MEMREF;
    return read_layout(type, out_type, err);
  }
  out_type->form = ASSAY_VALUE_TENSOR;
  if (mlirTypeIsARankedTensor(type) && !mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return refuse(type, err);
  return ASSAY_OK;
}

bool assay_value_has_memory(const assay_value_type *type) {
  return type->form == ASSAY_VALUE_TENSOR || type->form == ASSAY_VALUE_MEMREF;
}

int assay_value_pitch(const assay_value_type *type) {
  return type->is_complex ? 2 * type->bytes : type->bytes;
}

static void read_function(MlirType type, assay_arena *arena, assay_signature *signature) {
  signature->input_count = (int)mlirFunctionTypeGetNumInputs(type);
  signature->result_count = (int)mlirFunctionTypeGetNumResults(type);
  signature->inputs =
      assay_arena_take(arena, (size_t)signature->input_count + 1, sizeof *signature->inputs);
  signature->results =
      assay_arena_take(arena, (size_t)signature->result_count + 1, sizeof *signature->results);
  for (int i = 0; i < signature->input_count; i++)
    signature->inputs[i] = mlirFunctionTypeGetInput(type, i);
  for (int i = 0; i < signature->result_count; i++)
    signature->results[i] = mlirFunctionTypeGetResult(type, i);
}

static bool is_void(MlirType type) {
  return mlirTypeEqual(type, mlirLLVMVoidTypeGet(mlirTypeGetContext(type)));
}

static bool is_llvm_function(MlirType type) {
  MlirType some = mlirLLVMVoidTypeGet(mlirTypeGetContext(type));
  some = mlirLLVMFunctionTypeGet(some, 0, NULL, false);
  return mlirTypeIDEqual(mlirTypeGetTypeID(type), mlirTypeGetTypeID(some));
}

// The members of a struct count as results of their own.
static void read_llvm_results(MlirType result, assay_arena *arena, assay_signature *signature) {
  bool several = mlirTypeIsALLVMStructType(result);
  int count = several ? (int)mlirLLVMStructTypeGetNumElementTypes(result) : !is_void(result);
  signature->result_count = count;
  signature->results = assay_arena_take(arena, (size_t)count + 1, sizeof *signature->results);
  for (int i = 0; i < count; i++)
    signature->results[i] = several ? mlirLLVMStructTypeGetElementType(result, i) : result;
}

static void read_llvm_function(MlirType type, assay_arena *arena, assay_signature *signature) {
  read_llvm_results(mlirLLVMFunctionTypeGetReturnType(type), arena, signature);
  signature->input_count = (int)mlirLLVMFunctionTypeGetNumInputs(type);
  signature->inputs =
      assay_arena_take(arena, (size_t)signature->input_count + 1, sizeof *signature->inputs);
  for (int i = 0; i < signature->input_count; i++)
    signature->inputs[i] = mlirLLVMFunctionTypeGetInput(type, i);
}

static assay_code read_signature(MlirType type, assay_arena *arena, assay_signature *out_signature,
                                 assay_error *err) {
  if (mlirTypeIsAFunction(type))
    read_function(type, arena, out_signature);
  else if (is_llvm_function(type))
    read_llvm_function(type, arena, out_signature);
  else
    return assay_fail(err, ASSAY_INVALID, "the entry has no function type");
  return ASSAY_OK;
}

assay_code assay_signature_parse(MlirContext context, const char *text, assay_arena *arena,
                                 assay_signature *out_signature, assay_error *err) {
  MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
  if (mlirTypeIsNull(type))
    return assay_fail(err, ASSAY_INVALID, "not a function type: %s", text);
  return read_signature(type, arena, out_signature, err);
}

assay_code assay_signature_of(MlirOperation function, assay_arena *arena,
                              assay_signature *out_signature, assay_error *err) {
  MlirAttribute type =
      mlirOperationGetAttributeByName(function, mlirStringRefCreateFromCString("function_type"));
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type))
    return assay_fail(err, ASSAY_INVALID, "the entry has no function type");
  return read_signature(mlirTypeAttrGetValue(type), arena, out_signature, err);
}
