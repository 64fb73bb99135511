// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay_slowed: assay, but for a planted slowdown that a comparison must find (ci/prove-gate).
//
// Each run of the backend ASSAY_SLOWED_BACKEND (without it: of all) is followed by a busy wait, so
// that it takes ASSAY_SLOWED_PERCENT longer. This is how a slower program looks to all that times
// it: the wait is inside of what the backend's table calls, on the same processor; it is a part of
// that run's own time, with whatever disturbed it; and compiling, loading, the timing loop, the
// conversation and the statistics are those of assay, which knows nothing of it. Where nothing is
// asked for, the table is the original one.
#include "compiler/backends/backend.h"
#include "compiler/base/clock.h"
#include "compiler/backends/support/cpu.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

// NOLINTBEGIN(bugprone-reserved-identifier,misc-use-internal-linkage): the linker gives these names
// to the original and its stand-in (--wrap).
const assay_backend *const *__real_assay_backends_get(void);
const assay_backend *const *__wrap_assay_backends_get(void);
// NOLINTEND(bugprone-reserved-identifier,misc-use-internal-linkage)

static double factor = 1; // of a run's time

static assay_code run_slowed(assay_loaded *loaded, const assay_buffer inputs[],
                             const assay_buffer results[], assay_counters *out_counters,
                             assay_error *err) {
  double start = assay_clock_now();
  assay_code code = assay_cpu_run(loaded, inputs, results, out_counters, err);
  double end = start + (assay_clock_now() - start) * factor;
  while (assay_clock_now() < end)
    continue;
  return code;
}

const assay_backend *const *__wrap_assay_backends_get(void) {
  static assay_backend copies[MOST];
  static const assay_backend *table[MOST + 1];
  const assay_backend *const *real = __real_assay_backends_get();
  const char *percent = getenv("ASSAY_SLOWED_PERCENT"), *name = getenv("ASSAY_SLOWED_BACKEND");
  if (percent == NULL)
    return real;
  factor = 1 + strtod(percent, NULL) / 100;
  for (size_t i = 0; real[i] != NULL && i < MOST && table[i] == NULL; i++) {
    copies[i] = *real[i];
    if ((name == NULL || strcmp(name, real[i]->name) == 0) && real[i]->run == assay_cpu_run)
      copies[i].run = run_slowed;
    table[i] = &copies[i];
  }
  return table;
}
