// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gpu.module of NVVM -> PTX, and PTX -> cubin by ptxas.
#ifndef ASSAY_GPU_DRIVER_PTX_H
#define ASSAY_GPU_DRIVER_PTX_H

#include "compiler/base/arena.h"
#include "compiler/base/error.h"

#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// PTX of the portable architecture, sm_80, ended with a NUL, in the arena. The module is left as it
// is. ASSAY_UNSUPPORTED where a function stays unresolved (`.extern .func`): libdevice, which
// CUDA's toolkit has, is named with the functions that need it.
ASSAY_MUST_USE assay_code assay_ptx_make(assay_arena *arena, MlirOperation gpu_module,
                                         const char **out_ptx, assay_error *err);

// Where the toolkit is: ptxas on PATH, below CUDA_HOME (CUDA_PATH, CUDA_ROOT), /usr/local/cuda,
// /usr/lib/cuda, or in the Python packages of this project's .venv. ASSAY_PTXAS in the environment
// names ptxas instead of all these; empty, there is none. Each is NULL where it is not found.
typedef struct assay_toolkit {
  const char *ptxas;     // the program
  const char *lack;      // why there is none, NULL where there is one
  bool misnamed;         // there is none, since ASSAY_PTXAS names what is none
  const char *libdevice; // libdevice.10.bc
  const char *folder;    // that mlir takes as toolkit: nvvm/libdevice/ is below it
} assay_toolkit;
assay_toolkit assay_toolkit_find(assay_arena *arena);
// How long it may take: for a cubin, and to tell its version.
enum { ASSAY_PTXAS_SECONDS = 20, ASSAY_PTXAS_VERSION_SECONDS = 10 };
// The line of `ptxas --version` that tells its build, in printable ASCII. ASSAY_FAILED where it
// tells none.
ASSAY_MUST_USE assay_code assay_ptxas_version(assay_arena *arena, const char *ptxas,
                                              const char **out_version, assay_error *err);
// A library in lib64/ or lib/ of these places, for one that the loader does not know by its name;
// NULL where there is none.
const char *assay_toolkit_library(assay_arena *arena, const char *name);

// What ptxas says of one kernel.
typedef struct assay_kernel_figures {
  const char *name;
  int registers;                     // of a thread
  int64_t shared, stack;             // bytes
  int64_t spill_stores, spill_loads; // bytes
} assay_kernel_figures;

typedef struct assay_cubin {
  const void *bytes;
  size_t size;
  size_t kernel_count;
  const assay_kernel_figures *kernels; // sorted by name; NULL where they are not known
  const char *unknown;                 // why they are not, NULL where they are
  bool cached;                         // taken from the cache
  const char *file;                    // its place there, NULL where there is no cache
} assay_cubin;

// Through the cache: `assay` below $XDG_CACHE_HOME (or ~/.cache), by what PTX, architecture and
// ptxas are. What is there and of no use (damaged, of other code, of another architecture, without
// figures) is made anew; a cache that cannot be written costs time only, and code without figures
// is not kept. *out_note says so, NULL where there is nothing to say. architecture: 90 for sm_90.
// ASSAY_MISSING where there is no ptxas, ASSAY_INVALID where a wrong one is named; ASSAY_FAILED
// with what ptxas said.
ASSAY_MUST_USE assay_code assay_cubin_make(assay_arena *arena, const assay_toolkit *toolkit,
                                           const char *ptx, int architecture,
                                           assay_cubin *out_cubin, const char **out_note,
                                           assay_error *err);

#endif
