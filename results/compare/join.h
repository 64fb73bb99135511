// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of both sides, side by side.
#ifndef ASSAY_RESULTS_COMPARE_JOIN_H
#define ASSAY_RESULTS_COMPARE_JOIN_H

#include "results/record/record.h"

typedef struct assay_joined {
  const assay_record *base, *new; // one may be NULL
} assay_joined;

// One pair for each kind and key, sorted by both, in the arena. Of several records of one kind and
// key on one side the last counts.
assay_joined *assay_join(assay_arena *arena, const assay_record base[], size_t base_count,
                         const assay_record new[], size_t new_count, size_t *out_count);

#endif
