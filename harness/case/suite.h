// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection: suites (case files) and filters.
#ifndef ASSAY_HARNESS_CASE_SUITE_H
#define ASSAY_HARNESS_CASE_SUITE_H

#include "harness/case/case.h"

// Appends the cases of a suite: a name (NAME.suite or NAME.cases in suite/cases/), or a path, as it
// stands or below suite/, to a case file, a suite list or a folder of case files. root is the
// project's root. A suite list, such as standard.suite, names the case files and lists it is made
// of, one a line. ASSAY_MISSING names the nearest known suite; ASSAY_INVALID for what is malformed,
// with the place. Afterwards `standard` is right for every case in the list, those that were there
// before included.
ASSAY_MUST_USE assay_code assay_suite_load(assay_arena *arena, const char *root, const char *name,
                                           assay_cases *cases, assay_error *err);

// Where suites are looked for.
typedef struct assay_suite_places {
  const char *root;           // the project's root
  const char *const *folders; // besides, folders of case files and suite lists, ended with NULL;
                              // NULL: none
} assay_suite_places;

// The same, a name being looked for in those folders first. ASSAY_MISSING where one is not there.
ASSAY_MUST_USE assay_code assay_suite_load_from(assay_arena *arena,
                                                const assay_suite_places *places, const char *name,
                                                assay_cases *cases, assay_error *err);

// A filter pattern: a case line or record key, a prefix of one in whole tokens, or a glob over
// either (it holds one of * ? [); a leading '!' excludes. A case line with defaults left out or
// keys in another order means the same as its canonical form, and a value may be a comma list.
typedef struct assay_filter {
  const char *const *patterns;
  size_t count;
} assay_filter;

// Whether a record with that key ("LINE data=D backend=B"), or for backend == NULL and data == NULL
// any record of that case line, is selected: some including pattern matches, or there is none, and
// no excluding pattern does.
bool assay_filter_selects(const assay_filter *filter, const char *line, const char *data,
                          const char *backend);

// Why a pattern can select nothing, whatever the cases are: an unknown op or key, or keys that are
// neither a prefix nor a whole case line. NULL where it is well formed, or a glob.
const char *assay_filter_explain(assay_arena *arena, const char *pattern);

#endif
