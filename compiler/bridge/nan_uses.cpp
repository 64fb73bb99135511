// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a constant: whether a NaN in it can only be neutral.
#include "compiler/bridge/nan_attributes.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/OpDefinition.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace {

enum class Use {
  NEUTRAL, // it can only be neutral, or nothing depends on it
  FOLLOW,  // it lives on in the operation's results
  OTHER,   // depends on the operand
};

Use classify(llvm::StringRef name) {
  return llvm::StringSwitch<Use>(name)
      .Cases({"arith.maxnumf", "arith.minnumf", "llvm.intr.maxnum", "llvm.intr.minnum"},
             Use::NEUTRAL)
      .Cases({"llvm.intr.vector.reduce.fmax", "llvm.intr.vector.reduce.fmin",
              "llvm.intr.vp.reduce.fmax", "llvm.intr.vp.reduce.fmin"},
             Use::NEUTRAL)
      .Cases({"memref.dealloc", "memref.dim", "tensor.dim", "bufferization.dealloc_tensor"},
             Use::NEUTRAL)
      .Cases({"vector.broadcast", "vector.splat", "tensor.splat", "vector.mask", "vector.insert",
              "vector.insert_strided_slice", "vector.shape_cast", "vector.transpose",
              "vector.shuffle", "vector.extract", "vector.from_elements"},
             Use::FOLLOW)
      .Cases({"llvm.insertelement", "llvm.shufflevector", "llvm.insertvalue", "llvm.extractvalue",
              "builtin.unrealized_conversion_cast", "tensor.from_elements", "tensor.insert",
              "tensor.insert_slice", "tensor.extract_slice", "tensor.extract", "tensor.cast"},
             Use::FOLLOW)
      .Cases({"tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape", "memref.cast",
              "memref.subview", "memref.expand_shape", "memref.collapse_shape", "memref.load",
              "affine.load", "complex.create", "bufferization.to_buffer"},
             Use::FOLLOW)
      .Cases({"bufferization.to_tensor", "bufferization.clone", "bufferization.alloc_tensor",
              "arith.extf", "arith.truncf", "arith.bitcast", "llvm.fpext", "llvm.fptrunc",
              "llvm.bitcast"},
             Use::FOLLOW)
      .Default(Use::OTHER);
}

class Tracer {
public:
  bool all_neutral(mlir::Value value) {
    if (!seen.insert(value).second)
      return true;
    for (mlir::OpOperand &use : value.getUses())
      if (!is_neutral(use))
        return false;
    return true;
  }

private:
  bool results_neutral(mlir::Operation *op) {
    return llvm::all_of(op->getResults(), [&](mlir::Value each) { return all_neutral(each); });
  }

  bool is_neutral(mlir::OpOperand &use) {
    mlir::Operation *op = use.getOwner();
    llvm::StringRef name = op->getName().getStringRef();
    switch (classify(name)) {
    case Use::NEUTRAL:
      return true;
    case Use::FOLLOW:
      return results_neutral(op);
    case Use::OTHER:
      break;
    }
    if (name == "arith.select" || name == "llvm.select" || name == "linalg.select")
      return use.getOperandNumber() > 0;
    if (name == "memref.store" || name == "affine.store")
      return use.getOperandNumber() == 1; // overwritten
    if (name == "vector.reduction" || name == "vector.multi_reduction" || name == "vector.scan")
      return reduces_by_maxnum(op);
    if (auto linalg = llvm::dyn_cast<mlir::linalg::LinalgOp>(op))
      return linalg_neutral(linalg, use);
    if (op->getNumSuccessors() > 0 || name.ends_with(".yield"))
      return terminator_neutral(op, use);
    if (auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(op))
      return loop_neutral(loop, use);
    return false;
  }

  static bool reduces_by_maxnum(mlir::Operation *op) {
    std::string kind;
    llvm::raw_string_ostream stream(kind);
    if (mlir::Attribute attribute = op->getAttr("kind"))
      attribute.print(stream);
    return kind.find("maxnum") != std::string::npos || kind.find("minnum") != std::string::npos;
  }

  // Inside the body the element goes its own way; a fill's whole value is its result, or what
  // later reads its buffer.
  bool linalg_neutral(mlir::linalg::LinalgOp op, mlir::OpOperand &use) {
    if (llvm::isa<mlir::linalg::FillOp, mlir::linalg::BroadcastOp, mlir::linalg::CopyOp,
                  mlir::linalg::TransposeOp>(op.getOperation())) {
      if (op.isDpsInit(&use))
        return true; // it is overwritten
      return op.hasPureTensorSemantics() ? results_neutral(op) : buffer_reduced(op);
    }
    if (op->getNumRegions() == 0 || op->getRegion(0).empty())
      return false;
    return all_neutral(op.getMatchingBlockArgument(&use));
  }

  bool loop_neutral(mlir::LoopLikeOpInterface loop, mlir::OpOperand &use) {
    mlir::BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
    return argument && all_neutral(argument);
  }

  // Where a yield leads to: a result of the operation around it, and in a loop the next turn.
  bool terminator_neutral(mlir::Operation *op, mlir::OpOperand &use) {
    llvm::StringRef name = op->getName().getStringRef();
    if (name == "cf.cond_br" || name == "llvm.cond_br")
      return true; // chosen on a condition
    if (name == "cf.br" || name == "llvm.br")
      return all_neutral(op->getSuccessor(0)->getArgument(use.getOperandNumber()));
    mlir::Operation *parent = op->getParentOp();
    if (op->getNumSuccessors() > 0 || parent == nullptr)
      return false;
    llvm::StringRef around = parent->getName().getStringRef();
    if (around == "scf.if" || around == "affine.if" || around == "scf.index_switch")
      return true; // chosen on a condition
    if (auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(parent)) {
      mlir::BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
      if (!argument && use.getOperandNumber() < loop.getRegionIterArgs().size())
        argument = loop.getRegionIterArgs()[use.getOperandNumber()];
      if (!argument || !all_neutral(argument))
        return false;
    }
    if (use.getOperandNumber() >= parent->getNumResults())
      return false;
    return all_neutral(parent->getResult(use.getOperandNumber()));
  }

  // A buffer that is filled may be read by anybody once a reduction has gone over it.
  bool buffer_reduced(mlir::linalg::LinalgOp fill) {
    bool reduced = false;
    for (mlir::OpOperand &use : fill.getDpsInits()[0].getUses()) {
      auto op = llvm::dyn_cast<mlir::linalg::LinalgOp>(use.getOwner());
      if (!op || op == fill || !op.isDpsInit(&use) || op->getNumRegions() == 0)
        continue;
      mlir::BlockArgument argument = op.getMatchingBlockArgument(&use);
      if (!argument.use_empty() && !all_neutral(argument))
        return false;
      reduced = reduced || !argument.use_empty();
    }
    return reduced;
  }

  llvm::DenseSet<mlir::Value> seen;
};

} // namespace

bool assay::nan_is_neutral(mlir::Operation *op) {
  if (!op->hasTrait<mlir::OpTrait::ConstantLike>() || op->getNumResults() != 1)
    return false;
  return Tracer().all_neutral(op->getResult(0));
}
