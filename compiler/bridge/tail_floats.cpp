// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions from and to floats of a byte, which LLVM does not have, as calls.
#include "compiler/bridge/small_floats.h"
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/TypeUtilities.h>

namespace {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Type;
using mlir::Value;

bool is_small(Type type) {
  return assay_small_float_of(wrap(mlir::getElementTypeOrSelf(type))) < ASSAY_SMALL_FLOAT_COUNT;
}

// A call of the runtime's function for a format, declared where it is not yet.
Value call(OpBuilder &builder, Location place, llvm::StringRef prefix, Type format, Value operand,
           Type result) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
  int number = assay_small_float_of(wrap(format));
  std::string name = (prefix + llvm::Twine(number)).str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    auto type = builder.getFunctionType({operand.getType()}, {result});
    mlir::func::FuncOp::create(builder, place, name, type).setPrivate();
  }
  return mlir::func::CallOp::create(builder, place, name, result, operand).getResult(0);
}

Value convert(OpBuilder &builder, Location place, Value from, Type to) {
  Type wide = builder.getF64Type(), byte = builder.getI8Type();
  Value number = from;
  if (is_small(from.getType())) {
    Value bits = mlir::arith::BitcastOp::create(builder, place, byte, from);
    number = call(builder, place, ASSAY_WIDEN_FLOAT, from.getType(), bits, wide);
  } else if (from.getType() != wide) {
    number = mlir::arith::ExtFOp::create(builder, place, wide, from);
  }
  if (is_small(to)) {
    Value bits = call(builder, place, ASSAY_NARROW_FLOAT, to, number, byte);
    return mlir::arith::BitcastOp::create(builder, place, to, bits);
  }
  return to == wide ? number : mlir::arith::TruncFOp::create(builder, place, to, number);
}

// Element by element where it is a vector.
void expand(mlir::Operation *op) {
  OpBuilder builder(op);
  Location place = op->getLoc();
  Value from = op->getOperand(0);
  Type to = op->getResult(0).getType();
  auto vector = mlir::dyn_cast<mlir::VectorType>(to);
  if (!vector) {
    op->getResult(0).replaceAllUsesWith(convert(builder, place, from, to));
    op->erase();
    return;
  }
  Value made = mlir::arith::ConstantOp::create(builder, place, builder.getZeroAttr(vector));
  for (int64_t i = 0; i < vector.getNumElements(); i++) {
    llvm::SmallVector<int64_t> at(vector.getRank());
    int64_t rest = i;
    for (int64_t d = vector.getRank() - 1; d >= 0; d--) {
      at[d] = rest % vector.getDimSize(d);
      rest /= vector.getDimSize(d);
    }
    Value element = mlir::vector::ExtractOp::create(builder, place, from, at);
    element = convert(builder, place, element, vector.getElementType());
    made = mlir::vector::InsertOp::create(builder, place, element, made, at);
  }
  op->getResult(0).replaceAllUsesWith(made);
  op->erase();
}

} // namespace

void assay_rewrite_small_floats(MlirModule module) {
  llvm::SmallVector<mlir::Operation *> conversions;
  unwrap(module)->walk([&](mlir::func::FuncOp function) {
    function->walk([&](mlir::Operation *op) {
      if (!mlir::isa<mlir::arith::ExtFOp, mlir::arith::TruncFOp>(op) ||
          (!is_small(op->getOperand(0).getType()) && !is_small(op->getResult(0).getType())))
        return;
      auto vector = mlir::dyn_cast<mlir::VectorType>(op->getResult(0).getType());
      if (!vector || !vector.isScalable())
        conversions.push_back(op);
    });
  });
  unwrap(module)
      ->getContext()
      ->loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::vector::VectorDialect>();
  for (mlir::Operation *op : conversions)
    expand(op);
}
