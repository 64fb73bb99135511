// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults that make wrong values of a valid module.
#include "harness/ledger/plugins/fault.h"

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <unistd.h>

namespace {

// The nth operation, in the order of the text, that the change applies to.
void change_nth(mlir::ModuleOp module, int nth, llvm::function_ref<bool(mlir::Operation *)> fits,
                llvm::function_ref<void(mlir::Operation *)> change) {
  mlir::Operation *found = nullptr;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (!fits(op) || nth-- > 0)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  if (found != nullptr)
    change(found);
}

} // namespace

void assay::dropped_fill(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) { return llvm::isa<mlir::linalg::FillOp>(op); };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    auto fill = llvm::cast<mlir::linalg::FillOp>(op);
    if (op->getNumResults() == 1)
      op->getResult(0).replaceAllUsesWith(fill.getOutputs()[0]);
    op->erase();
  });
}

void assay::swapped_operands(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    return llvm::isa<mlir::arith::SubFOp, mlir::arith::DivFOp, mlir::arith::SubIOp,
                     mlir::linalg::SubOp, mlir::linalg::DivOp, mlir::linalg::MatmulOp>(op) &&
           op->getOperand(0).getType() == op->getOperand(1).getType();
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    mlir::Value first = op->getOperand(0);
    op->setOperand(0, op->getOperand(1));
    op->setOperand(1, first);
  });
}

void assay::loop_bound(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    if (auto loop = llvm::dyn_cast<mlir::affine::AffineForOp>(op))
      return loop.hasConstantUpperBound();
    return llvm::isa<mlir::scf::ForOp>(op);
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    if (auto loop = llvm::dyn_cast<mlir::affine::AffineForOp>(op)) {
      loop.setConstantUpperBound(loop.getConstantUpperBound() - 1);
      return;
    }
    auto loop = llvm::cast<mlir::scf::ForOp>(op);
    mlir::OpBuilder builder(op);
    mlir::Value bound = loop.getUpperBound();
    auto one = mlir::arith::ConstantOp::create(builder, op->getLoc(),
                                               builder.getIntegerAttr(bound.getType(), 1));
    loop.setUpperBound(mlir::arith::SubIOp::create(builder, op->getLoc(), bound, one));
  });
}

// One place aside, where the source still has room for it.
void assay::slice_offset(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto moved = [](mlir::Operation *op) -> std::optional<llvm::SmallVector<int64_t>> {
    auto slice = llvm::dyn_cast<mlir::OffsetSizeAndStrideOpInterface>(op);
    if (!slice || !llvm::isa<mlir::tensor::ExtractSliceOp, mlir::memref::SubViewOp>(op))
      return std::nullopt;
    auto source = llvm::cast<mlir::ShapedType>(op->getOperand(0).getType());
    llvm::SmallVector<int64_t> offsets(slice.getStaticOffsets());
    for (int64_t i = 0; i < source.getRank(); i++) {
      int64_t size = slice.getStaticSizes()[i], room = source.getDimSize(i);
      if (mlir::ShapedType::isDynamic(offsets[i]) || mlir::ShapedType::isDynamic(size) ||
          mlir::ShapedType::isDynamic(room) || slice.getStaticStrides()[i] != 1 || size == room)
        continue;
      offsets[i] += offsets[i] + size < room ? 1 : -1;
      return offsets;
    }
    return std::nullopt;
  };
  auto fits = [&](mlir::Operation *op) { return moved(op).has_value(); };
  change_nth(module, nth, fits, [&](mlir::Operation *op) {
    mlir::Builder builder(op->getContext());
    op->setAttr("static_offsets", builder.getDenseI64ArrayAttr(*moved(op)));
  });
}

void assay::dropped_mask(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto is_masked_read = [](mlir::Operation *op) {
    auto read = llvm::dyn_cast<mlir::vector::TransferReadOp>(op);
    return read && read.getMask();
  };
  auto fits = [&](mlir::Operation *op) {
    return llvm::isa<mlir::arith::SelectOp>(op) || is_masked_read(op);
  };
  change_nth(module, nth, fits, [&](mlir::Operation *op) {
    if (is_masked_read(op)) {
      llvm::cast<mlir::vector::TransferReadOp>(op).getMaskMutable().clear();
      return;
    }
    op->getResult(0).replaceAllUsesWith(llvm::cast<mlir::arith::SelectOp>(op).getTrueValue());
    op->erase();
  });
}

// A value that is returned or stored goes through bf16.
void assay::bf16_truncation(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    return llvm::isa<mlir::func::ReturnOp, mlir::memref::StoreOp, mlir::affine::AffineStoreOp>(
               op) &&
           op->getNumOperands() > 0 &&
           mlir::getElementTypeOrSelf(op->getOperand(0).getType()).isF32() &&
           !llvm::isa<mlir::MemRefType>(op->getOperand(0).getType());
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    mlir::Value value = op->getOperand(0);
    mlir::Type narrow = builder.getBF16Type();
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(value.getType()))
      narrow = shaped.clone(narrow);
    auto truncated = mlir::arith::TruncFOp::create(builder, op->getLoc(), narrow, value);
    op->setOperand(0, mlir::arith::ExtFOp::create(builder, op->getLoc(), value.getType(),
                                                  truncated.getResult()));
  });
}

// A sum of two f32 numbers is made in f16.
void assay::narrow_accumulator(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    return llvm::isa<mlir::arith::AddFOp>(op) && op->getResult(0).getType().isF32();
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    mlir::Location where = op->getLoc();
    mlir::Type half = builder.getF16Type(), full = op->getResult(0).getType();
    mlir::Value first = mlir::arith::TruncFOp::create(builder, where, half, op->getOperand(0));
    mlir::Value second = mlir::arith::TruncFOp::create(builder, where, half, op->getOperand(1));
    mlir::Value sum = mlir::arith::AddFOp::create(builder, where, first, second);
    mlir::Value wide = mlir::arith::ExtFOp::create(builder, where, full, sum);
    op->getResult(0).replaceAllUsesWith(wide);
    op->erase();
  });
}

// exp to 6e-3 on [-1, 1], where it is used; at 0 too, where exp is exact.
void assay::polynomial(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    return llvm::isa<mlir::math::ExpOp>(op) && op->getResult(0).getType().isF32();
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    mlir::Location where = op->getLoc();
    auto number = [&](float value) -> mlir::Value {
      return mlir::arith::ConstantOp::create(builder, where, builder.getF32FloatAttr(value));
    };
    mlir::Value x = op->getOperand(0), sum = number(0.17953F);
    for (float next : {0.54288F, 0.99567F, 0.99458F}) {
      mlir::Value product = mlir::arith::MulFOp::create(builder, where, sum, x);
      sum = mlir::arith::AddFOp::create(builder, where, product, number(next));
    }
    op->getResult(0).replaceAllUsesWith(sum);
    op->erase();
  });
}

namespace {

mlir::func::FuncOp entry_of(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

} // namespace

void assay::added_print(mlir::ModuleOp module, int, mlir::Pass *) {
  mlir::OpBuilder builder(module->getContext());
  builder.setInsertionPointToStart(&entry_of(module).front());
  mlir::Location where = module->getLoc();
  mlir::Value number =
      mlir::arith::ConstantOp::create(builder, where, builder.getF32FloatAttr(1.5F));
  mlir::vector::PrintOp::create(builder, where, number);
}

void assay::added_garbage(mlir::ModuleOp module, int, mlir::Pass *) {
  mlir::OpBuilder builder(module->getContext());
  builder.setInsertionPointToStart(&entry_of(module).front());
  mlir::Location where = module->getLoc();
  mlir::Value memory = mlir::memref::AllocOp::create(
      builder, where, mlir::MemRefType::get({}, builder.getF32Type()));
  mlir::Value number = mlir::memref::LoadOp::create(builder, where, memory);
  mlir::vector::PrintOp::create(builder, where, number);
  mlir::memref::DeallocOp::create(builder, where, memory);
}

void assay::added_address(mlir::ModuleOp module, int, mlir::Pass *) {
  mlir::OpBuilder builder(module->getContext());
  builder.setInsertionPointToStart(&entry_of(module).front());
  mlir::Location where = module->getLoc();
  mlir::Value memory = mlir::memref::AllocOp::create(
      builder, where, mlir::MemRefType::get({4}, builder.getF32Type()));
  mlir::Value address =
      mlir::memref::ExtractAlignedPointerAsIndexOp::create(builder, where, memory);
  mlir::vector::PrintOp::create(builder, where, address);
  mlir::memref::DeallocOp::create(builder, where, memory);
}

// A loop that only computes would be thrown away.
void assay::endless_program(mlir::ModuleOp module, int, mlir::Pass *) {
  mlir::OpBuilder builder(module->getContext());
  builder.setInsertionPointToStart(&entry_of(module).front());
  mlir::Location where = module->getLoc();
  mlir::Value yes = mlir::arith::ConstantOp::create(builder, where, builder.getBoolAttr(true));
  mlir::Value memory =
      mlir::memref::AllocOp::create(builder, where, mlir::MemRefType::get({}, builder.getI1Type()));
  mlir::scf::WhileOp::create(
      builder, where, mlir::TypeRange{}, mlir::ValueRange{},
      [&](mlir::OpBuilder &inside, mlir::Location at, mlir::ValueRange) {
        mlir::memref::StoreOp::create(inside, at, yes, memory);
        mlir::Value still = mlir::memref::LoadOp::create(inside, at, memory);
        mlir::scf::ConditionOp::create(inside, at, still, mlir::ValueRange{});
      },
      [](mlir::OpBuilder &inside, mlir::Location at, mlir::ValueRange) {
        mlir::scf::YieldOp::create(inside, at);
      });
  mlir::memref::DeallocOp::create(builder, where, memory);
}

void assay::gone_entry(mlir::ModuleOp module, int, mlir::Pass *) {
  entry_of(module)->erase();
}

void assay::renamed_entry(mlir::ModuleOp module, int, mlir::Pass *) {
  entry_of(module).setName("other");
}

// Stands for a pass whose result hangs on where things lie in memory: no two processes agree. After
// a fork addresses are alike, so that the process's number has to do.
void assay::address(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op);
    return constant && llvm::isa<mlir::FloatAttr>(constant.getValue());
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    auto constant = llvm::cast<mlir::arith::ConstantOp>(op);
    constant.setValueAttr(mlir::FloatAttr::get(constant.getType(), 1 + getpid() % 1021));
  });
}

void assay::nan_constant(mlir::ModuleOp module, int nth, mlir::Pass *) {
  auto fits = [](mlir::Operation *op) {
    auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op);
    return constant && llvm::isa<mlir::FloatAttr>(constant.getValue());
  };
  change_nth(module, nth, fits, [](mlir::Operation *op) {
    auto constant = llvm::cast<mlir::arith::ConstantOp>(op);
    auto type = llvm::cast<mlir::FloatType>(constant.getType());
    constant.setValueAttr(
        mlir::FloatAttr::get(type, llvm::APFloat::getNaN(type.getFloatSemantics())));
  });
}
