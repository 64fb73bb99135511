// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/cuts/work.h"

#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace assay::cuts {

using mlir::FunctionOpInterface;
using mlir::Operation;
using mlir::Value;

FunctionOpInterface function_of(Operation *op) {
  if (auto function = mlir::dyn_cast<FunctionOpInterface>(op))
    return function;
  return op->getParentOfType<FunctionOpInterface>();
}

bool is_script(Operation *op) {
  for (; op; op = op->getParentOp())
    if (op->getName().getDialectNamespace() == "transform")
      return true;
  return false;
}

bool is_implied(Operation *op) {
  Operation *parent = op->getParentOp();
  llvm::StringRef name = parent ? parent->getName().getStringRef() : "";
  return name.starts_with("linalg.") && name != "linalg.generic" && name != "linalg.map" &&
         name != "linalg.reduce";
}

bool is_ordinary(Operation *op) {
  return !is_implied(op) && !op->hasTrait<mlir::OpTrait::IsTerminator>() &&
         !mlir::isa<mlir::SymbolOpInterface>(op) && !mlir::isa<mlir::ModuleOp>(op) &&
         op->getNumSuccessors() == 0 && !is_script(op);
}

bool is_constant(Operation *op) {
  return op->getNumOperands() == 0 && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         op->hasTrait<mlir::OpTrait::ConstantLike>();
}

bool is_allocation(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  return name == "memref.alloc" || name == "memref.alloca" || name == "gpu.alloc";
}

bool is_deallocation(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  return name == "memref.dealloc" || name == "gpu.dealloc";
}

bool is_fresh(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  return is_allocation(op) || name == "tensor.empty" || name == "llvm.mlir.undef" ||
         name == "llvm.mlir.poison" || name == "ub.poison" || name == "llvm.alloca" ||
         (name == "bufferization.alloc_tensor" && !op->hasAttr("copy"));
}

Value base_of(Value value) {
  while (auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

namespace {

bool is_buffer(mlir::Type type) {
  return mlir::isa<mlir::BaseMemRefType>(type) || type.getAbstractType().getName() == "llvm.ptr";
}

bool has_operand_of(Operation *op, Value buffer) {
  bool has = false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      has |= is_buffer(operand.getType()) && base_of(operand) == buffer;
  });
  return has;
}

} // namespace

bool may_write(Operation *op, Value buffer) {
  if (is_deallocation(op) || mlir::isa<mlir::ViewLikeOpInterface>(op))
    return false;
  if (op->getNumRegions() != 0 && op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>()) {
    bool writes = false;
    for (mlir::Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        writes |= may_write(&inner, buffer);
    return writes;
  }
  auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!effects)
    return !mlir::isMemoryEffectFree(op) && has_operand_of(op, buffer);
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  for (auto &effect : all) {
    Value value = effect.getValue();
    if (mlir::isa<mlir::MemoryEffects::Write>(effect.getEffect()) &&
        (value ? base_of(value) == buffer : has_operand_of(op, buffer)))
      return true;
  }
  return false;
}

llvm::StringSet<> used_symbols(mlir::ModuleOp module) {
  llvm::StringSet<> names;
  module->walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](mlir::SymbolRefAttr symbol) {
      names.insert(symbol.getRootReference());
      names.insert(symbol.getLeafReference());
    });
  });
  return names;
}

Work::Work(mlir::ModuleOp module, const char *entry) : module(module), is_run(entry != nullptr) {
  module->walk<mlir::WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    bool named = !entry || (functions.empty() && function.getName() == entry);
    if (named && !function.isExternal() && !is_script(function))
      functions.push_back(function);
  });
  llvm::StringSet<> used = used_symbols(module);
  for (FunctionOpInterface function : functions)
    if (!used.contains(function.getName()))
      open.insert(function);
}

bool Work::is_gone(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (gone.contains(op))
      return true;
  return false;
}

// What something that stays still uses, against all expectation, stays too.
void Work::finish() {
  for (bool again = true; again;) {
    again = false;
    for (Operation *op : llvm::to_vector(gone))
      if (llvm::any_of(op->getUsers(), [&](Operation *user) { return !is_gone(user); })) {
        gone.remove(op);
        again = true;
      }
  }
  llvm::SmallVector<Operation *> outermost;
  for (Operation *op : gone)
    if (!op->getParentOp() || !is_gone(op->getParentOp()))
      outermost.push_back(op);
  for (Operation *op : outermost)
    op->dropAllReferences();
  for (Operation *op : outermost) {
    op->dropAllUses();
    op->erase();
  }
  gone.clear();
}

bool Work::is_open(FunctionOpInterface function) const {
  return open.contains(function);
}

namespace {

// What a caller can make up.
bool can_be_given(mlir::Type type) {
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
    return shaped.hasRank() && can_be_given(shaped.getElementType());
  return type.isIntOrIndexOrFloat() || mlir::isa<mlir::ComplexType>(type);
}

} // namespace

Value Work::add_argument(FunctionOpInterface function, mlir::Type type) {
  if (!function || !is_open(function) || (is_run && !can_be_given(type)))
    return {};
  unsigned count = function.getNumArguments();
  if (failed(function.insertArgument(count, type, {}, function.getLoc())))
    return {};
  return function.getArgument(count);
}

bool erase_operation(Work &work, Operation *op) {
  llvm::SmallVector<Value> others;
  for (mlir::OpResult result : op->getResults()) {
    others.push_back(result.use_empty() ? Value() : stand_in(work, result));
    if (!result.use_empty() && !others.back())
      return false;
  }
  for (auto [result, other] : llvm::zip(op->getResults(), others))
    if (other)
      result.replaceAllUsesWith(other);
  work.erase_later(op);
  return true;
}

bool turn_into_argument(Work &work, Operation *allocation) {
  mlir::OpResult buffer = allocation->getResult(0);
  Value argument = work.add_argument(function_of(allocation), buffer.getType());
  if (!argument)
    return false;
  for (Operation *user : llvm::to_vector(buffer.getUsers()))
    if (is_deallocation(user))
      work.erase_later(user);
  buffer.replaceAllUsesWith(argument);
  work.erase_later(allocation);
  return true;
}

} // namespace assay::cuts
