// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outcomes by code: states whose object code is the same, and that are called in the same way, show
// the same, so that the first one's runs serve all. Late stages of a pipeline often do what the
// tail would have done in its next step.
#ifndef ASSAY_COMPILER_TAIL_REUSE_H
#define ASSAY_COMPILER_TAIL_REUSE_H

#include "compiler/tail/border.h"

// All that an outcome depends on.
typedef struct assay_reuse_key {
  uint64_t code;   // of the object file
  uint64_t border; // how arguments are laid out and results are read
  uint64_t runs;   // data sets, seeds and memory
} assay_reuse_key;

assay_reuse_key assay_reuse_key_of(uint64_t code, const assay_border *border,
                                   const assay_tail_request *request);

// Whether the outcomes of runs under this key are known; fills in one for each run.
bool assay_reuse_find(const assay_reuse *from, const assay_reuse_key *key, int run_count,
                      assay_tail_outcome outcomes[]);
// Keeps outcomes, in shared memory, that all ran and broke no rule; others, and those for which
// there is no room, are not kept.
void assay_reuse_keep(assay_reuse *in, const assay_reuse_key *key, int run_count,
                      const assay_tail_outcome outcomes[]);

#endif
