// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Assay's own operation means.
#include "compiler/bridge/quant/quant.h"
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/TypeUtilities.h>

namespace {

mlir::Type with_element(mlir::Type type, mlir::Type element) {
  auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
  return shaped ? mlir::Type(shaped.clone(element)) : element;
}

mlir::TypedAttr constant_of(llvm::APFloat scale, mlir::Type type) {
  auto element = mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
  bool loses = false; // never: the type is f32 or f64
  scale.convert(element.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &loses);
  auto number = mlir::FloatAttr::get(element, scale);
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
    return mlir::DenseElementsAttr::get(shaped, number.getValue());
  return number;
}

void expand(mlir::quant::RescaleFuseOp op) {
  mlir::OpBuilder builder(op);
  mlir::Type type = op.getType(), element = mlir::getElementTypeOrSelf(type);
  bool narrow = element.getIntOrFloatBitWidth() < 32;
  mlir::Type wide = narrow ? with_element(type, builder.getF32Type()) : type;
  mlir::Value input = op.getInput();
  if (narrow)
    input = mlir::arith::ExtFOp::create(builder, op.getLoc(), wide, input);
  auto scale =
      mlir::arith::ConstantOp::create(builder, op.getLoc(), constant_of(op.getScale(), wide));
  mlir::Value product = mlir::arith::MulFOp::create(builder, op.getLoc(), input, scale);
  if (narrow)
    product = mlir::arith::TruncFOp::create(builder, op.getLoc(), type, product);
  op->getResult(0).replaceAllUsesWith(product);
  op->erase();
}

} // namespace

void assay_rewrite_quant(MlirModule module) {
  llvm::SmallVector<mlir::quant::RescaleFuseOp> ops;
  unwrap(module)->walk([&](mlir::quant::RescaleFuseOp op) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(op.getType());
    if (!mlir::isa<mlir::TensorType>(op.getType()) && !(vector && vector.isScalable()))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  for (mlir::quant::RescaleFuseOp op : ops)
    expand(op);
}
