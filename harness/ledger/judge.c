// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/judge.h"

#include <math.h>

// What is said of one data set.
typedef struct verdict {
  bool passed;
  bool small;   // wrong by little
  bool inexact; // wrong only where rounding shows
  bool rounded; // wrong as values of a narrower type are
  const char *what;
} verdict;

static verdict fault_of_run(const assay_trial *trial, const assay_tail_outcome *outcome,
                            bool violates) {
  const char *how = violates                                ? ""
                    : outcome->status == ASSAY_TAIL_CRASHED ? "the program crashes: "
                                                            : "the program does not end: ";
  return (verdict){.what = assay_arena_format(trial->arena, "%s%s", how,
                                              violates ? outcome->violation : outcome->reason)};
}

// What a run shows against the bound of its data set; false where it did not come to an end.
static bool judge_outcome(const assay_trial *trial, int i, const assay_tail_outcome *outcome,
                          assay_judgement *judgement, verdict *out_verdict) {
  assay_comparison comparison;
  double *margin = &judgement->margin[trial->entry.data[i]];
  if (outcome->status == ASSAY_TAIL_LATE &&
      trial->plain->outcomes[i].seconds > trial->request->timeout / 10) {
    judgement->not_run = outcome->reason;
    return false;
  }
  bool violates = outcome->violation != NULL && outcome->violation[0] != '\0';
  if (outcome->status != ASSAY_TAIL_RAN || violates) {
    *margin = INFINITY;
    judgement->wrong |= (uint64_t)UINT32_MAX << (32 * i);
    judgement->bitwise_changed = true;
    *out_verdict = fault_of_run(trial, outcome, violates);
    return true;
  }
  if (trial->scale[i] != NULL)
    assay_compare(trial->scale[i], &outcome->seen, &comparison);
  else // it was only glanced at
    assay_compare_exactly(&trial->plain->outcomes[i].seen, &outcome->seen, &comparison);
  *margin = comparison.margin;
  judgement->wrong |= (uint64_t)comparison.wrong << (32 * i);
  judgement->bitwise_changed |= comparison.changed;
  if (comparison.passed && comparison.unjudged > 0 && trial->scale[i] != NULL &&
      comparison.unjudged == trial->scale[i]->plain->count)
    *margin = NAN; // nothing was judged
  *out_verdict = (verdict){.passed = comparison.passed,
                           .small = comparison.imprecise,
                           .inexact = comparison.inexact,
                           .rounded = comparison.rounded,
                           .what = assay_arena_string(trial->arena, comparison.reason)};
  return true;
}

static bool is_imprecise(const verdict *of, bool whole_numbers, bool reals_are_imprecise) {
  if (!whole_numbers)
    return of->small;
  return reals_are_imprecise ? of->inexact || of->rounded : of->inexact && of->small;
}

// The reason is that of the first data set which is wrong, before all of one wrong in meaning.
static void conclude(const assay_trial *trial, const verdict verdicts[],
                     assay_judgement *judgement) {
  bool reals_are_imprecise = false, in_meaning = false;
  for (int i = 0; i < trial->entry.data_count; i++)
    if (trial->entry.data[i] == 1)
      reals_are_imprecise = !verdicts[i].passed && verdicts[i].small;
  for (int i = 0; i < trial->entry.data_count; i++) {
    const verdict *of = &verdicts[i];
    if (of->passed)
      continue;
    bool imprecise = is_imprecise(of, trial->entry.data[i] == 0, reals_are_imprecise);
    if (judgement->right || (!imprecise && !in_meaning))
      judgement->what = of->what;
    in_meaning |= !imprecise;
    judgement->right = false;
  }
  judgement->imprecise = !judgement->right && !in_meaning;
}

assay_judgement assay_trial_judge(const assay_trial *trial, const assay_tail_answer *answer) {
  assay_judgement judgement = {
      .lowered = answer->status == ASSAY_TAIL_RAN, .not_run = "", .right = true, .what = ""};
  verdict verdicts[ASSAY_DATA_SETS];
  for (int i = 0; i < ASSAY_DATA_SETS; i++)
    judgement.margin[i] = NAN;
  if (!judgement.lowered || trial->inconclusive != NULL) {
    judgement.not_run = judgement.lowered ? "the input cannot be judged by" : answer->reason;
    return judgement;
  }
  for (int i = 0; i < trial->entry.data_count; i++) {
    if (answer->outcomes[i].status == ASSAY_TAIL_NOT_RUN) {
      judgement.not_run = answer->outcomes[i].reason;
      return judgement;
    }
    if (!judge_outcome(trial, i, &answer->outcomes[i], &judgement, &verdicts[i]))
      return judgement;
  }
  conclude(trial, verdicts, &judgement);
  judgement.ran = true;
  return judgement;
}
