// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of the simulator: mistakes planted in kernels, one at every place where it is possible.
//
// All mistakes of a module are compiled at once, each behind a comparison with a number in device
// memory (mutant schemata; Untch, Offutt, Harrold: Mutation analysis using mutant schemata, 1993):
// after the kernel MUTATE_SELECT, launched with the number, its mistake is made; after 0 none is.
// Each thread notes that what it does differs by the mistake that was selected: that any did, since
// the module was loaded, is what the kernel MUTATE_DIFFERS stores. A mistake by which nothing
// differs is none.
#ifndef ASSAY_GPU_BACKENDS_CHECKS_MUTATE_H
#define ASSAY_GPU_BACKENDS_CHECKS_MUTATE_H

#include "compiler/bridge/pass.h"

#define MUTATE_SELECT "mutate_select"   // (number: i32)
#define MUTATE_DIFFERS "mutate_differs" // (number: i32, result: memref<i32>)

typedef enum mutation {
  MUTATE_BARRIER,   // is left out
  MUTATE_GUARD,     // a comparison that guards accesses always holds
  MUTATE_GUARD_LOW, // one such lets one index too few in
  MUTATE_GUARD_UP,  // or one too many
  MUTATE_REMAINDER, // a loop ends where its last whole step does
  MUTATE_LOOP_LOW,  // a loop has a step too few
  MUTATE_LOOP_UP,   // or one too many
  MUTATE_AXES,      // a quotient and its remainder (row and column) stand for each other
  MUTATE_IDS,       // a thread's number stands for its block's, or that for the thread's
  MUTATE_LOAD,      // gives 0
  MUTATE_STORE,     // is left out
  MUTATE_OFFSET,    // an access of shared memory is of the next element
  MUTATE_GRID,      // a launch has a block too few
  MUTATION_COUNT
} mutation;

// "barrier", "guard up"
const char *mutation_name(mutation kind);

enum { MUTANTS = 1024, MUTANT_TEXT = 192 };

typedef struct mutant {
  mutation kind;
  char kernel[32];
  char text[MUTANT_TEXT]; // the operation that it is planted at: "store(_, arg3, iv)"
  int nth;                // of its kind in the kernel at operations of that text, from 0
} mutant;

// Those of the last module that the pass saw; the one of number n is items[n - 1]. Launches of
// several blocks come last: their mistake is the host's, and only the one asked for is there.
typedef struct mutants {
  int count, launches;
  mutant items[MUTANTS];
} mutants;

// The pass "test-mutate" of a builtin.module whose kernels are in the dialects gpu, scf, memref,
// vector and arith.
extern const assay_pass mutate_pass;
// launch: which launch of several blocks, from 0, has one too few; -1: none.
void mutate_begin(int launch);
const mutants *mutate_found(void);

#endif
