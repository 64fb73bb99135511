// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/benchmark.h"

#include "harness/cli/bench_record.h"
#include "harness/cli/device_peaks.h"
#include "harness/cli/environment.h"
#include "harness/cli/message.h"
#include "harness/cli/notes.h"
#include "harness/cli/out.h"
#include "harness/cli/reports.h"
#include "harness/cli/stop.h"
#include "harness/cli/storing.h"
#include "harness/cli/ticker.h"
#include "compiler/base/clock.h"

#include <math.h>
#include <string.h>

enum { REPETITIONS = 12 };

// Seconds: of a sample, and after which a case gets no more of them than the least.
static const double MIN_SECONDS = 0.05, MOST_SECONDS = 12;

// A benchmark at work.
typedef struct benchmark {
  const assay_session *session;
  const assay_agenda *agenda;
  const assay_contenders *contenders;
  assay_out out;
  assay_storing storing;
  assay_reports reports;
  assay_environment environment;
  assay_environment of_devices, of_measured; // with no peaks; with those of the device in `device`
  assay_known_peaks device;
  assay_ticker ticker;
  assay_bench_options options;
  assay_record *checks; // conformance, in the order of the agenda's jobs; no key: not made
  size_t checked, to_check;
  assay_record *records; // the answer
  size_t count;
  bool missing_told;
  assay_notes notes;
} benchmark;

static assay_code note_check(void *user, const assay_record *record, assay_error *err) {
  benchmark *it = user;
  (void)err;
  for (size_t j = 0; j < it->agenda->count; j++)
    if (strcmp(it->agenda->keys[j], record->key) == 0)
      it->checks[j] = assay_record_copy(it->session->arena, record);
  assay_ticker_show(&it->ticker, "checking before timing: %zu of %zu", ++it->checked, it->to_check);
  return ASSAY_OK;
}

static void tell_note(void *user, const char *note) {
  benchmark *it = user;
  assay_ticker_clear(&it->ticker);
  assay_notes_tell(&it->notes, it->session->arena, note);
}

static bool is_peer(const benchmark *it, const assay_job *job) {
  return assay_contenders_of(it->contenders, job).opened == NULL;
}

// Peers are judged where they are timed.
static assay_code check_all(benchmark *it, assay_error *err) {
  const assay_options *options = it->session->options;
  const assay_agenda *agenda = it->agenda;
  assay_job *jobs = assay_arena_take(it->session->arena, agenda->count, sizeof *jobs);
  it->checks = assay_arena_take(it->session->arena, agenda->count, sizeof *it->checks);
  for (size_t j = 0; j < agenda->count; j++)
    if (!is_peer(it, &agenda->jobs[j]))
      jobs[it->to_check++] = agenda->jobs[j];
  const assay_run_options run_options = {.parallel = assay_options_jobs(options),
                                         .seconds = options->timeout,
                                         .memory_bytes = (int64_t)options->memory * 1000000,
                                         .environment = &it->environment,
                                         .stop = &assay_stop_signal};
  const assay_run_listener listener = {.user = it, .finished = note_check, .noted = tell_note};
  return assay_run_jobs(jobs, it->to_check, &run_options, &listener, err);
}

static assay_code keep(benchmark *it, const assay_record *record, assay_error *err) {
  it->records[it->count++] = *record;
  return assay_journal_append(&it->out.journal, assay_record_print(it->session->arena, record),
                              err);
}

// Those of one case and data set.
typedef struct entry {
  assay_contender contenders[ASSAY_BENCH_CONTENDERS];
  const assay_record *checks[ASSAY_BENCH_CONTENDERS]; // NULL of peers
  assay_bench_result results[ASSAY_BENCH_CONTENDERS];
  size_t count;
  const assay_record **kept;
  size_t kept_count;
} entry;

// What is too large to be simulated is compiled all the same: that is all there is to time.
static bool is_ready(const assay_job *job, const assay_record *check) {
  return check->verdict == ASSAY_PASS || check->verdict == ASSAY_WARN ||
         (check->verdict == ASSAY_SKIP && job->opened->backend->simulated);
}

static const assay_environment *environment_of(const benchmark *it, const assay_contender *who) {
  if (!assay_contender_is_on_device(who))
    return &it->environment;
  bool measured = it->device.of != NULL && assay_device_peaks_shared(it->device.of, who->opened);
  return measured ? &it->of_measured : &it->of_devices;
}

// A backend whose answer is wrong keeps its verdict and gets no time.
static assay_code keep_wrong(benchmark *it, const assay_exercise *exercise, const assay_job *job,
                             const assay_record *check, entry *of, assay_error *err) {
  const assay_contender who = {.name = job->opened->backend->name, .opened = job->opened};
  const assay_bench_result none = {.verdict = ASSAY_PASS, .margin = NAN};
  const assay_record *record = assay_bench_record(it->session, exercise, &who, check, &none,
                                                  check->started, environment_of(it, &who));
  of->kept[of->kept_count++] = record;
  return keep(it, record, err);
}

// Counters that could not be counted are told once.
static void note_missing(benchmark *it, const entry *of) {
  for (size_t i = 0; i < of->count && !it->missing_told; i++) {
    const assay_device_figures *figures = &of->results[i].figures;
    if (figures->missing[0] == '\0')
      continue;
    it->missing_told = true;
    assay_ticker_clear(&it->ticker);
    assay_message_note("registers and spills of kernels are not counted%s: %s",
                       figures->count > 0 ? " for each architecture" : "", figures->missing);
  }
}

static assay_code time_entry(benchmark *it, const assay_exercise *exercise, entry *of,
                             assay_error *err) {
  const char *started = assay_arena_string(it->session->arena, assay_clock_stamp().text);
  TRY(assay_bench_case(it->session->arena, exercise, of->contenders, of->count, &it->options,
                       of->results, err));
  note_missing(it, of);
  for (size_t i = 0; i < of->count; i++)
    if (of->results[i].figures.note[0] != '\0')
      tell_note(it, of->results[i].figures.note);
  bool stopped = assay_stop_signal != 0;
  for (size_t i = 0; i < of->count; i++) {
    const assay_bench_result *result = &of->results[i];
    if (stopped && result->run_count == 0 && result->compile_count == 0)
      continue;
    if (result->verdict == ASSAY_SKIP && it->session->options->backends.count == 0)
      continue; // nobody asked this peer for this case
    const assay_record *record =
        assay_bench_record(it->session, exercise, &of->contenders[i], of->checks[i], result,
                           started, environment_of(it, &of->contenders[i]));
    of->kept[of->kept_count++] = record;
    TRY(keep(it, record, err));
  }
  return ASSAY_OK;
}

// From the job on: those of the same case and data set.
static assay_code collect(benchmark *it, size_t job, const assay_exercise *exercise, entry *of,
                          assay_error *err) {
  const assay_agenda *agenda = it->agenda;
  of->kept = assay_arena_take(it->session->arena, agenda->count - job, sizeof(assay_record *));
  for (size_t j = job; j < agenda->count && of->count < ASSAY_BENCH_CONTENDERS; j++) {
    const assay_job *each = &agenda->jobs[j];
    const assay_record *check = is_peer(it, each) ? NULL : &it->checks[j];
    if (!assay_agenda_together(each, &agenda->jobs[job]) || (check != NULL && check->key == NULL))
      continue;
    if (check != NULL && !is_ready(each, check)) {
      TRY(keep_wrong(it, exercise, each, check, of, err));
      continue;
    }
    of->checks[of->count] = check;
    of->contenders[of->count++] = assay_contenders_of(it->contenders, each);
  }
  return ASSAY_OK;
}

static assay_code time_case(benchmark *it, size_t job, assay_error *err) {
  const assay_job *first = &it->agenda->jobs[job];
  assay_exercise exercise;
  entry of = {.count = 0};
  TRY(assay_exercise_open(it->session->arena, first->a_case, first->data, first->reference,
                          &exercise, err));
  assay_code code = collect(it, job, &exercise, &of, err);
  if (code == ASSAY_OK)
    code = time_entry(it, &exercise, &of, err);
  assay_exercise_close(&exercise);
  TRY(code);
  assay_ticker_clear(&it->ticker);
  if (!it->reports.own_stdout && of.kept_count > 0)
    assay_bench_print(stdout, it->session->arena, of.kept, of.kept_count);
  return fflush(stdout) == 0 ? ASSAY_OK
                             : assay_fail(err, ASSAY_FAILED, "cannot write to standard output");
}

static assay_code time_all(benchmark *it, assay_error *err) {
  size_t cases = 0, done = 0;
  it->records = assay_arena_take(it->session->arena, it->agenda->count, sizeof *it->records);
  for (size_t j = 0; j < it->agenda->count; j++)
    cases += assay_agenda_begins(it->agenda, j);
  for (size_t j = 0; j < it->agenda->count && assay_stop_signal == 0; j++) {
    if (!assay_agenda_begins(it->agenda, j))
      continue;
    assay_ticker_show(&it->ticker, "timing case %zu of %zu: %.60s", ++done, cases,
                      it->agenda->jobs[j].a_case->line);
    TRY(time_case(it, j, err));
  }
  return ASSAY_OK;
}

// Whether there is anybody whom the peaks of this processor are for.
static bool has_peak(const benchmark *it) {
  for (size_t j = 0; j < it->agenda->count; j++) {
    assay_contender who = assay_contenders_of(it->contenders, &it->agenda->jobs[j]);
    if (!assay_contender_is_on_device(&who))
      return true;
  }
  return false;
}

static void measure_device(benchmark *it) {
  assay_ticker_show(&it->ticker, "measuring what the device reaches");
  it->device = assay_device_peaks_find(it->agenda, &it->options);
  assay_ticker_clear(&it->ticker);
  if (it->device.of == NULL)
    return;
  assay_device_peaks_give(&it->device, it->device.of, &it->of_measured);
  if (it->reports.own_stdout)
    return;
  puts(assay_device_peaks_print(it->session->arena, &it->device));
  fflush(stdout); // the first case may take long
}

static void measure_peak(benchmark *it) {
  assay_peak peak;
  if (!has_peak(it))
    return;
  assay_ticker_show(&it->ticker, "measuring what this machine reaches");
  if (!assay_peak_measure(it->options.threads, &assay_stop_signal, &peak))
    return;
  it->environment.peak_gflops_f32 = peak.gflops_f32;
  it->environment.peak_gflops_f64 = peak.gflops_f64;
  it->environment.peak_gbs = peak.gbs;
  assay_ticker_clear(&it->ticker);
  if (it->reports.own_stdout)
    return;
  printf("%s, %d thread%s%s: %.3g GFLOP/s f32, %.3g f64, %.3g GB/s of memory\n",
         it->environment.cpu != NULL ? it->environment.cpu : "this machine", it->options.threads,
         it->options.threads == 1 ? "" : "s", it->options.cold ? ", caches cold" : "",
         peak.gflops_f32, peak.gflops_f64, peak.gbs);
  fflush(stdout); // the first case may take long
}

typedef struct timed_count {
  size_t runs, compiled; // compiled: timed in that alone, as what only simulates a device
} timed_count;

// Records of what was not timed are among them: wrong answers, known gaps, what a peer does not do.
static timed_count count_timed(const benchmark *it) {
  timed_count timed = {0};
  for (size_t i = 0; i < it->count; i++) {
    bool ran = it->records[i].run_sample_count > 0;
    timed.runs += ran;
    timed.compiled += !ran && it->records[i].compile_sample_count > 0;
  }
  return timed;
}

static void print_totals(timed_count timed, const assay_run_totals *totals) {
  if (timed.runs > 0)
    printf("%zu timing%s", timed.runs, timed.runs == 1 ? "" : "s");
  if (timed.compiled > 0)
    printf("%s%zu compilation%s timed alone", timed.runs > 0 ? ", " : "", timed.compiled,
           timed.compiled == 1 ? "" : "s");
  if (timed.runs + timed.compiled == 0)
    printf("nothing was timed");
  printf(" in %.1f s; records in %s\n", totals->seconds, totals->records);
}

static assay_code finish(benchmark *it, double started, int *out_status, assay_error *err) {
  assay_run_totals totals = {.seconds = assay_clock_now() - started,
                             .records = it->out.journal.path};
  TRY(assay_out_summarise(it->session->arena, &it->out, it->records, it->count, &totals, err));
  TRY(assay_reports_write(&it->reports, it->records, it->count, &totals, err));
  timed_count timed = count_timed(it);
  if (!it->reports.own_stdout)
    print_totals(timed, &totals);
  TRY(assay_storing_finish(&it->storing, it->records, it->count, totals.records, err));
  if (assay_stop_signal != 0) {
    *out_status = 128 + assay_stop_signal;
    assay_message_note("stopped by %s; %s", assay_stop_name(),
                       timed.runs + timed.compiled > 0 ? "what was timed is kept"
                                                       : "nothing was timed");
    return ASSAY_OK;
  }
  return assay_reports_judge(it->records, it->count, out_status, err);
}

static assay_code carry_out(benchmark *it, double started, int *out_status, assay_error *err) {
  it->environment = *assay_environment_get(it->session->arena, it->session->root);
  assay_machine_describe(it->session->arena, &it->contenders->machine, &it->environment);
  it->of_devices = it->of_measured = it->environment;
  it->ticker = assay_ticker_start(it->session->options);
  TRY(assay_out_begin(it->session->arena, &it->out, err));
  assay_stop_heed();
  assay_code code = check_all(it, err);
  if (code == ASSAY_OK && assay_stop_signal == 0) {
    measure_peak(it);
    measure_device(it);
    code = time_all(it, err);
  }
  assay_ticker_clear(&it->ticker);
  TRY(code);
  return finish(it, started, out_status, err);
}

static assay_bench_options options_of(const assay_options *given) {
  return (assay_bench_options){.repetitions =
                                   given->repetitions > 0 ? given->repetitions : REPETITIONS,
                               .min_seconds = given->min_time > 0 ? given->min_time : MIN_SECONDS,
                               .most_seconds = given->repetitions > 0 ? 0 : MOST_SECONDS,
                               .threads = given->threads > 0 ? given->threads : 1,
                               .cold = given->cold,
                               .timeout = given->timeout,
                               .memory_bytes = (int64_t)given->memory * 1000000,
                               .stop = &assay_stop_signal};
}

assay_code assay_benchmark_run(const assay_session *session, const assay_contenders *contenders,
                               const assay_agenda *agenda, double started, int *out_status,
                               assay_error *err) {
  benchmark it = {.session = session,
                  .agenda = agenda,
                  .contenders = contenders,
                  .options = options_of(session->options)};
  TRY(assay_reports_plan(session, &it.reports, err));
  TRY(assay_storing_open_all(session, &it.storing, &it.out, &it.reports, err));
  assay_code code = carry_out(&it, started, out_status, err);
  if (code != ASSAY_OK)
    assay_storing_abandon(session->arena, &it.storing);
  assay_reports_close(&it.reports);
  assay_out_close(&it.out);
  return code;
}
