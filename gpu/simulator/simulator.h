// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU made of this processor: blocks one after another, the threads of a block as fibers in a
// schedule of one's choice.
//
// Device memory has addresses that no host code can follow. A launch fails, with kernel, block,
// thread and line, where a thread touches global or shared memory outside of what is allocated (or
// freed, or misaligned), where threads of a block wait at different barriers or for one that has
// ended, where a warp's collective names a lane that is not there, and (races) where two threads
// touch the same bytes, one of them writing another value, with no barrier between, in shared or
// device memory: both accesses are named.
// With races, so is what lies between two shared variables. Shared memory is poisoned for each
// block, device memory where it is allocated.
#ifndef ASSAY_GPU_SIMULATOR_SIMULATOR_H
#define ASSAY_GPU_SIMULATOR_SIMULATOR_H

#include "gpu/runtime/gpu.h"

typedef enum assay_schedule {
  ASSAY_SCHEDULE_SEQUENTIAL,  // threads in order, each as far as it gets
  ASSAY_SCHEDULE_REVERSE,     // the last first
  ASSAY_SCHEDULE_RANDOM,      // shuffled anew at each turn
  ASSAY_SCHEDULE_DEPTH_FIRST, // one warp as far ahead as it gets, by random priorities
  ASSAY_SCHEDULE_COUNT
} assay_schedule;

typedef struct assay_simulation {
  assay_schedule schedule;
  uint64_t seed; // of the random ones
  bool races;    // look for races
} assay_simulation;

// "sequential", "depth-first"
const char *assay_schedule_name(assay_schedule schedule);

// memory: bytes of the device, of which alloc hands out.
ASSAY_MUST_USE assay_code assay_simulator_open(int64_t memory, assay_gpu **out_gpu,
                                               assay_error *err);
// For the launches from now on; until then sequential with races.
void assay_simulator_set(assay_gpu *gpu, assay_simulation simulation);

#endif
