// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, globals and nested modules that go, with the operations that name them.
#include "compiler/bridge/cuts/work.h"

#include <mlir/IR/SymbolTable.h>

namespace assay::cuts {

using mlir::Operation;

namespace {

bool holds_script(Operation *op) {
  bool holds = false;
  op->walk([&](Operation *inner) { holds |= is_script(inner); });
  return holds || op->hasAttr("transform.with_named_sequence");
}

bool holds_entry(Work &work, Operation *op) {
  return work.is_run && llvm::any_of(work.functions, [&](mlir::FunctionOpInterface function) {
           return op->isAncestor(function);
         });
}

// All that names the symbol; false where something does that cannot go.
bool find_users(Work &work, Operation *symbol, llvm::SetVector<Operation *> &users) {
  auto uses = mlir::SymbolTable::getSymbolUses(symbol, work.module.getOperation());
  if (!mlir::isa<mlir::SymbolOpInterface>(symbol))
    return true;
  if (!uses)
    return false;
  for (mlir::SymbolTable::SymbolUse use : *uses) {
    if (symbol->isAncestor(use.getUser()) || work.is_gone(use.getUser()))
      continue;
    if (!is_ordinary(use.getUser()))
      return false;
    users.insert(use.getUser());
  }
  return true;
}

bool erase_symbol(Work &work, Operation *symbol) {
  llvm::SetVector<Operation *> users;
  if (work.is_gone(symbol) || !find_users(work, symbol, users))
    return false;
  for (Operation *user : users)
    if (!erase_operation(work, user))
      return false;
  work.erase_later(symbol);
  return true;
}

int size_of(Operation *op) {
  int size = 0;
  op->walk([&](Operation *) { size++; });
  return size;
}

} // namespace

// What nothing names first, then what is larger.
void find_symbols(Work &work, Sites &sites) {
  llvm::SmallVector<std::pair<int, Operation *>> symbols;
  for (Operation &op : work.module.getOps()) {
    bool goes = mlir::isa<mlir::SymbolOpInterface, mlir::ModuleOp>(op) && !is_script(&op) &&
                !holds_script(&op) && !holds_entry(work, &op);
    if (!goes)
      continue;
    bool is_named = mlir::isa<mlir::SymbolOpInterface>(op) &&
                    mlir::SymbolTable::getSymbolName(&op) &&
                    !mlir::SymbolTable::symbolKnownUseEmpty(&op, work.module.getOperation());
    symbols.push_back({size_of(&op) + (is_named ? 0 : 1 << 20), &op});
  }
  llvm::stable_sort(symbols, [](auto &a, auto &b) { return a.first > b.first; });
  for (auto [size, op] : symbols)
    sites.push_back([&work, op = op] { return erase_symbol(work, op); });
}

} // namespace assay::cuts
