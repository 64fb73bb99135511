// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this machine can do: the roof that timings are held against.
#ifndef ASSAY_HARNESS_TIME_PEAK_H
#define ASSAY_HARNESS_TIME_PEAK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct assay_peak {
  double gflops_f32, gflops_f64; // 1e9 operations a second, a fused multiply-add being two
  double gbs; // 1e9 bytes a second of a triad a = b + s c over arrays beyond the caches, counted as
              // STREAM does (McCalpin, 1995): two read, one written
} assay_peak;

// Measures for about half a second on so many threads, at most assay_processors(), the best of
// several tries of each. False, with *out_peak all 0, where *stop is not 0 before it is done.
bool assay_peak_measure(int threads, const volatile sig_atomic_t *stop, assay_peak *out_peak);

// Memory whose walk leaves nothing else in the caches.
typedef struct assay_evictor assay_evictor;
assay_evictor *assay_evictor_create(void);
void assay_evictor_destroy(assay_evictor *evictor); // NULL is allowed
void assay_evict(void *evictor);

#endif
