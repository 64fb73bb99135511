// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay reduce: the smallest program on which a pass still shows its fault.
#include "compiler/base/file.h"
#include "harness/cli/message.h"
#include "harness/cli/reduced.h"
#include "harness/cli/stop.h"
#include "harness/reduce/proof.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double DEFAULT_LIMIT = 600;

typedef struct command {
  const assay_session *session;
  assay_reducible subject;
  assay_ticker ticker;
} command;

static void show_progress(void *user, const char *what, int size, int tried) {
  command *it = user;
  assay_ticker_show(&it->ticker, "reducing (%s), %d operations, %d candidates", what, size, tried);
}

static assay_code keep(void *user, const char *text, assay_error *err) {
  const command *it = user;
  const assay_reduced reduced = {.session = it->session, .subject = &it->subject};
  return assay_reduced_keep(&reduced, text, err);
}

static assay_reduction_request request_of(command *it) {
  const assay_options *options = it->session->options;
  const assay_reducible *subject = &it->subject;
  return (assay_reduction_request){
      .ledger = &subject->request,
      .text = subject->text,
      .pipeline = subject->manifest.pipeline,
      .entry = subject->manifest.entry,
      .pass = subject->manifest.pass,
      .fault = subject->manifest.fault,
      .message = options->message,
      .seconds = options->time_limit > 0 ? options->time_limit : DEFAULT_LIMIT,
      .better = keep,
      .progress = show_progress,
      .user = it,
  };
}

static void note(const assay_reduction *reduction) {
  assay_message_note("%d candidates in %.1f s, of which %d show it%s%s", reduction->tried,
                     reduction->seconds, reduction->shown, reduction->tool[0] != '\0' ? "; " : "",
                     reduction->tool);
  if (reduction->out_of_time)
    assay_message_note("the time limit ended the search: --time-limit SECONDS");
}

static assay_code conclude(command *it, const assay_reduction_request *request,
                           const assay_reduction *reduction, int *out_status, assay_error *err) {
  const assay_reduced reduced = {it->session, &it->subject, reduction};
  const char *plain = "";
  if (it->subject.folder != NULL) {
    TRY(assay_proof_find(request, reduction, it->subject.folder, it->session->arena, &plain, err));
    TRY(assay_reduced_tell(&reduced, plain, err));
  }
  assay_ticker_clear(&it->ticker);
  assay_reduced_print(&reduced);
  if (!it->session->options->quiet)
    note(reduction);
  TRY(assay_reduced_write_json(&reduced, err));
  *out_status = ASSAY_EXIT_OK;
  return ASSAY_OK;
}

// What the pass alone does not show the whole pipeline may, on the input.
static assay_code ask_whole(command *it, assay_reduction_request *request,
                            assay_reduction *reduction, assay_error *err) {
  assay_reducible *subject = &it->subject;
  bool whole = strcmp(subject->manifest.module, "before.mlir") != 0;
  if (whole || subject->folder == NULL || reduction->stopped ||
      strncmp(reduction->nothing, ASSAY_REDUCE_UNSEEN, strlen(ASSAY_REDUCE_UNSEEN)) != 0)
    return ASSAY_OK;
  assay_file input;
  TRY(assay_file_read(it->session->arena,
                      assay_arena_format(it->session->arena, "%s/input.mlir", subject->folder),
                      &input, err));
  *request = request_of(it);
  request->text = input.bytes;
  request->pipeline = subject->manifest.whole;
  assay_reduction again;
  TRY(assay_reduce(request, it->session->arena, &again, err));
  if (again.nothing != NULL)
    return ASSAY_OK; // the first answer is the plainer one
  subject->manifest.module = "input.mlir";
  subject->manifest.pipeline = subject->manifest.whole;
  subject->module = input.path;
  *reduction = again;
  return ASSAY_OK;
}

static assay_code search(command *it, assay_reduction_request *request, assay_reduction *reduction,
                         assay_error *err) {
  assay_error why;
  assay_code code = assay_reduce(request, it->session->arena, reduction, &why);
  if (code == ASSAY_OK && reduction->nothing != NULL)
    code = ask_whole(it, request, reduction, &why);
  assay_ticker_clear(&it->ticker);
  if (code == ASSAY_INVALID)
    return assay_fail_at(err, code, it->subject.module, 0, 0, "%s", why.text);
  if (code != ASSAY_OK)
    *err = why;
  return code;
}

static assay_code reduce(command *it, int *out_status, assay_error *err) {
  assay_reduction_request request = request_of(it);
  assay_reduction reduction = {.nothing = it->subject.nothing, .tool = ""};
  if (reduction.nothing == NULL)
    TRY(search(it, &request, &reduction, err));
  if (reduction.nothing == NULL)
    TRY(conclude(it, &request, &reduction, out_status, err));
  if (assay_stop_signal != 0) {
    assay_message_note("stopped by %s%s", assay_stop_name(),
                       reduction.nothing == NULL ? "; the smallest so far is kept" : "");
    *out_status = 128 + assay_stop_signal;
    return ASSAY_OK;
  }
  if (reduction.nothing == NULL)
    return ASSAY_OK;
  if (it->subject.folder != NULL && reduction.tried > 0) // what was found does not stand
    unlink(assay_arena_format(it->session->arena, "%s/reduced.mlir", it->subject.folder));
  const assay_reduced reduced = {it->session, &it->subject, &reduction};
  TRY(assay_reduced_write_json(&reduced, err));
  return assay_fail_at(err, ASSAY_INVALID, it->subject.module, 0, 0, "nothing to reduce: %s",
                       reduction.nothing);
}

// As mlir-reduce wants it of its tests: 1 where the module is interesting.
static assay_code check(command *it, int *out_status, assay_error *err) {
  assay_reduction_request request = request_of(it);
  const assay_manifest *manifest = &it->subject.manifest;
  const assay_symptom symptom =
      assay_symptom_make(manifest->fault, manifest->pass, manifest->reason);
  assay_file file;
  bool shows = false;
  TRY(assay_file_read(it->session->arena, it->session->options->check, &file, err));
  request.text = file.bytes;
  assay_error why;
  assay_code code = assay_reduction_check(&request, &symptom, it->session->arena, &shows, &why);
  if (code != ASSAY_OK && code != ASSAY_INVALID) {
    *err = why;
    return code;
  }
  if (!it->session->options->quiet)
    printf("%s\n", shows ? "it shows the fault" : "it does not show the fault");
  *out_status = shows ? 1 : 0;
  return ASSAY_OK;
}

// Whether what a bundle brings is said anew.
static bool has_question(const assay_options *options) {
  return options->entry != NULL || options->data.count > 0 || options->dims.count > 0 ||
         options->inputs.count > 0 || options->seed > 0 || options->tail != NULL ||
         options->nan_contracts.count > 0 || options->pass_plugins.count > 0 ||
         options->dialect_plugins.count > 0 || options->allow_unregistered;
}

static assay_code open_subject(command *it, assay_error *err) {
  const assay_options *options = it->session->options;
  if (options->arguments.count != 1)
    return assay_fail(err, ASSAY_INVALID, "reduce takes one bundle or file, found %zu",
                      options->arguments.count);
  const char *path = options->arguments.items[0];
  if (options->entry != NULL && strcmp(options->entry, "all") == 0)
    return assay_fail(err, ASSAY_INVALID, "--entry all: one entry is reduced at a time");
  if (!assay_path_is_folder(path)) {
    if (options->check != NULL)
      return assay_fail(err, ASSAY_INVALID, "--check is asked of a bundle; %s is no folder", path);
    return assay_reducible_open_file(it->session, path, &it->ticker, &it->subject, err);
  }
  if (options->passes.count > 0 || options->pipeline != NULL || options->run_line)
    return assay_fail(err, ASSAY_INVALID, "the bundle %s has its own pass; found a pipeline", path);
  if (has_question(options))
    return assay_fail(err, ASSAY_INVALID,
                      "the bundle %s has its own entry, data, plug-ins and contracts; found others",
                      path);
  if (options->save != NULL)
    return assay_fail(err, ASSAY_INVALID, "--save is for files: %s is a bundle already", path);
  return assay_reducible_open_bundle(it->session, path, &it->subject, err);
}

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  command it = {.session = session, .ticker = assay_ticker_start(session->options)};
  assay_code code = open_subject(&it, err);
  assay_ticker_clear(&it.ticker);
  if (code != ASSAY_OK && assay_stop_signal != 0) {
    *out_status = 128 + assay_stop_signal;
    assay_message_note("stopped by %s", assay_stop_name());
    return ASSAY_OK;
  }
  TRY(code);
  assay_stop_heed();
  it.subject.request.stop = &assay_stop_signal;
  it.subject.request.progress = NULL; // the search tells its own
  return session->options->check != NULL ? check(&it, out_status, err)
                                         : reduce(&it, out_status, err);
}

static const char *const accepted[] = {ASSAY_OPTION_PASSES,
                                       "pass-pipeline",
                                       "pipeline",
                                       "run-line",
                                       "load-pass-plugin",
                                       "load-dialect-plugin",
                                       "entry",
                                       "input",
                                       "dims",
                                       "seed",
                                       "data",
                                       "tail",
                                       "nan-contract",
                                       "message",
                                       "time-limit",
                                       "check",
                                       "json",
                                       "save",
                                       "jobs",
                                       "timeout",
                                       "memory",
                                       "allow-unregistered-dialect",
                                       NULL};

const assay_verb assay_verb_reduce = {
    .name = "reduce",
    .summary = "the smallest program on which a pass still shows its fault",
    .arguments = "BUNDLE | FILE.mlir [PIPELINE]",
    .about =
        "Makes the module before a bad pass smaller: it is cut at intermediate values, "
        "operations,\n"
        "results, sizes and attributes go, and after each step the ledger is asked again: the "
        "same\n"
        "pass must be named, with the same class and reason. Of a BUNDLE (`assay ledger --save`) "
        "the\n"
        "result is BUNDLE/reduced.mlir, and its README says which commands show it. A FILE goes\n"
        "through the ledger first; without --save the result goes to standard output.\n",
    .example = "  assay ledger x.mlir --cse --canonicalize --save bundle; assay reduce bundle\n",
    .exits = "  0  reduced, or as small as it can be\n"
             "  2  nothing to reduce, or the question cannot be answered as asked\n"
             "  130, 143, 129  stopped by SIGINT, SIGTERM, SIGHUP; the smallest so far is kept\n"
             "  with --check: 1  the module shows the fault; 0  it does not\n",
    .options = accepted,
    .run = run,
};
