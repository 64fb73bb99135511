// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/trial.h"

#include "compiler/base/text.h"
#include "harness/ledger/judge.h"
#include "harness/ledger/sampling.h"

#include <math.h>
#include <string.h>

// Samples of each kind: enough for a verdict, and for an accusation.
enum { SAMPLES = 8, SAMPLES_TO_ACCUSE = 16 };

// Runs longer than this at LLVM's -O0 are worth optimising: compiling costs some tenths of a
// second.
static const double LONG_RUN = 0.2;

static bool takes_arguments(const char *type) {
  return strncmp(type, "()", 2) != 0;
}

// The data sets asked for; without arguments there is nothing to make of them, and the program's
// own numbers count as real.
static assay_subject_entry describe_entry(const assay_ledger_request *request,
                                          const assay_snapshot *input,
                                          const assay_function_state *function) {
  assay_subject_entry made = {.name = function->name,
                              .input_type = function->type,
                              .declared = input->declared,
                              .given = input->given,
                              .declared_count = input->declared_count};
  bool generated = takes_arguments(function->type) && request->inputs == NULL;
  for (int i = 0; i < ASSAY_DATA_SETS; i++)
    if (generated ? request->data[i] : i == 1)
      made.data[made.data_count++] = i;
  return made;
}

void assay_trial_note(assay_trial *trial, const char *note) {
  const char **notes = assay_arena_take(trial->arena, (size_t)trial->note_count + 1, sizeof *notes);
  if (trial->note_count > 0)
    memcpy(notes, trial->notes, (size_t)trial->note_count * sizeof *notes);
  notes[trial->note_count++] = note;
  trial->notes = notes;
}

// What went wrong with a request's runs: NULL where all ran. *out_fault: it is the program's own
// doing, and not that the tail cannot run it.
static const char *trouble(assay_arena *arena, int count, const assay_tail_answer *answer,
                           bool *out_fault) {
  *out_fault = false;
  if (answer->status != ASSAY_TAIL_RAN)
    return answer->reason;
  for (int i = 0; i < count; i++) {
    const assay_tail_outcome *outcome = &answer->outcomes[i];
    *out_fault = outcome->status == ASSAY_TAIL_CRASHED || outcome->status == ASSAY_TAIL_LATE;
    if (outcome->status == ASSAY_TAIL_CRASHED)
      return assay_arena_format(arena, "the input crashes: %s", outcome->reason);
    if (outcome->status == ASSAY_TAIL_LATE)
      return assay_arena_format(arena, "the input does not end in time: %s", outcome->reason);
    if (outcome->status != ASSAY_TAIL_RAN)
      return outcome->reason;
    if (outcome->violation != NULL && outcome->violation[0] != '\0') {
      *out_fault = true;
      return assay_arena_format(arena, "the input is at fault: %s", outcome->violation);
    }
  }
  return NULL;
}

static assay_run_wanted wanted(const assay_trial *trial, assay_tail tail,
                               assay_run_purpose purpose) {
  return (assay_run_wanted){.state = trial->input,
                            .last_type = trial->entry.input_type,
                            .tail = tail,
                            .purpose = purpose};
}

// Names the value that differs between two runs of the input, where one does. What shows where
// memory lies differs between any two, and is set aside.
static void find_unwritten(assay_trial *trial, const assay_tail_answer *poisoned) {
  for (int i = 0; i < ASSAY_DATA_SETS && i < trial->entry.data_count; i++) {
    assay_comparison comparison;
    const assay_observation *plain = &trial->plain->outcomes[i].seen;
    const assay_tail_outcome *moved = &poisoned->outcomes[2 * i + 1];
    if (moved->status == ASSAY_TAIL_RAN && moved->seen.count == plain->count)
      trial->moved[i] = &moved->seen;
    assay_compare_memory(plain, &poisoned->outcomes[2 * i].seen, trial->moved[i], trial->arena,
                         &comparison);
    if (!comparison.passed && trial->inconclusive == NULL)
      trial->inconclusive = assay_arena_format(
          trial->arena, "the input reads memory that nobody wrote: %s", comparison.reason);
  }
}

const char *assay_trial_unsound(const assay_trial *trial) {
  return assay_arena_format(trial->arena, "the input breaks a rule of its own as it runs: %s",
                            trial->unsound);
}

// MLIR's checks abort the program that they were built into; the guards name a violation.
static void find_unsound(assay_trial *trial, const assay_tail_answer *checked) {
  for (int i = 0; i < 2 * trial->entry.data_count && checked->status == ASSAY_TAIL_RAN; i++) {
    const assay_tail_outcome *outcome = &checked->outcomes[i];
    bool guarded = outcome->violation != NULL && outcome->violation[0] != '\0';
    if (outcome->status == ASSAY_TAIL_CRASHED && !guarded && trial->unsound == NULL &&
        strncmp(outcome->reason, "SIG", 3) != 0)
      trial->unsound = outcome->reason;
  }
}

// Whether a tail's runs of the input agree with the one that counts.
static bool agrees(const assay_trial *trial, const assay_tail_answer *answer) {
  assay_judgement judgement = assay_trial_judge(trial, answer);
  return judgement.ran && judgement.right;
}

// Items that no verdict can be had of, in words.
static void note_unjudged(assay_trial *trial) {
  for (int i = 0; i < ASSAY_DATA_SETS && trial->scale[i] != NULL; i++)
    for (int k = 0; k < trial->scale[i]->plain->count; k++) {
      const assay_scale_item *item = &trial->scale[i]->items[k];
      char name[32];
      assay_observed_name(item->plain, name);
      if (item->unjudged != NULL)
        assay_trial_note(
            trial, assay_arena_format(trial->arena, "%s is not judged: %s", name, item->unjudged));
    }
}

static void note_stand_ins(assay_trial *trial) {
  const char *names = trial->plain != NULL ? trial->plain->stand_ins : NULL;
  if (names != NULL && names[0] != '\0')
    assay_trial_note(trial,
                     assay_arena_format(trial->arena,
                                        "nothing defines %s: what it is given is taken down, and "
                                        "it returns an argument or 1",
                                        names));
}

// A program that does not give what the user expects before any pass cannot be judged by it.
static void check_expected(assay_trial *trial) {
  for (int i = 0; i < ASSAY_DATA_SETS && trial->scale[i] != NULL && trial->inconclusive == NULL;
       i++) {
    assay_comparison comparison = {.passed = true};
    if (trial->request->expected != NULL)
      assay_compare_numbers(trial->scale[i], &trial->plain->outcomes[i].seen,
                            trial->request->expected_count, trial->request->expected, &comparison);
    if (!comparison.passed)
      trial->inconclusive = assay_arena_format(
          trial->arena, "the tail does not give the expected values: %s", comparison.reason);
  }
}

// How the input's arguments are made up.
typedef struct attempt {
  bool cautious;
  int64_t dims[ASSAY_OBSERVED_MAX_RANK];
  int dim_count; // 0: the usual sizes
} attempt;

static assay_code open_with(const assay_ledger_request *request, assay_arena *arena,
                            const assay_snapshot *input, const assay_function_state *function,
                            attempt how, assay_trial *out_trial, assay_error *err) {
  enum { FIRST, SECOND, POISONED, RUNS };
  assay_trial trial = {.request = request,
                       .arena = arena,
                       .entry = describe_entry(request, input, function),
                       .input = input};
  trial.entry.reuse = assay_reuse_create(request->shared);
  trial.entry.cautious = how.cautious;
  trial.entry.dim_count = how.dim_count;
  memcpy(trial.entry.dims, how.dims, sizeof how.dims);
  assay_run_wanted runs[RUNS] = {
      [FIRST] = wanted(&trial, ASSAY_TAIL_FIRST, ASSAY_RUN_PLAIN),
      [SECOND] = wanted(&trial, ASSAY_TAIL_SECOND, ASSAY_RUN_PLAIN),
      [POISONED] = wanted(&trial, ASSAY_TAIL_FIRST, ASSAY_RUN_POISONED),
  };
  runs[FIRST].reused = true;
  runs[POISONED].checked = true;
  const assay_tail_answer *answers[RUNS];
  const assay_observation *arguments;
  if (request->inputs != NULL) // that they fit
    TRY(assay_runs_arguments(request, arena, &trial.entry, trial.entry.data[0], &arguments, err));
  TRY(assay_runs_take(request, arena, &trial.entry, "running the input", runs, RUNS, answers, err));
  bool first_faults, second_faults, poisoned_faults;
  int count = trial.entry.data_count;
  find_unsound(&trial, answers[POISONED]);
  trial.suggested_count = answers[FIRST]->dim_count;
  memcpy(trial.suggested, answers[FIRST]->dims, sizeof trial.suggested);
  const char *first = trouble(arena, count, answers[FIRST], &first_faults);
  const char *second = trouble(arena, count, answers[SECOND], &second_faults);
  const char *poisoned = trouble(arena, 2 * count, answers[POISONED], &poisoned_faults);
  trial.tail = first == NULL ? ASSAY_TAIL_FIRST : ASSAY_TAIL_SECOND;
  trial.plain = first == NULL ? answers[FIRST] : answers[SECOND];
  // What the guards of one tail find, the other's optimiser may have thrown away.
  if (first_faults || (first != NULL && second != NULL))
    trial.inconclusive = first;
  else if (poisoned_faults && trial.unsound == NULL)
    trial.inconclusive = poisoned;
  else if (first != NULL && second_faults)
    trial.inconclusive = second;
  else if (first == NULL && poisoned == NULL)
    find_unwritten(&trial, answers[POISONED]);
  if (trial.inconclusive == NULL) {
    trial.entry.baseline = &trial.plain->outcomes[0].seen;
    trial.entry.optimise = trial.plain->optimised;
    for (int i = 0; i < trial.entry.data_count; i++) {
      trial.entry.optimise |= trial.plain->outcomes[i].seconds > LONG_RUN;
      trial.entry.seconds = fmax(trial.entry.seconds, trial.plain->outcomes[i].seconds);
    }
    TRY(assay_trial_sample(&trial, SAMPLES, request->seed, err));
  }
  // The guards say more of an access out of bounds.
  if (trial.inconclusive != NULL && trial.unsound != NULL && !first_faults && !second_faults)
    trial.inconclusive = assay_trial_unsound(&trial);
  note_unjudged(&trial);
  note_stand_ins(&trial);
  check_expected(&trial);
  if (trial.inconclusive == NULL && first == NULL && second == NULL) {
    trial.other_usable = agrees(&trial, answers[SECOND]);
    if (!trial.other_usable)
      assay_trial_note(&trial, assay_arena_format(arena, "the tails disagree on the input: %s",
                                                  assay_trial_judge(&trial, answers[SECOND]).what));
  }
  *out_trial = trial;
  return ASSAY_OK;
}

static bool is_tame(const assay_trial *trial) {
  return trial->inconclusive == NULL && trial->unsound == NULL;
}

// What a program was run on that does not take the usual sizes.
static void note_dims(assay_trial *trial) {
  assay_text text = {.arena = trial->arena};
  for (int i = 0; i < trial->entry.dim_count; i++)
    assay_text_print(&text, "%s%lld", i > 0 ? "," : "", (long long)trial->entry.dims[i]);
  assay_trial_note(trial, assay_arena_format(trial->arena, "sizes that the input takes: --dims %s",
                                             assay_text_get(&text)));
}

typedef assay_code open_function(const assay_ledger_request *request, assay_arena *arena,
                                 const assay_snapshot *input, const assay_function_state *function,
                                 attempt how, assay_trial *out_trial, assay_error *err);

// With other arguments where the usual ones do not do.
static assay_code attempt_all(open_function *open, const assay_ledger_request *request,
                              assay_arena *arena, const assay_snapshot *input,
                              const assay_function_state *function, assay_trial *out_trial,
                              assay_error *err) {
  attempt how = {.cautious = false};
  TRY(open(request, arena, input, function, how, out_trial, err));
  if (is_tame(out_trial) || request->inputs != NULL || !takes_arguments(function->type) ||
      assay_pool_is_stopped(request))
    return ASSAY_OK;
  if (out_trial->suggested_count > 0) {
    how.dim_count = out_trial->suggested_count;
    memcpy(how.dims, out_trial->suggested, sizeof how.dims);
    TRY(open(request, arena, input, function, how, out_trial, err));
  }
  // Wide and negative integers show more, but may be no size that the program can take.
  how.cautious = true;
  if (!is_tame(out_trial))
    TRY(open(request, arena, input, function, how, out_trial, err));
  if (how.dim_count > 0)
    note_dims(out_trial);
  return ASSAY_OK;
}

assay_code assay_trial_open(const assay_ledger_request *request, assay_arena *arena,
                            const assay_snapshot *input, const assay_function_state *function,
                            assay_trial *out_trial, assay_error *err) {
  return attempt_all(open_with, request, arena, input, function, out_trial, err);
}

static assay_code glance_with(const assay_ledger_request *request, assay_arena *arena,
                              const assay_snapshot *input, const assay_function_state *function,
                              attempt how, assay_trial *out_trial, assay_error *err) {
  assay_trial trial = {.request = request,
                       .arena = arena,
                       .entry = describe_entry(request, input, function),
                       .input = input};
  trial.entry.cautious = how.cautious;
  trial.entry.dim_count = how.dim_count;
  memcpy(trial.entry.dims, how.dims, sizeof how.dims);
  const assay_observation *arguments;
  if (request->inputs != NULL) // that they fit
    TRY(assay_runs_arguments(request, arena, &trial.entry, trial.entry.data[0], &arguments, err));
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++) {
    bool is_fault;
    assay_run_wanted run = wanted(&trial, (assay_tail)tail, ASSAY_RUN_PLAIN);
    trial.tail = (assay_tail)tail;
    TRY(assay_runs_take(request, arena, &trial.entry, "running the input", &run, 1, &trial.plain,
                        err));
    trial.inconclusive = trouble(arena, trial.entry.data_count, trial.plain, &is_fault);
    if (tail == 0) {
      trial.suggested_count = trial.plain->dim_count;
      memcpy(trial.suggested, trial.plain->dims, sizeof trial.suggested);
    }
    if (trial.inconclusive == NULL || is_fault)
      break;
  }
  trial.entry.optimise = trial.plain->optimised;
  note_stand_ins(&trial);
  *out_trial = trial;
  return ASSAY_OK;
}

assay_code assay_trial_glance(const assay_ledger_request *request, assay_arena *arena,
                              const assay_snapshot *input, const assay_function_state *function,
                              assay_trial *out_trial, assay_error *err) {
  return attempt_all(glance_with, request, arena, input, function, out_trial, err);
}

assay_code assay_trial_refine(assay_trial *trial, assay_error *err) {
  enum { OTHER_SEEDS = 1000 };
  return assay_trial_sample(trial, SAMPLES_TO_ACCUSE, trial->request->seed + OTHER_SEEDS, err);
}
