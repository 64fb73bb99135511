// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that compiled kernels call.
#ifndef ASSAY_GPU_SIMULATOR_ENTRIES_H
#define ASSAY_GPU_SIMULATOR_ENTRIES_H

#include "gpu/simulator/abi.h"

#include <stdbool.h>

typedef struct assay_simulator_entry {
  const char *name; // "__nv_expf", "assay_sim_barrier"
  void (*address)(void);
} assay_simulator_entry;

// All of them; the array ends with a NULL name.
const assay_simulator_entry *assay_simulator_entries(void);
// Whether it is one of CUDA's mathematical functions (__nv_*) that the simulator has.
bool assay_simulator_knows(const char *name);

// Entries; prelude.c declares them to compiled code. site: an index of the module's table.

// The address in this process of what is to be accessed; does not return where that is a fault.
void *assay_sim_global(assay_view *view, char *address, uint32_t site);
void *assay_sim_shared(assay_view *view, uint64_t offset, uint32_t site);
void *assay_sim_range(assay_view *view, char *address, uint64_t size, uint32_t site);

void assay_sim_barrier(assay_view *view, uint32_t site);
// kind: an assay_collect. The value in the low word, the predicate above it.
uint64_t assay_sim_collect(assay_view *view, uint32_t kind, uint32_t mask, uint32_t a, uint32_t b,
                           uint32_t c, uint32_t site);
void assay_sim_mma(assay_view *view, uint32_t kind, const void *in, void *out, uint32_t site);

// cp.async: size bytes of shared memory from the first `given` bytes and zeros, at the latest
// moment that is allowed.
void assay_sim_copy(assay_view *view, char *to, char *from, uint32_t size, uint32_t given,
                    uint32_t site);
void assay_sim_commit(assay_view *view);
void assay_sim_wait(assay_view *view, uint32_t left);

#endif
