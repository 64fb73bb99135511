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
  const char *reason;  // why it is not usable, in one line for terminals, or NULL
  const char *lasting; // why it is never closed, or NULL
} assay_station;

typedef struct assay_machine {
  assay_context *context;
  assay_station *stations; // sorted by name
  size_t count;
} assay_machine;

// The built-in backends and those added (ended with NULL; NULL: none), sorted by name and ended
// with NULL, in the arena. ASSAY_INVALID where one of those added has a name that is taken or
// cannot stand in a key, names no built-in pipeline, or lacks a method.
ASSAY_MUST_USE assay_code assay_backends_join(assay_arena *arena, const assay_backend *const *added,
                                              const assay_backend *const **out_backends,
                                              assay_error *err);

// NULL where there is no backend of that name.
const assay_backend *assay_backend_find(const assay_session *session, const char *name);
// ASSAY_INVALID naming the nearest known backend.
ASSAY_MUST_USE assay_code assay_backend_need(const assay_session *session, const char *name,
                                             const assay_backend **out_backend, assay_error *err);

// Opens those of the names, or all where there are none; what an extension added is opened and
// closed in a child first, so that neither can take the command with it. One that cannot be opened
// is kept with its reason; ASSAY_MISSING where it was named, ASSAY_INVALID for an unknown name.
ASSAY_MUST_USE assay_code assay_machine_open(const assay_session *session, const assay_names *names,
                                             assay_machine *out_machine, assay_error *err);
// Fills in what is known of the open backends' devices, in the arena: cuda, what the first that has
// one runs on, with its driver, and ptxas, where one of them makes kernels.
void assay_machine_describe(assay_arena *arena, const assay_machine *machine,
                            assay_environment *environment);
void assay_machine_close(assay_machine *machine);

#endif
