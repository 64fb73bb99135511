// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/faults.h"

#include "compiler/base/text.h"
#include "harness/cli/arrays.h"
#include "harness/cli/blame.h"
#include "harness/cli/question.h"
#include "compiler/base/clock.h"
#include "harness/ledger/print.h"

#include <math.h>
#include <string.h>

static const char SUITE[] = "faults", NONE[] = "none";

assay_code assay_faults_wanted(const assay_session *session, bool *out_wanted, assay_error *err) {
  const assay_options *options = session->options;
  *out_wanted = false;
  for (size_t i = 0; i < options->suites.count; i++)
    *out_wanted |= strcmp(options->suites.items[i], SUITE) == 0;
  if (!*out_wanted)
    return ASSAY_OK;
  if (options->suites.count > 1 || options->cases.count > 0)
    return assay_fail(err, ASSAY_INVALID, "the suite 'faults' is run by itself");
  if (options->backends.count > 0 || options->data.count > 0 || options->resume)
    return assay_fail(err, ASSAY_INVALID,
                      "the suite 'faults' has no backends, no data sets and nothing to resume");
  return ASSAY_OK;
}

static const char *line_of(assay_arena *arena, const assay_known_fault *fault) {
  return assay_arena_format(arena, "fault name=%s", fault->name);
}

assay_code assay_faults_select(const assay_session *session, assay_fault_list *out_faults,
                               assay_error *err) {
  assay_known_fault *all;
  size_t count, selected = 0, left = 0;
  const char *folder = assay_arena_format(session->arena, "%s/suite/faults", session->root);
  assay_filter filter = assay_selection_filter(session);
  TRY(assay_known_faults_read(session->arena, folder, &all, &count, err));
  for (size_t i = 0; i < count; i++)
    if (assay_filter_selects(&filter, line_of(session->arena, &all[i]), NONE, NONE))
      all[selected++] = all[i];
  if (selected == 0)
    return assay_fail(err, ASSAY_INVALID, "no known fault is selected; they are in %s", folder);
  for (size_t i = 0; i < selected; i++)
    if (assay_selection_in_shard(session, line_of(session->arena, &all[i])))
      all[left++] = all[i];
  *out_faults = (assay_fault_list){.items = all, .count = left};
  return ASSAY_OK;
}

// What is inside the pass, but for its place: "fold", "NAME on OP".
static bool is_inside(const char *known, const char *found) {
  if (known == NULL)
    return true;
  if (found == NULL)
    return strcmp(known, NONE) == 0;
  size_t length = strlen(known);
  return strncmp(found, known, length) == 0 &&
         (found[length] == '\0' || strncmp(found + length, " at ", 4) == 0);
}

static bool is_as_known(const assay_known_fault *known, const assay_ledger_answer *answer) {
  const assay_blame *blame = &answer->blame;
  if (known->bad_pass == NULL)
    return blame->fault == ASSAY_FAULT_NONE && answer->inconclusive == NULL;
  return blame->fault == known->fault && blame->range_from == blame->row &&
         strcmp(answer->rows[blame->row].execution->name, known->bad_pass) == 0 &&
         is_inside(known->step, blame->step) && is_inside(known->pattern, blame->pattern);
}

static assay_code ask(const assay_session *session, const assay_known_fault *known,
                      const assay_ledger_request *shared, const assay_ledger_answer **out_answer,
                      assay_error *err) {
  assay_ledger_request *request = assay_arena_take(session->arena, 1, sizeof *request);
  const assay_ledger *ledger;
  *request = *shared;
  request->file = known->file.path;
  request->source = known->file.bytes;
  request->size = known->file.size;
  if (known->values != NULL)
    TRY(assay_values_read(session, known->values, request, err));
  TRY(assay_pass_pipeline_parse(request->context, known->word_count, known->words,
                                &request->pipeline, err));
  TRY(assay_ledger_open(request, session->arena, &ledger, err));
  return assay_ledger_ask(ledger, known->entry, out_answer, err);
}

static assay_record record_of(const assay_session *session, const assay_known_fault *known,
                              const assay_environment *environment) {
  assay_arena *arena = session->arena;
  const char *line = line_of(arena, known);
  return (assay_record){.key = assay_arena_format(arena, "%s data=none backend=none", line),
                        .line = line,
                        .op = "fault",
                        .backend = NONE,
                        .data = NONE,
                        .check_count = 1,
                        .checks = {"ledger"},
                        .margin = NAN,
                        .seconds_compile = NAN,
                        .seconds_run = NAN,
                        .repro = assay_arena_format(arena, "%s run --suite faults --filter '%s'",
                                                    session->program, line),
                        .started = assay_arena_string(arena, assay_clock_stamp().text),
                        .environment = environment};
}

static void fill_verdict(assay_arena *arena, const assay_known_fault *known,
                         const assay_ledger_answer *answer, assay_record *record) {
  record->verdict = is_as_known(known, answer) ? ASSAY_PASS : ASSAY_FAIL;
  if (answer->blame.fault != ASSAY_FAULT_NONE)
    record->first_bad = assay_blame_record(arena, answer);
  if (record->verdict != ASSAY_FAIL)
    return;
  const char *inside = assay_ledger_inside(arena, answer);
  assay_text reason = {.arena = arena};
  assay_text_print(&reason, "%s%s%s; expected ", assay_ledger_sentence(arena, answer),
                   inside != NULL ? ", " : "", inside != NULL ? inside : "");
  if (known->bad_pass == NULL)
    assay_text_print(&reason, "no bad pass");
  else
    assay_text_print(&reason, "%s (%s)", known->bad_pass, assay_fault_name(known->fault));
  if (known->step != NULL)
    assay_text_print(&reason, ", step %s", known->step);
  if (known->pattern != NULL)
    assay_text_print(&reason, ", pattern %s", known->pattern);
  record->reason = assay_text_get(&reason);
}

assay_code assay_faults_run(const assay_session *session, const assay_fault_list *faults,
                            const assay_environment *environment, volatile sig_atomic_t *stop,
                            assay_code (*keep)(void *user, const assay_record *record,
                                               assay_error *err),
                            void *user, assay_error *err) {
  assay_ledger_request shared;
  const assay_file none = {.path = ""};
  TRY(assay_question_open(session, &none, &shared, err));
  shared.stop = stop;
  shared.timeout = ASSAY_STATE_TIMEOUT;
  for (size_t i = 0; i < faults->count && *stop == 0; i++) {
    const assay_ledger_answer *answer;
    assay_record record = record_of(session, &faults->items[i], environment);
    double start = assay_clock_now();
    assay_error reason;
    assay_code code = ask(session, &faults->items[i], &shared, &answer, &reason);
    if (*stop != 0)
      break;
    record.seconds_run = assay_clock_now() - start;
    if (code == ASSAY_OK) {
      fill_verdict(session->arena, &faults->items[i], answer, &record);
    } else {
      record.verdict = ASSAY_ERROR;
      record.reason = reason.text;
    }
    TRY(keep(user, &record, err));
  }
  return ASSAY_OK;
}
