// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing and unpacking element by element, for tiles of a size that is known only as the program
// runs, which MLIR's own decomposition does not take.
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>

namespace {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;
using mlir::ValueRange;
using Values = llvm::SmallVector<Value>;

Value constant(OpBuilder &builder, Location place, int64_t value) {
  return mlir::arith::ConstantIndexOp::create(builder, place, value);
}

Value size(OpBuilder &builder, Location place, Value tensor, int64_t dim) {
  return mlir::tensor::DimOp::create(builder, place, tensor, constant(builder, place, dim));
}

// The place among the outer dimensions of the packed tensor where each of the source stands.
llvm::SmallVector<int64_t> outer_places(llvm::ArrayRef<int64_t> order, int64_t rank) {
  llvm::SmallVector<int64_t> places(rank);
  for (int64_t i = 0; i < rank; i++)
    places[order.empty() ? i : order[i]] = i;
  return places;
}

// A tensor of the type of `like`, and as large, each element made from its indices.
void generate(mlir::Operation *op, Value like,
              llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> element) {
  OpBuilder builder(op);
  Location place = op->getLoc();
  auto type = mlir::cast<mlir::RankedTensorType>(like.getType());
  Values sizes;
  for (int64_t i = 0; i < type.getRank(); i++)
    if (type.isDynamicDim(i))
      sizes.push_back(size(builder, place, like, i));
  auto made = mlir::tensor::GenerateOp::create(
      builder, place, type, sizes, [&](OpBuilder &inside, Location at, ValueRange indices) {
        mlir::tensor::YieldOp::create(inside, at, element(inside, at, indices));
      });
  op->getResult(0).replaceAllUsesWith(made.getResult());
  op->erase();
}

// Its indices in the source, given those in the packed tensor.
Values source_indices(mlir::linalg::PackOp op, OpBuilder &builder, Location at, Value packed,
                      ValueRange indices) {
  int64_t rank = op.getSourceRank();
  llvm::SmallVector<int64_t> places = outer_places(op.getOuterDimsPerm(), rank);
  Values found;
  for (int64_t i = 0; i < rank; i++)
    found.push_back(indices[places[i]]);
  for (auto [k, dim] : llvm::enumerate(op.getInnerDimsPos())) {
    Value first =
        mlir::arith::MulIOp::create(builder, at, found[dim], size(builder, at, packed, rank + k));
    found[dim] = mlir::arith::AddIOp::create(builder, at, first, indices[rank + k]);
  }
  return found;
}

} // namespace

void assay_rewrite_pack(MlirOperation operation) {
  auto op = mlir::cast<mlir::linalg::PackOp>(unwrap(operation));
  if (!op.hasPureTensorSemantics())
    return;
  Value source = op.getSource(), padding = op.getPaddingValue(), packed = op.getDest();
  generate(op, packed, [&](OpBuilder &builder, Location at, ValueRange indices) -> Value {
    Values from = source_indices(op, builder, at, packed, indices);
    if (!padding)
      return mlir::tensor::ExtractOp::create(builder, at, source, from);
    Value inside = mlir::arith::ConstantOp::create(builder, at, builder.getBoolAttr(true));
    for (auto [dim, index] : llvm::enumerate(from)) {
      Value fits = mlir::arith::CmpIOp::create(builder, at, mlir::arith::CmpIPredicate::ult, index,
                                               size(builder, at, source, dim));
      inside = mlir::arith::AndIOp::create(builder, at, inside, fits);
    }
    auto choice = mlir::scf::IfOp::create(
        builder, at, inside,
        [&](OpBuilder &then, Location in) {
          Value element = mlir::tensor::ExtractOp::create(then, in, source, from);
          mlir::scf::YieldOp::create(then, in, element);
        },
        [&](OpBuilder &otherwise, Location in) {
          mlir::scf::YieldOp::create(otherwise, in, padding);
        });
    return choice.getResult(0);
  });
}

void assay_rewrite_unpack(MlirOperation operation) {
  auto op = mlir::cast<mlir::linalg::UnPackOp>(unwrap(operation));
  if (!op.hasPureTensorSemantics())
    return;
  Value source = op.getSource();
  generate(op, op.getDest(), [&](OpBuilder &builder, Location at, ValueRange indices) -> Value {
    int64_t rank = op.getDestRank();
    llvm::SmallVector<int64_t> places = outer_places(op.getOuterDimsPerm(), rank);
    Values outer(indices), inner, from(rank);
    for (auto [k, dim] : llvm::enumerate(op.getInnerDimsPos())) {
      Value tile = size(builder, at, source, rank + k);
      inner.push_back(mlir::arith::RemUIOp::create(builder, at, indices[dim], tile));
      outer[dim] = mlir::arith::DivUIOp::create(builder, at, indices[dim], tile);
    }
    for (int64_t i = 0; i < rank; i++)
      from[places[i]] = outer[i];
    from.append(inner);
    return mlir::tensor::ExtractOp::create(builder, at, source, from);
  });
}
