// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks.
#ifndef ASSAY_COMPILER_BASE_CLOCK_H
#define ASSAY_COMPILER_BASE_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

// Seconds of the monotonic clock.
double assay_clock_now(void);

// The time of day: UTC, ISO 8601 with nanoseconds, "2026-01-02T03:04:05.678901234Z". So fine,
// because a record is known by its key, its environment and this, and two runs of the same cases
// may be at work at a time.
typedef struct assay_timestamp {
  char text[40];
} assay_timestamp;
assay_timestamp assay_clock_stamp(void);

#ifdef __cplusplus
}
#endif

#endif
