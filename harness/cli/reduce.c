// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay reduce: the smallest program on which a pass still shows its fault.
#include "compiler/base/file.h"
#include "compiler/base/text.h"
#include "harness/cli/message.h"
#include "harness/cli/reducible.h"
#include "harness/cli/stop.h"
#include "harness/reduce/proof.h"
#include "results/record/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double DEFAULT_LIMIT = 600;

typedef struct command {
  const assay_session *session;
  assay_reducible subject;
  assay_ticker ticker;
} command;

static const char *in(const command *it, const char *name) {
  return assay_arena_format(it->session->arena, "%s/%s", it->subject.folder, name);
}

static void show_progress(void *user, const char *what, int size, int tried) {
  command *it = user;
  assay_ticker_show(&it->ticker, "reducing (%s), %d operations, %d candidates", what, size, tried);
}

static void show_nothing(void *user, const char *what, int done, int of) {
  (void)user;
  (void)what;
  (void)done;
  (void)of;
}

// Whole or not at all, whatever ends this process.
static assay_code replace(const command *it, const char *name, const char *text, assay_error *err) {
  const char *draft = in(it, assay_arena_format(it->session->arena, ".%s", name));
  const char *path = in(it, name);
  assay_code code = assay_file_write(draft, text, err);
  if (code == ASSAY_OK && rename(draft, path) != 0)
    code = assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
  if (code != ASSAY_OK)
    unlink(draft);
  return code;
}

static assay_code keep(void *user, const char *text, assay_error *err) {
  const command *it = user;
  return it->subject.folder != NULL ? replace(it, "reduced.mlir", text, err) : ASSAY_OK;
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

static const char *options_of(const command *it, const assay_reduction *reduction) {
  const assay_reducible *subject = &it->subject;
  assay_text text = {.arena = it->session->arena};
  assay_text_print(&text, "%s", subject->manifest.words);
  if (subject->manifest.entry[0] != '\0')
    assay_text_print(&text, " --entry=%s", subject->manifest.entry);
  for (int i = 0; reduction->given && i < subject->manifest.input_count; i++)
    assay_text_print(&text, " --input=inputs/real-%d.npy", i);
  return assay_text_get(&text);
}

// README as the ledger wrote it, and what is there now besides.
static assay_code tell_of_it(const command *it, const assay_reduction *reduction, const char *plain,
                             assay_error *err) {
  static const char mark[] = "\nreduced.mlir ";
  assay_arena *arena = it->session->arena;
  assay_file readme;
  assay_error ignored;
  assay_text text = {.arena = arena};
  if (assay_file_read(arena, in(it, "README"), &readme, &ignored) == ASSAY_OK) {
    const char *end = strstr(readme.bytes, mark);
    assay_text_append(&text, readme.bytes,
                      end != NULL ? (size_t)(end - readme.bytes) : readme.size);
  }
  assay_text_print(&text,
                   "%s what is left of %s: %d of %d operations, which show it still\n\n"
                   "    assay ledger reduced.mlir --pass-pipeline='%s'%s\n\n",
                   mark, it->subject.manifest.module, reduction->size, reduction->size_before,
                   it->subject.manifest.pipeline, options_of(it, reduction));
  if (plain[0] != '\0')
    assay_text_print(&text, "and by MLIR's own tools alone:\n\n%s", plain);
  else
    assay_text_print(&text,
                     "    assay opt reduced.mlir --pass-pipeline='%s'%s\n\n"
                     "what the pass does; mlir-opt and mlir-runner alone do not show it.\n",
                     it->subject.manifest.pipeline,
                     it->subject.request.plugin_words != NULL ? it->subject.request.plugin_words
                                                              : "");
  return replace(it, "README", assay_text_get(&text), err);
}

static assay_code write_json(const command *it, const assay_reduction *reduction,
                             assay_error *err) {
  const char *path = it->session->options->json;
  if (path == NULL)
    return ASSAY_OK;
  const assay_reducible *subject = &it->subject;
  json_t *made = json_object();
  json_object_set_new(made, "input", assay_json_text(subject->module));
  json_object_set_new(made, "pipeline", assay_json_text(subject->manifest.pipeline));
  json_object_set_new(made, "pass", assay_json_text(subject->manifest.pass));
  json_object_set_new(made, "class", assay_json_text(assay_fault_name(subject->manifest.fault)));
  json_object_set_new(made, "operations_before", json_integer(reduction->size_before));
  json_object_set_new(made, "operations", json_integer(reduction->size));
  json_object_set_new(made, "candidates", json_integer(reduction->tried));
  json_object_set_new(made, "seconds", json_real(reduction->seconds));
  json_object_set_new(made, "reduced",
                      subject->folder != NULL && reduction->nothing == NULL
                          ? assay_json_text(in(it, "reduced.mlir"))
                          : json_null());
  json_object_set_new(made, "nothing", assay_json_text(reduction->nothing));
  json_object_set_new(made, "stopped", json_boolean(reduction->stopped));
  json_object_set_new(made, "out_of_time", json_boolean(reduction->out_of_time));
  bool to_stdout = strcmp(path, "-") == 0;
  FILE *stream = to_stdout ? stdout : fopen(path, "w");
  bool written =
      stream != NULL && json_dumpf(made, stream, JSON_INDENT(1)) == 0 && fputc('\n', stream) != EOF;
  json_decref(made);
  if (stream != NULL && !to_stdout && fclose(stream) != 0)
    written = false;
  return written
             ? ASSAY_OK
             : assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
}

static void print(const command *it, const assay_reduction *reduction) {
  const char *json = it->session->options->json;
  if (json != NULL && strcmp(json, "-") == 0)
    return;
  if (it->subject.folder == NULL) {
    printf("// %s\n// %d of %d operations\n%s", reduction->sentence, reduction->size,
           reduction->size_before, reduction->text);
    return;
  }
  printf("%s\nreduced: %d operations to %d: %s\n", reduction->sentence, reduction->size_before,
         reduction->size, in(it, "reduced.mlir"));
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
  const char *plain = "";
  if (it->subject.folder != NULL) {
    TRY(assay_proof_find(request, reduction, it->subject.folder, it->session->arena, &plain, err));
    TRY(tell_of_it(it, reduction, plain, err));
  }
  assay_ticker_clear(&it->ticker);
  print(it, reduction);
  if (!it->session->options->quiet)
    note(reduction);
  TRY(write_json(it, reduction, err));
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
  TRY(assay_file_read(it->session->arena, in(it, "input.mlir"), &input, err));
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
  TRY(write_json(it, &reduction, err));
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

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static assay_code open_subject(command *it, assay_error *err) {
  const assay_options *options = it->session->options;
  if (options->arguments.count != 1)
    return assay_fail(err, ASSAY_INVALID, "reduce takes one bundle or file, found %zu",
                      options->arguments.count);
  const char *path = options->arguments.items[0];
  if (!is_folder(path)) {
    if (options->check != NULL)
      return assay_fail(err, ASSAY_INVALID, "--check is asked of a bundle; %s is no folder", path);
    return assay_reducible_open_file(it->session, path, &it->ticker, &it->subject, err);
  }
  if (options->passes.count > 0 || options->pipeline != NULL || options->run_line)
    return assay_fail(err, ASSAY_INVALID, "the bundle %s has its own pass; found a pipeline", path);
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
  it.subject.request.progress = show_nothing;
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
