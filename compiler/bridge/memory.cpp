// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/memory.h"

#include <mlir/Analysis/AliasAnalysis.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace {

mlir::Value base_of(mlir::Value buffer) {
  while (auto view = buffer.getDefiningOp<mlir::ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

// Views of two arguments of one function.
bool are_apart(mlir::Value a, mlir::Value b) {
  auto first = mlir::dyn_cast<mlir::BlockArgument>(base_of(a));
  auto second = mlir::dyn_cast<mlir::BlockArgument>(base_of(b));
  return first && second && first != second && first.getOwner() == second.getOwner() &&
         first.getOwner()->isEntryBlock() &&
         mlir::isa<mlir::FunctionOpInterface>(first.getOwner()->getParentOp());
}

// By hand, because AliasAnalysis::getModRef gives up on linalg operations.
bool may_touch(MlirOperation operation, MlirValue buffer, bool reading_counts) {
  mlir::Operation *op = unwrap(operation);
  auto effects = mlir::getEffectsRecursively(op);
  if (!effects)
    return true; // an operation that declares nothing
  mlir::AliasAnalysis aliases(op);
  for (const mlir::MemoryEffects::EffectInstance &effect : *effects) {
    if (mlir::isa<mlir::MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    if (mlir::isa<mlir::MemoryEffects::Read>(effect.getEffect()) && !reading_counts)
      continue;
    if (!effect.getValue())
      return true;
    if (!are_apart(effect.getValue(), unwrap(buffer)) &&
        !aliases.alias(effect.getValue(), unwrap(buffer)).isNo())
      return true;
  }
  return false;
}

} // namespace

bool assay_memory_may_touch(MlirOperation operation, MlirValue buffer) {
  return may_touch(operation, buffer, true);
}

bool assay_memory_may_write(MlirOperation operation, MlirValue buffer) {
  return may_touch(operation, buffer, false);
}

bool assay_memory_shared(MlirValue a, MlirValue b) {
  mlir::Value first = unwrap(a), second = unwrap(b);
  mlir::Operation *scope = first.getParentRegion()->getParentOp();
  mlir::AliasResult result = mlir::AliasAnalysis(scope).alias(first, second);
  return result.isMust() || result.isPartial();
}
