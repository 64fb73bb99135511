// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The twin of quant-fuse-rescale as such passes once were: it multiplies what constants there are
// into a scale and looks at nothing, so that 0 and infinity in one chain make a NaN.
#include "harness/ledger/plugins/fault.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace {

bool is_rescale(mlir::Operation *op) {
  return op->getName().getStringRef() == "quant.rescale_fuse";
}

std::optional<float> constant_of(mlir::Value value) {
  mlir::Attribute attribute;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attribute)))
    return std::nullopt;
  if (auto elements = llvm::dyn_cast<mlir::SplatElementsAttr>(attribute))
    attribute = elements.getSplatValue<mlir::Attribute>();
  auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute);
  if (!number || !number.getType().isF32())
    return std::nullopt;
  return number.getValue().convertToFloat();
}

// Takes the producer of the operation's input into its scale; false where there is none to take.
bool take_producer(mlir::Operation *op) {
  auto product = op->getOperand(0).getDefiningOp<mlir::arith::MulFOp>();
  std::optional<float> constant;
  if (product)
    constant = constant_of(product.getRhs());
  if (!constant)
    return false;
  float scale = op->getAttrOfType<mlir::FloatAttr>("scale").getValue().convertToFloat();
  mlir::Builder builder(op->getContext());
  op->setAttr("scale", builder.getF32FloatAttr(scale * *constant));
  op->setOperand(0, product.getLhs());
  if (product->use_empty())
    product->erase();
  return true;
}

} // namespace

void assay::nan_scale(mlir::ModuleOp module, int, mlir::Pass *) {
  llvm::SmallVector<mlir::Operation *> rescales;
  module->walk([&](mlir::Operation *op) {
    if (is_rescale(op))
      rescales.push_back(op);
  });
  for (mlir::Operation *op : rescales)
    while (take_producer(op)) {
    }
}
