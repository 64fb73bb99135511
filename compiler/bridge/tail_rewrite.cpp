// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Conversion/MathToLibm/MathToLibm.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Linalg/Transforms/Transforms.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/Vector/Transforms/LoweringPatterns.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/PatternMatch.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

namespace {

llvm::SmallVector<mlir::Operation *> operations_of(MlirModule module) {
  llvm::SmallVector<mlir::Operation *> all;
  unwrap(module)->walk([&](mlir::Operation *op) { all.push_back(op); });
  return all;
}

// The greedy driver folds and removes dead code as it goes, unless told not to.
void apply(MlirModule module, mlir::RewritePatternSet &&patterns) {
  mlir::GreedyRewriteConfig config;
  config.enableFolding(false);
  config.enableConstantCSE(false);
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
  // Failing to converge is no failure here: what is left is named once the tail has ended.
  (void)mlir::applyPatternsGreedily(unwrap(module), std::move(patterns), config);
}

// A softmax of buffers as one of tensors, for only that decomposes.
mlir::linalg::SoftmaxOp on_tensors(mlir::linalg::SoftmaxOp op) {
  mlir::OpBuilder builder(op);
  mlir::Location place = op.getLoc();
  auto tensor_of = [&](mlir::Value buffer, bool writable) -> mlir::Value {
    mlir::Type type = mlir::memref::getTensorTypeFromMemRefType(buffer.getType());
    return mlir::bufferization::ToTensorOp::create(builder, place, type, buffer, true, writable);
  };
  mlir::Value input = tensor_of(op.getInput(), false), output = tensor_of(op.getOutput(), true);
  auto made = mlir::linalg::SoftmaxOp::create(builder, place, mlir::TypeRange{output.getType()},
                                              input, output, op.getDimension());
  mlir::bufferization::MaterializeInDestinationOp::create(
      builder, place, mlir::Type(), made->getResult(0), op.getOutput(), true, true);
  op->erase();
  return made;
}

void decompose_softmax(mlir::linalg::SoftmaxOp op) {
  if (op->getNumResults() == 0)
    op = on_tensors(op);
  mlir::OpBuilder builder(op);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> values = op.decomposeOperation(builder);
  if (mlir::failed(values))
    return;
  op->replaceAllUsesWith(*values);
  op->erase();
}

void lower_pack(mlir::IRRewriter &rewriter, mlir::linalg::PackOp op) {
  if (mlir::failed(mlir::linalg::lowerPack(rewriter, op)))
    assay_rewrite_pack(wrap(op.getOperation()));
}

void lower_unpack(mlir::IRRewriter &rewriter, mlir::linalg::UnPackOp op) {
  if (mlir::failed(mlir::linalg::lowerUnPack(rewriter, op)))
    assay_rewrite_unpack(wrap(op.getOperation()));
}

} // namespace

void assay_rewrite_drop_scripts(MlirModule module) {
  mlir::ModuleOp top = unwrap(module);
  top->removeAttr("transform.with_named_sequence");
  llvm::SmallVector<mlir::Operation *> scripts;
  for (mlir::Operation &op : *top.getBody())
    if (op.getName().getDialectNamespace() == "transform" ||
        (mlir::isa<mlir::ModuleOp>(op) && op.hasAttr("transform.with_named_sequence")))
      scripts.push_back(&op);
  for (mlir::Operation *op : scripts)
    op->erase();
}

void assay_rewrite_drop_unreached(MlirModule module, const char *entry) {
  mlir::ModuleOp top = unwrap(module);
  mlir::SymbolTable symbols(top);
  llvm::SetVector<mlir::Operation *> reached;
  auto reach = [&](llvm::StringRef name) {
    if (mlir::Operation *op = symbols.lookup(name))
      reached.insert(op);
  };
  reach(entry);
  for (mlir::Operation &op : *top.getBody())
    if (!mlir::isa<mlir::FunctionOpInterface>(op))
      reached.insert(&op);
  for (size_t i = 0; i < reached.size(); i++)
    if (auto uses = mlir::SymbolTable::getSymbolUses(reached[i]))
      for (const mlir::SymbolTable::SymbolUse &use : *uses)
        reach(use.getSymbolRef().getRootReference());
  for (mlir::Operation &op : llvm::make_early_inc_range(*top.getBody()))
    if (!reached.contains(&op) && !op.getRegion(0).empty())
      op.erase();
}

void assay_rewrite_front(MlirModule module) {
  for (mlir::Operation *op : operations_of(module)) {
    mlir::IRRewriter rewriter(op);
    if (auto softmax = mlir::dyn_cast<mlir::linalg::SoftmaxOp>(op))
      decompose_softmax(softmax);
    else if (auto pack = mlir::dyn_cast<mlir::linalg::PackOp>(op))
      lower_pack(rewriter, pack);
    else if (auto unpack = mlir::dyn_cast<mlir::linalg::UnPackOp>(op))
      lower_unpack(rewriter, unpack);
    else if (auto tensor = mlir::dyn_cast<mlir::bufferization::ToTensorOp>(op))
      tensor.setRestrict(true);
  }
}

void assay_rewrite_interchange(MlirModule module) {
  for (mlir::Operation *each : operations_of(module)) {
    auto op = mlir::dyn_cast<mlir::linalg::GenericOp>(each);
    if (!op || op.getNumLoops() < 2 ||
        !mlir::linalg::isReductionIterator(op.getIteratorTypesArray().back()))
      continue;
    llvm::SmallVector<unsigned> order, sums;
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      (mlir::linalg::isReductionIterator(kind) ? sums : order).push_back(loop);
    if (order.empty())
      continue;
    unsigned last = order.pop_back_val();
    order.append(sums);
    order.push_back(last);
    mlir::IRRewriter rewriter(op);
    (void)mlir::linalg::interchangeGenericOp(rewriter, op, order);
  }
}

void assay_rewrite_libm(MlirModule module) {
  mlir::RewritePatternSet patterns(unwrap(module)->getContext());
  mlir::populateMathToLibmConversionPatterns(patterns);
  apply(module, std::move(patterns));
}

void assay_rewrite_scans(MlirModule module) {
  mlir::RewritePatternSet patterns(unwrap(module)->getContext());
  mlir::vector::populateVectorScanLoweringPatterns(patterns);
  apply(module, std::move(patterns));
}

void assay_rewrite_drop_alignment(MlirModule module) {
  unwrap(module)->walk([](mlir::memref::AllocOp op) { op.removeAlignmentAttr(); });
}
