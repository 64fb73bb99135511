// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/time/loop.h"
#include "compiler/base/numbers.h"

#include <math.h>
#include <stdlib.h>

double assay_time_decile(double numbers[], size_t count) {
  assay_numbers_sort(numbers, count);
  return numbers[(count - 1) / 10];
}

assay_batches assay_batches_plan(double run_seconds, double min_seconds) {
  // A decile wants some numbers, but not of what takes a second each.
  enum { LEAST = 8, MOST = 400 };
  static const double BATCH_SECONDS = 0.0025, LONG = 0.25;
  double least = run_seconds > 1e-12 ? run_seconds : 1e-12;
  assay_batches plan = {.iterations = llround(fmax(BATCH_SECONDS / least, 1))};
  double one = (double)plan.iterations * least;
  double enough = fmax(ceil(min_seconds / one), fmin(LEAST, floor(LONG / one)));
  plan.count = (int)fmin(fmax(enough, 1), MOST);
  return plan;
}
