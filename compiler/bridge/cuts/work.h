// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all kinds of cuts need: the functions to cut in, values that stand in for others, and the
// operations that go in the end.
#ifndef ASSAY_COMPILER_BRIDGE_CUTS_WORK_H
#define ASSAY_COMPILER_BRIDGE_CUTS_WORK_H

#include <functional>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSet.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace assay::cuts {

// What one module is cut with. Operations are only marked as gone until finish(), so that all sites
// found beforehand stay valid while some of them are applied.
class Work {
public:
  Work(mlir::ModuleOp module, const char *entry);

  mlir::ModuleOp module;
  bool is_run; // one function is: the values that it reads and gives matter
  llvm::SmallVector<mlir::FunctionOpInterface> functions; // that one, or all

  // Marked itself, or inside what is.
  bool is_gone(mlir::Operation *op) const;
  // Nothing that stays may use its results.
  void erase_later(mlir::Operation *op) {
    gone.insert(op);
  }
  void finish();

  // Whether its arguments and results may change: it is cut in, and nothing calls it.
  bool is_open(mlir::FunctionOpInterface function) const;
  // A new last argument of the function; null where it may have none of this type.
  mlir::Value add_argument(mlir::FunctionOpInterface function, mlir::Type type);

private:
  llvm::SetVector<mlir::Operation *> gone;
  llvm::DenseSet<mlir::Operation *> open;
};

// One place of a cut; false where nothing can be changed there (any more).
using Site = std::function<bool()>;
using Sites = llvm::SmallVector<Site>;

void find_symbols(Work &work, Sites &sites);
void find_after(Work &work, Sites &sites);
void find_before(Work &work, Sites &sites);
void find_results(Work &work, Sites &sites);
void find_operations(Work &work, Sites &sites);
void find_to_arguments(Work &work, Sites &sites);
void find_to_constants(Work &work, Sites &sites);
void find_regions(Work &work, Sites &sites);
void find_dims(Work &work, Sites &sites);
void find_constants(Work &work, Sites &sites);
void find_attributes(Work &work, Sites &sites);

// The names of all symbols that something in the module names.
llvm::StringSet<> used_symbols(mlir::ModuleOp module);
// The function that an operation stands in, itself for a function; null outside of all.
mlir::FunctionOpInterface function_of(mlir::Operation *op);
// Whether it is, or stands in, an operation of the transform dialect.
bool is_script(mlir::Operation *op);
// Whether it only spells out what the operation around it, a named one of linalg, means anyway.
bool is_implied(mlir::Operation *op);
// Whether an operation may go or be replaced at all: no terminator, function, symbol or script.
bool is_ordinary(mlir::Operation *op);
// An operation without operands that gives a constant.
bool is_constant(mlir::Operation *op);
// One that gives a tensor or buffer in which nothing has been written.
bool is_fresh(mlir::Operation *op);
bool is_allocation(mlir::Operation *op);
bool is_deallocation(mlir::Operation *op);
// The buffer that a view is a part of.
mlir::Value base_of(mlir::Value value);
// Whether the operation may write to the buffer or one of its views: in doubt it does.
bool may_write(mlir::Operation *op, mlir::Value buffer);

// A constant of a type at the builder's place, of whole number `number` everywhere; null where the
// type has none.
mlir::Value make_constant(mlir::OpBuilder &builder, mlir::Location place, mlir::Type type,
                          int64_t number);
// The attribute of such a constant.
mlir::TypedAttr constant_attribute(mlir::Type type, int64_t number);
// 1, or 0 where the value is an index into something.
int64_t harmless_number(mlir::Value value);
// A value that can stand for the result of an operation that goes: an operand of the same type, an
// argument of its block, a new argument of the function, a constant; null where there is none.
mlir::Value stand_in(Work &work, mlir::OpResult result);
// Replaces all results that are used by values that stand in for them, and marks the operation.
bool erase_operation(Work &work, mlir::Operation *op);
// Marks an allocation and what frees it, with a new argument in its place.
bool turn_into_argument(Work &work, mlir::Operation *allocation);

// The allocations of a fixed size whose first data come from the operation: without it, or with
// less of it, the data must come from somewhere.
llvm::SetVector<mlir::Operation *> first_written_by(Work &work, mlir::Operation *op);

// Operations that are dead without use: what a cut leaves alone where nothing is run.
llvm::DenseSet<mlir::Operation *> find_dead(Work &work);
// See assay_cut_clean; operations in `keep` stay.
bool clean(Work &work, const llvm::DenseSet<mlir::Operation *> &keep);

} // namespace assay::cuts

#endif
