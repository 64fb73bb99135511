// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that do nothing but keep a device busy: what it reaches in them is a roof for all others.
#ifndef ASSAY_GPU_KERNELS_PEAKS_H
#define ASSAY_GPU_KERNELS_PEAKS_H

#include "compiler/base/arena.h"

enum {
  ASSAY_PEAK_THREADS = 256, // of a block, of each kernel
  ASSAY_PEAK_CHAINS = 16,   // of fused multiply-adds, each of which waits for the one before
  ASSAY_PEAK_REPEATS = 16,  // of a chain in a step
  ASSAY_PEAK_LANES = 4,     // f32 in an access of the triad
  ASSAY_PEAK_ACCESSES = 4,  // of a thread to each array of the triad
};

// The text of a module with one gpu.module @peaks, at what the stage `nvvm` begins with. Blocks and
// threads count along x. Its kernels:
//
// fma_f32(out, steps: i64, factor: f32, term: f32), fma_f64 with f64: in each of the steps (from 1)
// a thread computes x = x * factor + term ASSAY_PEAK_REPEATS times in each of its chains; chain i
// of a thread starts with the thread's number in its block, plus i. Their sum goes to
// out[thread of the grid].
//
// triad(a, b, c, factor: f32): a = b + factor c, in f32. A block does ASSAY_PEAK_THREADS *
// ASSAY_PEAK_ACCESSES * ASSAY_PEAK_LANES elements, all of them: nothing is guarded.
const char *assay_peak_kernels(assay_arena *arena);

#endif
