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

enum { ASSAY_RACES_DOUBTS = 64, ASSAY_RACES_WIDTH = 16 };

// A write to where another thread wrote, which is a race unless it leaves the bytes as they are.
typedef struct assay_doubt {
  assay_trace now, earlier;
  uint64_t offset, size;
  char bytes[ASSAY_RACES_WIDTH]; // before
} assay_doubt;

// Of 4 bytes of memory, one cell; or one for each byte, once somebody touched fewer than 4.
typedef struct assay_races {
  uint32_t epoch;
  uint64_t words;
  assay_cell *cells; // words
  assay_cell *bytes; // 4 * words
  uint32_t *split;   // words: the epoch of the block in which a word was split
  uint32_t first;    // epoch of the block that runs
  int doubts;        // of the thread that runs
  assay_doubt doubt[ASSAY_RACES_DOUBTS];
} assay_races;

struct assay_simulator;

void assay_races_open(assay_races *races, uint64_t size); // bytes of memory
void assay_races_close(assay_races *races);

// A barrier of the whole block.
void assay_races_barrier(assay_races *races);
// A new block, which shares nothing with those before.
void assay_races_block(struct assay_simulator *simulator);
// The lanes of a warp, which begins with that thread, have waited for each other; memory: and what
// they wrote before is seen by all of them.
void assay_races_warp(struct assay_simulator *simulator, int first, uint32_t mask, bool memory);
// The thread that runs is about to be left: what it wrote is there. Does not return where that is a
// race.
void assay_races_settle(struct assay_simulator *simulator);

// An access of the thread that runs, inside of shared memory. Does not return where it is a race.
void assay_races_look(struct assay_simulator *simulator, uint64_t offset, uint64_t size,
                      assay_access access, uint32_t site);

#endif
