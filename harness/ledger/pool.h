// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger's children: each job in a process of its own, several at a time.
#ifndef ASSAY_HARNESS_LEDGER_POOL_H
#define ASSAY_HARNESS_LEDGER_POOL_H

#include "harness/isolate/isolate.h"
#include "harness/ledger/ledger.h"

typedef struct assay_job {
  // In the child: does the work, and leaves what it found in shared memory.
  void (*body)(const struct assay_job *job);
  void *user;
  const _Atomic int64_t *pulse; // (optional) moved by the work as it gets on
  bool chatty;                  // what it printed may be part of the reason
  assay_ending ending;          // how it ended, and why where not well; reason in the arena
  const char *reason;
} assay_job;

// Runs all of them; returns when the last has ended. doing: "running states", for progress.
// seconds: that a job may take without a pulse.
ASSAY_MUST_USE assay_code assay_pool_run(const assay_ledger_request *request, assay_arena *arena,
                                         const char *doing, double seconds, assay_job *const jobs[],
                                         int count, assay_error *err);

// Whether the request's stop has come: jobs from then on, and those that were running, have no
// ending and no reason.
bool assay_pool_is_stopped(const assay_ledger_request *request);

#endif
