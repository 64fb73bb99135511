// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations with regions that give way to one run of a region, bodies that end earlier, and calls
// that give way to what they call.
#include "compiler/bridge/cuts/work.h"

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace assay::cuts {

using mlir::Block;
using mlir::Operation;
using mlir::Region;
using mlir::RegionBranchOpInterface;
using mlir::RegionBranchTerminatorOpInterface;
using mlir::RegionSuccessor;
using mlir::Value;

namespace {

// Moves what stands in the block, but its terminator, before the operation, with these values for
// its arguments.
void inline_before(Operation *op, Block *block, mlir::ValueRange values) {
  for (auto [argument, value] : llvm::zip(block->getArguments(), values))
    argument.replaceAllUsesWith(value);
  Operation *terminator = block->mightHaveTerminator() ? block->getTerminator() : nullptr;
  auto end = terminator ? terminator->getIterator() : block->end();
  op->getBlock()->getOperations().splice(op->getIterator(), block->getOperations(), block->begin(),
                                         end);
}

// What a run of the region begins with: operands of the operation, lower bounds for the numbers of
// a loop, another harmless number. Empty and false where that is not known.
bool first_values(Operation *op, Region &region, llvm::SmallVector<Value> &values) {
  Block &block = region.front();
  values.assign(block.getNumArguments(), Value());
  mlir::OpBuilder builder(op);
  if (auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(op)) {
    auto variables = loop.getLoopInductionVars();
    auto bounds = loop.getLoopLowerBounds();
    if (variables && bounds)
      for (auto [variable, bound] : llvm::zip(*variables, *bounds)) {
        auto argument = mlir::dyn_cast<mlir::BlockArgument>(variable);
        if (!argument || argument.getOwner() != &block)
          return false;
        Value known = mlir::dyn_cast<Value>(bound);
        if (!known) {
          auto number = mlir::dyn_cast<mlir::IntegerAttr>(mlir::cast<mlir::Attribute>(bound));
          mlir::OperationState state(op->getLoc(), "arith.constant");
          state.addTypes(argument.getType());
          state.addAttribute(
              "value", mlir::IntegerAttr::get(argument.getType(), number ? number.getInt() : 0));
          known = builder.create(state)->getResult(0);
        }
        values[argument.getArgNumber()] = known;
      }
  }
  if (auto branch = mlir::dyn_cast<RegionBranchOpInterface>(op)) {
    llvm::SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(mlir::RegionBranchPoint::parent(), successors);
    for (RegionSuccessor &successor : successors) {
      if (successor.getSuccessor() != &region)
        continue;
      auto operands = branch.getEntrySuccessorOperands(successor);
      for (auto [input, operand] : llvm::zip(successor.getSuccessorInputs(), operands))
        values[mlir::cast<mlir::BlockArgument>(input).getArgNumber()] = operand;
    }
  }
  for (auto [argument, value] : llvm::zip(block.getArguments(), values))
    if (!value && argument.getType().isIndex())
      value = make_constant(builder, op->getLoc(), argument.getType(), 0);
  return llvm::all_of(llvm::zip(block.getArguments(), values), [](auto pair) {
    auto [argument, value] = pair;
    return value && value.getType() == argument.getType();
  });
}

// What the operation gives where it ends with the region.
bool last_values(Operation *op, Region &region, llvm::SmallVector<Value> &values) {
  if (op->getNumResults() == 0)
    return true;
  Block &block = region.front();
  auto branch = mlir::dyn_cast<RegionBranchOpInterface>(op);
  auto end = block.mightHaveTerminator()
                 ? mlir::dyn_cast<RegionBranchTerminatorOpInterface>(block.getTerminator())
                 : RegionBranchTerminatorOpInterface();
  if (!branch || !end)
    return false;
  llvm::SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(mlir::RegionBranchPoint(end), successors);
  for (RegionSuccessor &successor : successors)
    if (successor.isParent())
      llvm::append_range(values, end.getSuccessorOperands(successor));
  return values.size() == op->getNumResults() &&
         llvm::all_of(llvm::zip(values, op->getResultTypes()),
                      [](auto pair) { return std::get<0>(pair).getType() == std::get<1>(pair); });
}

bool replace_by_region(Work &work, Operation *op, unsigned number) {
  Region &region = op->getRegion(number);
  if (work.is_gone(op) || !region.hasOneBlock())
    return false;
  llvm::SmallVector<Value> first, last;
  if (!last_values(op, region, last) || !first_values(op, region, first))
    return false;
  // One round fills less of a buffer than all.
  llvm::SetVector<Operation *> unwritten;
  if (mlir::isa<mlir::LoopLikeOpInterface>(op))
    unwritten = first_written_by(work, op);
  // A region may give its own arguments.
  for (Value &value : last)
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value))
      if (argument.getOwner() == &region.front())
        value = first[argument.getArgNumber()];
  inline_before(op, &region.front(), first);
  op->replaceAllUsesWith(last);
  work.erase_later(op);
  for (Operation *allocation : unwritten)
    (void)turn_into_argument(work, allocation);
  return true;
}

// A loop that runs not once.
bool replace_by_inits(Work &work, mlir::LoopLikeOpInterface loop) {
  auto inits = loop.getInits();
  if (work.is_gone(loop) || inits.size() != loop->getNumResults())
    return false;
  for (auto [init, result] : llvm::zip(inits, loop->getResults()))
    if (init.getType() != result.getType())
      return false;
  loop->replaceAllUsesWith(llvm::to_vector(inits));
  work.erase_later(loop);
  return true;
}

bool inline_call(Work &work, mlir::func::CallOp call) {
  auto callee =
      mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(call, call.getCalleeAttr());
  if (work.is_gone(call) || !callee || callee.isExternal() || !callee.getBody().hasOneBlock() ||
      callee->isAncestor(call) || !llvm::equal(callee.getArgumentTypes(), call.getOperandTypes()))
    return false;
  mlir::IRMapping map;
  map.map(callee.getArguments(), call.getOperands());
  mlir::OpBuilder builder(call);
  for (Operation &op : callee.getBody().front().without_terminator())
    builder.clone(op, map);
  llvm::SmallVector<Value> values;
  for (Value value : callee.getBody().front().getTerminator()->getOperands())
    values.push_back(map.lookupOrDefault(value));
  if (values.size() != call->getNumResults())
    return false;
  call->replaceAllUsesWith(values);
  work.erase_later(call);
  return true;
}

bool unmask(Work &work, mlir::vector::MaskOp mask) {
  Operation *inner = mask.getMaskableOp();
  if (work.is_gone(mask) || !inner || inner->getResultTypes() != mask->getResultTypes())
    return false;
  inner->moveBefore(mask);
  mask->replaceAllUsesWith(inner->getResults());
  work.erase_later(mask);
  return true;
}

// A body that gives an earlier value of the same type.
void find_earlier_yields(Work &work, Operation *op, Sites &sites) {
  Operation *yield = op->getRegion(0).front().getTerminator();
  for (mlir::OpOperand &operand : yield->getOpOperands()) {
    llvm::SmallVector<Value> earlier(yield->getBlock()->getArguments());
    for (Operation &inner : yield->getBlock()->without_terminator())
      llvm::append_range(earlier, inner.getResults());
    for (Value value : earlier) {
      Operation *made_by = value.getDefiningOp();
      if (value.getType() == operand.get().getType() && value != operand.get() &&
          (!made_by || !is_constant(made_by)))
        sites.push_back([&work, yield, value, &operand] {
          if (work.is_gone(yield) || operand.get() == value)
            return false;
          operand.set(value);
          return true;
        });
    }
  }
}

bool is_inlined(Operation *op) {
  return mlir::isa<RegionBranchOpInterface, mlir::affine::AffineParallelOp, mlir::scf::ParallelOp,
                   mlir::affine::AffineForOp>(op) &&
         !mlir::isa<mlir::scf::ForallOp>(op);
}

} // namespace

void find_regions(Work &work, Sites &sites) {
  work.module->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (!is_ordinary(op) || !function_of(op))
      return;
    if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op))
      sites.push_back([&work, call] { return inline_call(work, call); });
    if (auto mask = mlir::dyn_cast<mlir::vector::MaskOp>(op))
      sites.push_back([&work, mask] { return unmask(work, mask); });
    for (unsigned i = 0; is_inlined(op) && i < op->getNumRegions(); i++)
      if (op->getRegion(i).hasOneBlock())
        sites.push_back([&work, op, i] { return replace_by_region(work, op, i); });
    auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(op);
    if (loop && loop->getNumResults() != 0)
      sites.push_back([&work, loop] { return replace_by_inits(work, loop); });
    if (mlir::isa<mlir::linalg::GenericOp, mlir::linalg::MapOp, mlir::linalg::ReduceOp>(op) &&
        op->getRegion(0).hasOneBlock())
      find_earlier_yields(work, op, sites);
  });
}

} // namespace assay::cuts
