// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Case lines: "matmul m=3 k=5 n=7 dtype=f32" -> op and parameters, and back to the canonical line.
#ifndef ASSAY_HARNESS_CASE_CASE_H
#define ASSAY_HARNESS_CASE_CASE_H

#include "compiler/base/file.h"
#include "suite/op.h"

// One case, in the arena it was parsed into.
typedef struct assay_case {
  const assay_suite_op *op;
  assay_params params;
  const char *line;    // canonical: keys in declared order, defaults written out, no annotations
  const char *xfail;   // the reason of xfail="...", or NULL
  const char *rejects; // the message expected by rejects="..." of a negative case, or NULL
  const char *origin;  // "suite/cases/matmul.cases:12", or "--case"
  bool standard;       // stands in a file of the default suite, so that a --filter finds it
} assay_case;

// A growing list of cases without duplicates: a line that is already there is kept as it was.
typedef struct assay_cases {
  assay_case *items;
  size_t count, capacity;
} assay_cases;

// Parses one case line, comma lists multiplied out, and appends what it stands for. file, line_number:
// the place for messages (file "--case" and line 0 for the command line). ASSAY_INVALID with file, line
// and column of the offending token, and the nearest known op or key. The op's program is not built.
ASSAY_MUST_USE assay_code assay_cases_parse_line(assay_arena *arena, const char *file,
                                                 int line_number, const char *line,
                                                 assay_cases *cases, assay_error *err);
// Parses every line of a case file; '#' starts a comment, blank lines are skipped.
ASSAY_MUST_USE assay_code assay_cases_parse_file(assay_arena *arena, const assay_file *file,
                                                 assay_cases *cases, assay_error *err);

// Builds the case's program. ASSAY_INVALID with the language's message where it breaks a rule.
ASSAY_MUST_USE assay_code assay_case_build(assay_arena *arena, const assay_case *a_case,
                                           const assay_program **out_program, assay_error *err);

// The key of a record: "LINE data=DATA backend=BACKEND".
const char *assay_case_key(assay_arena *arena, const assay_case *a_case, const char *data,
                           const char *backend);

#endif
