// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/script.h"
#include "compiler/bridge/pass_facts.h"

#include <mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/IR/SymbolTable.h>

namespace {

constexpr llvm::StringLiteral INTERPRETER = "transform-interpreter";
constexpr llvm::StringLiteral ENTRY_OPTION = "entry-point=";
constexpr llvm::StringLiteral SEQUENCE = "transform.named_sequence";

std::string entry_of(const mlir::Pass &pass) {
  std::string text = assay::text_of(const_cast<mlir::Pass *>(&pass));
  size_t at = text.find(ENTRY_OPTION);
  if (at == std::string::npos)
    return "__transform_main";
  at += ENTRY_OPTION.size();
  return text.substr(at, text.find_first_of(" }", at) - at);
}

mlir::Operation *find_sequence(mlir::Operation *root, llvm::StringRef name) {
  mlir::Operation *found = nullptr;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op->getName().getStringRef() != SEQUENCE || assay::symbol_of(op) != name)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

mlir::ModuleOp library_of(mlir::MLIRContext *context) {
  return mlir::transform::detail::getPreloadedTransformModule(context);
}

mlir::Block *body_of(mlir::Operation *sequence) {
  bool empty = sequence->getNumRegions() == 0 || sequence->getRegion(0).empty();
  return empty ? nullptr : &sequence->getRegion(0).front();
}

// The body of the sequence that an operation includes, where its failures are the includer's too.
mlir::Block *included_body(mlir::Operation *op) {
  auto target = op->getAttrOfType<mlir::SymbolRefAttr>("target");
  auto mode = op->getAttrOfType<mlir::IntegerAttr>("failure_propagation_mode");
  if (op->getName().getStringRef() != "transform.include" || !target || !mode ||
      mode.getInt() != 1) // propagate
    return nullptr;
  mlir::Operation *sequence = mlir::SymbolTable::lookupNearestSymbolFrom(op, target);
  mlir::Block *body = sequence == nullptr ? nullptr : body_of(sequence);
  mlir::ModuleOp library = library_of(op->getContext());
  if (body == nullptr && library && (sequence = find_sequence(library, target.getLeafReference())))
    body = body_of(sequence);
  bool fits = body != nullptr && body->getNumArguments() == op->getNumOperands() &&
              body->mightHaveTerminator() && body->back().getNumOperands() == op->getNumResults();
  return fits ? body : nullptr;
}

void take_place(mlir::Operation *include, mlir::Block *body) {
  mlir::IRMapping mapping;
  mapping.map(body->getArguments(), include->getOperands());
  mlir::OpBuilder builder(include);
  for (mlir::Operation &op : body->without_terminator())
    builder.clone(op, mapping);
  for (auto [result, yielded] : llvm::zip(include->getResults(), body->back().getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(yielded));
  include->erase();
}

} // namespace

mlir::Operation *assay::find_script(const mlir::Pass &pass, mlir::Operation *op) {
  if (pass.getArgument() != INTERPRETER)
    return nullptr;
  std::string name = entry_of(pass);
  mlir::Operation *found = find_sequence(op, name);
  mlir::ModuleOp library = library_of(op->getContext());
  if (found == nullptr && library)
    found = find_sequence(library, name);
  return found;
}

llvm::SmallVector<mlir::Operation *> assay::list_steps(mlir::Operation *script) {
  llvm::SmallVector<mlir::Operation *> steps;
  mlir::Block *body = body_of(script);
  if (body == nullptr)
    return steps;
  for (mlir::Operation &op : llvm::make_early_inc_range(body->without_terminator()))
    if (mlir::Block *included = included_body(&op))
      take_place(&op, included);
  for (mlir::Operation &op : body->without_terminator())
    steps.push_back(&op);
  return steps;
}

void assay::cut_script(mlir::Operation *script, llvm::SmallVectorImpl<mlir::Operation *> &steps,
                       size_t count) {
  if (steps.size() <= count)
    return;
  steps.front()->getBlock()->back().setOperands({});
  auto type = script->getAttrOfType<mlir::TypeAttr>("function_type");
  auto function = type ? llvm::dyn_cast<mlir::FunctionType>(type.getValue()) : nullptr;
  if (function && function.getNumResults() > 0) {
    script->setAttr("function_type", mlir::TypeAttr::get(function.clone(function.getInputs(), {})));
    script->removeAttr("res_attrs");
  }
  for (; steps.size() > count; steps.pop_back()) {
    steps.back()->dropAllUses();
    steps.back()->erase();
  }
}
