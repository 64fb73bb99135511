// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that begins later.
#include "compiler/bridge/cuts/places.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace assay::cuts {

using mlir::Block;
using mlir::FunctionOpInterface;
using mlir::Operation;
using mlir::Value;

namespace {

class Before {
public:
  Before(Work &work, const Place &place)
      : work(work), place(place), function(place.function), body(function.getFunctionBody()) {}

  bool apply() {
    unsigned count = function.getNumArguments();
    find_rest();
    for (Operation *op : rest)
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          possible &= need(operand);
      });
    if (!possible || !cuts_anything()) {
      llvm::BitVector added(function.getNumArguments());
      added.set(count, added.size());
      (void)function.eraseArguments(added);
      return false;
    }
    rewrite();
    return true;
  }

private:
  Work &work;
  const Place &place;
  FunctionOpInterface function;
  mlir::Region &body;
  bool possible = true;
  llvm::SmallVector<Operation *> rest;     // what stays behind the place
  llvm::SetVector<Operation *> kept;       // what stays before it
  llvm::MapVector<Value, Value> arguments; // null: a number instead

  void find_rest() {
    for (Block &block : body)
      for (Operation &op : block)
        if (stays(&op))
          rest.push_back(&op);
  }

  bool stays(Operation *op) {
    return place.is_behind(op);
  }

  bool is_written_before(Value buffer) {
    return place.any_earlier([&](Operation &op) { return may_write(&op, buffer); });
  }

  // What is cheap and has nothing to do with the values of the program.
  bool is_kept(Operation *op) {
    if (op->getBlock() != place.block && op->getBlock() != &body.front())
      return false;
    if (is_allocation(op))
      return !is_written_before(op->getResult(0));
    if (is_constant(op) || is_fresh(op) || mlir::isa<mlir::ViewLikeOpInterface>(op))
      return true;
    auto is_size = [](mlir::Type type) {
      auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
      return type.isIndex() || (shaped && !shaped.hasRank());
    };
    return op->getNumRegions() == 0 && mlir::isMemoryEffectFree(op) &&
           llvm::all_of(op->getResultTypes(), is_size);
  }

  bool need(Value value) {
    Operation *op = value.getDefiningOp();
    Block *block = value.getParentBlock();
    if (arguments.count(value) || (op && (kept.contains(op) || stays(op))))
      return true;
    if (block->getParent() != &body || (!op && block == &body.front()) ||
        (!op && place.later->contains(block)))
      return true;
    if (op && is_kept(op)) {
      kept.insert(op);
      return llvm::all_of(op->getOperands(), [&](Value operand) { return need(operand); });
    }
    Value argument;
    if (!value.getType().isIndex())
      argument = work.add_argument(function, value.getType());
    arguments[value] = argument;
    return argument || value.getType().isIndex();
  }

  bool cuts_anything() {
    for (Operation &op : *place.block)
      if (!stays(&op) && !kept.contains(&op))
        return true;
    return place.block != &body.front();
  }

  void rewrite() {
    Block *front = &body.front();
    mlir::OpBuilder builder(front, front->begin());
    for (auto &[value, argument] : arguments) {
      Value other = argument ? argument
                             : make_constant(builder, value.getLoc(), value.getType(),
                                             harmless_number(value));
      value.replaceAllUsesWith(other);
    }
    llvm::SmallVector<Operation *> gone;
    for (Block *block : {front, place.block})
      for (Operation &op : *block)
        if (!stays(&op) && !kept.contains(&op) && !llvm::is_contained(gone, &op) &&
            !is_new_number(&op))
          gone.push_back(&op);
    erase_operations(gone);
    if (place.block != front) {
      front->getOperations().splice(front->end(), place.block->getOperations());
      erase_blocks(body,
                   [&](Block &each) { return &each != front && !place.later->contains(&each); });
    }
    for (auto &[value, argument] : arguments)
      for (Operation *user :
           argument ? llvm::to_vector(argument.getUsers()) : llvm::SmallVector<Operation *>())
        if (is_deallocation(user))
          user->erase();
  }

  bool is_new_number(Operation *op) {
    return is_constant(op) && !op->use_empty() && op->getResult(0).getType().isIndex();
  }
};

} // namespace

void find_before(Work &work, Sites &sites) {
  for (const Place &place : all_places(work, true))
    sites.push_back([&work, place] { return Before(work, place).apply(); });
}

} // namespace assay::cuts
