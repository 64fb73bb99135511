// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no lowering knows: operations of dialects that are not there, integers with a sign in their
// type.
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/AttrTypeSubElements.h>
#include <mlir/IR/BuiltinOps.h>

namespace {

bool holds_memory(mlir::Type type) {
  return llvm::isa<mlir::BaseMemRefType, mlir::TensorType>(type);
}

bool has_space(mlir::Type type) {
  auto memref = mlir::dyn_cast<mlir::BaseMemRefType>(type);
  return memref && memref.getMemorySpace();
}

// A terminator's way on, a region's meaning and memory out of nowhere cannot be made up.
bool can_be_called(mlir::Operation *op) {
  if (op->isRegistered() || op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return false;
  bool ends_block = op->getBlock() != nullptr && &op->getBlock()->back() == op &&
                    !llvm::isa_and_nonnull<mlir::ModuleOp>(op->getParentOp());
  return !ends_block && llvm::none_of(op->getResultTypes(), holds_memory);
}

// Declares a function for operations of that name and type, once.
mlir::func::FuncOp declare(mlir::ModuleOp module, mlir::Operation *op, mlir::SymbolTable &symbols,
                           llvm::StringMap<mlir::func::FuncOp> &known) {
  auto type =
      mlir::FunctionType::get(op->getContext(), op->getOperandTypes(), op->getResultTypes());
  std::string key;
  llvm::raw_string_ostream(key) << op->getName() << ": " << type;
  mlir::func::FuncOp &function = known[key];
  if (!function) {
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
    std::string name = ASSAY_UNKNOWN_OPERATION + op->getName().getStringRef().str();
    function = mlir::func::FuncOp::create(builder, op->getLoc(), name, type);
    function.setPrivate();
    symbols.insert(function); // renames it where another type has the name
  }
  return function;
}

} // namespace

void assay_rewrite_unknown(MlirModule module) {
  mlir::ModuleOp top = unwrap(module);
  llvm::SmallVector<mlir::Operation *> unknown;
  top->walk([&](mlir::Operation *op) {
    if (op != top.getOperation() && can_be_called(op))
      unknown.push_back(op);
  });
  if (unknown.empty())
    return;
  mlir::SymbolTable symbols(top);
  llvm::StringMap<mlir::func::FuncOp> known;
  for (mlir::Operation *op : unknown) {
    mlir::OpBuilder builder(op);
    auto call = mlir::func::CallOp::create(builder, op->getLoc(), declare(top, op, symbols, known),
                                           op->getOperands());
    op->replaceAllUsesWith(call.getResults());
    op->erase();
  }
}

void assay_rewrite_signless(MlirModule module) {
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([](mlir::IntegerType type) -> mlir::Type {
    return mlir::IntegerType::get(type.getContext(), type.getWidth());
  });
  replacer.recursivelyReplaceElementsIn(unwrap(module), /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false, /*replaceTypes=*/true);
  llvm::SmallVector<mlir::UnrealizedConversionCastOp> casts;
  unwrap(module)->walk([&](mlir::UnrealizedConversionCastOp op) {
    if (op.getInputs().getTypes() == op.getResultTypes())
      casts.push_back(op);
  });
  for (mlir::UnrealizedConversionCastOp op : casts) {
    op->replaceAllUsesWith(op.getInputs());
    op->erase();
  }
}

void assay_rewrite_spaces(MlirModule module) {
  mlir::ModuleOp top = unwrap(module);
  bool lowered = false;
  top->walk([&](mlir::Operation *op) {
    if (mlir::isa<mlir::UnrealizedConversionCastOp>(op))
      lowered |= llvm::any_of(op->getOperandTypes(), has_space) ||
                 llvm::any_of(op->getResultTypes(), has_space);
  });
  if (lowered)
    return;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([](mlir::MemRefType type) -> mlir::Type {
    return mlir::MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  });
  replacer.addReplacement([](mlir::UnrankedMemRefType type) -> mlir::Type {
    return mlir::UnrankedMemRefType::get(type.getElementType(), mlir::Attribute());
  });
  replacer.recursivelyReplaceElementsIn(top, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  llvm::SmallVector<mlir::memref::MemorySpaceCastOp> casts;
  top->walk([&](mlir::memref::MemorySpaceCastOp op) { casts.push_back(op); });
  for (mlir::memref::MemorySpaceCastOp op : casts) {
    op.getResult().replaceAllUsesWith(op.getSource());
    op->erase();
  }
}
