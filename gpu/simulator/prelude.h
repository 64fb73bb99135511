// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR that kernels are linked with: what each intrinsic of NVVM does in the simulator.
#ifndef ASSAY_GPU_SIMULATOR_PRELUDE_H
#define ASSAY_GPU_SIMULATOR_PRELUDE_H

#include "compiler/base/text.h"

// In front of the name of an intrinsic or function that the prelude defines anew, "sim.llvm.nvvm.".
#define ASSAY_PRELUDE_PREFIX "sim."

// Types, the simulator's entries, and a function for each intrinsic. One that must know its site
// has it as an i32 after the intrinsic's own parameters.
void assay_prelude_print(assay_text *text);

// The part of it that is about warps: collectives, matrix products, asynchronous copies.
void assay_prelude_print_warp(assay_text *text);

// The check of an access, of shared or other memory.
typedef struct assay_prelude_access {
  unsigned width, align; // bytes, and what the access claims
  bool shared;
  bool inlined; // faster, and more for the optimiser to do
} assay_prelude_access;

// `ptr @NAME(ptr [addrspace(3)], i32 site)`, which gives the address in this process.
void assay_prelude_print_access(assay_text *text, const char *name,
                                const assay_prelude_access *access);

#endif
