// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program in the care of a process between it and this one, the keeper. The keeper makes a folder
// that the program runs in, ends the program with all that it has started, and removes the folder:
// when it is let go, and when this process ends, however that is. Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_KEEPER_H
#define ASSAY_GPU_DRIVER_KEEPER_H

#include "compiler/base/error.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct assay_kept_order {
  const char *const *line; // the program, as an absolute path, and its words; ended with NULL
  double seconds;          // that it may take
  const char *input_name;  // (optional) a file that is in the folder from the start
  const char *input;       // what is in it
} assay_kept_order;

typedef struct assay_kept {
  pid_t keeper;
  int status;        // of the program, as waitpid tells it
  bool late;         // it was ended, since its time was over
  char folder[1024]; // with what it has left there; what it printed is in the file "log"
} assay_kept;

// Runs the program to its end. ASSAY_FAILED where there is no folder for it, or it does not start.
// On success the keeper is to be let go, once the files were read.
ASSAY_MUST_USE assay_code assay_keeper_run(const assay_kept_order *order, assay_kept *out_kept,
                                           assay_error *err);
void assay_keeper_let_go(const assay_kept *kept);

#endif
