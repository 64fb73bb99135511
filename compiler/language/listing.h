// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finished programs for people to read.
#ifndef ASSAY_COMPILER_LANGUAGE_LISTING_H
#define ASSAY_COMPILER_LANGUAGE_LISTING_H

#include "compiler/language/graph.h"

// A line for each node, "%2 = matmul %0 %1  f32 3x7", and one for the results; in the arena.
const char *assay_program_list(assay_arena *arena, const assay_program *program);

// The same as a Graphviz digraph: a box for each node, an ellipse for each input and constant,
// edges from operands to what uses them (numbered where there are several), and the results; in the
// arena.
const char *assay_program_dot(assay_arena *arena, const assay_program *program);

#endif
