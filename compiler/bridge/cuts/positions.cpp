// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions cut at one place of their body, and without some of their results.
#include "compiler/bridge/cuts/work.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace assay::cuts {

using mlir::Block;
using mlir::FunctionOpInterface;
using mlir::Operation;
using mlir::Value;

namespace {

// A place behind an operation of a block; behind nothing for null, at its begin.
struct Place {
  FunctionOpInterface function;
  Block *block;
  Operation *last;

  bool is_before(Operation *op) const { // of the same block
    return !last || last->isBeforeInBlock(op);
  }
};

bool is_return(Block &block) {
  return block.mightHaveTerminator() &&
         block.getTerminator()->hasTrait<mlir::OpTrait::ReturnLike>();
}

// The block with the only return; null where there are several.
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

// Behind constants and the like nothing new lives, so they are no places of their own.
void find_places(FunctionOpInterface function, Block *block, llvm::SmallVector<Place> &places) {
  for (Operation &op : block->without_terminator())
    if (!is_constant(&op) && !is_fresh(&op) && !is_deallocation(&op))
      places.push_back({function, block, &op});
}

llvm::SmallVector<Place> all_places(Work &work, bool with_begins) {
  llvm::SmallVector<Place> places;
  for (FunctionOpInterface function : work.functions) {
    Block *entry = &function.getFunctionBody().front();
    Block *exit = exit_of(function);
    if (!any_return_of(function) || !work.is_open(function) || is_script(function))
      continue;
    find_places(function, entry, places);
    if (!exit || exit == entry)
      continue;
    if (with_begins)
      places.push_back({function, exit, nullptr});
    find_places(function, exit, places);
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

// Those that nothing uses any more, the last first.
void erase_operations(llvm::ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    op->dropAllReferences();
  for (Operation *op : llvm::reverse(ops)) {
    op->dropAllUses();
    op->erase();
  }
}

// ---- AFTER

bool lives(Value value, const Place &place) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *in_block = place.block->findAncestorOpInBlock(*user);
    return !in_block || (place.is_before(in_block) && !is_deallocation(user));
  });
}

bool is_written(Value buffer, const Place &place) {
  for (Operation &op : *place.block) {
    if (place.is_before(&op))
      return false;
    if (may_write(&op, buffer))
      return true;
  }
  return false;
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
  if (!op || op->getBlock() != place.block || is_constant(op))
    return {};
  if (is_allocation(op))
    return is_written(value, place) ? value : Value();
  return is_fresh(op) ? Value() : value;
}

bool has_effect(const Place &place) {
  for (Operation &op : *place.block) {
    if (place.is_before(&op))
      return false;
    if (!is_allocation(&op) && !is_deallocation(&op) && !mlir::isMemoryEffectFree(&op))
      return true;
  }
  return false;
}

llvm::SetVector<Value> seen_behind(const Place &place) {
  llvm::SetVector<Value> values;
  for (Operation &op : *place.block) {
    if (place.is_before(&op))
      break;
    for (Value result : op.getResults())
      if (lives(result, place))
        if (Value seen = seen_by(result, place))
          values.insert(seen);
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
  if (place.block == &function.getFunctionBody().front())
    erase_blocks(function.getFunctionBody(), [&](Block &each) { return &each != place.block; });
  erase_operations(rest);
  function.removeResAttrsAttr();
  function.setType(type);
  return true;
}

// ---- BEFORE

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
    bool is_front = place.block == &body.front();
    for (Block &block : body) {
      if (&block != place.block && (!is_front || &block == &body.front()))
        continue;
      for (Operation &op : block)
        if (&block != place.block || place.is_before(&op))
          rest.push_back(&op);
    }
  }

  bool stays(Operation *op) {
    Operation *top = body.findAncestorOpInRegion(*op);
    if (!top)
      return true;
    if (top->getBlock() == place.block)
      return place.is_before(top);
    return place.block == &body.front();
  }

  bool is_written_before(Value buffer) {
    for (Block &block : body)
      for (Operation &op : block)
        if (!stays(&op) && may_write(&op, buffer))
          return true;
    return false;
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
    if (block->getParent() != &body ||
        (!op && (block == &body.front() || (block != place.block && stays(&block->front())))))
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
      erase_blocks(body, [&](Block &each) { return &each != front; });
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

void find_after(Work &work, Sites &sites) {
  for (const Place &place : all_places(work, false))
    sites.push_back([&work, place] { return cut_after(work, place); });
}

void find_before(Work &work, Sites &sites) {
  for (const Place &place : all_places(work, true))
    sites.push_back([&work, place] { return Before(work, place).apply(); });
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
