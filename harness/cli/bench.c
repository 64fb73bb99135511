// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay bench: timings, case by case. Whoever computes a case is first found to be right; a wrong
// answer is never timed.
#include "harness/bench/bench.h"
#include "harness/cli/against.h"
#include "harness/cli/benchmark.h"
#include "harness/cli/serve.h"
#include "compiler/base/clock.h"
#include "harness/time/pin.h"

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

static assay_code run_on(const assay_session *session, const assay_contenders *contenders,
                         double started, int *out_status, assay_error *err) {
  assay_agenda agenda;
  size_t unanswered;
  TRY(assay_agenda_make(session, &contenders->machine, &agenda, err));
  TRY(drop_rejected(&agenda, err));
  if (session->options->serve)
    return assay_serve(session, &contenders->machine, &agenda, err);
  if (session->options->against != NULL)
    return assay_against_run(session, &agenda, out_status, err);
  TRY(assay_agenda_load(session, &agenda, &unanswered, err));
  TRY(assay_benchmark_run(session, contenders, &agenda, started, out_status, err));
  if (unanswered > 0 && *out_status == ASSAY_EXIT_OK)
    *out_status = ASSAY_EXIT_USAGE; // each was named
  return ASSAY_OK;
}

// Whether the word, as a filter, selects any of the cases.
static bool selects_any(const assay_cases *cases, const char *word) {
  const assay_filter filter = {.patterns = &word, .count = 1};
  for (size_t c = 0; c < cases->count; c++)
    if (assay_filter_selects(&filter, cases->items[c].line, NULL, NULL))
      return true;
  return false;
}

static void add_selected(assay_arena *arena, const assay_cases *cases, const char *word,
                         assay_options *options) {
  const assay_filter filter = {.patterns = &word, .count = 1};
  for (size_t c = 0; c < cases->count; c++)
    if (assay_filter_selects(&filter, cases->items[c].line, NULL, NULL))
      assay_names_add(arena, &options->cases, cases->items[c].line);
}

// The words behind the verb are filters on the suite where they select anything of it, else cases.
// A word of the former among the latter stands for the cases that it selects.
static assay_code place_arguments(const assay_session *session, assay_options *options,
                                  assay_error *err) {
  static const char *preset = "bench", *real = "real";
  const assay_names *words = &options->arguments;
  assay_cases cases = {0};
  bool only_filters = options->suites.count == 0 && options->cases.count == 0;
  if (words->count > 0)
    TRY(assay_selection_suite(session, preset, &cases, err));
  for (size_t i = 0; i < words->count; i++)
    only_filters = only_filters && selects_any(&cases, words->items[i]);
  for (size_t i = 0; i < words->count; i++) {
    if (only_filters)
      assay_names_add(session->arena, &options->filters, words->items[i]);
    else if (selects_any(&cases, words->items[i]))
      add_selected(session->arena, &cases, words->items[i], options);
    else
      assay_names_add(session->arena, &options->cases, words->items[i]);
  }
  if (options->data.count == 0)
    options->data = (assay_names){.items = &real, .count = 1};
  if (options->suites.count == 0 && options->cases.count == 0)
    options->suites = (assay_names){.items = &preset, .count = 1};
  return ASSAY_OK;
}

static assay_code check_options(const assay_options *options, assay_error *err) {
  if (options->serve && options->against != NULL)
    return assay_fail(err, ASSAY_INVALID,
                      "--serve and --against are two sides of one conversation");
  if (options->against == NULL && (options->gate || options->thresholds != NULL))
    return assay_fail(err, ASSAY_INVALID,
                      "--gate and --thresholds are of --against; records are "
                      "compared by `assay compare`");
  if (options->repetitions > ASSAY_BENCH_SAMPLES)
    return assay_fail(err, ASSAY_INVALID, "--repetitions: at most %d, found %d",
                      ASSAY_BENCH_SAMPLES, options->repetitions);
  if (options->threads > assay_processors())
    return assay_fail(err, ASSAY_INVALID,
                      "--threads: found %d, expected at most the %d processors that this process "
                      "may run on",
                      options->threads, assay_processors());
  return ASSAY_OK;
}

static assay_code run(const assay_session *given, int *out_status, assay_error *err) {
  double started = assay_clock_now();
  assay_options options = *given->options;
  assay_session session = *given;
  session.options = &options;
  // Two builds are compared without peers.
  bool with_peers = !options.serve && options.against == NULL;
  if (with_peers)
    session.peers = assay_contenders_peers(session.arena);
  TRY(check_options(&options, err));
  TRY(place_arguments(&session, &options, err));
  if (options.pin)
    TRY(assay_pin(options.threads > 0 ? options.threads : 1, err));
  assay_contenders contenders;
  TRY(assay_contenders_open(&session, with_peers, &contenders, err));
  assay_code code = run_on(&session, &contenders, started, out_status, err);
  assay_contenders_close(&contenders);
  return code;
}

static const char *const accepted[] = {
    "suite",  "case",  "filter",  "backend", "data",       "repetitions", "min-time", "threads",
    "pin",    "cold",  "against", "gate",    "thresholds", "serve",       "jobs",     "timeout",
    "memory", "shard", "out",     "format",  "store",      "tag",         NULL};

const assay_verb assay_verb_bench = {
    .name = "bench",
    .summary = "timings per case and backend, each checked first; two builds compared in turn",
    .arguments = "[CASE...]",
    .about =
        "Times each selected case on each backend, and where they can do it on the machine's\n"
        "CBLAS and NumPy (peers `cblas` and `numpy`), in interleaved rounds. Whoever computes\n"
        "it is first checked as `run` does: a wrong answer is never timed. Without cases: suite\n"
        "bench, GPT-2's block and what it is made of; without --data: real. CASE is a case line,\n"
        "or a filter on that suite. ratio: time over the fastest contender's, the median of the\n"
        "rounds' own ratios; +-: half of what lies between the quartiles; of peak: of what this\n"
        "machine, or the device that timed it, reached when measured.\n",
    .example = "  assay bench 'matmul m=512 k=512 n=512' --backend loop,blas,cblas\n",
    .exits =
        "  0  everything selected was timed\n"
        "  1  something was wrong, and not timed, on either side of --against; with --gate: a row\n"
        "     fails it\n"
        "  2  the question cannot be answered as asked\n"
        "  130, 143, 129  stopped by SIGINT, SIGTERM, SIGHUP; what was timed is kept\n",
    .options = accepted,
    .run = run,
};
