// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single operations that go, or whose results come from elsewhere.
#include "compiler/bridge/cuts/work.h"

#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>

namespace assay::cuts {

using mlir::FunctionOpInterface;
using mlir::Operation;
using mlir::Value;

namespace {

int depth_of(Operation *op) {
  int depth = 0;
  while ((op = op->getParentOp()))
    depth++;
  return depth;
}

// The functions that are cut in and all that they call, directly or not.
llvm::SetVector<Operation *> reached(Work &work) {
  llvm::SetVector<Operation *> functions;
  for (FunctionOpInterface function : work.functions)
    functions.insert(function);
  for (size_t i = 0; i < functions.size(); i++)
    functions[i]->walk([&](mlir::CallOpInterface call) {
      Operation *callee = call.resolveCallable();
      if (callee && mlir::isa<FunctionOpInterface>(callee) && !is_script(callee))
        functions.insert(callee);
    });
  return functions;
}

bool is_leaf(Operation *op) {
  return is_constant(op) || is_fresh(op) || is_deallocation(op);
}

// Those that enclose others first, then the inner ones, constants and empty buffers last: without
// what they serve they mostly go by themselves.
llvm::SmallVector<Operation *> all_ordinary(Work &work) {
  llvm::SmallVector<Operation *> ops;
  for (Operation *function : reached(work))
    function->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
      if (is_ordinary(op) && op != function)
        ops.push_back(op);
    });
  auto rank = [](Operation *op) { return std::pair(is_leaf(op), depth_of(op)); };
  llvm::stable_sort(ops, [&](Operation *a, Operation *b) { return rank(a) < rank(b); });
  return ops;
}

// Whether one operation runs before another, as far as both stand in the same blocks.
bool runs_before(Operation *a, Operation *b) {
  for (; b && b->getBlock(); b = b->getParentOp())
    if (Operation *beside = b->getBlock()->findAncestorOpInBlock(*a))
      return beside != b && beside->isBeforeInBlock(b);
  return false;
}

// The allocation in which nothing is written before the operation writes to it.
Operation *first_written_by(Work &work, Operation *op, Value buffer) {
  Operation *allocation = base_of(buffer).getDefiningOp();
  if (!allocation || !is_allocation(allocation) || work.is_gone(allocation) ||
      op->isAncestor(allocation) || allocation->getNumOperands() != 0 ||
      !may_write(op, allocation->getResult(0)))
    return nullptr;
  llvm::SmallVector<Value> views = {allocation->getResult(0)};
  for (size_t i = 0; i < views.size(); i++)
    for (Operation *user : views[i].getUsers()) {
      if (user->getNumResults() == 1 && base_of(user->getResult(0)) == views[0] &&
          !llvm::is_contained(views, user->getResult(0)))
        views.push_back(user->getResult(0));
      if (!op->isAncestor(user) && !work.is_gone(user) && runs_before(user, op) &&
          may_write(user, views[0]))
        return nullptr;
    }
  return allocation;
}

// Erases one operation. Of a buffer that nothing else writes the data must come from somewhere.
bool erase_one(Work &work, Operation *op) {
  if (work.is_gone(op))
    return false;
  if (is_allocation(op) && op->getNumOperands() == 0)
    return turn_into_argument(work, op);
  llvm::SetVector<Operation *> unwritten = first_written_by(work, op);
  if (!erase_operation(work, op))
    return false;
  for (Operation *allocation : unwritten)
    (void)turn_into_argument(work, allocation);
  return true;
}

// A function that returns its argument or a constant shows nothing.
bool is_only_returned(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<mlir::OpTrait::ReturnLike>() &&
           mlir::isa_and_present<FunctionOpInterface>(user->getParentOp());
  });
}

bool is_used_only_as_destination(Value value) {
  return !value.use_empty() && llvm::all_of(value.getUses(), [](mlir::OpOperand &use) {
    auto style = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(use.getOwner());
    return style && style.isDpsInit(&use);
  });
}

bool to_arguments(Work &work, Operation *op) {
  if (work.is_gone(op) || op->use_empty())
    return false;
  if (is_allocation(op))
    return op->getNumOperands() == 0 && turn_into_argument(work, op);
  llvm::SmallVector<std::pair<Value, Value>> pairs;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    pairs.push_back({result, work.add_argument(function_of(op), result.getType())});
    if (!pairs.back().second)
      return false;
  }
  for (auto [result, argument] : pairs)
    result.replaceAllUsesWith(argument);
  work.erase_later(op);
  return true;
}

// The number that a fill or splat puts everywhere, as the attribute of a whole constant.
mlir::TypedAttr filled_with(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  if (name != "linalg.fill" && name != "tensor.splat" && name != "vector.broadcast")
    return {};
  Operation *source = op->getOperand(0).getDefiningOp();
  auto type = mlir::dyn_cast<mlir::ShapedType>(op->getResult(0).getType());
  auto number = source && is_constant(source) ? source->getAttrOfType<mlir::TypedAttr>("value")
                                              : mlir::TypedAttr();
  if (!type || !type.hasStaticShape() || !constant_attribute(type, 1) || !number ||
      number.getType() != type.getElementType())
    return {};
  return mlir::DenseElementsAttr::get(type, number);
}

bool to_constants(Work &work, Operation *op) {
  if (work.is_gone(op) || op->use_empty())
    return false;
  mlir::OpBuilder builder(op);
  mlir::TypedAttr filled = op->getNumResults() == 1 ? filled_with(op) : mlir::TypedAttr();
  llvm::SmallVector<Value> numbers;
  for (Value result : op->getResults()) {
    numbers.push_back(
        make_constant(builder, op->getLoc(), result.getType(), harmless_number(result)));
    if (!numbers.back())
      return false;
    if (filled)
      numbers.back().getDefiningOp()->setAttr("value", filled);
  }
  op->replaceAllUsesWith(numbers);
  work.erase_later(op);
  return true;
}

bool can_be_constant(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getResultTypes(), [&](mlir::Type type) {
    return constant_attribute(type, 1) || type.getDialect().getNamespace() == "llvm";
  });
}

bool argument_to_constant(FunctionOpInterface function, unsigned i) {
  mlir::Block &body = function.getFunctionBody().front();
  Value argument = body.getArgument(i);
  mlir::OpBuilder builder(&body, body.begin());
  Value number =
      make_constant(builder, function.getLoc(), argument.getType(), harmless_number(argument));
  if (number)
    argument.replaceAllUsesWith(number);
  return number != nullptr;
}

} // namespace

llvm::SetVector<Operation *> first_written_by(Work &work, Operation *op) {
  llvm::SetVector<Operation *> allocations;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (mlir::isa<mlir::BaseMemRefType>(operand.getType()))
        if (Operation *allocation = first_written_by(work, op, operand))
          allocations.insert(allocation);
  });
  return allocations;
}

void find_operations(Work &work, Sites &sites) {
  for (Operation *op : all_ordinary(work))
    sites.push_back([&work, op] { return erase_one(work, op); });
}

// The last first: more leads up to it.
void find_to_arguments(Work &work, Sites &sites) {
  for (FunctionOpInterface function : work.functions)
    for (mlir::Block &block : llvm::reverse(function.getFunctionBody()))
      for (Operation &op : llvm::reverse(block))
        if (is_ordinary(&op) && !is_only_returned(&op) && !is_constant(&op) &&
            work.is_open(function) &&
            (!is_fresh(&op) || !is_used_only_as_destination(op.getResult(0))))
          sites.push_back([&work, &op] { return to_arguments(work, &op); });
}

void find_to_constants(Work &work, Sites &sites) {
  llvm::SmallVector<Operation *> ops = all_ordinary(work);
  for (Operation *op : llvm::reverse(ops))
    if (!is_leaf(op) && can_be_constant(op))
      sites.push_back([&work, op] { return to_constants(work, op); });
  for (FunctionOpInterface function : work.functions)
    for (mlir::BlockArgument argument : function.getArguments())
      if (constant_attribute(argument.getType(), 1) && !argument.use_empty())
        sites.push_back([function, i = argument.getArgNumber()]() mutable {
          return argument_to_constant(function, i);
        });
}

} // namespace assay::cuts
