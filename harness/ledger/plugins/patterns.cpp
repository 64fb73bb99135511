// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass made of patterns, three right and two wrong, and of others that do worse, by any driver.
#include "harness/ledger/plugins/fault.h"

#include <cstdlib>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>
#include <mlir/Transforms/DialectConversion.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>
#include <mlir/Transforms/WalkPatternRewriteDriver.h>

namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;

bool is_number(mlir::Value value, double number) {
  mlir::FloatAttr found;
  return mlir::matchPattern(value, mlir::m_Constant(&found)) && found.getValueAsDouble() == number;
}

struct DoubleToSum : mlir::OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(arith::MulFOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    if (!is_number(op.getRhs(), 2))
      return mlir::failure();
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getLhs(), op.getLhs());
    return mlir::success();
  }
};

struct HalfToProduct : mlir::OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(arith::DivFOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    if (!is_number(op.getRhs(), 2))
      return mlir::failure();
    mlir::Value half =
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getFloatAttr(op.getType(), 0.5));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), half);
    return mlir::success();
  }
};

struct NegatedDifference : mlir::OpRewritePattern<arith::NegFOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(arith::NegFOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    auto difference = op.getOperand().getDefiningOp<arith::SubFOp>();
    if (!difference)
      return mlir::failure();
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, difference.getRhs(), difference.getLhs());
    return mlir::success();
  }
};

struct WrongMagnitude : mlir::OpRewritePattern<math::AbsFOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(math::AbsFOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getOperand());
    return mlir::success();
  }
};

struct WrongMaximum : mlir::OpRewritePattern<arith::MaximumFOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(arith::MaximumFOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, op.getLhs(), op.getRhs());
    return mlir::success();
  }
};

struct DyingPattern : mlir::OpRewritePattern<math::CeilOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(math::CeilOp, mlir::PatternRewriter &) const override {
    std::abort();
  }
};

struct EndlessPattern : mlir::OpRewritePattern<math::FloorOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(math::FloorOp, mlir::PatternRewriter &) const override {
    for (volatile bool endless = true; endless;)
      ;
    return mlir::failure();
  }
};

struct NanPattern : mlir::OpRewritePattern<math::TruncOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(math::TruncOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    auto type = llvm::cast<mlir::FloatType>(op.getType());
    llvm::APFloat nan = llvm::APFloat::getNaN(type.getFloatSemantics());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getFloatAttr(type, nan));
    return mlir::success();
  }
};

struct PatternPass : mlir::PassWrapper<PatternPass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PatternPass)

  PatternPass() = default;
  PatternPass(const PatternPass &other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override {
    return "assay-fault-patterns";
  }
  llvm::StringRef getDescription() const override {
    return "applies patterns, some of them wrong";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect>();
  }

  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<DoubleToSum, HalfToProduct, NegatedDifference, WrongMagnitude, WrongMaximum,
                 DyingPattern, EndlessPattern, NanPattern>(&getContext());
    if (driver == "greedy")
      (void)mlir::applyPatternsGreedily(getOperation(), std::move(patterns));
    else if (driver == "walk")
      mlir::walkAndApplyPatterns(getOperation(), std::move(patterns));
    else
      convert(std::move(patterns));
  }

  // With driver=all what has a pattern must go, else the conversion fails.
  void convert(mlir::RewritePatternSet patterns) {
    mlir::ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect>();
    target.addDynamicallyLegalOp<arith::MaximumFOp>(
        [](mlir::Operation *) -> std::optional<bool> { return std::nullopt; });
    if (driver == "all")
      target.addIllegalOp<math::AbsFOp, arith::MaximumFOp>();
    if (failed(mlir::applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }

  Option<std::string> driver{*this, "driver", llvm::cl::desc("greedy, walk, some or all"),
                             llvm::cl::init("greedy")};
};

} // namespace

void assay::register_patterns() {
  mlir::PassRegistration<PatternPass>();
}
