// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of one compiled program: each is linked code with a runtime and argument descriptors of
// its own, so that as many runs can go on at once as there are instances.
#ifndef ASSAY_COMPILER_BACKENDS_SUPPORT_INSTANCE_H
#define ASSAY_COMPILER_BACKENDS_SUPPORT_INSTANCE_H

#include "compiler/backends/backend.h"

typedef struct assay_instances assay_instances;

// With one instance linked; the object's bytes are copied. guarded: of their runtimes. ASSAY_FAILED
// where the bytes do not link.
ASSAY_MUST_USE assay_code assay_instances_create(const assay_program *program,
                                                 const assay_object *object, bool guarded,
                                                 assay_instances **out_instances, assay_error *err);
// No run may be going on. NULL is allowed.
void assay_instances_destroy(assay_instances *instances);

// Runs the program once on its arguments, in an instance that no other run is in: an idle one, or a
// new one where all are busy, which takes a millisecond to link. Any number of threads may call at
// once. Fills in what the runtime counted.
ASSAY_MUST_USE assay_code assay_instances_run(assay_instances *instances,
                                              const assay_buffer inputs[],
                                              const assay_buffer results[],
                                              assay_counters *out_counters, assay_error *err);

#endif
