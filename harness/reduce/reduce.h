// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduction: a program on which a pass shows a fault, made smaller while the same pass shows the
// same fault. Each step is a valid module that the whole ledger was asked about.
#ifndef ASSAY_HARNESS_REDUCE_REDUCE_H
#define ASSAY_HARNESS_REDUCE_REDUCE_H

#include "harness/reduce/symptom.h"

typedef struct assay_reduction_request {
  const assay_ledger_request *ledger; // all but source and pipeline
  const char *text;                   // the module before the pass
  const char *pipeline;               // "builtin.module(cse)": the pass, or all up to it
  const char *entry;                  // "" where nothing is run
  const char *pass;                   // that must be accused; NULL: whichever is
  assay_fault fault;                  // of this class; with a pass
  const char *message;                // (optional) the reason must hold this text
  double seconds;                     // that may be spent; 0: no limit
  bool without_tool;                  // mlir-reduce is not called at the end
  // (optional) A smaller module that shows it, as soon as it is known: a place to keep it.
  assay_code (*better)(void *user, const char *text, assay_error *err);
  // (optional) Size of the best so far in operations, and candidates tried.
  void (*progress)(void *user, const char *what, int size, int tried);
  void *user;
} assay_reduction_request;

// How `nothing` begins where the fault was not seen at all.
#define ASSAY_REDUCE_UNSEEN "the fault does not show: "

typedef struct assay_reduction {
  const char *nothing;   // why there is nothing to reduce; NULL where it was done
  const char *text;      // the smallest module that shows the fault
  int size_before, size; // operations, by assay_module_size
  int tried, shown;      // candidates that were asked about; those that showed it
  double seconds;
  assay_symptom symptom;
  const char *sentence; // the ledger's, of the smallest
  bool given;           // it is run on the arguments that were handed in
  bool stopped;         // by the request's stop
  bool out_of_time;
  const char *tool; // what mlir-reduce did, in words; "" where it was not called
} assay_reduction;

// ASSAY_INVALID, with the ledger's message, where the module does not parse or verify; ASSAY_FAILED
// where the system fails, or better does.
ASSAY_MUST_USE assay_code assay_reduce(const assay_reduction_request *request, assay_arena *arena,
                                       assay_reduction *out_reduction, assay_error *err);

// Whether a module shows the fault of that symptom. ASSAY_INVALID where it is no valid module.
ASSAY_MUST_USE assay_code assay_reduction_check(const assay_reduction_request *request,
                                                const assay_symptom *symptom, assay_arena *arena,
                                                bool *out_shows, assay_error *err);

#endif
