// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-substitute-blas: floating contractions of memrefs become calls of the runtime's BLAS
// entries.
//
// The operands go as they are, by their descriptors: slices and transposes are the runtime's
// business, so nothing is copied here and sizes may be dynamic. A fill with zeros of the result
// becomes part of the call where it is certain that nobody else sees what it writes.
#include "compiler/bridge/memory.h"
#include "compiler/ir/builder.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/passes.h"
#include "compiler/runtime/gemm.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

static MlirOperation add_before(MlirOperation anchor, const assay_recipe *recipe) {
  assay_builder builder = {.context = mlirOperationGetContext(anchor),
                           .block = mlirOperationGetBlock(anchor),
                           .location = mlirOperationGetLocation(anchor)};
  MlirOperation operation = assay_builder_add(&builder, recipe);
  mlirOperationMoveBefore(operation, anchor);
  return operation;
}

static MlirNamedAttribute attribute(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

// The runtime's entry for an element type, or NULL: the BLAS has no integers.
static const char *entry_for(MlirType element) {
  if (mlirTypeIsAF32(element))
    return "assay_gemm_f32";
  if (mlirTypeIsAF64(element))
    return "assay_gemm_f64";
  return NULL;
}

// Whether the runtime can read the buffer by its descriptor: sizes, strides and an offset.
static bool is_strided(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAMemRef(type))
    return false;
  int64_t strides[3], offset;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type));
}

// A product into one of its own operands means something in loops, and nothing in the BLAS.
static bool can_substitute(const assay_contraction *contraction) {
  return entry_for(contraction->element) != NULL && is_strided(contraction->lhs) &&
         is_strided(contraction->rhs) && is_strided(contraction->out) &&
         !assay_memory_shared(contraction->out, contraction->lhs) &&
         !assay_memory_shared(contraction->out, contraction->rhs);
}

static MlirValue as_unranked(MlirOperation anchor, MlirValue value, MlirType unranked) {
  return mlirOperationGetResult(add_before(anchor, &(assay_recipe){.name = "memref.cast",
                                                                   .operand_count = 1,
                                                                   .operands = &value,
                                                                   .result_count = 1,
                                                                   .results = &unranked}),
                                0);
}

static MlirValue flags_constant(const assay_contraction *contraction, bool accumulate) {
  MlirContext context = mlirOperationGetContext(contraction->operation);
  int flags = (contraction->lhs_transposed ? ASSAY_GEMM_LHS_TRANSPOSED : 0) |
              (contraction->rhs_transposed ? ASSAY_GEMM_RHS_TRANSPOSED : 0) |
              (accumulate ? ASSAY_GEMM_ACCUMULATE : 0) | (contraction->tf32 ? ASSAY_GEMM_TF32 : 0);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirNamedAttribute value = attribute(context, "value", mlirIntegerAttrGet(i32, flags));
  return mlirOperationGetResult(
      add_before(contraction->operation, &(assay_recipe){.name = "arith.constant",
                                                         .attribute_count = 1,
                                                         .attributes = &value,
                                                         .result_count = 1,
                                                         .results = &i32}),
      0);
}

static void substitute(const assay_contraction *contraction) {
  MlirOperation operation = contraction->operation, fill = assay_contraction_zeros(contraction);
  MlirContext context = mlirOperationGetContext(operation);
  MlirType unranked = mlirUnrankedMemRefTypeGet(contraction->element, mlirAttributeGetNull());
  MlirValue operands[] = {
      as_unranked(operation, contraction->lhs, unranked),
      as_unranked(operation, contraction->rhs, unranked),
      as_unranked(operation, contraction->out, unranked),
      flags_constant(contraction, mlirOperationIsNull(fill)),
  };
  MlirStringRef callee = mlirStringRefCreateFromCString(entry_for(contraction->element));
  MlirNamedAttribute callee_attribute =
      attribute(context, "callee", mlirFlatSymbolRefAttrGet(context, callee));
  add_before(operation, &(assay_recipe){.name = "func.call",
                                        .operand_count = 4,
                                        .operands = operands,
                                        .attribute_count = 1,
                                        .attributes = &callee_attribute});
  mlirOperationDestroy(operation);
  if (!mlirOperationIsNull(fill))
    mlirOperationDestroy(fill);
}

// Declares the runtime's entry in the module, once.
static void declare_entry(MlirOperation module, MlirType element) {
  MlirContext context = mlirOperationGetContext(module);
  MlirStringRef name = mlirStringRefCreateFromCString(entry_for(element));
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  bool declared = !mlirOperationIsNull(mlirSymbolTableLookup(symbols, name));
  mlirSymbolTableDestroy(symbols);
  if (declared)
    return;
  MlirType unranked = mlirUnrankedMemRefTypeGet(element, mlirAttributeGetNull());
  MlirType inputs[] = {unranked, unranked, unranked, mlirIntegerTypeGet(context, 32)};
  MlirStringRef visibility = mlirStringRefCreateFromCString("private");
  MlirNamedAttribute attributes[] = {
      attribute(context, "sym_name", mlirStringAttrGet(context, name)),
      attribute(context, "sym_visibility", mlirStringAttrGet(context, visibility)),
      attribute(context, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(context, 4, inputs, 0, NULL))),
      attribute(context, "llvm.emit_c_interface", mlirUnitAttrGet(context)),
  };
  assay_builder builder = {.context = context,
                           .block = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)),
                           .location = mlirOperationGetLocation(module)};
  assay_builder_add(&builder, &(assay_recipe){.name = "func.func",
                                              .attribute_count = 4,
                                              .attributes = attributes,
                                              .region_count = 1});
}

static assay_code run(MlirOperation module, assay_error *err) {
  (void)err;
  assay_operations contractions = assay_operations_collect(module, assay_contraction_named);
  for (int i = 0; i < contractions.count; i++) {
    assay_contraction contraction;
    if (!assay_contraction_read(contractions.items[i], &contraction) ||
        !can_substitute(&contraction))
      continue;
    declare_entry(module, contraction.element);
    substitute(&contraction);
  }
  free(contractions.items);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "func", "memref", NULL};

const assay_pass assay_pass_substitute_blas = {
    .argument = "assay-substitute-blas",
    .description = "Replace floating matmul and batch_matmul of memrefs by calls of the BLAS",
    .anchor = "builtin.module",
    .dialects = dialects,
    .run = run,
};
