// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is dead, and goes with every cut.
#include "compiler/bridge/cuts/work.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/Iterators.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace assay::cuts {

using mlir::FunctionOpInterface;
using mlir::Operation;
using mlir::Value;
using Keep = llvm::DenseSet<Operation *>;

namespace {

bool is_dead(Operation *op) {
  return op->use_empty() && is_ordinary(op) && function_of(op) && mlir::isOpTriviallyDead(op);
}

bool is_unused_symbol(Operation *op, Work &work, const llvm::StringSet<> &used) {
  auto symbol = mlir::dyn_cast<mlir::SymbolOpInterface>(op);
  return symbol && symbol.isPrivate() && !is_script(op) &&
         !llvm::is_contained(work.functions, op) &&
         op->getParentOp() == work.module.getOperation() && !used.contains(symbol.getName());
}

bool erase_dead_operations(Work &work, const Keep &keep) {
  bool changed = false;
  work.module->walk<mlir::WalkOrder::PostOrder, mlir::ReverseIterator>([&](Operation *op) {
    if (!keep.contains(op) && is_dead(op)) {
      op->erase();
      changed = true;
    }
  });
  return changed;
}

// Whether an operation does nothing but write to the buffer, or make a view that is only written;
// all such are collected.
bool only_writes(Operation *op, Value buffer, llvm::SetVector<Operation *> &writers);

bool is_only_written(Value buffer, llvm::SetVector<Operation *> &writers) {
  return llvm::all_of(buffer.getUsers(),
                      [&](Operation *user) { return only_writes(user, buffer, writers); });
}

bool only_writes(Operation *op, Value buffer, llvm::SetVector<Operation *> &writers) {
  writers.insert(op);
  if (is_deallocation(op))
    return true;
  if (mlir::isa<mlir::ViewLikeOpInterface>(op))
    return is_only_written(op->getResult(0), writers);
  if (op->getNumResults() != 0 || op->hasTrait<mlir::OpTrait::IsTerminator>())
    return false;
  if (auto style = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(op))
    return style.getNumDpsInits() == 1 && style.getDpsInits()[0] == buffer &&
           llvm::count(op->getOperands(), buffer) == 1;
  auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!effects || op->getNumRegions() != 0)
    return false;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  return !all.empty() && llvm::all_of(all, [&](auto &effect) {
    bool reads = mlir::isa<mlir::MemoryEffects::Read>(effect.getEffect());
    bool writes = mlir::isa<mlir::MemoryEffects::Write>(effect.getEffect());
    Value on = effect.getValue();
    return on && ((writes && on == buffer) || (reads && on != buffer));
  });
}

bool erase_written_buffers(Work &work) {
  llvm::SmallVector<Operation *> allocations;
  for (FunctionOpInterface function : work.functions)
    function->walk([&](Operation *op) {
      if (is_allocation(op))
        allocations.push_back(op);
    });
  for (Operation *allocation : allocations) {
    llvm::SetVector<Operation *> writers;
    if (!is_only_written(allocation->getResult(0), writers))
      continue;
    work.erase_later(allocation);
    for (Operation *writer : writers)
      work.erase_later(writer);
    work.finish();
    return true;
  }
  return false;
}

bool erase_symbols(Work &work, const Keep &keep) {
  bool changed = false;
  llvm::StringSet<> used = used_symbols(work.module);
  for (Operation &op : llvm::make_early_inc_range(work.module.getOps()))
    if (!keep.contains(&op) && is_unused_symbol(&op, work, used)) {
      op.erase();
      changed = true;
    }
  return changed;
}

// All that call a function; false where it is named in any other way.
bool find_calls(Work &work, FunctionOpInterface function,
                llvm::SmallVector<mlir::func::CallOp> &calls) {
  auto uses = mlir::SymbolTable::getSymbolUses(function.getOperation(), work.module.getOperation());
  if (!uses)
    return false;
  for (mlir::SymbolTable::SymbolUse use : *uses) {
    auto call = mlir::dyn_cast<mlir::func::CallOp>(use.getUser());
    if (!call)
      return false;
    calls.push_back(call);
  }
  return true;
}

bool erase_arguments(Work &work, FunctionOpInterface function) {
  llvm::SmallVector<mlir::func::CallOp> calls;
  bool is_own = work.is_open(function);
  bool is_private = mlir::isa<mlir::func::FuncOp>(function.getOperation()) && function.isPrivate();
  if (function.isExternal() || is_script(function) || (!is_own && !is_private))
    return false;
  llvm::BitVector unused(function.getNumArguments());
  for (mlir::BlockArgument argument : function.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  if (unused.none() || (!is_own && !find_calls(work, function, calls)) ||
      failed(function.eraseArguments(unused)))
    return false;
  for (mlir::func::CallOp call : calls)
    call->eraseOperands(unused);
  return true;
}

llvm::SmallVector<Operation *> returns_of(FunctionOpInterface function) {
  llvm::SmallVector<Operation *> returns;
  for (mlir::Block &block : function.getFunctionBody())
    if (block.mightHaveTerminator() && block.getTerminator()->hasTrait<mlir::OpTrait::ReturnLike>())
      returns.push_back(block.getTerminator());
  return returns;
}

// A result that is the same value as an earlier one.
bool erase_doubles(Work &work, FunctionOpInterface function) {
  if (!work.is_open(function))
    return false;
  llvm::SmallVector<Operation *> returns = returns_of(function);
  unsigned count = function.getNumResults();
  for (Operation *each : returns)
    if (each->getNumOperands() != count)
      return false;
  for (unsigned i = 1; i < count && !returns.empty(); i++)
    for (unsigned j = 0; j < i; j++) {
      bool same = llvm::all_of(
          returns, [&](Operation *op) { return op->getOperand(i) == op->getOperand(j); });
      if (!same || failed(function.eraseResult(i)))
        continue;
      for (Operation *each : returns)
        each->eraseOperand(i);
      return true;
    }
  return false;
}

} // namespace

llvm::DenseSet<Operation *> find_dead(Work &work) {
  Keep dead;
  llvm::StringSet<> used = used_symbols(work.module);
  work.module->walk([&](Operation *op) {
    if (is_dead(op) || is_unused_symbol(op, work, used))
      dead.insert(op);
  });
  return dead;
}

bool clean(Work &work, const Keep &keep) {
  bool changed = false;
  for (bool again = true; again; changed |= again) {
    again = erase_dead_operations(work, keep);
    while (work.is_run && erase_written_buffers(work))
      again = true;
    again |= erase_symbols(work, keep);
    for (FunctionOpInterface function : work.module.getOps<FunctionOpInterface>()) {
      again |= erase_arguments(work, function);
      again |= erase_doubles(work, function);
    }
  }
  return changed;
}

} // namespace assay::cuts
