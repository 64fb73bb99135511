// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay ledger: any module, any pipeline, and the pass that broke it.
#include "compiler/base/text.h"
#include "harness/cli/answers.h"
#include "harness/cli/environment.h"
#include "harness/cli/ledger_record.h"
#include "harness/cli/message.h"
#include "harness/cli/out.h"
#include "harness/cli/question.h"
#include "harness/cli/stop.h"
#include "harness/cli/storing.h"
#include "harness/cli/ticker.h"
#include "compiler/base/clock.h"
#include "harness/ledger/print.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show_progress(void *user, const char *what, int done, int of) {
  assay_ticker_show(user, "%s, %d of %d", what, done, of);
}

typedef struct command {
  const assay_session *session;
  assay_ledger_request request;
  assay_ticker ticker;
  assay_answers answers;
  assay_storing storing;
  int unread;   // pieces
  bool unsaved; // a bundle could not be written
} command;

static assay_code ask(command *it, const assay_ledger *ledger, const char *entry, const char *piece,
                      const char *pipeline, assay_error *err) {
  assay_answered one = {.piece = piece, .pipeline = pipeline, .file = it->request.file};
  one.started = assay_arena_string(it->session->arena, assay_clock_stamp().text);
  double began = assay_clock_now();
  assay_code code = assay_ledger_ask(ledger, entry, &one.answer, err);
  assay_ticker_clear(&it->ticker);
  if (assay_stop_signal != 0 && code != ASSAY_OK)
    return ASSAY_OK; // it failed because of that
  TRY(code);
  one.seconds = assay_clock_now() - began;
  assay_answers_add(&it->answers, &one);
  // First of all what is known: the disk may be full.
  assay_answers_print(&it->answers);
  assay_error reason;
  code = assay_answers_save(&it->answers, &it->request, &reason);
  assay_ticker_clear(&it->ticker);
  if (code != ASSAY_OK) // it takes nothing from the answer
    assay_message_error(&reason);
  it->unsaved |= code != ASSAY_OK;
  return ASSAY_OK;
}

static assay_code ask_piece(command *it, const assay_file *file, const assay_source_piece *piece,
                            const char *name, assay_error *err) {
  const assay_session *session = it->session;
  const char *entry = session->options->entry;
  TRY(assay_question_pipeline(session, file, piece, &it->request, err));
  it->request.source = piece->text;
  it->request.size = piece->size;
  const char *text = assay_pass_pipeline_text(it->request.pipeline, session->arena);
  const assay_ledger *ledger;
  assay_code code = assay_ledger_open(&it->request, session->arena, &ledger, err);
  assay_ticker_clear(&it->ticker);
  if (assay_stop_signal != 0 && code != ASSAY_OK)
    return ASSAY_OK;
  TRY(code);
  if (entry == NULL || strcmp(entry, "all") != 0)
    return ask(it, ledger, entry, name, text, err);
  int count;
  const char *const *names = assay_ledger_entries(ledger, &count);
  if (count == 0 && it->answers.several)
    return ASSAY_OK; // a piece may hold nothing but remarks
  if (count == 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "--entry all: no public function with a body");
  it->answers.several |= count > 1;
  for (int i = 0; i < count && assay_stop_signal == 0; i++)
    TRY(ask(it, ledger, names[i], name, text, err));
  return ASSAY_OK;
}

// A piece of several that does not parse, as pieces of tests may mean not to, stops nothing.
static assay_code pass_over(command *it, int pieces, assay_code code, const assay_error *err) {
  if (code != ASSAY_INVALID || pieces == 1 || err->where[0] == '\0')
    return code;
  assay_ticker_clear(&it->ticker);
  assay_message_error(err);
  it->unread++;
  return ASSAY_OK;
}

// Before the work: that its answer will have a place.
static assay_code check_places(const assay_session *session, assay_error *err) {
  const char *json = session->options->json, *save = session->options->save;
  struct stat status;
  if (save != NULL)
    TRY(assay_folder_probe(session->arena, save, err));
  if (json == NULL || strcmp(json, "-") == 0)
    return ASSAY_OK;
  bool exists = stat(json, &status) == 0;
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    return ASSAY_OK; // opening a pipe twice would end what reads it
  int descriptor = open(json, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return assay_fail_at(err, ASSAY_FAILED, json, 0, 0, "cannot write: %s", strerror(errno));
  close(descriptor);
  if (!exists)
    unlink(json);
  return ASSAY_OK;
}

// A record for each answer; of those that were cut short there is none.
static assay_code store_answers(const command *it, assay_error *err) {
  const assay_answers *answers = &it->answers;
  assay_arena *arena = it->session->arena;
  if (it->storing.path == NULL || assay_stop_signal != 0)
    return ASSAY_OK;
  const assay_environment *environment = assay_environment_get(arena, it->session->root);
  assay_record *records = assay_arena_take(arena, answers->count, sizeof *records);
  for (size_t i = 0; i < answers->count; i++)
    TRY(assay_ledger_record(arena, &answers->items[i], answers->several, environment, &records[i],
                            err));
  return assay_storing_finish(&it->storing, records, answers->count, NULL, err);
}

static assay_code conclude(const command *it, int *out_status, assay_error *err) {
  const assay_options *options = it->session->options;
  TRY(assay_answers_write_json(&it->answers, it->request.file, assay_stop_signal != 0, err));
  TRY(store_answers(it, err));
  if (assay_stop_signal != 0) {
    *out_status = 128 + assay_stop_signal;
    assay_message_note("stopped by %s", assay_stop_name());
    return ASSAY_OK;
  }
  const assay_ledger_answer *answer = assay_answers_whole(&it->answers)->answer;
  if (it->answers.several && (options->json == NULL || strcmp(options->json, "-") != 0))
    printf("\nall: %s\n", assay_ledger_sentence(it->session->arena, answer));
  *out_status = assay_ledger_status(answer);
  if ((*out_status == 0 && it->unread > 0) || it->unsaved)
    *out_status = 2;
  return ASSAY_OK;
}

// Asks about each piece of the file, and concludes.
static assay_code answer(command *it, const assay_file *file, int *out_status, assay_error *err) {
  const assay_session *session = it->session;
  assay_source_piece whole = {.text = file->bytes, .size = file->size, .line = 1};
  const assay_source_piece *pieces = &whole;
  int count = 1;
  if (assay_question_is_split(session, file))
    pieces = assay_source_split(file, session->arena, &count);
  it->answers.several = count > 1;
  for (int i = 0; i < count && assay_stop_signal == 0; i++) {
    const char *name = file->path;
    if (count > 1)
      name = assay_arena_format(session->arena, "%s, piece %d", file->path, i + 1);
    assay_code code = ask_piece(it, file, &pieces[i], name, err);
    TRY(pass_over(it, count, code, err));
  }
  if (it->answers.count == 0 && assay_stop_signal == 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "none of its pieces can be asked about");
  return conclude(it, out_status, err);
}

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  const assay_options *options = session->options;
  command it = {.session = session,
                .answers = {.options = options, .arena = session->arena},
                .ticker = assay_ticker_start(options)};
  if (options->arguments.count != 1)
    return assay_fail(err, ASSAY_INVALID, "ledger takes one file, found %zu",
                      options->arguments.count);
  assay_file file;
  TRY(assay_file_read(session->arena, options->arguments.items[0], &file, err));
  TRY(assay_question_open(session, &file, &it.request, err));
  TRY(check_places(session, err));
  TRY(assay_storing_plan(session, false, &it.storing, err));
  TRY(assay_storing_open(session->arena, &it.storing, NULL, NULL, err));
  assay_stop_heed();
  it.request.stop = &assay_stop_signal;
  it.request.progress = show_progress;
  it.request.progress_user = &it.ticker;
  assay_code code = answer(&it, &file, out_status, err);
  if (code != ASSAY_OK)
    assay_storing_abandon(session->arena, &it.storing);
  return code;
}

static const char *const accepted[] = {ASSAY_OPTION_PASSES,
                                       "pass-pipeline",
                                       "pipeline",
                                       "run-line",
                                       "load-pass-plugin",
                                       "load-dialect-plugin",
                                       "split-input-file",
                                       "entry",
                                       "input",
                                       "dims",
                                       "seed",
                                       "data",
                                       "expect",
                                       "expect-values",
                                       "tail",
                                       "nan-contract",
                                       "nan-origin",
                                       "inf-origin",
                                       "loss-origin",
                                       "all",
                                       "json",
                                       "save",
                                       "store",
                                       "tag",
                                       "jobs",
                                       "timeout",
                                       "memory",
                                       "allow-unregistered-dialect",
                                       NULL};

const assay_verb assay_verb_ledger = {
    .name = "ledger",
    .summary = "any module through any pipeline: the pass that broke it, by name",
    .arguments = "FILE.mlir",
    .about =
        "Runs the pipeline over the module and names the first pass execution that made it wrong:\n"
        "each state is finished by a lowering of Assay's own, run, and compared with what the "
        "module\n"
        "computes before any pass, within the rounding error that was measured on it. FILE may be\n"
        "'-'. Without a pipeline the one that the file embeds is run (mlir_reproducer).\n",
    .example = "  assay ledger x.mlir --canonicalize --affine-loop-fusion=mode=greedy\n",
    .exits = "  0  no bad pass\n"
             "  1  a bad pass is named\n"
             "  2  inconclusive, the pipeline failed, or the question cannot be answered as asked\n"
             "  130, 143, 129  stopped by SIGINT, SIGTERM, SIGHUP; what was answered is kept\n",
    .options = accepted,
    .run = run,
};
