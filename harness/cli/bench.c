// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay bench: timings, case by case. Whoever computes a case is first found to be right; a wrong
// answer is never timed.
#include "harness/cli/agenda.h"
#include "harness/cli/bench_record.h"
#include "harness/cli/contenders.h"
#include "harness/cli/environment.h"
#include "harness/cli/message.h"
#include "harness/cli/out.h"
#include "harness/cli/against.h"
#include "harness/cli/reports.h"
#include "harness/cli/serve.h"
#include "harness/cli/stop.h"
#include "harness/cli/storing.h"
#include "harness/cli/ticker.h"
#include "harness/isolate/clock.h"
#include "harness/time/pin.h"

#include <math.h>
#include <string.h>

enum { REPETITIONS = 12, DATA_SETS = 2 };

// Seconds: of a sample, and after which a case gets no more of them than the least.
static const double MIN_SECONDS = 0.05, MOST_SECONDS = 12;

// A benchmark at work.
typedef struct bench {
  const assay_session *session;
  const assay_agenda *agenda;
  const assay_peer_list *peers;
  assay_out out;
  assay_storing storing;
  assay_reports reports;
  assay_environment environment;
  assay_ticker ticker;
  assay_bench_options options;
  assay_record *checks; // conformance, in the order of the agenda's jobs; no key: not made
  size_t checked;
  assay_record *records; // the answer
  size_t count;
} bench;

static assay_code note_check(void *user, const assay_record *record, assay_error *err) {
  bench *it = user;
  (void)err;
  for (size_t j = 0; j < it->agenda->count; j++)
    if (strcmp(it->agenda->keys[j], record->key) == 0)
      it->checks[j] = assay_record_copy(it->session->arena, record);
  assay_ticker_show(&it->ticker, "checking before timing: %zu of %zu", ++it->checked,
                    it->agenda->count);
  return ASSAY_OK;
}

static assay_code check_all(bench *it, assay_error *err) {
  const assay_options *options = it->session->options;
  it->checks = assay_arena_take(it->session->arena, it->agenda->count, sizeof *it->checks);
  const assay_run_options run_options = {.parallel = assay_options_jobs(options),
                                         .seconds = options->timeout,
                                         .memory_bytes = (int64_t)options->memory * 1000000,
                                         .environment = &it->environment,
                                         .stop = &assay_stop_signal};
  const assay_run_listener listener = {.user = it, .finished = note_check};
  return assay_run_jobs(it->agenda->jobs, it->agenda->count, &run_options, &listener, err);
}

static assay_code keep(bench *it, const assay_record *record, assay_error *err) {
  it->records[it->count++] = *record;
  return assay_journal_append(&it->out.journal, assay_record_print(it->session->arena, record),
                              err);
}

// Those of one case and data set: jobs in a row, and all peers.
typedef struct entry {
  assay_contender contenders[ASSAY_BENCH_CONTENDERS];
  const assay_record *checks[ASSAY_BENCH_CONTENDERS]; // NULL of peers
  assay_bench_result results[ASSAY_BENCH_CONTENDERS];
  size_t count;
  const assay_record *kept[ASSAY_BENCH_CONTENDERS];
  size_t kept_count;
} entry;

static bool is_right(const assay_record *check) {
  return check->verdict == ASSAY_PASS || check->verdict == ASSAY_WARN;
}

// A backend whose answer is wrong keeps its verdict and gets no time.
static assay_code keep_wrong(bench *it, const assay_exercise *exercise, const assay_job *job,
                             const assay_record *check, entry *of, assay_error *err) {
  const assay_contender who = {.name = job->opened->backend->name, .opened = job->opened};
  const assay_bench_result none = {.verdict = ASSAY_PASS, .margin = NAN};
  const assay_record *record = assay_bench_record(it->session, exercise, &who, check, &none,
                                                  check->started, &it->environment);
  of->kept[of->kept_count++] = record;
  return keep(it, record, err);
}

static assay_code time_entry(bench *it, const assay_exercise *exercise, entry *of,
                             assay_error *err) {
  const char *started = assay_arena_string(it->session->arena, assay_clock_stamp().text);
  TRY(assay_bench_case(it->session->arena, exercise, of->contenders, of->count, &it->options,
                       of->results, err));
  for (size_t i = 0; i < of->count && assay_stop_signal == 0; i++) {
    const assay_bench_result *result = &of->results[i];
    bool of_peer = of->checks[i] == NULL;
    if (of_peer && result->verdict == ASSAY_SKIP)
      continue; // nobody asked this peer for this case
    const assay_record *record =
        assay_bench_record(it->session, exercise, &of->contenders[i], of->checks[i], result,
                           started, &it->environment);
    of->kept[of->kept_count++] = record;
    TRY(keep(it, record, err));
  }
  return ASSAY_OK;
}

// From the job on: those of the same case and data set.
static assay_code collect(bench *it, size_t job, const assay_exercise *exercise, entry *of,
                          assay_error *err) {
  const assay_job *first = &it->agenda->jobs[job];
  for (size_t j = 0; j < it->agenda->count && of->count < ASSAY_BENCH_CONTENDERS; j++) {
    const assay_job *each = &it->agenda->jobs[j];
    if (each->a_case != first->a_case || strcmp(each->data, first->data) != 0 ||
        it->checks[j].key == NULL)
      continue;
    if (!is_right(&it->checks[j])) {
      TRY(keep_wrong(it, exercise, each, &it->checks[j], of, err));
      continue;
    }
    of->checks[of->count] = &it->checks[j];
    of->contenders[of->count++] =
        (assay_contender){.name = each->opened->backend->name, .opened = each->opened};
  }
  for (size_t i = 0; i < it->peers->count && of->count < ASSAY_BENCH_CONTENDERS; i++)
    of->contenders[of->count++] = (assay_contender){.name = it->peers->items[i].peer->name,
                                                    .peer = it->peers->items[i].peer,
                                                    .state = it->peers->items[i].state};
  return ASSAY_OK;
}

static assay_code time_case(bench *it, size_t job, assay_error *err) {
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

// Whether an earlier job is of the same case and data set.
static bool is_done(const assay_agenda *agenda, size_t job) {
  for (size_t j = 0; j < job; j++)
    if (agenda->jobs[j].a_case == agenda->jobs[job].a_case &&
        strcmp(agenda->jobs[j].data, agenda->jobs[job].data) == 0)
      return true;
  return false;
}

static assay_code time_all(bench *it, assay_error *err) {
  size_t most = it->agenda->count * (1 + it->peers->count), cases = 0, done = 0;
  it->records = assay_arena_take(it->session->arena, most, sizeof *it->records);
  for (size_t j = 0; j < it->agenda->count; j++)
    cases += !is_done(it->agenda, j);
  for (size_t j = 0; j < it->agenda->count && assay_stop_signal == 0; j++) {
    if (is_done(it->agenda, j))
      continue;
    assay_ticker_show(&it->ticker, "timing case %zu of %zu: %.60s", ++done, cases,
                      it->agenda->jobs[j].a_case->line);
    TRY(time_case(it, j, err));
  }
  return ASSAY_OK;
}

static void measure_peak(bench *it) {
  assay_ticker_show(&it->ticker, "measuring what this machine reaches");
  assay_peak peak = assay_peak_measure(it->options.threads);
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
}

static assay_code finish(bench *it, double started, int *out_status, assay_error *err) {
  assay_run_totals totals = {.seconds = assay_clock_now() - started,
                             .records = it->out.journal.path};
  TRY(assay_out_summarise(it->session->arena, &it->out, it->records, it->count, &totals, err));
  TRY(assay_reports_write(&it->reports, it->records, it->count, &totals, err));
  if (!it->reports.own_stdout)
    printf("%zu timings in %.1f s; records in %s\n", it->count, totals.seconds, totals.records);
  TRY(assay_storing_finish(&it->storing, it->records, it->count, totals.records, err));
  for (size_t i = 0; i < it->count; i++)
    if (assay_verdict_is_bad(it->records[i].verdict))
      *out_status = ASSAY_EXIT_BAD;
  if (assay_stop_signal != 0) {
    *out_status = 128 + assay_stop_signal;
    assay_message_note("stopped by %s; what was timed is kept", assay_stop_name());
  }
  return ASSAY_OK;
}

static assay_code carry_out(bench *it, double started, int *out_status, assay_error *err) {
  it->environment = *assay_environment_get(it->session->arena, it->session->root);
  it->ticker = assay_ticker_start(it->session->options);
  TRY(assay_out_begin(it->session->arena, &it->out, err));
  assay_stop_heed();
  assay_code code = check_all(it, err);
  if (code == ASSAY_OK && assay_stop_signal == 0) {
    measure_peak(it);
    code = time_all(it, err);
  }
  assay_ticker_clear(&it->ticker);
  TRY(code);
  return finish(it, started, out_status, err);
}

// The answer's files are opened before anything runs.
static assay_code open_and_carry_out(bench *it, double started, int *out_status, assay_error *err) {
  TRY(assay_reports_plan(it->session, &it->reports, err));
  TRY(assay_storing_open_all(it->session, &it->storing, &it->out, &it->reports, err));
  assay_code code = carry_out(it, started, out_status, err);
  if (code != ASSAY_OK)
    assay_storing_abandon(it->session->arena, &it->storing);
  assay_reports_close(&it->reports);
  assay_out_close(&it->out);
  return code;
}

// Cases without a program have no time.
static assay_code drop_rejected(assay_agenda *agenda, assay_error *err) {
  size_t left = 0;
  for (size_t j = 0; j < agenda->count; j++)
    if (agenda->jobs[j].opened != NULL) {
      agenda->keys[left] = agenda->keys[j];
      agenda->gaps[left] = agenda->gaps[j];
      agenda->jobs[left++] = agenda->jobs[j];
    }
  bool any = agenda->count > 0;
  agenda->count = left;
  if (any && left == 0)
    return assay_fail(err, ASSAY_INVALID,
                      "only programs to be rejected are selected: no time can "
                      "be taken of them");
  return ASSAY_OK;
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

static assay_code run_on(const assay_session *session, const assay_machine *machine,
                         const assay_peer_list *peers, double started, int *out_status,
                         assay_error *err) {
  assay_agenda agenda;
  size_t unanswered;
  TRY(assay_agenda_make(session, machine, &agenda, err));
  TRY(drop_rejected(&agenda, err));
  if (session->options->serve)
    return assay_serve(session, &agenda, err);
  if (session->options->against != NULL)
    return assay_against_run(session, &agenda, out_status, err);
  TRY(assay_agenda_load(session, &agenda, &unanswered, err));
  bench it = {.session = session,
              .agenda = &agenda,
              .peers = peers,
              .options = options_of(session->options)};
  TRY(open_and_carry_out(&it, started, out_status, err));
  if (unanswered > 0 && *out_status == ASSAY_EXIT_OK)
    *out_status = ASSAY_EXIT_USAGE; // each was named
  return ASSAY_OK;
}

// The words behind the verb are filters on the suite, where they select anything of it, or cases.
static assay_code place_arguments(const assay_session *session, assay_options *options,
                                  assay_error *err) {
  static const char *preset = "bench", *real = "real";
  assay_cases cases = {0};
  TRY(assay_selection_suite(session, preset, &cases, err));
  for (size_t i = 0; i < options->arguments.count; i++) {
    const char *word = options->arguments.items[i];
    assay_filter filter = {.patterns = &word, .count = 1};
    bool any = false;
    for (size_t c = 0; c < cases.count; c++)
      if (assay_filter_selects(&filter, cases.items[c].line, NULL, NULL)) {
        assay_names_add(session->arena, &options->cases, cases.items[c].line);
        any = true;
      }
    if (!any)
      assay_names_add(session->arena, &options->cases, word);
  }
  if (options->data.count == 0)
    options->data = (assay_names){.items = &real, .count = 1};
  if (options->suites.count == 0 && options->cases.count == 0)
    options->suites = (assay_names){.items = &preset, .count = 1};
  return ASSAY_OK;
}

static assay_code run(const assay_session *given, int *out_status, assay_error *err) {
  double started = assay_clock_now();
  assay_options options = *given->options;
  assay_session session = *given;
  session.options = &options;
  assay_names backends, peer_names;
  bool all;
  assay_peer_list peers;
  assay_machine machine;
  if (options.against == NULL && (options.gate || options.thresholds != NULL))
    return assay_fail(err, ASSAY_INVALID, "--gate and --thresholds are for --against");
  TRY(place_arguments(&session, &options, err));
  TRY(assay_contenders_split(&session, &backends, &peer_names, &all, err));
  if (options.pin)
    TRY(assay_pin(options.threads > 0 ? options.threads : 1, err));
  TRY(assay_machine_open(&session, &backends, &machine, err));
  // Two builds are compared without peers.
  all = all && !options.serve && options.against == NULL;
  assay_code code = assay_peers_open(&session, &peer_names, all, &peers, err);
  if (code == ASSAY_OK) {
    code = run_on(&session, &machine, &peers, started, out_status, err);
    assay_peers_close(&peers);
  }
  assay_machine_close(&machine);
  return code;
}

static const char *const accepted[] = {
    "suite", "case",   "filter",  "backend", "data", "repetitions", "min-time", "threads",
    "pin",   "cold",   "against", "serve",   "jobs", "timeout",     "memory",   "shard",
    "out",   "format", "store",   "tag",     "gate", "thresholds",  NULL};

const assay_verb assay_verb_bench = {
    .name = "bench",
    .summary = "timings per case and backend, each checked first; two builds compared in turn",
    .arguments = "[CASE...]",
    .about =
        "Times each selected case on each backend, and where they can do it on the machine's "
        "CBLAS\n"
        "and NumPy (peers `cblas` and `numpy`), in interleaved rounds. Whoever computes it is\n"
        "first checked as `run` does: a wrong answer is never timed. Without cases: suite bench,\n"
        "GPT-2's block and what it is made of. CASE is a case line, or a filter on that suite.\n"
        "ratio: time over the fastest contender's, the median of the rounds' own ratios; +-: half\n"
        "of what lies between the quartiles; of peak: of what this machine reached when "
        "measured.\n",
    .example = "  assay bench 'matmul m=512 k=512 n=512' --backend loop,blas,cblas\n",
    .exits = "  0  everything selected was timed\n"
             "  1  something was wrong, and not timed; with --against and --gate: a row fails it\n"
             "  2  the question cannot be answered as asked\n"
             "  130, 143, 129  stopped by SIGINT, SIGTERM, SIGHUP; what was timed is kept\n",
    .options = accepted,
    .run = run,
};
