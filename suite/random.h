// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of the tensor language: valid by construction, the same for the same seed and
// number on every machine.
//
// All dtypes and their mixtures, elementwise operations with broadcasting, reductions, views,
// contractions, and compositions (softmax, layer norm, gelu); sizes from 1 to 17. Numbers are kept
// from overflowing and square roots and logarithms from negative arguments, so that results say
// something; integers may wrap. There is no NumPy reference for them.
#ifndef ASSAY_SUITE_RANDOM_H
#define ASSAY_SUITE_RANDOM_H

#include "suite/op.h"

// Builds program `number` of the seed in the graph and names its results; returns how many there
// are, from 1 to ASSAY_MAX_RESULTS.
int assay_random_build(uint64_t seed, int number, assay_graph *graph, assay_value results[]);

// The name of that program, as a case line: "random seed=1 n=12"; in the arena.
const char *assay_random_line(assay_arena *arena, uint64_t seed, int number);

#endif
