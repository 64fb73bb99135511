// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as it is built of an operation's loops: what it takes from the host, which element each
// step works on, and the operation's own body at that step.
#ifndef ASSAY_GPU_KERNELS_DRAFT_H
#define ASSAY_GPU_KERNELS_DRAFT_H

#include "compiler/ir/builder.h"
#include "gpu/kernels/make.h"
#include "gpu/kernels/structured.h"

typedef struct assay_kernel_draft {
  assay_kernel_maker *maker;
  const assay_structured *of;
  assay_builder head; // the kernel's first operations: what is brought in from the host
  assay_builder body; // what it does
  int count, capacity;
  struct {
    MlirValue outer, inner;
  } *brought;
  int argument_count, argument_capacity;
  MlirValue *arguments; // of the launch
} assay_kernel_draft;

assay_kernel_draft assay_draft_start(assay_kernel_maker *maker, const assay_structured *of);
// Makes the kernel "KIND_N" of the draft, launches it in the operation's place and removes the
// operation. ASSAY_UNSUPPORTED where the grid is beyond the device's limit.
ASSAY_MUST_USE assay_code assay_draft_finish(assay_kernel_draft *draft, const char *kind,
                                             assay_kernel_grid grid, assay_error *err);

// Whether a value is a constant or a view of one.
bool assay_draft_constant(MlirValue outer);
// The value of the host code as the kernel has it: constants, and views of them, are made there
// anew; everything else becomes an argument.
MlirValue assay_draft_bring(assay_kernel_draft *draft, MlirValue outer);

// Numbers of type index.
MlirValue assay_draft_index(const assay_builder *at, int64_t number);
MlirValue assay_draft_thread(const assay_builder *at); // in its block, from 0
MlirValue assay_draft_block(const assay_builder *at);
// scf.if of the condition: a builder of its inside, which the caller ends with assay_draft_yield.
assay_builder assay_draft_if(const assay_builder *at, MlirValue condition);
// scf.if left < right, both not negative.
assay_builder assay_draft_if_below(const assay_builder *at, MlirValue left, MlirValue right);
// scf.for from an index to a number in steps, with `count` values carried along, which are the
// arguments of the inside's block after the index and the results of the operation. The caller ends
// the inside with a yield of as many.
typedef struct assay_draft_loop {
  MlirOperation operation;
  assay_builder inside;
  MlirValue index;
} assay_draft_loop;
assay_draft_loop assay_draft_for(const assay_builder *at, MlirValue from, int64_t to, int64_t step,
                                 int count, const MlirValue carried[]);
void assay_draft_yield(const assay_builder *at, int count, const MlirValue values[]);

// Sets the indices of the loops that reduce, or of the others, from the number of their step in
// row-major order.
void assay_draft_split(const assay_kernel_draft *draft, const assay_builder *at, bool reduces,
                       MlirValue number, MlirValue indices[]);
// The operand's element at those indices of the loops. linear: (optional, null value) the number of
// the step among all, for operands that lie in that order.
typedef struct assay_draft_step {
  const MlirValue *indices;
  MlirValue linear;
} assay_draft_step;
MlirValue assay_draft_load(assay_kernel_draft *draft, const assay_builder *at, int operand,
                           const assay_draft_step *step);
// What the element of result number `result` holds before the operation.
MlirValue assay_draft_held(assay_kernel_draft *draft, const assay_builder *at, int result,
                           const assay_draft_step *step);
void assay_draft_store(assay_kernel_draft *draft, const assay_builder *at, int operand,
                       const assay_draft_step *step, MlirValue value);
// Moves the operation's body to the builder's end: once for each draft. held: what the results'
// elements hold so far (NULL: they are loaded where they are read); results: what they shall hold.
void assay_draft_inline(assay_kernel_draft *draft, const assay_builder *at,
                        const assay_draft_step *step, const MlirValue held[], MlirValue results[]);

#endif
