// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/cuts/places.h"

#include <mlir/IR/Dominance.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>

namespace assay::cuts {

using mlir::Block;
using mlir::FunctionOpInterface;
using mlir::Operation;
using Blocks = llvm::DenseSet<Block *>;

namespace {

bool is_return(Block &block) {
  return block.mightHaveTerminator() &&
         block.getTerminator()->hasTrait<mlir::OpTrait::ReturnLike>();
}

Blocks reachable_from(Block *block) {
  Blocks found;
  llvm::SmallVector<Block *> next(block->getSuccessors());
  while (!next.empty()) {
    Block *each = next.pop_back_val();
    if (found.insert(each).second)
      llvm::append_range(next, each->getSuccessors());
  }
  return found;
}

void find_places(FunctionOpInterface function, Block *block, Blocks later,
                 llvm::SmallVector<Place> &places, bool with_begin) {
  auto shared = std::make_shared<const Blocks>(std::move(later));
  if (with_begin)
    places.push_back({function, block, nullptr, shared});
  for (Operation &op : block->without_terminator())
    if (!is_constant(&op) && !is_fresh(&op) && !is_deallocation(&op))
      places.push_back({function, block, &op, shared});
}

// The blocks that every run comes through once, with those that run after each.
llvm::SmallVector<std::pair<Block *, Blocks>> spine_of(FunctionOpInterface function) {
  llvm::SmallVector<std::pair<Block *, Blocks>> spine(1);
  mlir::Region &body = function.getFunctionBody();
  Block *front = &body.front(), *exit = exit_of(function);
  spine[0].first = front;
  for (Block &block : llvm::drop_begin(body))
    spine[0].second.insert(&block);
  if (!exit || exit == front)
    return spine;
  mlir::DominanceInfo dominance(function);
  for (Block &block : llvm::drop_begin(body))
    if (dominance.isReachableFromEntry(&block) && dominance.dominates(&block, exit)) {
      Blocks later = reachable_from(&block);
      if (!later.contains(&block))
        spine.push_back({&block, std::move(later)});
    }
  llvm::stable_sort(spine, [](auto &a, auto &b) { return a.second.size() > b.second.size(); });
  return spine;
}

} // namespace

bool Place::is_behind(Operation *op) const {
  Operation *top = block->getParent()->findAncestorOpInRegion(*op);
  if (!top || top->getBlock() != block)
    return !top || later->contains(top->getBlock());
  return !last || last->isBeforeInBlock(top);
}

bool Place::any_earlier(llvm::function_ref<bool(Operation &)> holds) const {
  for (Block &each : *block->getParent())
    for (Operation &op : each) {
      if (is_behind(&op))
        break;
      if (holds(op))
        return true;
    }
  return false;
}

Block *exit_of(FunctionOpInterface function) {
  Block *exit = nullptr;
  for (Block &block : function.getFunctionBody())
    if (is_return(block)) {
      if (exit)
        return nullptr;
      exit = &block;
    }
  return exit;
}

Operation *any_return_of(FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody())
    if (is_return(block))
      return block.getTerminator();
  return nullptr;
}

llvm::SmallVector<Place> all_places(Work &work, bool with_begins) {
  llvm::SmallVector<Place> places;
  for (FunctionOpInterface function : work.functions) {
    if (!any_return_of(function) || !work.is_open(function))
      continue;
    Block *front = &function.getFunctionBody().front();
    for (auto &[block, later] : spine_of(function))
      find_places(function, block, std::move(later), places, with_begins && block != front);
  }
  return places;
}

void erase_blocks(mlir::Region &region, llvm::function_ref<bool(Block &)> goes) {
  for (Block &block : region)
    if (goes(block))
      block.dropAllReferences();
  for (Block &block : llvm::make_early_inc_range(region))
    if (goes(block)) {
      block.dropAllDefinedValueUses();
      block.erase();
    }
}

void erase_operations(llvm::ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    op->dropAllReferences();
  for (Operation *op : llvm::reverse(ops)) {
    op->dropAllUses();
    op->erase();
  }
}

} // namespace assay::cuts
