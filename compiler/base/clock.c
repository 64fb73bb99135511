// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/clock.h"

#include <stdio.h>
#include <time.h>

double assay_clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

assay_timestamp assay_clock_stamp(void) {
  struct timespec now;
  struct tm utc;
  assay_timestamp stamp;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &utc);
  size_t length = strftime(stamp.text, sizeof stamp.text, "%Y-%m-%dT%H:%M:%S", &utc);
  snprintf(stamp.text + length, sizeof stamp.text - length, ".%09ldZ", now.tv_nsec);
  return stamp;
}
