// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data races within a launch: two threads at the same bytes, one of them writing, and nothing that
// puts them in order. Threads of a block are put in order by its barriers and by those of their
// warp, threads of different blocks by nothing. Who comes first in a schedule does not matter.
//
// Shuffles and votes put no memory in order (PTX ISA), but they wait: what a lane read before one
// has been read when another lane goes on. Two threads that write the same value to the same place
// are no race, as compute-sanitizer has it: MLIR's all_reduce does that.
#ifndef ASSAY_GPU_SIMULATOR_RACES_H
#define ASSAY_GPU_SIMULATOR_RACES_H

#include "compiler/base/error.h"
#include "gpu/simulator/abi.h"

#include <stdbool.h>
#include <stdint.h>

// One access of some bytes. epoch 0: none yet. Small, since there are three for each 4 bytes.
typedef struct assay_trace {
  uint32_t epoch; // barriers so far, of all blocks: a later one has seen everything before
  uint32_t site;
  uint32_t thread : 10; // of its block
  uint32_t access : 2;  // assay_access
  uint32_t clock : 20;  // of the thread's meetings with its warp
} assay_trace;
enum { ASSAY_RACES_LAST_CLOCK = (1 << 20) - 1 };

typedef struct assay_cell {
  assay_trace writer, reader[2];
} assay_cell;

enum { ASSAY_RACES_DOUBTS = 64, ASSAY_RACES_WIDTH = 16 };

// A write to where another thread wrote, which is a race unless it leaves the bytes as they are.
typedef struct assay_doubt {
  assay_trace now, earlier;
  const struct assay_ground *ground;
  uint64_t offset, size;
  char bytes[ASSAY_RACES_WIDTH]; // before
} assay_doubt;

enum { ASSAY_CHUNK = 1 << 16, ASSAY_CHUNK_WORDS = ASSAY_CHUNK / 4 };

// What is known of 64 KiB of memory: of 4 bytes one cell, or one for each byte, once somebody
// touched fewer than 4.
typedef struct assay_chunk {
  assay_cell cells[ASSAY_CHUNK_WORDS];
  uint32_t split[ASSAY_CHUNK_WORDS]; // the epoch in which the word was split
  assay_cell *bytes;                 // ASSAY_CHUNK; NULL until the first split
} assay_chunk;

// Memory that is watched.
typedef struct assay_ground {
  const char *memory;
  uint64_t count;
  assay_chunk **chunks; // count; each NULL until it is touched
  bool shared;          // of a block, else of the device
} assay_ground;

typedef struct assay_races {
  uint32_t epoch;
  uint32_t launch, block; // epochs in which the launch and the block that run began
  assay_ground shared, device;
  int doubts; // of the thread that runs
  assay_doubt doubt[ASSAY_RACES_DOUBTS];
} assay_races;

struct assay_simulator;

// Watches size bytes of both kinds. ASSAY_UNSUPPORTED where there is no memory for that: it is to
// be closed all the same.
ASSAY_MUST_USE assay_code assay_races_open(assay_races *races, const char *shared,
                                           uint64_t shared_size, const char *device,
                                           uint64_t device_size, assay_error *err);
void assay_races_close(assay_races *races);

// What was freed: gives back what is known of it, as far as no neighbour has a part in that.
void assay_races_forget(assay_ground *ground, uint64_t start, uint64_t size);

// A barrier of the whole block.
void assay_races_barrier(assay_races *races);
// A new launch, which comes after all before.
void assay_races_launch(assay_races *races);
// A new block, which comes before or after none.
void assay_races_block(struct assay_simulator *simulator);
// The lanes of a warp, which begins with that thread, have waited for each other; memory: and what
// they wrote before is seen by all of them.
void assay_races_warp(struct assay_simulator *simulator, int first, uint32_t mask, bool memory);
// The thread that runs is about to be left: what it wrote is there. Does not return where that is a
// race.
void assay_races_settle(struct assay_simulator *simulator);

// An access of the thread that runs, inside of that memory. Does not return where it is a race, or
// where there is no memory left to keep it.
void assay_races_look(struct assay_simulator *simulator, const assay_ground *ground,
                      uint64_t offset, uint64_t size, assay_access access, uint32_t site);

#endif
