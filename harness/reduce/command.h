// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs, called under the limits of a ledger.
#ifndef ASSAY_HARNESS_REDUCE_COMMAND_H
#define ASSAY_HARNESS_REDUCE_COMMAND_H

#include "harness/ledger/ledger.h"

typedef struct assay_command {
  const char *const *words; // the program, found on PATH or a path, and what it is given; then NULL
  const char *output;       // (optional) the file for what it prints; else that is dropped
  const char *messages;     // (optional) the same of its messages
  double seconds;           // that it may take
  bool ended;               // in time, and nobody stopped it
  int status;               // its exit code; 128 and the signal that ended it
} assay_command;

// Runs it to its end. ASSAY_FAILED where no process can be made. A program that cannot be started
// ends with status 127.
ASSAY_MUST_USE assay_code assay_command_run(const assay_ledger_request *request, assay_arena *arena,
                                            const char *doing, assay_command *command,
                                            assay_error *err);

// The path of a tool of LLVM 22: NAME-22 on PATH, or NAME in the folder of the LLVM that this
// program was built with; NULL where there is neither.
const char *assay_llvm_tool(assay_arena *arena, const char *name);

#endif
