// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data races on shared memory: two threads at the same bytes, one of them writing, and neither a
// barrier of the block nor one of their warp between. Who comes first in a schedule does not
// matter. Shuffles and votes do not count as order: PTX promises none for memory.
#ifndef ASSAY_GPU_SIMULATOR_RACES_H
#define ASSAY_GPU_SIMULATOR_RACES_H

#include "gpu/simulator/abi.h"

#include <stdbool.h>
#include <stdint.h>

// One access of some bytes. epoch 0: none yet.
typedef struct assay_trace {
  uint32_t epoch; // barriers so far, of all blocks: a later one has seen everything before
  uint32_t clock; // of the thread's warp synchronisations
  uint32_t site;
  uint16_t thread;
  uint8_t access; // assay_access
} assay_trace;

typedef struct assay_cell {
  assay_trace writer, reader[2];
} assay_cell;

// Of 4 bytes of memory, one cell; or one for each byte, once somebody touched fewer than 4.
typedef struct assay_races {
  uint32_t epoch;
  uint64_t words;
  assay_cell *cells; // words
  assay_cell *bytes; // 4 * words
  uint32_t *split;   // words: the epoch of the block in which a word was split
  uint32_t first;    // epoch of the block that runs
} assay_races;

struct assay_simulator;

void assay_races_open(assay_races *races, uint64_t size); // bytes of memory
void assay_races_close(assay_races *races);

// A barrier of the whole block.
void assay_races_barrier(assay_races *races);
// A new block, which shares nothing with those before.
void assay_races_block(struct assay_simulator *simulator);
// A barrier of the lanes of a warp that begins with that thread.
void assay_races_warp(struct assay_simulator *simulator, int first, uint32_t mask);

// An access of the thread that runs, inside of shared memory. Does not return where it is a race.
void assay_races_look(struct assay_simulator *simulator, uint64_t offset, uint64_t size,
                      assay_access access, uint32_t site);

#endif
