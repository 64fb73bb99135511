// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/outcome.h"

#include "compiler/base/text.h"
#include "suite/property.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void assay_outcome_pass(assay_outcome *outcome) {
  *outcome = (assay_outcome){
      .verdict = ASSAY_PASS, .margin = NAN, .seconds_compile = NAN, .seconds_run = NAN};
}

void assay_outcome_set(assay_outcome *outcome, assay_verdict verdict, const char *format, ...) {
  assay_outcome_pass(outcome);
  outcome->verdict = verdict;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(outcome->reason, sizeof outcome->reason, format, arguments);
  va_end(arguments);
}

bool assay_outcome_repair(assay_outcome *outcome) {
  if ((unsigned)outcome->verdict >= ASSAY_VERDICT_COUNT || outcome->worst.rank < 0 ||
      outcome->worst.rank > ASSAY_RECORD_MAX_RANK)
    return false;
  outcome->reason[sizeof outcome->reason - 1] = '\0';
  outcome->part[sizeof outcome->part - 1] = '\0';
  outcome->note[sizeof outcome->note - 1] = '\0';
  outcome->worst.part = outcome->part;
  return true;
}

static const char *repro_of(assay_arena *arena, const assay_job *job, const char *key) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%s run ", job->program != NULL ? job->program : "assay");
  if (job->a_case->standard) {
    assay_text_print(&text, "--filter ");
    assay_text_quote(&text, key);
  } else {
    assay_text_print(&text, "--case ");
    assay_text_quote(&text, assay_case_annotated(arena, job->a_case));
    if (job->opened != NULL)
      assay_text_print(&text, " --data %s --backend %s", job->data, job->opened->backend->name);
  }
  if (job->limits != NULL)
    assay_text_print(&text, " %s", job->limits);
  return assay_text_get(&text);
}

static void apply_gap(assay_arena *arena, const char *gap, assay_record *record) {
  if (record->verdict == ASSAY_PASS) {
    record->verdict = ASSAY_XPASS;
    record->reason = assay_arena_format(arena, "passed, but is a known gap: %s", gap);
  } else if (assay_verdict_is_bad(record->verdict)) {
    record->reason = assay_arena_format(arena, "known gap: %s (%s: %s)", gap,
                                        assay_verdict_name(record->verdict), record->reason);
    record->verdict = ASSAY_XFAIL;
  }
}

static void list_checks(assay_arena *arena, const assay_outcome *outcome, assay_record *record) {
  const struct {
    bool made;
    const char *name;
  } checks[] = {{outcome->compared, "compare"},
                {outcome->exact, "exact"},
                {outcome->named, "named-op"},
                {outcome->resident, "resident"},
                {outcome->diagnosed, "diagnostic"}};
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
    if (checks[i].made)
      record->checks[record->check_count++] = checks[i].name;
  const assay_property *const *properties = assay_properties_get();
  for (int i = 0; properties[i] != NULL; i++)
    if (outcome->properties >> i & 1 && record->check_count < ASSAY_RECORD_MAX_CHECKS)
      record->checks[record->check_count++] =
          assay_arena_format(arena, "property:%s", properties[i]->name);
}

const assay_record *assay_outcome_record(assay_arena *arena, const assay_job *job,
                                         const assay_outcome *outcome, const char *started,
                                         const assay_environment *environment) {
  const char *backend = job->opened != NULL ? job->opened->backend->name : "none";
  const char *data = job->data != NULL ? job->data : "none";
  assay_record *record = assay_arena_take(arena, 1, sizeof *record);
  *record = (assay_record){
      .key = assay_case_key(arena, job->a_case, data, backend),
      .line = job->a_case->line,
      .op = job->a_case->op->name,
      .backend = backend,
      .data = data,
      .verdict = outcome->verdict,
      .reference = job->reference == NULL ? NULL
                   : job->live            ? "live"
                                          : "stored",
      .sampled = outcome->sampled,
      .margin = outcome->margin,
      .worst = outcome->worst,
      .seconds_compile = outcome->seconds_compile,
      .seconds_run = outcome->seconds_run,
      .reason = outcome->reason[0] != '\0' ? assay_arena_string(arena, outcome->reason) : NULL,
      .origin = job->a_case->origin,
      .compiles = outcome->counters.compiles,
      .blas_calls = outcome->counters.blas_calls,
      .launches = outcome->counters.launches,
      .started = assay_arena_string(arena, started),
      .environment = environment,
  };
  record->repro = repro_of(arena, job, record->key);
  list_checks(arena, outcome, record);
  if (job->gap != NULL)
    apply_gap(arena, job->gap, record);
  return record;
}
