// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/nan_watch.h"

#include <mlir/IR/PatternMatch.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

void assay::NanWatch::begin(mlir::Operation *program) {
  for (const Nan &nan : scanner.scan(program))
    held.insert(nan.key);
  original = program->clone();
}

assay_nan_origin assay::NanWatch::origin(const NanKey &key) {
  if (!folded) {
    folded = true;
    mlir::RewritePatternSet none(original.get()->getContext());
    (void)mlir::applyPatternsGreedily(original.get(), std::move(none));
    for (const Nan &nan : scanner.scan(original.get()))
      folded_nans.insert(nan.key);
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
