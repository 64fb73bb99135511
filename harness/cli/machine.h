// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of a command, opened once, before any fork.
#ifndef ASSAY_HARNESS_CLI_MACHINE_H
#define ASSAY_HARNESS_CLI_MACHINE_H

#include "harness/cli/session.h"
#include "harness/run/run.h"

// A known backend on this machine.
typedef struct assay_station {
  assay_opened opened; // device is NULL where it is not usable
  const char *reason;  // why it is not usable, or NULL
} assay_station;

typedef struct assay_machine {
  assay_context *context;
  assay_station *stations; // sorted by name
  size_t count;
} assay_machine;

// NULL where there is no backend of that name.
const assay_backend *assay_backend_find(const char *name);
// ASSAY_INVALID naming the nearest known backend.
ASSAY_MUST_USE assay_code assay_backend_need(assay_arena *arena, const char *name,
                                             const assay_backend **out_backend, assay_error *err);

// Opens those of the names, or all where there are none. One that cannot be opened is kept with its
// reason; ASSAY_MISSING where it was named, ASSAY_INVALID for an unknown name.
ASSAY_MUST_USE assay_code assay_machine_open(assay_arena *arena, const assay_names *names,
                                             assay_machine *out_machine, assay_error *err);
void assay_machine_close(assay_machine *machine);

#endif
