// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/simulated.h"

#include "gpu/backends/support/figures.h"
#include "gpu/simulator/assemble.h"
#include "gpu/simulator/simulator.h"

enum { SEED = 1 };
#define MEMORY INT64_C(0x40000000) // bytes: of address space, which a case has a limit of

static assay_code open_gpu(assay_gpu **out_gpu, assay_error *err) {
  return assay_simulator_open(MEMORY, out_gpu, err);
}

// Races do not depend on the schedule: looking for them once is enough.
static void prepare(assay_gpu *gpu, int repetition) {
  assay_simulation simulation = {.schedule = ASSAY_SCHEDULE_SEQUENTIAL, .seed = SEED};
  if (repetition >= 0)
    simulation.schedule = (assay_schedule)repetition;
  simulation.races = repetition == 0;
  assay_simulator_set(gpu, simulation);
}

static const char *describe(int repetition) {
  return assay_schedule_name((assay_schedule)repetition);
}

const assay_gpu_kind assay_gpu_simulated = {
    .pipeline = "gpu",
    .assemble = assay_simulator_assemble,
    .examine = assay_figures_examine,
    .open = open_gpu,
    .repetitions = ASSAY_SCHEDULE_COUNT,
    .prepare = prepare,
    .describe = describe,
};
