// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where two texts differ: what a pass did to a module, short enough to be read and kept.
#ifndef ASSAY_RESULTS_RECORD_EXCERPT_H
#define ASSAY_RESULTS_RECORD_EXCERPT_H

#include "compiler/base/arena.h"

enum { ASSAY_EXCERPT_LINES = 40, ASSAY_EXCERPT_BYTES = 4000 };

// The lines of both texts from some before the first that differs to some behind the last, in the
// arena; at most ASSAY_EXCERPT_LINES lines and ASSAY_EXCERPT_BYTES bytes each. Left out lines are
// counted in a line of their own, "// ... 12 more lines". Of equal texts the start of each.
void assay_excerpt_of_change(assay_arena *arena, const char *before, const char *after,
                             const char **out_before, const char **out_after);

// The same of before.mlir and after.mlir in a bundle's folder. NULL: both where there is no bundle,
// the second where the pass left no module.
void assay_excerpt_of_bundle(assay_arena *arena, const char *folder, const char **out_before,
                             const char **out_after);

#endif
