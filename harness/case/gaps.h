// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known gaps: what is known to fail, as rows of pattern, kind and reason in suite/known_gaps:
//
//     matmul * dtype=i64 * backend=fast   temporary "fast drops the sign of 64-bit products"
//
// The pattern is a filter's, over the record's key. A temporary gap runs and must not pass (XFAIL,
// else XPASS); a lasting one is not run (SKIP).
#ifndef ASSAY_HARNESS_CASE_GAPS_H
#define ASSAY_HARNESS_CASE_GAPS_H

#include "harness/case/suite.h"

typedef struct assay_gap {
  const char *pattern;
  bool lasting;
  const char *reason;
  const char *origin; // "suite/known_gaps:7"
} assay_gap;

typedef struct assay_gaps {
  const assay_gap *items; // in the file's order
  size_t count;
} assay_gaps;

// Reads root's suite/known_gaps into the arena. ASSAY_MISSING where there is no such file;
// ASSAY_INVALID with file, line and column for a row that is malformed or whose pattern names an op
// that does not exist.
ASSAY_MUST_USE assay_code assay_gaps_load(assay_arena *arena, const char *root,
                                          assay_gaps *out_gaps, assay_error *err);
// Parses the rows of such a file.
ASSAY_MUST_USE assay_code assay_gaps_parse(assay_arena *arena, const assay_file *file,
                                           assay_gaps *out_gaps, assay_error *err);

// The first row that matches the record's key ("LINE data=D backend=B"), or NULL.
const assay_gap *assay_gaps_find(const assay_gaps *gaps, const char *line, const char *data,
                                 const char *backend);

#endif
