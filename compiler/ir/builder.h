// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building MLIR operations: where they go, and the few shapes of operation the compiler makes.
//
// Handles of the MLIR C API are borrowed throughout: a created operation belongs to its block.
// Wrong operations are programming mistakes; the verifier finds them once the module is complete.
#ifndef ASSAY_COMPILER_IR_BUILDER_H
#define ASSAY_COMPILER_IR_BUILDER_H

#include <mlir-c/IR.h>

// The place where the next operation goes: the end of a block.
typedef struct assay_builder {
  MlirContext context;
  MlirBlock block;
  MlirLocation location;
} assay_builder;

// A builder of operations that are to stand right before another one: in a block of its own, with
// that operation's location.
assay_builder assay_builder_aside(MlirOperation operation);
// Moves what was built aside to its place, and ends the builder.
void assay_builder_place(const assay_builder *aside, MlirOperation operation);

// The same where what was built makes the operation superfluous: by is what its one result becomes.
void assay_builder_replace(const assay_builder *aside, MlirOperation operation, MlirValue by);

// An operation as its generic form reads. Arrays are copied.
typedef struct assay_recipe {
  const char *name; // "tensor.empty"
  int operand_count;
  const MlirValue *operands;
  int attribute_count;
  const MlirNamedAttribute *attributes;
  int result_count;
  const MlirType *results;
  int region_count; // regions to be created empty
} assay_recipe;

// Appends the operation.
MlirOperation assay_builder_add(const assay_builder *builder, const assay_recipe *recipe);
// The same for an operation of one result: its value.
MlirValue assay_builder_add_value(const assay_builder *builder, const assay_recipe *recipe);

// The same without attributes: the operation's name, its operands and its result's type.
MlirValue assay_builder_apply(const assay_builder *builder, const char *name, MlirType type,
                              int count, const MlirValue operands[]);
// llvm.call of a function of the module, by its name: its result.
MlirValue assay_builder_call(const assay_builder *at, const char *name, MlirType result, int count,
                             const MlirValue arguments[]);
// arith.cmpf of floats, arith.cmpi of other types; the predicate is the number that the dialect
// gives it there.
MlirValue assay_builder_compare(const assay_builder *builder, int predicate, MlirValue a,
                                MlirValue b);

MlirNamedAttribute assay_builder_attribute(const assay_builder *builder, const char *name,
                                           MlirAttribute value);
// An array<i64: ...> attribute of count numbers.
MlirNamedAttribute assay_builder_numbers(const assay_builder *builder, const char *name, int count,
                                         const int64_t numbers[]);

// arith.constant of the given value (an integer, float or dense attribute).
MlirValue assay_builder_constant(const assay_builder *builder, MlirAttribute value);
// tensor.empty of a static ranked tensor type.
MlirValue assay_builder_empty(const assay_builder *builder, MlirType type);

#endif
