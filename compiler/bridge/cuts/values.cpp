// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simpler constants, and fewer attributes.
#include "compiler/bridge/cuts/work.h"

#include <mlir/IR/DialectResourceBlobManager.h>
#include <mlir/IR/Verifier.h>

namespace assay::cuts {

using mlir::Attribute;
using mlir::Operation;

namespace {

// ---- CONSTANTS

// Shapes, steps and masks are no data: only numbers of floating-point type and large tables are.
mlir::TypedAttr with_type_of(Attribute attribute) {
  return mlir::dyn_cast_or_null<mlir::TypedAttr>(attribute);
}

bool is_table(Attribute attribute) {
  auto elements = mlir::dyn_cast<mlir::ElementsAttr>(attribute);
  return elements && elements.getNumElements() > 1 && !elements.isSplat();
}

// One number for a table: its first.
Attribute splat_of(Attribute attribute) {
  auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!dense) {
    auto typed = with_type_of(attribute);
    return typed ? constant_attribute(typed.getType(), 1) : mlir::TypedAttr();
  }
  if (!mlir::isa<mlir::DenseIntOrFPElementsAttr>(dense))
    return {};
  return mlir::DenseElementsAttr::get(dense.getType(), *dense.value_begin<Attribute>());
}

// A constant's value, or a global's.
Attribute value_of(Operation *op) {
  Attribute value = is_constant(op) ? op->getAttr("value") : op->getAttr("initial_value");
  return with_type_of(value) ? value : Attribute();
}

bool set_value(Work &work, Operation *op, Attribute from, Attribute to) {
  if (work.is_gone(op) || !to || to == from || value_of(op) == to)
    return false;
  op->setAttr(is_constant(op) ? "value" : "initial_value", to);
  return true;
}

// ---- ATTRIBUTES

bool set_attribute(Operation *op, mlir::StringAttr name, Attribute value) {
  if (value)
    op->setAttr(name, value);
  else
    op->removeAttr(name);
  return op->getAttr(name) == value;
}

// What an attribute is where nobody sets it; null mostly. Printers of operations with a default
// expect it to be set.
Attribute default_of(Operation *op, mlir::StringAttr name) {
  Operation *bare =
      Operation::create(op->getLoc(), op->getName(), mlir::TypeRange(), mlir::ValueRange(),
                        mlir::NamedAttrList(), nullptr, mlir::BlockRange(), 0);
  Attribute value = bare->getAttr(name);
  bare->destroy();
  return value;
}

// Whether the operation is as good without: only it is verified, not what is inside.
bool can_go(Operation *op, mlir::NamedAttribute attribute) {
  Attribute other = default_of(op, attribute.getName());
  bool can = set_attribute(op, attribute.getName(), other) && succeeded(mlir::verify(op, false));
  op->setAttr(attribute.getName(), attribute.getValue());
  return can;
}

// Names and visibilities of symbols, and what a flag means to a caller, are not to be tried.
bool is_tried(Operation *op, mlir::StringAttr name) {
  return name != "sym_visibility" && name != "sym_name" && name != "llvm.emit_c_interface" &&
         name != "transform.with_named_sequence" && name != "callee" && name != "value" &&
         !is_constant(op);
}

void find_places_in_source(Work &work, Sites &sites) {
  auto unknown = mlir::UnknownLoc::get(work.module.getContext());
  auto has_place = [=](Operation *op) {
    return op->getLoc() != unknown && !is_script(op) ? mlir::WalkResult::interrupt()
                                                     : mlir::WalkResult::advance();
  };
  if (!work.module->walk(has_place).wasInterrupted())
    return;
  sites.push_back([&work, unknown] {
    work.module->walk([=](Operation *op) {
      if (is_script(op))
        return;
      op->setLoc(unknown);
      for (mlir::Region &region : op->getRegions())
        for (mlir::BlockArgument argument : region.getArguments())
          argument.setLoc(unknown);
    });
    return true;
  });
}

} // namespace

void find_constants(Work &work, Sites &sites) {
  llvm::SmallVector<Operation *> tables, numbers;
  work.module->walk([&](Operation *op) {
    Attribute value = value_of(op);
    if (value && !is_script(op))
      (is_table(value) ? tables : numbers).push_back(op);
  });
  for (Operation *op : tables)
    sites.push_back(
        [&work, op] { return set_value(work, op, value_of(op), splat_of(value_of(op))); });
  for (int64_t number : {1, 0})
    for (auto *ops : {&tables, &numbers})
      for (Operation *op : *ops) {
        Attribute value = value_of(op);
        auto type = with_type_of(value).getType();
        Attribute zero = constant_attribute(type, 0), one = constant_attribute(type, number);
        if (one && value != zero && value != one && !(number == 0 && type.isIndex()))
          sites.push_back([&work, op, one] { return set_value(work, op, value_of(op), one); });
      }
}

void find_attributes(Work &work, Sites &sites) {
  // Verifying is slow: what goes in one operation mostly goes in all of its name.
  llvm::DenseMap<std::pair<mlir::OperationName, Attribute>, bool> known;
  auto goes = [&](Operation *op, mlir::NamedAttribute attribute) {
    if (op->getDiscardableAttr(attribute.getName()))
      return true;
    if (mlir::isa<mlir::FunctionOpInterface>(op))
      return attribute.getName() == "arg_attrs" || attribute.getName() == "res_attrs";
    if (default_of(op, attribute.getName()) == attribute.getValue())
      return false;
    auto [at, is_new] = known.try_emplace({op->getName(), attribute.getName()}, false);
    if (is_new)
      at->second = can_go(op, attribute);
    return at->second;
  };
  work.module->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (is_script(op))
      return mlir::WalkResult::skip();
    for (mlir::NamedAttribute attribute : op->getAttrs())
      if (is_tried(op, attribute.getName()) && goes(op, attribute))
        sites.push_back([&work, op, name = attribute.getName()] {
          return !work.is_gone(op) && op->hasAttr(name) &&
                 set_attribute(op, name, default_of(op, name));
        });
    return mlir::WalkResult::advance();
  });
  find_places_in_source(work, sites);
}

} // namespace assay::cuts
