// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Case lines: "matmul m=3 k=5 n=7 dtype=f32" -> op and parameters, and back to the canonical line.
//
//     OP KEY=VALUE[,VALUE...] ... [xfail="REASON"] [rejects="MESSAGE"]   # comment
//
// Keys come in any order and defaults may be left out; the canonical line has all keys in the op's
// order, but for those whose default is implied (suite/op.h).
#ifndef ASSAY_HARNESS_CASE_CASE_H
#define ASSAY_HARNESS_CASE_CASE_H

#include "compiler/base/file.h"
#include "suite/op.h"

enum {
  ASSAY_MAX_SIZE = 1 << 20,         // of a SIZE key
  ASSAY_MAX_LINE_CASES = 100000,    // that the comma lists of one line may stand for
  ASSAY_MAX_CASE_ELEMENTS = 1 << 30 // of all arguments and results: 4 GiB of f32
};

// One case, in the arena it was parsed into.
typedef struct assay_case {
  const assay_suite_op *op;
  assay_params params;
  const char *line;    // canonical: keys in declared order, defaults written out, no annotations
  const char *xfail;   // the reason of xfail="...", or NULL
  const char *rejects; // the message expected by rejects="..." of a negative case, or NULL
  const char *origin;  // "suite/cases/matmul.cases:12", or "--case"
  bool standard; // stands, with the same annotations, in a file of the default suite, so that a
                 // --filter finds it
} assay_case;

// A growing list of cases without duplicates: a line that is already there is kept as it was. Start
// from {0}.
typedef struct assay_cases {
  assay_case *items;
  size_t count, capacity;
  uint32_t *slots; // hash table of items by line: number + 1, 0 where free
  size_t slot_count;
} assay_cases;

// Appends a case, which is copied, unless its line is there.
void assay_cases_add(assay_arena *arena, assay_cases *cases, const assay_case *a_case);
// The case of that canonical line, or NULL.
const assay_case *assay_cases_find(const assay_cases *cases, const char *line);

// Parses one case line, comma lists multiplied out, and appends what it stands for. file,
// line_number: the place for messages (file "--case" and line 0 for the command line).
// ASSAY_INVALID with file, line and column of the offending token, and the nearest known op or key.
// The op's program is not built. In a file a negative case needs its rejects="..."; on the command
// line it may be left out.
ASSAY_MUST_USE assay_code assay_cases_parse_line(assay_arena *arena, const char *file,
                                                 int line_number, const char *line,
                                                 assay_cases *cases, assay_error *err);
// Parses every line of a case file; '#' starts a comment, blank lines are skipped.
ASSAY_MUST_USE assay_code assay_cases_parse_file(assay_arena *arena, const assay_file *file,
                                                 assay_cases *cases, assay_error *err);

// Builds the case's program. ASSAY_INVALID with the language's message where it breaks a rule, and
// where its arguments and results have more than ASSAY_MAX_CASE_ELEMENTS elements; the place is the
// case's origin.
ASSAY_MUST_USE assay_code assay_case_build(assay_arena *arena, const assay_case *a_case,
                                           const assay_program **out_program, assay_error *err);

// Whether both cases expect the same: equal xfail and rejects.
bool assay_case_expects_same(const assay_case *a, const assay_case *b);

// The case's line with its annotations, as a case file or --case takes it.
const char *assay_case_annotated(assay_arena *arena, const assay_case *a_case);

// The key of a record: "LINE data=DATA backend=BACKEND".
const char *assay_case_key(assay_arena *arena, const assay_case *a_case, const char *data,
                           const char *backend);

#endif
