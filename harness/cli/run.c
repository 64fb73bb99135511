// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay run: conformance. Everything that can be wrong with the question is found before the first
// case runs; from then on each finished record is kept.
#include "harness/cli/color.h"
#include "harness/cli/environment.h"
#include "harness/cli/message.h"
#include "harness/cli/notes.h"
#include "harness/cli/out.h"
#include "harness/cli/agenda.h"
#include "harness/cli/blame.h"
#include "harness/cli/faults.h"
#include "harness/cli/programs.h"
#include "harness/cli/progress.h"
#include "harness/cli/reports.h"
#include "harness/cli/repro.h"
#include "harness/cli/resume.h"
#include "harness/cli/stop.h"
#include "harness/cli/storing.h"
#include "compiler/base/clock.h"
#include "harness/run/outcome.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

// What the run has found so far.
typedef struct findings {
  assay_arena *arena;
  assay_out out;
  assay_storing storing;
  assay_progress progress;
  assay_notes notes;
  const assay_environment *environment;
  assay_record *records; // kept ones first, then new ones
  size_t count;
  assay_program_list programs; // those whose ledgers are asked for
} findings;

static assay_code keep(void *user, const assay_record *record, assay_error *err) {
  findings *found = user;
  const char *line = assay_record_print(found->arena, record);
  TRY(assay_journal_append(&found->out.journal, line, err));
  assay_progress_report(&found->progress, record);
  // What is summarised is what was written; it is also the copy that outlives this call.
  return assay_record_parse(found->arena, found->out.journal.path, 0, line, strlen(line),
                            &found->records[found->count++], err);
}

static void tell_note(void *user, const char *note) {
  findings *found = user;
  assay_progress_end(&found->progress);
  assay_notes_tell(&found->notes, found->arena, note);
}

// Lasting known gaps are not run: they get their record here, and leave the agenda.
static assay_code skip_lasting_gaps(findings *found, assay_agenda *agenda, assay_error *err) {
  size_t left = 0;
  for (size_t j = 0; j < agenda->count; j++) {
    const assay_job *job = &agenda->jobs[j];
    if (agenda->gaps[j] == NULL || !agenda->gaps[j]->lasting) {
      agenda->jobs[left++] = *job;
      continue;
    }
    assay_outcome outcome = {.margin = NAN};
    assay_outcome_set(&outcome, ASSAY_SKIP, "known gap: %s", job->gap);
    TRY(keep(found,
             assay_outcome_record(found->arena, job, &outcome, assay_clock_stamp().text,
                                  found->environment),
             err));
  }
  agenda->count = left;
  return ASSAY_OK;
}

static assay_code execute(const assay_session *session, const assay_machine *machine,
                          findings *found, assay_agenda *agenda, assay_error *err) {
  const assay_options *options = session->options;
  TRY(skip_lasting_gaps(found, agenda, err));
  assay_run_options run_options = {.parallel = assay_options_jobs(options),
                                   .seconds = options->timeout,
                                   .memory_bytes = (int64_t)options->memory * 1000000,
                                   .environment = found->environment,
                                   .stop = &assay_stop_signal};
  assay_run_listener listener = {.user = found, .finished = keep, .noted = tell_note};
  TRY(assay_run_jobs(agenda->jobs, agenda->count, &run_options, &listener, err));
  return assay_programs_run(session, machine, &found->out, &found->programs, found->environment,
                            &assay_stop_signal, keep, found, err);
}

static void note_unusable(const assay_machine *machine) {
  for (size_t i = 0; i < machine->count; i++)
    if (machine->stations[i].reason != NULL)
      assay_message_note("the backend '%s' is left out: %s",
                         machine->stations[i].opened.backend->name, machine->stations[i].reason);
}

static int64_t peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (int64_t)usage.ru_maxrss * 1024;
}

// Writes the answer in all its forms.
static assay_code conclude(const assay_session *session, const findings *found,
                           const assay_reports *reports, double started, assay_error *err) {
  assay_run_totals totals = {.seconds = assay_clock_now() - started,
                             .peak_memory_bytes = peak_memory(),
                             .records = found->out.journal.path,
                             .folders = &found->out.folder,
                             .folder_count = 1};
  TRY(assay_out_summarise(session->arena, &found->out, found->records, found->count, &totals, err));
  TRY(assay_reports_write(reports, found->records, found->count, &totals, err));
  if (reports->own_stdout)
    return ASSAY_OK;
  totals.color = assay_color_wanted(session->options->color, stdout);
  return assay_format_find("text")->write(stdout, found->records, found->count, &totals, err);
}

// Which pass broke what failed; the records that know it take the place of those that do not.
static assay_code find_blame(const assay_session *session, const assay_agenda *agenda,
                             findings *found, assay_error *err) {
  size_t left;
  bool any = false;
  if (session->options->no_ledger || assay_stop_signal != 0)
    return ASSAY_OK;
  TRY(assay_blame_find(session, &found->out, &agenda->cases, found->records, found->count,
                       &assay_stop_signal, &left, err));
  for (size_t i = 0; i < found->count; i++)
    any |= found->records[i].first_bad.n > 0 || found->records[i].nan_origin != NULL;
  if (left > 0)
    assay_message_note("%zu more failures of the same ops and backends were not looked into", left);
  if (!any)
    return ASSAY_OK;
  TRY(assay_journal_rewrite(found->arena, &found->out.journal, found->records, found->count, err));
  return assay_repro_rewrite(&found->out, found->records, found->count, err);
}

// The answer, and the exit code.
static assay_code finish(const assay_session *session, const findings *found,
                         const assay_reports *reports, double started, int *out_status,
                         assay_error *err) {
  TRY(conclude(session, found, reports, started, err));
  TRY(assay_storing_finish(&found->storing, found->records, found->count, found->out.journal.path,
                           err));
  if (assay_stop_signal != 0) {
    *out_status = 128 + assay_stop_signal;
    assay_message_note("stopped by %s; go on with --resume", assay_stop_name());
    return ASSAY_OK;
  }
  return assay_reports_judge(found->records, found->count, out_status, err);
}

// From an opened --out to the answer.
static assay_code carry_out(const assay_session *session, const assay_machine *machine,
                            assay_agenda *agenda, const assay_reports *reports, findings *found,
                            double started, int *out_status, assay_error *err) {
  const assay_options *options = session->options;
  found->progress =
      assay_progress_start(agenda->count + found->programs.count, options->quiet, options->verbose);
  assay_stop_heed();
  assay_code code = execute(session, machine, found, agenda, err);
  assay_progress_end(&found->progress);
  TRY(code);
  TRY(assay_repro_write(session, &found->out, machine->context, &agenda->cases, found->records,
                        found->count, err));
  TRY(find_blame(session, agenda, found, err));
  return finish(session, found, reports, started, out_status, err);
}

// The records that an earlier run left, where they are asked for; then the run.
static assay_code run_agenda(const assay_session *session, const assay_machine *machine,
                             assay_agenda *agenda, const assay_reports *reports, findings *found,
                             double started, int *out_status, assay_error *err) {
  assay_record *kept = NULL;
  size_t total = agenda->count + found->programs.count;
  assay_environment *environment = assay_environment_get(session->arena, session->root);
  assay_machine_describe(session->arena, machine, environment);
  found->environment = environment;
  if (session->options->resume)
    TRY(assay_resume(session, &found->out, found->environment, agenda, &kept, &found->count, err));
  else
    TRY(assay_out_begin(session->arena, &found->out, err));
  found->records = assay_arena_take(session->arena, total, sizeof *found->records);
  if (kept != NULL && found->count > 0)
    memcpy(found->records, kept, found->count * sizeof *kept);
  return carry_out(session, machine, agenda, reports, found, started, out_status, err);
}

static assay_code run_on(const assay_session *session, const assay_machine *machine, double started,
                         int *out_status, assay_error *err) {
  assay_agenda agenda = {.count = 0};
  assay_reports reports;
  findings found = {.arena = session->arena};
  TRY(assay_reports_plan(session, &reports, err));
  size_t unanswered = 0;
  if (session->options->random == 0) {
    TRY(assay_agenda_make(session, machine, &agenda, err));
    TRY(assay_agenda_load(session, &agenda, &unanswered, err));
  }
  TRY(assay_programs_select(session, machine, &agenda, &found.programs, err));
  TRY(assay_storing_open_all(session, &found.storing, &found.out, &reports, err));
  note_unusable(machine);
  assay_code code =
      run_agenda(session, machine, &agenda, &reports, &found, started, out_status, err);
  if (code == ASSAY_OK && unanswered > 0) {
    assay_message_note("%zu case%s without expected values %s not run", unanswered,
                       unanswered == 1 ? "" : "s", unanswered == 1 ? "was" : "were");
    if (*out_status == ASSAY_EXIT_OK)
      *out_status = ASSAY_EXIT_USAGE;
  }
  if (code != ASSAY_OK)
    assay_storing_abandon(session->arena, &found.storing);
  assay_reports_close(&reports);
  assay_out_close(&found.out);
  return code;
}

// The suite of known faults, which knows no backends.
static assay_code run_faults(const assay_session *session, double started, int *out_status,
                             assay_error *err) {
  const assay_options *options = session->options;
  assay_fault_list faults;
  assay_reports reports;
  findings found = {.arena = session->arena};
  TRY(assay_reports_plan(session, &reports, err));
  TRY(assay_faults_select(session, &faults, err));
  TRY(assay_storing_open_all(session, &found.storing, &found.out, &reports, err));
  found.environment = assay_environment_get(session->arena, session->root);
  found.records = assay_arena_take(session->arena, faults.count + 1, sizeof *found.records);
  assay_code code = assay_out_begin(session->arena, &found.out, err);
  if (code == ASSAY_OK) {
    found.progress = assay_progress_start(faults.count, options->quiet, options->verbose);
    assay_stop_heed();
    code = assay_faults_run(session, &faults, found.environment, &assay_stop_signal, keep, &found,
                            err);
    assay_progress_end(&found.progress);
  }
  if (code == ASSAY_OK)
    code = finish(session, &found, &reports, started, out_status, err);
  if (code != ASSAY_OK)
    assay_storing_abandon(session->arena, &found.storing);
  assay_reports_close(&reports);
  assay_out_close(&found.out);
  return code;
}

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  double started = assay_clock_now();
  assay_machine machine;
  bool faults;
  TRY(assay_programs_check(session->options, err));
  TRY(assay_faults_wanted(session, &faults, err));
  if (faults)
    return run_faults(session, started, out_status, err);
  TRY(assay_machine_open(session, &session->options->backends, &machine, err));
  assay_code code = run_on(session, &machine, started, out_status, err);
  assay_machine_close(&machine);
  return code;
}

static const char *const accepted[] = {"suite",  "case",    "filter",    "backend", "data",
                                       "jobs",   "timeout", "memory",    "shard",   "out",
                                       "resume", "format",  "no-ledger", "passes",  "random",
                                       "seed",   "store",   "tag",       NULL};

const assay_verb assay_verb_run = {
    .name = "run",
    .summary = "conformance: cases x backends x data sets, against stored references",
    .arguments = "",
    .about = "Runs each selected case on each backend and data set in a process of its own and "
             "compares\n"
             "what it computes with what NumPy did. Without options: the standard suite on every "
             "backend\n"
             "that this machine can use. DIR gets run.jsonl (a record per line, as they come),\n"
             "summary.txt and repro/ (a folder per failure). Without --out the records are also "
             "kept in\n"
             "the store assay-out/assay.db.\n",
    .example = "  assay run --filter 'matmul m=3 k=5 n=7' --backend loop,blas --data int\n",
    .exits =
        "  0  everything selected ran and is as expected\n"
        "  1  a FAIL, ERROR, CRASH, TIMEOUT or XPASS\n"
        "  2  nothing selected, everything skipped, or the question cannot be answered as asked;\n"
        "     cases that have no expected values are named, and the others run\n"
        "  130, 143, 129  stopped by SIGINT, SIGTERM, SIGHUP; what was finished is kept "
        "(--resume)\n",
    .options = accepted,
    .run = run,
};
