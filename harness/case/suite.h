// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection: suites (case files) and filters.
#ifndef ASSAY_HARNESS_CASE_SUITE_H
#define ASSAY_HARNESS_CASE_SUITE_H

#include "harness/case/case.h"

// Appends the cases of a suite: a name (NAME.cases in suite/cases/, or a suite list such as "standard"
// there), or a path to a case file or a folder of them. root is the project's root.
// ASSAY_MISSING names the nearest known suite.
ASSAY_MUST_USE assay_code assay_suite_load(assay_arena *arena, const char *root, const char *name,
                                           assay_cases *cases, assay_error *err);

// A filter pattern: a case line or record key, a prefix of one in whole tokens, or a glob over either;
// a leading '!' excludes. A case line with defaults left out or keys in another order means the same
// as its canonical form.
typedef struct assay_filter {
  const char *const *patterns;
  size_t count;
} assay_filter;

// Whether a record with that key ("LINE data=D backend=B"), or for backend == NULL and data == NULL any
// record of that case line, is selected: some including pattern matches, or there is none, and no
// excluding pattern does.
bool assay_filter_selects(const assay_filter *filter, const char *line, const char *data,
                          const char *backend);

#endif
