// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass that goes only so far: its script is cut, its later patterns are refused.
#ifndef ASSAY_COMPILER_BRIDGE_INSIDE_H
#define ASSAY_COMPILER_BRIDGE_INSIDE_H

#include "compiler/bridge/stepping.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/Pass/Pass.h>

namespace assay {

// While it lives it is the context's action handler.
class Inside {
public:
  Inside(mlir::MLIRContext *context, const assay_within &within, assay_inside &seen);
  ~Inside();
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

private:
  void run(llvm::function_ref<void()> transform, const mlir::tracing::Action &action);
  void cut(mlir::Operation *script);
  void apply(llvm::function_ref<void()> transform, const mlir::tracing::Action &action);

  mlir::MLIRContext *context;
  const assay_within &within;
  assay_inside &seen;
};

// Folds all that is inside its operation, and does nothing else but remove what is dead.
std::unique_ptr<mlir::Pass> make_fold_pass();

} // namespace assay

#endif
