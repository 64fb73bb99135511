// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/against.h"

#include "harness/bench/pairs.h"
#include "harness/cli/bench_record.h"
#include "harness/cli/comparison.h"
#include "harness/cli/device_peaks.h"
#include "harness/cli/message.h"
#include "harness/cli/stop.h"
#include "harness/cli/storing.h"
#include "harness/cli/ticker.h"
#include "harness/time/peak.h"
#include "compiler/base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 40, BASE = 0, NEW = 1 };

static const double MIN_SECONDS = 0.1; // of each side of a pair

// The records of both builds; those of one key have pairs of samples, by index.
typedef struct sides {
  assay_record *base, *new;
  size_t base_count, new_count;
  size_t untimed, wrong;  // of what was asked for, as in a request for a comparison
  const char *first_fail; // the first reason for that; NULL: none
} sides;

static assay_code find_self(assay_arena *arena, const char **out_path, assay_error *err) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0)
    return assay_fail(err, ASSAY_FAILED, "cannot find this program's own file: %s",
                      strerror(errno));
  *out_path = assay_arena_bytes(arena, path, (size_t)length);
  return ASSAY_OK;
}

// The command that serves a case's timings.
static const char *const *command(const assay_session *session, const char *program,
                                  const assay_job *job, const char *backends) {
  enum { MOST = 24 };
  const assay_options *options = session->options;
  assay_arena *arena = session->arena;
  const char **argv = assay_arena_take(arena, MOST, sizeof *argv);
  const char *const words[] = {
      program,
      "bench",
      "--serve",
      "--case",
      assay_case_annotated(arena, job->a_case),
      "--data",
      job->data,
      "--backend",
      backends,
      "--threads",
      assay_arena_format(arena, "%d", options->threads > 0 ? options->threads : 1),
      "--timeout",
      assay_arena_format(arena, "%g", options->timeout),
      "--memory",
      assay_arena_format(arena, "%d", options->memory)};
  size_t count = sizeof words / sizeof words[0];
  memcpy(argv, words, sizeof words);
  if (options->cold)
    argv[count++] = "--cold";
  if (options->pin)
    argv[count++] = "--pin";
  return argv;
}

// A case on the backends of its jobs.
typedef struct group {
  const assay_job *first;
  const char *backends[ASSAY_PAIR_BACKENDS];
  size_t count;
} group;

static group collect(const assay_agenda *agenda, size_t job) {
  group of = {.first = &agenda->jobs[job]};
  for (size_t j = job; j < agenda->count && of.count < ASSAY_PAIR_BACKENDS; j++)
    if (assay_agenda_together(&agenda->jobs[j], of.first))
      of.backends[of.count++] = agenda->jobs[j].opened->backend->name;
  return of;
}

static bool is_right(assay_verdict verdict) {
  return verdict == ASSAY_PASS || verdict == ASSAY_WARN;
}

// A side's record: its own words, and the samples.
static assay_code add_record(const assay_session *session, const char *who,
                             const assay_pair_result *result, bool timed, int pairs,
                             assay_record *records, size_t *count, assay_error *err) {
  assay_arena *arena = session->arena;
  const char *text = result->description != NULL ? result->description : result->check;
  if (text == NULL || (timed && pairs == 0))
    return ASSAY_OK; // the side knows nothing of it, or it was stopped before
  assay_record *record = &records[*count];
  TRY(assay_record_parse(arena, who, 0, text, strlen(text), record, err));
  ++*count;
  record->kind = ASSAY_RECORD_BENCH;
  record->threads = session->options->threads > 0 ? session->options->threads : 1;
  record->cold = session->options->cold;
  if (result->failure != NULL && is_right(record->verdict)) {
    record->verdict = ASSAY_ERROR; // it was right, but could not be timed
    record->reason = result->failure;
  }
  if (timed)
    assay_bench_add_samples(arena, result->run_samples, (size_t)pairs, result->compile_samples,
                            (size_t)pairs, record);
  return ASSAY_OK;
}

static void note_failures(assay_arena *arena, const group *of, const assay_pairs *pairs,
                          const char *const names[ASSAY_SIDES], sides *records) {
  for (size_t b = 0; b < of->count; b++)
    for (int side = 0; side < ASSAY_SIDES; side++) {
      if (pairs->results[b][side].failure == NULL)
        continue;
      const char *why =
          assay_arena_format(arena, "%s of '%s' on %s: %s", of->backends[b],
                             of->first->a_case->line, names[side], pairs->results[b][side].failure);
      assay_message_note("%s", why);
      if (records->first_fail == NULL)
        records->first_fail = why;
    }
}

// A known gap, which is SKIP or XFAIL, is as expected although it is not timed.
static bool is_wrong(const assay_pair_result *side, const assay_record records[], size_t first,
                     size_t count) {
  if (side->failure == NULL)
    return false;
  return first == count || assay_verdict_is_bad(records[first].verdict);
}

// What is being done, for its progress.
typedef struct display {
  assay_ticker *ticker;
  const char *line;
  size_t done, cases;
} display;

static void show(void *user, int pair, int of) {
  const display *it = user;
  assay_ticker_show(it->ticker, "case %zu of %zu, pair %d of %d: %.50s", it->done, it->cases, pair,
                    of, it->line);
}

static assay_code time_group(const assay_session *session, const group *of, display *shown,
                             sides *records, assay_error *err) {
  const assay_options *options = session->options;
  const char *self = NULL;
  TRY(find_self(session->arena, &self, err));
  const char *const names[ASSAY_SIDES] = {options->against, self};
  assay_text list = {.arena = session->arena};
  for (size_t b = 0; b < of->count; b++)
    assay_text_print(&list, "%s%s", b > 0 ? "," : "", of->backends[b]);
  const char *const *argv[ASSAY_SIDES];
  for (int side = 0; side < ASSAY_SIDES; side++)
    argv[side] = command(session, names[side], of->first, assay_text_get(&list));
  const assay_pair_options pair_options = {
      .pairs = options->repetitions > 0 ? options->repetitions : PAIRS,
      .min_seconds = options->min_time > 0 ? options->min_time : MIN_SECONDS,
      .timeout = options->timeout,
      .stop = &assay_stop_signal,
      .progress = show,
      .user = shown};
  const assay_pairs *pairs;
  TRY(assay_pairs_time(session->arena, argv, of->backends, of->count, &pair_options, &pairs, err));
  note_failures(session->arena, of, pairs, names, records);
  for (size_t b = 0; b < of->count; b++) {
    const assay_pair_result *both = pairs->results[b];
    bool timed = both[BASE].failure == NULL && both[NEW].failure == NULL;
    size_t base = records->base_count, new = records->new_count;
    TRY(add_record(session, names[BASE], &both[BASE], timed, pairs->count, records->base,
                   &records->base_count, err));
    TRY(add_record(session, names[NEW], &both[NEW], timed, pairs->count, records->new,
                   &records->new_count, err));
    records->untimed -= timed && pairs->count > 0;
    records->wrong += is_wrong(&both[BASE], records->base, base, records->base_count) ||
                      is_wrong(&both[NEW], records->new, new, records->new_count);
  }
  return ASSAY_OK;
}

static assay_code time_all(const assay_session *session, const assay_agenda *agenda,
                           assay_ticker *ticker, sides *out_sides, assay_error *err) {
  *out_sides =
      (sides){.base = assay_arena_take(session->arena, agenda->count, sizeof(assay_record)),
              .new = assay_arena_take(session->arena, agenda->count, sizeof(assay_record)),
              .untimed = agenda->count};
  display shown = {.ticker = ticker};
  for (size_t j = 0; j < agenda->count; j++)
    shown.cases += assay_agenda_begins(agenda, j);
  for (size_t j = 0; j < agenda->count && assay_stop_signal == 0; j++) {
    if (!assay_agenda_begins(agenda, j))
      continue;
    group of = collect(agenda, j);
    shown.line = of.first->a_case->line;
    shown.done++;
    TRY(time_group(session, &of, &shown, out_sides, err));
  }
  return ASSAY_OK;
}

// Whether the store could tell the sides apart: one revision's samples are put together there, and
// what compares with them later would compare with a mixture of both builds.
static bool are_told_apart(const sides *records) {
  if (records->base_count == 0 || records->new_count == 0)
    return true;
  const assay_environment *base = records->base[0].environment;
  const assay_environment *new = records->new[0].environment;
  return base != NULL && new != NULL && !assay_text_equal(base->revision, new->revision);
}

static void give_peak(assay_arena *arena, const assay_peak *peak, assay_record records[],
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (records[i].environment == NULL || records[i].clock != NULL)
      continue; // a device's peaks are not this processor's
    assay_environment *env = assay_arena_take(arena, 1, sizeof *env);
    *env = *records[i].environment;
    env->peak_gflops_f32 = peak->gflops_f32;
    env->peak_gflops_f64 = peak->gflops_f64;
    env->peak_gbs = peak->gbs;
    records[i].environment = env;
  }
}

static void measure_device(const assay_session *session, const assay_agenda *agenda,
                           const sides *records) {
  const assay_options *options = session->options;
  const assay_bench_options bench_options = {.cold = options->cold,
                                             .timeout = options->timeout,
                                             .memory_bytes = (int64_t)options->memory * 1000000,
                                             .stop = &assay_stop_signal};
  const assay_known_peaks known = assay_device_peaks_find(agenda, &bench_options);
  assay_device_peaks_give_all(session->arena, agenda, &known, records->base, records->base_count);
  assay_device_peaks_give_all(session->arena, agenda, &known, records->new, records->new_count);
}

// As `bench` has it: whoever compares these records with others asks whether the machine differed.
static void measure_peak(const assay_session *session, const sides *records) {
  int threads = session->options->threads > 0 ? session->options->threads : 1;
  assay_peak peak;
  if (!assay_peak_measure(threads, &assay_stop_signal, &peak))
    return;
  give_peak(session->arena, &peak, records->base, records->base_count);
  give_peak(session->arena, &peak, records->new, records->new_count);
}

static assay_code keep(const assay_session *session, const assay_agenda *agenda,
                       const sides *records, const assay_out *out, const assay_storing *storing,
                       assay_error *err) {
  assay_arena *arena = session->arena;
  const char *base_path = assay_arena_format(arena, "%s/" ASSAY_BASE_RECORDS, out->folder);
  assay_text base = {.arena = arena};
  TRY(assay_out_begin(arena, out, err));
  measure_peak(session, records);
  if (assay_stop_signal == 0)
    measure_device(session, agenda, records);
  for (size_t i = 0; i < records->new_count; i++)
    TRY(assay_journal_append(&out->journal, assay_record_print(arena, &records->new[i]), err));
  for (size_t i = 0; i < records->base_count; i++)
    assay_text_print(&base, "%s\n", assay_record_print(arena, &records->base[i]));
  TRY(assay_file_write(base_path, assay_text_get(&base), err));
  if (are_told_apart(records))
    TRY(assay_storing_finish(storing, records->base, records->base_count, base_path, err));
  else if (storing->path != NULL && !session->options->quiet)
    assay_message_note("both builds are of one revision: the store gets NEW's records only; "
                       "BASE's are in %s",
                       base_path);
  return assay_storing_finish(storing, records->new, records->new_count, out->journal.path, err);
}

// What was timed is kept; then the answer.
static assay_code keep_and_answer(const assay_session *session, const assay_agenda *agenda,
                                  const sides *records, const assay_out *out,
                                  const assay_storing *storing,
                                  const assay_comparison_output *output,
                                  const assay_thresholds *thresholds, int *out_status,
                                  assay_error *err) {
  TRY(keep(session, agenda, records, out, storing, err));
  if (assay_stop_signal != 0) {
    *out_status = 128 + assay_stop_signal;
    bool timed = false;
    for (size_t i = 0; i < records->new_count; i++)
      timed = timed || records->new[i].run_sample_count > 0;
    assay_message_note("stopped by %s; %s", assay_stop_name(),
                       timed ? "what was timed is kept" : "nothing was timed");
    return ASSAY_OK;
  }
  const assay_comparison_request request = {.base = records->base,
                                            .base_count = records->base_count,
                                            .new = records->new,
                                            .new_count = records->new_count,
                                            .thresholds = thresholds,
                                            .paired = true,
                                            .untimed = records->untimed,
                                            .wrong = records->wrong};
  assay_code code = assay_comparison_answer(session, &request, output, out_status, err);
  if (code == ASSAY_INVALID && records->first_fail != NULL) // no case has a record of both
    return assay_fail(err, ASSAY_FAILED, "nothing could be compared: %s", records->first_fail);
  return code;
}

assay_code assay_against_run(const assay_session *session, const assay_agenda *agenda,
                             int *out_status, assay_error *err) {
  assay_comparison_output output;
  const assay_thresholds *thresholds;
  assay_storing storing;
  assay_out out;
  assay_reports none = {.count = 0};
  sides records;
  TRY(assay_comparison_plan(session, &output, err));
  TRY(assay_comparison_thresholds(session, &thresholds, err));
  TRY(assay_storing_open_all(session, &storing, &out, &none, err));
  assay_ticker ticker = assay_ticker_start(session->options);
  assay_stop_heed();
  assay_code code = time_all(session, agenda, &ticker, &records, err);
  assay_ticker_clear(&ticker);
  if (code != ASSAY_OK) {
    assay_storing_abandon(session->arena, &storing);
    assay_out_abandon(session->arena, &out);
    return code;
  }
  code = keep_and_answer(session, agenda, &records, &out, &storing, &output, thresholds, out_status,
                         err);
  assay_out_close(&out);
  return code;
}
