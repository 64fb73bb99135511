// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-math: functions that a GPU has instructions for, correctly rounded, and powers of
// integers.
//
// convert-gpu-to-nvvm makes every function a call of libdevice, which only CUDA's toolkit has.
#include "compiler/ir/builder.h"
#include "compiler/ir/walk.h"
#include "gpu/kernels/kernels.h"
#include "gpu/kernels/power.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>

static const struct {
  const char *name, *intrinsic;
} known[] = {
    {"math.absf", "fabs"}, {"math.ceil", "ceil"},  {"math.floor", "floor"},
    {"math.fma", "fma"},   {"math.rsqrt", "sqrt"}, {"math.sqrt", "sqrt"},
};

static const char *intrinsic_of(MlirOperation operation) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (assay_operation_is(operation, known[i].name))
      return known[i].intrinsic;
  return NULL;
}

static bool can_replace(MlirOperation operation) {
  if (assay_operation_is(operation, "math.ipowi"))
    return mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(operation, 0)));
  if (intrinsic_of(operation) == NULL)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return mlirTypeIsAF16(type) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
}

// A call of LLVM's intrinsic by its name: convert-gpu-to-nvvm refuses the operations that it has
// for them.
static MlirValue call(const assay_builder *at, const char *intrinsic, int count,
                      const MlirValue operands[]) {
  MlirType type = mlirValueGetType(operands[0]);
  char name[64];
  snprintf(name, sizeof name, "llvm.%s.f%u", intrinsic, mlirFloatTypeGetWidth(type));
  const int32_t segments[] = {count, 0};
  MlirStringRef text = mlirStringRefCreateFromCString(name);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "intrin", mlirStringAttrGet(at->context, text)),
      assay_builder_attribute(at, "operandSegmentSizes",
                              mlirDenseI32ArrayGet(at->context, 2, segments)),
      assay_builder_attribute(at, "op_bundle_sizes", mlirDenseI32ArrayGet(at->context, 0, NULL)),
  };
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.call_intrinsic",
                                                     .operand_count = count,
                                                     .operands = operands,
                                                     .attribute_count = 3,
                                                     .attributes = attributes,
                                                     .result_count = 1,
                                                     .results = &type});
}

static MlirValue make(const assay_builder *at, MlirOperation operation) {
  MlirValue operands[3] = {{NULL}};
  int count = (int)mlirOperationGetNumOperands(operation);
  for (int i = 0; i < count; i++)
    operands[i] = mlirOperationGetOperand(operation, i);
  if (assay_operation_is(operation, "math.ipowi"))
    return assay_power_whole(at, operands[0], operands[1]);
  MlirType type = mlirValueGetType(operands[0]);
  MlirValue made = call(at, intrinsic_of(operation), count, operands);
  if (!assay_operation_is(operation, "math.rsqrt"))
    return made;
  MlirAttribute one = mlirFloatAttrDoubleGet(at->context, type, 1);
  MlirValue quotient[] = {assay_builder_constant(at, one), made};
  return assay_builder_apply(at, "arith.divf", type, 2, quotient);
}

static void replace(MlirOperation operation) {
  assay_builder at = assay_builder_aside(operation);
  MlirValue made = make(&at, operation);
  assay_builder_replace(&at, operation, made);
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations found = assay_operations_collect(root, can_replace);
  for (int i = 0; i < found.count; i++)
    replace(found.items[i]);
  assay_operations_release(&found);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "llvm", "scf", NULL};

const assay_pass assay_pass_gpu_math = {
    .argument = "assay-gpu-math",
    .description = "Replace math functions that a GPU has instructions for",
    .anchor = "gpu.module",
    .dialects = dialects,
    .run = run,
};
