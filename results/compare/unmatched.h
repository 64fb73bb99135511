// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of a thresholds file that matched nothing: with a typo in it, a line switches nothing on or
// off, and nobody would know.
#ifndef ASSAY_RESULTS_COMPARE_UNMATCHED_H
#define ASSAY_RESULTS_COMPARE_UNMATCHED_H

#include "results/compare/compare.h"

// One sentence each, with file and line, in the arena: patterns that match no case of either side,
// and counters that no case has for which they are named. Returns their number.
size_t assay_thresholds_unmatched(assay_arena *arena, const assay_comparison_request *request,
                                  const char *const **out_sentences);

#endif
