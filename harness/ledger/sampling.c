// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/sampling.h"

// What a data set's samples showed: first the stochastic ones, then the amplified.
static bool gather(assay_trial *trial, const assay_tail_outcome outcomes[], int count,
                   assay_observation seen[]) {
  for (int k = 0; k < 2 * count; k++) {
    if (outcomes[k].status != ASSAY_TAIL_RAN) {
      trial->inconclusive = assay_arena_format(
          trial->arena, "the rounding error cannot be measured: %s", outcomes[k].reason);
      return false;
    }
    seen[k] = outcomes[k].seen;
  }
  return true;
}

static void measure(assay_trial *trial, const assay_tail_answer *sampled, int count) {
  bool incomplete = sampled->uninstrumented != NULL && sampled->uninstrumented[0] != '\0';
  for (int i = 0; i < trial->entry.data_count; i++) {
    assay_observation *seen = assay_arena_take(trial->arena, 2 * (size_t)count, sizeof *seen);
    if (!gather(trial, &sampled->outcomes[(ptrdiff_t)i * 2 * count], count, seen))
      return;
    const assay_scale_samples samples = {.plain = &trial->plain->outcomes[i].seen,
                                         .count = count,
                                         .rounded = seen,
                                         .amplified = seen + count,
                                         .moved = trial->moved[i],
                                         .amplitude = sampled->amplitude,
                                         .incomplete = incomplete};
    trial->scale[i] = assay_scale_make(&samples, trial->arena);
  }
  if (incomplete && trial->note_count == 0)
    assay_trial_note(trial, assay_arena_format(trial->arena, "its rounding is not in the bound: %s",
                                               sampled->uninstrumented));
}

assay_code assay_trial_sample(assay_trial *trial, int samples, uint64_t seed, assay_error *err) {
  assay_run_wanted of = {.state = trial->input,
                         .last_type = trial->entry.input_type,
                         .tail = trial->tail,
                         .purpose = ASSAY_RUN_SAMPLES};
  const assay_tail_answer *answer;
  of.samples = samples;
  of.seed = seed;
  TRY(assay_runs_take(trial->request, trial->arena, &trial->entry, "measuring the rounding error",
                      &of, 1, &answer, err));
  const char *reason = answer->status != ASSAY_TAIL_RAN ? answer->reason : NULL;
  if (reason == NULL)
    measure(trial, answer, samples);
  else
    trial->inconclusive =
        assay_arena_format(trial->arena, "the rounding error cannot be measured: %s", reason);
  return ASSAY_OK;
}
