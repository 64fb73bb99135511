// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peaks of a device of its own, for the environment of what it timed.
#ifndef ASSAY_HARNESS_CLI_DEVICE_PEAKS_H
#define ASSAY_HARNESS_CLI_DEVICE_PEAKS_H

#include "harness/bench/device_peaks.h"
#include "harness/cli/agenda.h"

typedef struct assay_known_peaks {
  const assay_opened *of; // whose device; NULL: nothing was measured
  assay_peaks peaks;
} assay_known_peaks;

// Of the device that is the first among the agenda's backends. Nothing where they have none, or it
// is not timed (cold); a note tells why it could not be measured.
assay_known_peaks assay_device_peaks_find(const assay_agenda *agenda,
                                          const assay_bench_options *options);
// Puts them into the environment where the backend is on that device.
void assay_device_peaks_give(const assay_known_peaks *known, const assay_opened *opened,
                             assay_environment *environment);
// Into those of the records that a device's clock timed, each an environment of its own.
void assay_device_peaks_give_all(assay_arena *arena, const assay_agenda *agenda,
                                 const assay_known_peaks *known, assay_record records[],
                                 size_t count);
// One line for stdout: the device and what it reaches.
const char *assay_device_peaks_print(assay_arena *arena, const assay_known_peaks *known);

#endif
