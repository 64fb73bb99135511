// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Index/IR/IndexDialect.h>
#include <mlir/Dialect/Index/IR/IndexOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/TypeUtilities.h>

namespace {

using mlir::Value;
using mlir::index::IndexCmpPredicate;

// The quotient cut off at zero, moved by one where it was not exact and the real quotient has the
// sign that cutting off moves the wrong way. MLIR's own expansion negates the dividend, which the
// least number does not survive.
void expand_division(mlir::Operation *op, bool is_ceiling) {
  mlir::OpBuilder builder(op);
  mlir::Location place = op->getLoc();
  Value a = op->getOperand(0), b = op->getOperand(1);
  auto constant = [&](int64_t value) -> Value {
    return mlir::index::ConstantOp::create(builder, place, value);
  };
  auto compare = [&](IndexCmpPredicate how, Value x, Value y) -> Value {
    return mlir::index::CmpOp::create(builder, place, how, x, y);
  };
  Value zero = constant(0);
  Value quotient = mlir::index::DivSOp::create(builder, place, a, b);
  Value rest = mlir::index::RemSOp::create(builder, place, a, b);
  Value inexact = compare(IndexCmpPredicate::NE, rest, zero);
  Value differ =
      mlir::arith::XOrIOp::create(builder, place, compare(IndexCmpPredicate::SLT, rest, zero),
                                  compare(IndexCmpPredicate::SLT, b, zero));
  if (is_ceiling)
    differ = mlir::arith::XOrIOp::create(
        builder, place, differ,
        mlir::arith::ConstantOp::create(builder, place, builder.getBoolAttr(true)));
  Value moves = mlir::arith::AndIOp::create(builder, place, inexact, differ);
  Value moved = mlir::index::AddOp::create(builder, place, quotient, constant(is_ceiling ? 1 : -1));
  Value result = mlir::arith::SelectOp::create(builder, place, moves, moved, quotient);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

// -0 is less than +0 here, which MLIR's own expansion overlooks. Equal numbers have equal bits but
// for zeros, so the greater of two equal ones is the conjunction of their bits.
void expand_extremum(mlir::Operation *op, bool is_maximum) {
  mlir::OpBuilder builder(op);
  mlir::Location place = op->getLoc();
  Value a = op->getOperand(0), b = op->getOperand(1);
  mlir::Type type = a.getType();
  unsigned width = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  mlir::Type bits = builder.getIntegerType(width);
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
    bits = shaped.clone(bits);
  auto compare = [&](mlir::arith::CmpFPredicate how) -> Value {
    return mlir::arith::CmpFOp::create(builder, place, how, a, b);
  };
  auto select = [&](Value condition, Value x, Value y) -> Value {
    return mlir::arith::SelectOp::create(builder, place, condition, x, y);
  };
  Value x = mlir::arith::BitcastOp::create(builder, place, bits, a);
  Value y = mlir::arith::BitcastOp::create(builder, place, bits, b);
  Value both = is_maximum ? Value(mlir::arith::AndIOp::create(builder, place, x, y))
                          : Value(mlir::arith::OrIOp::create(builder, place, x, y));
  Value equal = mlir::arith::BitcastOp::create(builder, place, type, both);
  Value sum = mlir::arith::AddFOp::create(builder, place, a, b); // NaN, where one of them is
  using Predicate = mlir::arith::CmpFPredicate;
  Value result = select(compare(is_maximum ? Predicate::OGT : Predicate::OLT), a, b);
  result = select(compare(Predicate::OEQ), equal, result);
  result = select(compare(Predicate::UNO), sum, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

} // namespace

void assay_rewrite_corners(MlirModule module) {
  llvm::SmallVector<mlir::Operation *> divisions, extrema;
  unwrap(module)->walk([&](mlir::Operation *op) {
    if (mlir::isa<mlir::index::CeilDivSOp, mlir::index::FloorDivSOp>(op))
      divisions.push_back(op);
    if (mlir::isa<mlir::arith::MaximumFOp, mlir::arith::MinimumFOp>(op))
      extrema.push_back(op);
  });
  for (mlir::Operation *op : divisions)
    expand_division(op, mlir::isa<mlir::index::CeilDivSOp>(op));
  for (mlir::Operation *op : extrema)
    expand_extremum(op, mlir::isa<mlir::arith::MaximumFOp>(op));
}
