// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle as a process: the Python program in reference/oracle/, run by the Python of the
// project's own environment, or by another that has NumPy >= 2.
#ifndef ASSAY_REFERENCE_ORACLE_H
#define ASSAY_REFERENCE_ORACLE_H

#include "compiler/base/arena.h"

#include <stdbool.h>

typedef struct assay_oracle_answer {
  int status;        // the exit code: 0; 1 for a difference found by "check"; 130 when interrupted
  const char *bytes; // standard output, size bytes in the arena; NULL where it was passed through
  size_t size;
  const char *message; // the last line of what was captured of standard error, "" if none
} assay_oracle_answer;

// What of the oracle's streams is kept from this process's own.
typedef enum assay_capture {
  ASSAY_CAPTURE_NOTHING, // both go where this process's go
  ASSAY_CAPTURE_OUTPUT,  // standard output is the answer; messages and progress go to stderr
  ASSAY_CAPTURE_ALL,     // and messages become the error's text
} assay_capture;

// The Python it is run by: the environment's ASSAY_PYTHON if set; else in an installation the one
// that its file root/python names, else root/.venv/bin/python. A name without a slash is looked for
// in PATH. In the arena; nothing may be there.
const char *assay_oracle_python(assay_arena *arena, const char *root);
// What a person does who has no such Python, or one without NumPy: "run ci/setup, which makes
// .venv".
const char *assay_oracle_remedy(assay_arena *arena, const char *root);

// Runs `PYTHON root/reference/oracle ARGUMENTS`, arguments ended with NULL, input
// (size bytes: canonical case lines) on its standard input.
//
// ASSAY_MISSING where that Python or its NumPy is not there, saying how to get it; ASSAY_INVALID,
// with the oracle's message, where it could not answer as asked (its exit code 2); ASSAY_FAILED
// where it died, could not be started, or has not ended within assay_oracle_patience, and is then
// killed. Where it has ended, *out_answer holds what it wrote, on failure too.
ASSAY_MUST_USE assay_code assay_oracle_run(assay_arena *arena, const char *root,
                                           const char *const arguments[], const char *input,
                                           size_t size, assay_capture capture,
                                           assay_oracle_answer *out_answer, assay_error *err);

// The same with another limit in seconds.
ASSAY_MUST_USE assay_code assay_oracle_run_within(assay_arena *arena, const char *root,
                                                  const char *const arguments[], const char *input,
                                                  size_t size, assay_capture capture,
                                                  double seconds, assay_oracle_answer *out_answer,
                                                  assay_error *err);

// How long the oracle may take, in seconds: ten minutes, and ten seconds for each line of its
// input.
double assay_oracle_patience(const char *input, size_t size);

#endif
