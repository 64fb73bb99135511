// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/tail_work.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace {

double points_of(mlir::linalg::LinalgOp op) {
  double points = 1;
  for (int64_t range : op.getStaticLoopRanges())
    points *= mlir::ShapedType::isDynamic(range) ? 1.0 : static_cast<double>(range);
  return points;
}

// How often an operation's regions run for one run of it.
double rounds_of(mlir::Operation &op) {
  if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    return points_of(linalg);
  auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(op);
  std::optional<llvm::APInt> trips = loop ? loop.getStaticTripCount() : std::nullopt;
  return trips ? trips->roundToDouble(false) : 1.0;
}

double work_of(mlir::Operation &op) {
  double inside = 0;
  for (mlir::Region &region : op.getRegions())
    for (mlir::Block &block : region)
      for (mlir::Operation &each : block)
        inside += work_of(each);
  return 1 + rounds_of(op) * inside;
}

} // namespace

double assay_module_work(MlirModule module) {
  return work_of(*unwrap(module));
}
