// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathering and scattering lane by lane, for tensors, and for memory whose elements lie apart,
// which MLIR's own lowering does not take.
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/BuiltinOps.h>

namespace {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

bool lies_apart(mlir::Type type) {
  auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
  return !memref || !memref.isLastDimUnitStride();
}

llvm::SmallVector<int64_t> position(mlir::VectorType type, int64_t lane) {
  llvm::SmallVector<int64_t> at(type.getRank());
  for (int64_t d = type.getRank() - 1; d >= 0; d--) {
    at[d] = lane % type.getDimSize(d);
    lane /= type.getDimSize(d);
  }
  return at;
}

// Where a lane's element lies: the common offsets, the last one moved by the lane's index.
Values place_of(OpBuilder &builder, Location place, mlir::ValueRange offsets, Value indices,
                llvm::ArrayRef<int64_t> at) {
  Values found(offsets.begin(), offsets.end());
  Value index = mlir::vector::ExtractOp::create(builder, place, indices, at);
  if (!index.getType().isIndex())
    index = mlir::arith::IndexCastOp::create(builder, place, builder.getIndexType(), index);
  found.back() = mlir::arith::AddIOp::create(builder, place, found.back(), index);
  return found;
}

void expand(mlir::vector::GatherOp op) {
  OpBuilder builder(op);
  Location place = op.getLoc();
  mlir::VectorType type = op.getVectorType();
  bool is_tensor = mlir::isa<mlir::TensorType>(op.getBase().getType());
  Value made = op.getPassThru();
  for (int64_t lane = 0; lane < type.getNumElements(); lane++) {
    llvm::SmallVector<int64_t> at = position(type, lane);
    Value wanted = mlir::vector::ExtractOp::create(builder, place, op.getMask(), at);
    Value kept = mlir::vector::ExtractOp::create(builder, place, op.getPassThru(), at);
    auto choice = mlir::scf::IfOp::create(
        builder, place, wanted,
        [&](OpBuilder &inside, Location) {
          Values from = place_of(inside, place, op.getOffsets(), op.getIndices(), at);
          Value element =
              is_tensor ? Value(mlir::tensor::ExtractOp::create(inside, place, op.getBase(), from))
                        : Value(mlir::memref::LoadOp::create(inside, place, op.getBase(), from));
          mlir::scf::YieldOp::create(inside, place, element);
        },
        [&](OpBuilder &inside, Location) { mlir::scf::YieldOp::create(inside, place, kept); });
    made = mlir::vector::InsertOp::create(builder, place, choice.getResult(0), made, at);
  }
  op.getResult().replaceAllUsesWith(made);
  op->erase();
}

// A later lane writes over an earlier one.
void expand(mlir::vector::ScatterOp op) {
  OpBuilder builder(op);
  Location place = op.getLoc();
  mlir::VectorType type = op.getVectorType();
  Value tensor = op.getBase();
  bool is_tensor = mlir::isa<mlir::TensorType>(tensor.getType());
  for (int64_t lane = 0; lane < type.getNumElements(); lane++) {
    llvm::SmallVector<int64_t> at = position(type, lane);
    Value wanted = mlir::vector::ExtractOp::create(builder, place, op.getMask(), at);
    Value element = mlir::vector::ExtractOp::create(builder, place, op.getValueToStore(), at);
    auto write = [&](OpBuilder &inside, Location) {
      Values to = place_of(inside, place, op.getOffsets(), op.getIndices(), at);
      if (!is_tensor) {
        mlir::memref::StoreOp::create(inside, place, element, op.getBase(), to);
        mlir::scf::YieldOp::create(inside, place);
        return;
      }
      Value written = mlir::tensor::InsertOp::create(inside, place, element, tensor, to);
      mlir::scf::YieldOp::create(inside, place, written);
    };
    if (!is_tensor) {
      mlir::scf::IfOp::create(builder, place, wanted, write);
      continue;
    }
    auto leave = [&](OpBuilder &inside, Location) {
      mlir::scf::YieldOp::create(inside, place, tensor);
    };
    tensor = mlir::scf::IfOp::create(builder, place, wanted, write, leave).getResult(0);
  }
  if (is_tensor)
    op->getResult(0).replaceAllUsesWith(tensor);
  op->erase();
}

template <typename Op> bool can_expand(Op op) {
  return !op.getVectorType().isScalable() && lies_apart(op.getBase().getType()) &&
         !mlir::isa<mlir::vector::MaskOp>(op->getParentOp());
}

} // namespace

void assay_rewrite_gathers(MlirModule module) {
  llvm::SmallVector<mlir::vector::GatherOp> gathers;
  llvm::SmallVector<mlir::vector::ScatterOp> scatters;
  unwrap(module)->walk([&](mlir::vector::GatherOp op) {
    if (can_expand(op))
      gathers.push_back(op);
  });
  unwrap(module)->walk([&](mlir::vector::ScatterOp op) {
    if (can_expand(op))
      scatters.push_back(op);
  });
  if (gathers.empty() && scatters.empty())
    return;
  unwrap(module)
      ->getContext()
      ->loadDialect<mlir::arith::ArithDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    mlir::tensor::TensorDialect>();
  for (mlir::vector::GatherOp op : gathers)
    expand(op);
  for (mlir::vector::ScatterOp op : scatters)
    expand(op);
}
