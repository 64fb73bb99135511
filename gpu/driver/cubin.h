// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What assay_cubin_make is made of: ptxas as a process, and the cache on disk. Internal to this
// folder.
#ifndef ASSAY_GPU_DRIVER_CUBIN_H
#define ASSAY_GPU_DRIVER_CUBIN_H

#include "gpu/driver/ptx.h"

// Removes the file that the cubin was taken from, or was put into.
void assay_cubin_forget(const assay_cubin *cubin);

// What ptxas makes of PTX.
typedef struct assay_ptxas_output {
  const void *bytes; // the cubin
  size_t size;
  const char *log; // what it said under -v, ended with a NUL
} assay_ptxas_output;

// Runs ptxas, for ASSAY_PTXAS_SECONDS at most. ASSAY_FAILED with what it said.
ASSAY_MUST_USE assay_code assay_ptxas_run(assay_arena *arena, const char *ptxas, const char *ptx,
                                          int architecture, assay_ptxas_output *out_output,
                                          assay_error *err);
// Reads the log of -v: the kernels of the PTX, sorted by name. ASSAY_FAILED where it does not tell
// of each, with numbers that can be: what was not told is not 0.
ASSAY_MUST_USE assay_code assay_ptxas_figures(assay_arena *arena, const char *log, const char *ptx,
                                              const assay_kernel_figures **out_kernels,
                                              size_t *out_count, assay_error *err);
// What tells a ptxas from another of its version: the file, its size and its last change.
const char *assay_ptxas_identity(assay_arena *arena, const char *ptxas);

// What a program has printed as one line of ASCII for messages: without what terminals obey, ';' at
// the ends of lines, '?' in the place of what else is no ASCII.
void assay_words_clean(char *text);

typedef enum assay_cache_answer {
  ASSAY_CACHE_NOTHING, // no such file
  ASSAY_CACHE_DAMAGED, // one that is not whole, or cannot be read
  ASSAY_CACHE_FOREIGN, // one of a key with another first line
  ASSAY_CACHE_OTHER,   // one of another key
  ASSAY_CACHE_FOUND,
} assay_cache_answer;

// The file of a key, whose first line is the architecture, in the arena; NULL where no folder is
// named for caches.
const char *assay_cache_file(assay_arena *arena, const char *key);
assay_cache_answer assay_cache_read(assay_arena *arena, const char *file, const char *key,
                                    assay_ptxas_output *out_output);
// Makes the folder and the file, whole or not at all. ASSAY_FAILED with the place that refused, as
// err->where, and the system's reason.
ASSAY_MUST_USE assay_code assay_cache_write(assay_arena *arena, const char *file, const char *key,
                                            const assay_ptxas_output *output, assay_error *err);

#endif
