// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What else than the program may have made two records different.
#ifndef ASSAY_RESULTS_COMPARE_DIFFER_H
#define ASSAY_RESULTS_COMPARE_DIFFER_H

#include "results/compare/compare.h"

// In what the timings of a row's two records cannot be compared: another machine, library, device,
// clock or setting, "another CPU: A, then B", in the arena; NULL for nothing. paired: both were
// taken side by side, where peaks tell nothing. peak_difference: by how much peaks may differ, of
// the lower one.
const char *assay_differ_in_setting(assay_arena *arena, const assay_comparison_row *row,
                                    bool paired, double peak_difference);

// The same of a counter of that name, which most programs' settings do not change.
const char *assay_differ_in_counting(assay_arena *arena, const assay_record *base,
                                     const assay_record *new, const char *counter);

#endif
