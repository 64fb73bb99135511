// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// quant-fuse-rescale: chains of scales, and of multiplications by constants beside them, as one.
#include "compiler/bridge/quant/quant.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Quant/IR/Quant.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>
#include <mlir/IR/TypeUtilities.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Pass/PassRegistry.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

namespace {

using llvm::APFloat;
using mlir::quant::RescaleFuseOp;

// A value as another one times a constant.
struct Factor {
  mlir::Value input;
  APFloat scale; // f32
};

// The constant as an f32, where that loses nothing.
std::optional<APFloat> constant_of(mlir::Value value) {
  mlir::FloatAttr number;
  mlir::DenseFPElementsAttr elements;
  if (mlir::matchPattern(value, mlir::m_Constant(&elements))) {
    if (!elements.isSplat())
      return std::nullopt;
    number = elements.getSplatValue<mlir::FloatAttr>();
  } else if (!mlir::matchPattern(value, mlir::m_Constant(&number))) {
    return std::nullopt;
  }
  APFloat scale = number.getValue();
  bool loses = false;
  scale.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  if (loses)
    return std::nullopt;
  return scale;
}

std::optional<Factor> factor_of(mlir::Operation *op) {
  if (auto rescale = llvm::dyn_cast_or_null<RescaleFuseOp>(op))
    return Factor{rescale.getInput(), rescale.getScale()};
  auto product = llvm::dyn_cast_or_null<mlir::arith::MulFOp>(op);
  mlir::Type element = product ? mlir::getElementTypeOrSelf(product.getType()) : mlir::Type();
  if (!product || !(element.isF16() || element.isBF16() || element.isF32() || element.isF64()))
    return std::nullopt;
  if (auto scale = constant_of(product.getRhs()))
    return Factor{product.getLhs(), *scale};
  if (auto scale = constant_of(product.getLhs()))
    return Factor{product.getRhs(), *scale};
  return std::nullopt;
}

bool is_power_of_two(const APFloat &value) {
  return value.getExactLog2Abs() != INT_MIN;
}

// Whether (x a) b is x (a b) whatever x is, given that a b has no rounding error. A power of two
// adds none either while x a stays in range. Up and then down it could overflow between, and down
// and then up lose bits for good. Up twice the inner one must be the power of two, for what a
// subnormal x loses is scaled up otherwise. Down twice the result is the same but for the last bit
// of one that is subnormal.
bool can_be_joined(const APFloat &inner, const APFloat &outer) {
  APFloat one(1.0f);
  if (inner == one || outer == one)
    return true;
  if (inner > one && outer > one)
    return is_power_of_two(inner);
  return inner < one && outer < one && (is_power_of_two(inner) || is_power_of_two(outer));
}

// The one scale for both, where they may be joined and it is a scale.
std::optional<APFloat> join(const APFloat &inner, const APFloat &outer, bool inexact) {
  APFloat scale = inner;
  bool exact = scale.multiply(outer, APFloat::rmNearestTiesToEven) == APFloat::opOK;
  if (!assay::is_scale(inner) || !assay::is_scale(outer) || !assay::is_scale(scale))
    return std::nullopt;
  if (!inexact && !(exact && can_be_joined(inner, outer)))
    return std::nullopt;
  return scale;
}

struct FuseFactors : mlir::RewritePattern {
  FuseFactors(mlir::MLIRContext *context, bool inexact)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), inexact(inexact) {
    setDebugName("FuseFactors");
  }

  mlir::LogicalResult matchAndRewrite(mlir::Operation *op,
                                      mlir::PatternRewriter &rewriter) const override {
    std::optional<Factor> outer = factor_of(op);
    if (!outer)
      return mlir::failure();
    mlir::Operation *producer = outer->input.getDefiningOp();
    std::optional<Factor> inner = factor_of(producer);
    // Two multiplications are none of ours.
    if (!inner || !(llvm::isa<RescaleFuseOp>(op) || llvm::isa<RescaleFuseOp>(producer)))
      return mlir::failure();
    std::optional<APFloat> scale = join(inner->scale, outer->scale, inexact);
    if (!scale)
      return mlir::failure();
    rewriter.replaceOpWithNewOp<RescaleFuseOp>(op, op->getResult(0).getType(), inner->input,
                                               rewriter.getF32FloatAttr(scale->convertToFloat()));
    return mlir::success();
  }

  bool inexact;
};

struct FuseRescale : mlir::PassWrapper<FuseRescale, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseRescale)

  FuseRescale() = default;
  FuseRescale(const FuseRescale &other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override {
    return "quant-fuse-rescale";
  }
  llvm::StringRef getDescription() const override {
    return "Fuse chains of quant.rescale_fuse and of multiplications by constants beside them";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::quant::QuantDialect>();
  }
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<FuseFactors>(&getContext(), inexact);
    // Folding is other passes' business: it could make a NaN that this pass would be blamed for.
    mlir::GreedyRewriteConfig config;
    config.enableFolding(false);
    config.enableConstantCSE(false);
    config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }

  Option<bool> inexact{*this, "inexact",
                       llvm::cl::desc("Fuse also where results may round differently"),
                       llvm::cl::init(false)};
};

} // namespace

void assay::register_quant_passes() {
  mlir::PassRegistration<FuseRescale>();
}
