// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that returns early, or less.
#include "compiler/bridge/cuts/places.h"

#include <mlir/IR/Dominance.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace assay::cuts {

using mlir::Block;
using mlir::FunctionOpInterface;
using mlir::Operation;
using mlir::Value;

namespace {

bool lives(Value value, const Place &place) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return place.is_behind(user) && !is_deallocation(user);
  });
}

// What to return so that a living value is seen: the whole buffer of a view, and of a value whose
// sizes were made unknown the one before. Null where nothing was computed yet.
Value seen_by(Value value, const Place &place) {
  value = base_of(value);
  auto is_unranked = [](Value each) {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(each.getType());
    return shaped && !shaped.hasRank();
  };
  while (is_unranked(value) && value.getDefiningOp() &&
         value.getDefiningOp()->getNumOperands() == 1)
    value = value.getDefiningOp()->getOperand(0);
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == &place.block->getParent()->front() ? Value() : value;
  if (is_constant(op))
    return {};
  if (is_allocation(op))
    return place.any_earlier([&](Operation &each) { return may_write(&each, value); }) ? value
                                                                                       : Value();
  return is_fresh(op) ? Value() : value;
}

bool has_effect(const Place &place) {
  return place.any_earlier([](Operation &op) {
    return !is_allocation(&op) && !is_deallocation(&op) && !mlir::isMemoryEffectFree(&op) &&
           !op.hasTrait<mlir::OpTrait::IsTerminator>();
  });
}

llvm::SetVector<Value> seen_behind(const Place &place) {
  llvm::SetVector<Value> values;
  mlir::DominanceInfo dominance(place.function);
  auto see = [&](mlir::ValueRange each) {
    for (Value value : each)
      if (Value seen = lives(value, place) ? seen_by(value, place) : Value())
        values.insert(seen);
  };
  for (Block &block : *place.block->getParent())
    if (dominance.dominates(&block, place.block)) {
      see(block.getArguments());
      for (Operation &op : block)
        if (!place.is_behind(&op))
          see(op.getResults());
    }
  return values;
}

// A buffer on the stack does not outlive its function.
Value outliving(Value value) {
  Operation *op = value.getDefiningOp();
  if (op->getName().getStringRef() != "memref.alloca")
    return value;
  mlir::OpBuilder builder(op);
  mlir::OperationState state(op->getLoc(), "memref.alloc", op->getOperands(), op->getResultTypes(),
                             op->getAttrs());
  Operation *heap = builder.create(state);
  op->replaceAllUsesWith(heap);
  op->erase();
  return heap->getResult(0);
}

bool cut_after(Work &work, const Place &place) {
  llvm::SmallVector<Value> values = seen_behind(place).takeVector();
  if (work.is_run && values.empty() && !has_effect(place))
    return false;
  FunctionOpInterface function = place.function;
  Operation *old = any_return_of(function);
  if (function->getName().getDialectNamespace() == "llvm" && values.size() > 1)
    values.erase(values.begin(), values.end() - 1);
  llvm::SmallVector<mlir::Type> types(llvm::map_range(values, [](Value v) { return v.getType(); }));
  mlir::Type type = function.cloneTypeWith(function.getArgumentTypes(), types);
  if (!type || place.last == old || place.last->getNextNode() == old)
    return false;
  mlir::OpBuilder builder(place.block, ++place.last->getIterator());
  mlir::OperationState state(old->getLoc(), old->getName().getStringRef());
  llvm::SmallVector<Operation *> rest;
  for (Operation *op = place.last->getNextNode(); op; op = op->getNextNode())
    rest.push_back(op);
  state.addOperands(llvm::to_vector(llvm::map_range(values, outliving)));
  builder.create(state);
  erase_blocks(function.getFunctionBody(),
               [&](Block &each) { return place.later->contains(&each); });
  erase_operations(rest);
  function.removeResAttrsAttr();
  function.setType(type);
  return true;
}

} // namespace

void find_after(Work &work, Sites &sites) {
  for (const Place &place : all_places(work, false))
    sites.push_back([&work, place] { return cut_after(work, place); });
}

void find_results(Work &work, Sites &sites) {
  for (FunctionOpInterface function : work.functions) {
    Operation *exit = any_return_of(function);
    Block *block = exit_of(function);
    if (!exit || !block || !work.is_open(function))
      continue;
    // From the last on, so that the numbers of the others stay.
    for (unsigned i = exit->getNumOperands(); i-- > 0;)
      sites.push_back([&work, function, exit, i]() mutable {
        bool is_last = work.is_run && exit->getNumOperands() == 1;
        bool has_more = function.getNumArguments() == 0 ||
                        llvm::any_of(function.getArgumentTypes(), [](mlir::Type type) {
                          return mlir::isa<mlir::BaseMemRefType>(type);
                        });
        if ((is_last && !has_more) || failed(function.eraseResult(i)))
          return false;
        exit->eraseOperand(i);
        return true;
      });
  }
}

} // namespace assay::cuts
