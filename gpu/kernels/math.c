// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-math: functions that a GPU has instructions for, correctly rounded.
//
// convert-gpu-to-nvvm makes every function a call of libdevice, which only CUDA's toolkit has.
#include "compiler/ir/builder.h"
#include "compiler/ir/walk.h"
#include "gpu/kernels/kernels.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static const struct {
  const char *name, *instruction;
} known[] = {
    {"math.absf", "llvm.intr.fabs"},   {"math.ceil", "llvm.intr.ceil"},
    {"math.floor", "llvm.intr.floor"}, {"math.fma", "llvm.intr.fma"},
    {"math.rsqrt", "llvm.intr.sqrt"},  {"math.sqrt", "llvm.intr.sqrt"},
};

static const char *instruction_of(MlirOperation operation) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (assay_operation_is(operation, known[i].name))
      return known[i].instruction;
  return NULL;
}

static bool can_replace(MlirOperation operation) {
  if (instruction_of(operation) == NULL)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return mlirTypeIsAF16(type) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
}

static void replace(MlirOperation operation) {
  assay_builder at = assay_builder_aside(operation);
  MlirValue result = mlirOperationGetResult(operation, 0), operands[3];
  MlirType type = mlirValueGetType(result);
  int count = (int)mlirOperationGetNumOperands(operation);
  for (int i = 0; i < count; i++)
    operands[i] = mlirOperationGetOperand(operation, i);
  MlirValue made = assay_builder_apply(&at, instruction_of(operation), type, count, operands);
  if (assay_operation_is(operation, "math.rsqrt")) {
    MlirAttribute one = mlirFloatAttrDoubleGet(at.context, type, 1);
    MlirValue quotient[] = {assay_builder_constant(&at, one), made};
    made = assay_builder_apply(&at, "arith.divf", type, 2, quotient);
  }
  assay_builder_place(&at, operation);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(operation);
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations found = assay_operations_collect(root, can_replace);
  for (int i = 0; i < found.count; i++)
    replace(found.items[i]);
  assay_operations_release(&found);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "llvm", NULL};

const assay_pass assay_pass_gpu_math = {
    .argument = "assay-gpu-math",
    .description = "Replace math functions that a GPU has instructions for",
    .anchor = "gpu.module",
    .dialects = dialects,
    .run = run,
};
