// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled kernels and the simulator know of each other: the bytes that assemble makes and
// load takes, and the variables that compiled code reads. prelude.c says the same in LLVM IR.
#ifndef ASSAY_GPU_SIMULATOR_ABI_H
#define ASSAY_GPU_SIMULATOR_ABI_H

#include <stddef.h>
#include <stdint.h>

// The bytes: this, then an object file.
#define ASSAY_CODE_MAGIC "ASSAYSIM"
typedef struct assay_code_header {
  char magic[8];       // no NUL at its end
  uint64_t data_bytes; // of device memory that the module's globals take, from assay_data on
} assay_code_header;

// An operation that the simulator may have to name.
typedef enum assay_access {
  ASSAY_ACCESS_READ,
  ASSAY_ACCESS_WRITE,
  ASSAY_ACCESS_ATOMIC
} assay_access;
typedef struct assay_site {
  uint32_t line;   // of the gpu.module's text; 0: unknown
  uint32_t width;  // bytes of an access; 0 where only the run knows
  uint32_t align;  // that the access claims; 1: none
  uint32_t access; // assay_access
} assay_site;

typedef struct assay_kernel_record {
  const char *name;
  void (*run)(void **parameters);
  uint64_t parameter_count;
  uint64_t shared;       // bytes of static shared memory
  uint64_t synchronises; // whether it has barriers or collectives, so that threads must be fibers
  uint64_t threads[3];   // the most that a block may have in x, y, z; 0: unsaid
} assay_kernel_record;

// A global of the module, which lives in device memory.
typedef struct assay_data_record {
  const char *name;
  const void *initial;
  uint64_t offset, size; // bytes from assay_data
  uint64_t constant;     // kernels may not write it
} assay_data_record;

// A variable in shared memory, once for each kernel that uses it.
typedef struct assay_shared_record {
  uint64_t kernel;       // its number
  uint64_t offset, size; // bytes; size 0: dynamic, as much as the launch says
} assay_shared_record;

// The symbol assay_code of the object.
#define ASSAY_CODE_SYMBOL "assay_code"
typedef struct assay_code_table {
  const assay_kernel_record *kernels;
  uint64_t kernel_count;
  const assay_data_record *data;
  uint64_t data_count;
  const assay_shared_record *shared;
  uint64_t shared_count;
  const assay_site *sites;
  uint64_t site_count;
} assay_code_table;

// The thread that runs, as compiled code reads it.
typedef struct assay_thread_view {
  int32_t id[3];
  int32_t lane, warp;
} assay_thread_view;

enum { ASSAY_SHARED_WIDTHS = 5 }; // 1, 2, 4, 8 and 16 bytes

// The symbol assay_view: what compiled code reads of the simulator.
typedef struct assay_view {
  const assay_thread_view *thread;
  uint64_t memory_base;  // the device address of the first byte
  char *memory;          // where it is in this process
  const uint8_t *shadow; // for each 16 bytes, how many from their start may be accessed unasked
  uint64_t memory_end;   // offsets below are in the shadow; 0: every access is to be asked for
  // Shared offsets below are fit for accesses of that width; 0: every access is to be asked for.
  uint64_t shared_end[ASSAY_SHARED_WIDTHS];
  int32_t block_id[3], block[3], grid[3]; // x, y, z
} assay_view;

#endif
