// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a simulated device: allocations with red zones between them, at addresses that no
// host code can follow, and a shadow that tells compiled code what it may touch unasked.
#ifndef ASSAY_GPU_SIMULATOR_MEMORY_H
#define ASSAY_GPU_SIMULATOR_MEMORY_H

#include "compiler/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Device address of the first byte. It is in none of the halves of an address space that a process
// has, so that a load of it is a fault.
#define ASSAY_MEMORY_BASE UINT64_C(0x0a55a00000000000)

// What was allocated, the freed included until its place is needed.
typedef struct assay_record {
  uint64_t start, size; // bytes, from the memory's start
  bool freed, constant;
  const char *name; // of a variable, borrowed; NULL: an allocation
} assay_record;

typedef struct assay_memory {
  char *bytes;     // span bytes
  uint8_t *shadow; // span / 16; how many bytes from each 16's start may be read and written
  uint64_t span;
  uint64_t total, used;  // bytes that may be allocated, and are
  uint64_t next;         // where the last allocation ended
  assay_record *records; // by start
  size_t count, capacity;
} assay_memory;

ASSAY_MUST_USE assay_code assay_memory_open(assay_memory *memory, int64_t total, assay_error *err);
void assay_memory_close(assay_memory *memory);

// size bytes filled with 0xff; *out_start is a multiple of 256. ASSAY_UNSUPPORTED where the device
// has not so many left.
ASSAY_MUST_USE assay_code assay_memory_take(assay_memory *memory, uint64_t size,
                                            uint64_t *out_start, assay_error *err);
// The same for variables, of which each has a record of its own within them: `add` makes it.
ASSAY_MUST_USE assay_code assay_memory_take_bare(assay_memory *memory, uint64_t size,
                                                 uint64_t *out_start, assay_error *err);
ASSAY_MUST_USE assay_code assay_memory_add(assay_memory *memory, const assay_record *record,
                                           assay_error *err);
// Frees the allocation that starts there; false where there is none.
bool assay_memory_release(assay_memory *memory, uint64_t start);

// The record that the byte belongs to or lies nearest to; NULL where there are none.
const assay_record *assay_memory_nearest(const assay_memory *memory, uint64_t offset);
// Whether all of it lies in one allocation that is not freed.
bool assay_memory_holds(const assay_record *record, uint64_t offset, uint64_t size);
// "at byte 64 of an allocation of 64 bytes": where in or near the record the byte is.
void assay_memory_describe(const assay_record *record, uint64_t offset, char *text, size_t room);

#endif
