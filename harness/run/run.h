// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running: every case in a forked child of its own, with limits, and a record for whatever happens
// to it.
#ifndef ASSAY_HARNESS_RUN_RUN_H
#define ASSAY_HARNESS_RUN_RUN_H

#include "compiler/backends/backend.h"
#include "harness/case/case.h"
#include "reference/reference.h"
#include "results/record/record.h"

#include <signal.h>

// A backend as this run uses it, opened once before any fork.
typedef struct assay_opened {
  const assay_backend *backend;
  assay_device *device;
} assay_opened;

// One verdict to be found.
typedef struct assay_job {
  const assay_case *a_case;
  const assay_opened *opened;       // NULL for a negative case: it is rejected before any backend
  const char *data;                 // "int"; NULL for a negative case
  const assay_reference *reference; // NULL for a negative case
  bool live;                        // the reference was computed on the spot
  const char *gap;     // reason of a temporary known gap: the job runs and must not pass; or NULL
  const char *program; // (optional) what the repro command begins with, instead of "assay"
  const char *limits;  // (optional) options that the repro command needs besides: "--timeout 1"
} assay_job;

typedef struct assay_run_options {
  int parallel;         // children at a time, from 1
  double seconds;       // limit of each job: compile and run
  int64_t memory_bytes; // limit of each child's own memory
  const assay_environment *environment;
  // Set by a signal handler: running children are killed, unfinished jobs get no record. Or NULL.
  volatile sig_atomic_t *stop;
} assay_run_options;

// Told of each record as it comes, in the order of completion. The record lives until the call
// returns. A failure (the disk is full) ends the run.
typedef struct assay_run_listener {
  void *user;
  assay_code (*finished)(void *user, const assay_record *record, assay_error *err);
  // (optional) Of what a backend tells besides its records, right before one of them.
  void (*noted)(void *user, const char *note);
} assay_run_listener;

// Runs the jobs. Jobs of equal programs on one backend share one compilation and, while all goes
// well, one child; after anything but PASS the rest goes to a fresh child. Fails only where the
// harness itself cannot go on.
ASSAY_MUST_USE assay_code assay_run_jobs(const assay_job jobs[], size_t count,
                                         const assay_run_options *options,
                                         const assay_run_listener *listener, assay_error *err);

#endif
