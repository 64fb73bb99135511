// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known faults: modules with the pipeline that breaks them, and what the ledger must answer.
//
// A file NAME.mlir starts with comment lines "// KEY: VALUE": fault (what goes wrong, in a line),
// source (where it was reported; optional), pipeline (words for mlir-opt), values (the numbers that
// are observed; optional), entry (optional), bad-pass (its name, or none), class (with a bad pass),
// step and pattern (what inside the pass, without its place, or none; optional).
#ifndef ASSAY_HARNESS_LEDGER_KNOWN_H
#define ASSAY_HARNESS_LEDGER_KNOWN_H

#include "compiler/base/file.h"
#include "harness/ledger/ledger.h"

typedef struct assay_known_fault {
  const char *name; // of the file, without ".mlir"
  assay_file file;
  const char *title;
  int word_count; // of the pipeline
  const char *const *words;
  const char *values;   // "15 3 nan", or NULL
  const char *entry;    // or NULL
  const char *bad_pass; // NULL: none may be accused
  assay_fault fault;    // its class
  const char *step;     // of its script: "transform.structured.fuse", "none", or NULL: not said
  const char *pattern;  // "NAME on OP", "a pattern on OP", "fold", "none", or NULL
} assay_known_fault;

// Reads one file. ASSAY_INVALID with the line for a key that is unknown, missing or given twice.
ASSAY_MUST_USE assay_code assay_known_fault_read(assay_arena *arena, const char *path,
                                                 assay_known_fault *out_fault, assay_error *err);
// All files *.mlir of a folder, sorted by name.
ASSAY_MUST_USE assay_code assay_known_faults_read(assay_arena *arena, const char *folder,
                                                  assay_known_fault *out_faults[],
                                                  size_t *out_count, assay_error *err);

// The words of a command line, parted by spaces; quotes hold one together, and a backslash outside
// of them takes what follows as it is. In the arena.
int assay_words_split(assay_arena *arena, const char *text, const char *const **out_words);

#endif
