// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/memory.h"

#include <mlir/Analysis/AliasAnalysis.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

// By hand, because AliasAnalysis::getModRef gives up on linalg operations.
bool assay_memory_may_touch(MlirOperation operation, MlirValue buffer) {
  mlir::Operation *op = unwrap(operation);
  auto effects = mlir::getEffectsRecursively(op);
  if (!effects)
    return true; // an operation that declares nothing
  mlir::AliasAnalysis aliases(op);
  for (const mlir::MemoryEffects::EffectInstance &effect : *effects) {
    if (mlir::isa<mlir::MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    if (!effect.getValue() || !aliases.alias(effect.getValue(), unwrap(buffer)).isNo())
      return true;
  }
  return false;
}

bool assay_memory_shared(MlirValue a, MlirValue b) {
  mlir::Value first = unwrap(a), second = unwrap(b);
  mlir::Operation *scope = first.getParentRegion()->getParentOp();
  mlir::AliasResult result = mlir::AliasAnalysis(scope).alias(first, second);
  return result.isMust() || result.isPartial();
}
