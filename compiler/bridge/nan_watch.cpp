// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/nan_watch.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/PatternMatch.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>
#include <mlir/Transforms/Passes.h>

void assay::NanWatch::begin(mlir::Operation *program) {
  for (const Nan &nan : scanner.scan(program))
    held.insert(nan.key);
  original = program->clone();
}

void assay::NanWatch::fold(mlir::Operation *program) {
  mlir::RewritePatternSet none(program->getContext());
  (void)mlir::applyPatternsGreedily(program, std::move(none));
  for (const Nan &nan : scanner.scan(program))
    folded_nans.insert(nan.key);
}

// The callees' arithmetic is the program's too: what a call hands over folds once it is inlined.
static void inline_calls(mlir::Operation *program) {
  mlir::PassManager manager(program->getContext(), program->getName().getStringRef());
  manager.enableVerifier(false);
  manager.addPass(mlir::createInlinerPass({}, [](mlir::OpPassManager &) {}));
  (void)manager.run(program);
}

assay_nan_origin assay::NanWatch::origin(const NanKey &key) {
  if (!folded) {
    folded = true;
    mlir::OwningOpRef<mlir::Operation *> alone = original->clone();
    fold(alone.get());
    if (llvm::isa<mlir::ModuleOp>(original.get()))
      inline_calls(original.get());
    fold(original.get());
  }
  return folded_nans.contains(key) ? ASSAY_NAN_FOLDED : ASSAY_NAN_PLANTED;
}

std::vector<assay::NewNan> assay::NanWatch::look(mlir::Operation *top) {
  std::vector<NewNan> found;
  std::vector<Nan> nans = scanner.scan(top);
  for (const Nan &nan : nans)
    if (!held.contains(nan.key) && !nan_is_neutral(nan.op))
      found.push_back({nan, origin(nan.key)});
  for (const Nan &nan : nans)
    held.insert(nan.key);
  return found;
}
