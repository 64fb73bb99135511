// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backend's device reaches, measured in a process of its own: one that forks has no device.
#ifndef ASSAY_HARNESS_BENCH_DEVICE_PEAKS_H
#define ASSAY_HARNESS_BENCH_DEVICE_PEAKS_H

#include "harness/bench/bench.h"

// Whether there is something to measure: a backend whose device times it, and tells its peaks.
bool assay_device_peaks_known(const assay_opened *opened);
// Whether both are on one device, by what they say of it.
bool assay_device_peaks_shared(const assay_opened *a, const assay_opened *b);

// ASSAY_FAILED with the reason where the device did not do it, or its process died; *out_peaks all
// 0 where it was stopped.
ASSAY_MUST_USE assay_code assay_device_peaks_measure(const assay_opened *opened,
                                                     const assay_bench_options *options,
                                                     assay_peaks *out_peaks, assay_error *err);

#endif
