// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What takes the place of a value whose operation goes.
#include "compiler/bridge/cuts/work.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace assay::cuts {

using mlir::Operation;
using mlir::Value;

mlir::TypedAttr constant_attribute(mlir::Type type, int64_t number) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
    if (!integer.isSignless() || integer.getWidth() == 0)
      return {};
    return mlir::IntegerAttr::get(type, llvm::APInt(integer.getWidth(), number & 1));
  }
  if (type.isIndex())
    return mlir::IntegerAttr::get(type, number);
  if (mlir::isa<mlir::FloatType>(type))
    return mlir::FloatAttr::get(type, static_cast<double>(number));
  auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  if (!shaped || !mlir::isa<mlir::RankedTensorType, mlir::VectorType>(type) ||
      !shaped.hasStaticShape() || (vector && vector.isScalable()))
    return {};
  mlir::TypedAttr element = constant_attribute(shaped.getElementType(), number);
  return element ? mlir::DenseElementsAttr::get(shaped, element) : mlir::TypedAttr();
}

Value make_constant(mlir::OpBuilder &builder, mlir::Location place, mlir::Type type,
                    int64_t number) {
  mlir::TypedAttr attribute = constant_attribute(type, number);
  mlir::FunctionOpInterface function = function_of(builder.getBlock()->getParentOp());
  bool is_llvm = function && function->getName().getDialectNamespace() == "llvm";
  if (is_llvm && (attribute || type.getDialect().getNamespace() == "llvm")) {
    mlir::OperationState state(place, attribute ? "llvm.mlir.constant" : "llvm.mlir.zero");
    state.addTypes(type);
    if (attribute)
      state.addAttribute("value", attribute);
    return builder.create(state)->getResult(0);
  }
  if (!attribute)
    return {};
  builder.getContext()->getOrLoadDialect<mlir::arith::ArithDialect>();
  return mlir::arith::ConstantOp::create(builder, place, attribute);
}

int64_t harmless_number(Value value) {
  if (!value.getType().isIndex())
    return 1;
  for (mlir::OpOperand &use : value.getUses())
    if (is_fresh(use.getOwner()) ||
        (mlir::isa<mlir::LoopLikeOpInterface>(use.getOwner()) && use.getOperandNumber() > 0))
      return 1;
  return 0;
}

namespace {

bool is_fresh_value(Value value) {
  Operation *op = base_of(value).getDefiningOp();
  return op && is_fresh(op);
}

bool is_destination(Operation *op, mlir::OpOperand &operand) {
  auto style = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(op);
  return style && style.isDpsInit(&operand);
}

// An operand of the same type, none that holds nothing yet; a destination only where asked for,
// since it mostly holds one number everywhere.
Value same_operand(mlir::OpResult result, bool destinations) {
  Operation *op = result.getOwner();
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (operand.get().getType() == result.getType() && !is_fresh_value(operand.get()) &&
        operand.get() != result && is_destination(op, operand) == destinations)
      return operand.get();
  return {};
}

// What the enclosing regions are given, from the inside out, but not the function's arguments.
Value same_block_argument(mlir::OpResult result) {
  for (mlir::Block *block = result.getOwner()->getBlock(); block && block->getParentOp();
       block = block->getParentOp()->getBlock()) {
    if (mlir::isa<mlir::FunctionOpInterface>(block->getParentOp()))
      return {};
    for (mlir::BlockArgument argument : block->getArguments())
      if (argument.getType() == result.getType())
        return argument;
    if (block->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return {};
  }
  return {};
}

Value equal_constant(Work &work, mlir::OpResult result) {
  Operation *op = result.getOwner();
  if (!is_constant(op))
    return {};
  Value other;
  for (Operation *each = op->getPrevNode(); each; each = each->getPrevNode())
    if (is_constant(each) && each->getResult(0).getType() == result.getType() &&
        !work.is_gone(each)) {
      other = each->getResult(0);
      if (each->getAttrDictionary() == op->getAttrDictionary())
        break;
    }
  return other;
}

Value new_argument(Work &work, mlir::OpResult result) {
  for (Operation *op = result.getOwner()->getParentOp(); op; op = op->getParentOp()) {
    if (auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op))
      return work.add_argument(function, result.getType());
    if (op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return {};
  }
  return {};
}

// A function without arguments and results, main, is run by itself by many programs.
bool is_main(mlir::FunctionOpInterface function) {
  return function && function.getNumArguments() == 0 && function.getNumResults() == 0;
}

} // namespace

Value stand_in(Work &work, mlir::OpResult result) {
  Operation *op = result.getOwner();
  if (Value value = equal_constant(work, result))
    return value;
  if (Value value = same_operand(result, false))
    return value;
  if (Value value = same_block_argument(result))
    return value;
  mlir::FunctionOpInterface function = function_of(op);
  bool is_scalar = !mlir::isa<mlir::ShapedType>(result.getType());
  bool nested = function && op->getParentOp() != function.getOperation();
  bool takes_number = result.getType().isIntOrIndex() || (is_scalar && nested);
  if (!takes_number && !is_main(function))
    if (Value value = new_argument(work, result))
      return value;
  if (Value value = same_operand(result, true))
    return value;
  mlir::OpBuilder builder(op);
  int64_t number = harmless_number(result);
  if (!is_constant(op))
    if (Value value = make_constant(builder, op->getLoc(), result.getType(), number))
      return value;
  return takes_number && is_constant(op) ? Value() : new_argument(work, result);
}

} // namespace assay::cuts
