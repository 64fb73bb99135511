// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/memory.h"

#include <mlir/Analysis/AliasAnalysis.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

bool assay_memory_may_touch(MlirOperation operation, MlirValue buffer) {
  mlir::Operation *op = unwrap(operation);
  if (mlir::isMemoryEffectFree(op))
    return false;
  return !mlir::AliasAnalysis(op).getModRef(op, unwrap(buffer)).isNoModRef();
}

bool assay_memory_shared(MlirValue a, MlirValue b) {
  mlir::Value first = unwrap(a), second = unwrap(b);
  mlir::Operation *scope = first.getParentRegion()->getParentOp();
  mlir::AliasResult result = mlir::AliasAnalysis(scope).alias(first, second);
  return result.isMust() || result.isPartial();
}
