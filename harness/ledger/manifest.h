// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a bundle says to programs: bundle.json, by which its question can be asked again.
#ifndef ASSAY_HARNESS_LEDGER_MANIFEST_H
#define ASSAY_HARNESS_LEDGER_MANIFEST_H

#include "harness/ledger/ledger.h"

enum { ASSAY_BUNDLE_FORMAT = 1 };

typedef struct assay_manifest {
  const char *module; // the file that is asked about: "before.mlir"; "input.mlir" where a function
                      // that is lowered already could not be called by its type
  const char *pipeline; // that it goes through: "builtin.module(cse)"
  const char *whole;    // the one that was asked about, which input.mlir goes through
  const char *pass;     // the accused one's name
  assay_fault fault;
  const char *entry;  // "" where nothing was run
  const char *reason; // one sentence
  const char *words;  // what else the ledger is given, as words of a shell
  int input_count;    // arguments that were handed in: inputs/real-N.npy; 0: generated
  bool has_after;     // whether there is an after.mlir
} assay_manifest;

// What the answer, which accuses a pass, is kept as. In the arena.
assay_manifest assay_manifest_of(const assay_ledger_request *request, assay_arena *arena,
                                 const assay_ledger_answer *answer);
// ASSAY_FAILED with the path.
ASSAY_MUST_USE assay_code assay_manifest_write(const assay_manifest *manifest, const char *path,
                                               assay_error *err);
// Reads FOLDER/bundle.json and looks whether the bundle's other files are there. ASSAY_INVALID with
// the file, what was found and what was expected: no bundle, one of another format, a file missing.
ASSAY_MUST_USE assay_code assay_manifest_read(assay_arena *arena, const char *folder,
                                              assay_manifest *out_manifest, assay_error *err);

#endif
