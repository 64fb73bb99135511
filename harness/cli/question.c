// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/question.h"

#include "compiler/base/text.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/pipeline.h"
#include "harness/cli/arrays.h"
#include "harness/cli/contracts.h"
#include "harness/cli/sandbox.h"
#include "harness/cli/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Addresses, not memory: states of some hundred MB each still fit.
static const size_t SHARED_BYTES = (size_t)1 << 40;

typedef struct plugin {
  MlirContext context;
  const char *file;
  bool dialect;
} plugin;

static assay_code load_plugin(void *user, assay_error *err) {
  const plugin *it = user;
  return it->dialect ? assay_dialects_load_plugin(it->file, it->context, err)
                     : assay_passes_load_plugin(it->file, err);
}

// As in the shell, a name without a folder is a file of this one: the system's loader would look
// for it among the system's libraries only.
static const char *place_of(assay_arena *arena, const char *file) {
  bool here = strchr(file, '/') == NULL && access(file, F_OK) == 0;
  return here ? assay_arena_format(arena, "./%s", file) : file;
}

// In a child first: a library that was built for another LLVM may take the process with it.
static assay_code load_plugins(const assay_session *session, const assay_names *files, bool dialect,
                               MlirContext context, assay_error *err) {
  for (size_t i = 0; i < files->count; i++) {
    plugin it = {
        .context = context, .dialect = dialect, .file = place_of(session->arena, files->items[i])};
    assay_error reason;
    assay_code code = assay_sandbox_run(session->options, load_plugin, &it, &reason);
    if (code == ASSAY_FAILED)
      return assay_fail_at(err, ASSAY_INVALID, it.file, 0, 0, "this plug-in cannot be loaded: %s",
                           reason.text);
    if (code != ASSAY_OK) {
      *err = reason;
      return code;
    }
    TRY(load_plugin(&it, err));
  }
  return ASSAY_OK;
}

static assay_code read_dims(const assay_names *words, assay_ledger_request *request,
                            assay_error *err) {
  if (words->count > ASSAY_OBSERVED_MAX_RANK)
    return assay_fail(err, ASSAY_INVALID, "--dims: %zu sizes, at most %d are taken", words->count,
                      ASSAY_OBSERVED_MAX_RANK);
  for (size_t i = 0; i < words->count; i++) {
    char *end;
    long long size = strtoll(words->items[i], &end, 10);
    if (end == words->items[i] || *end != '\0' || size < 0 || size > 1 << 24)
      return assay_fail(err, ASSAY_INVALID, "--dims: '%s' is no size from 0 to %d", words->items[i],
                        1 << 24);
    request->dims[request->dim_count++] = size;
  }
  return ASSAY_OK;
}

static assay_code choose_data(const assay_names *words, assay_ledger_request *request,
                              assay_error *err) {
  static const char *const names[ASSAY_DATA_SETS] = {"int", "real"};
  for (size_t i = 0; i < words->count; i++) {
    int found = -1;
    for (int k = 0; k < ASSAY_DATA_SETS; k++)
      if (strcmp(words->items[i], names[k]) == 0)
        found = k;
    if (found < 0)
      return assay_fail(err, ASSAY_INVALID, "--data: unknown data set '%s'; known: int, real",
                        words->items[i]);
    request->data[found] = true;
  }
  for (int k = 0; k < ASSAY_DATA_SETS; k++)
    request->data[k] |= words->count == 0;
  return ASSAY_OK;
}

// Whether the RUN line, where it is asked for, gives mlir-opt a flag.
static bool run_line_says(const assay_session *session, const assay_file *file, const char *flag) {
  int count = 0;
  bool says = false;
  const assay_source_command *commands =
      session->options->run_line ? assay_source_run_line(file, session->arena, &count) : NULL;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < commands[i].word_count; k++) {
      const char *word = commands[i].words[k], *name = word + strspn(word, "-");
      says |= name != word && strncmp(name, flag, strlen(flag)) == 0;
    }
  return says;
}

// A pipeline of MLIR's syntax, or the passes inside builtin.module(...) alone.
static assay_code read_tail(const assay_session *session, MlirContext context,
                            const assay_pass_pipeline **out_tail, assay_error *err) {
  const char *given = session->options->tail;
  bool whole = strncmp(given, "builtin.module", strlen("builtin.module")) == 0;
  const char *word = assay_arena_format(session->arena, "--pass-pipeline=%s%s%s",
                                        whole ? "" : "builtin.module(", given, whole ? "" : ")");
  assay_pass_pipeline *tail;
  assay_error reason;
  assay_code code = assay_pass_pipeline_parse(context, 1, &word, &tail, &reason);
  static const char option[] = "--pass-pipeline: ";
  bool named = code != ASSAY_OK && strncmp(reason.text, option, sizeof option - 1) == 0;
  if (code != ASSAY_OK)
    return assay_fail(err, code, "--tail: %s", reason.text + (named ? sizeof option - 1 : 0));
  *out_tail = tail;
  return ASSAY_OK;
}

assay_ledger_request assay_question_of_run(const assay_session *session,
                                           volatile sig_atomic_t *stop) {
  const assay_options *options = session->options;
  bool usual = options->timeout == ASSAY_DEFAULT_TIMEOUT;
  assay_passes_register();
  return (assay_ledger_request){.context = assay_passes_context(),
                                .seed = 1,
                                .jobs = assay_options_jobs(options),
                                .timeout = usual ? ASSAY_STATE_TIMEOUT : options->timeout,
                                .memory_bytes = (int64_t)options->memory * 1000000,
                                .stop = stop};
}

assay_code assay_question_open(const assay_session *session, const assay_file *file,
                               assay_ledger_request *out_request, assay_error *err) {
  const assay_options *options = session->options;
  assay_ledger_request request = {.file = file->path,
                                  .seed = options->seed > 0 ? (uint64_t)options->seed : 1,
                                  .jobs = assay_options_jobs(options),
                                  .timeout = options->timeout,
                                  .memory_bytes = (int64_t)options->memory * 1000000,
                                  .nan_origin = options->nan_origin,
                                  .inf_origin = options->inf_origin,
                                  .loss_origin = options->loss_origin};
  TRY(assay_contracts_read(session, &request, err));
  TRY(choose_data(&options->data, &request, err));
  TRY(read_dims(&options->dims, &request, err));
  TRY(assay_arrays_read(session, &request, err));
  assay_passes_register();
  request.context = assay_passes_context();
  mlirContextSetAllowUnregisteredDialects(
      request.context,
      options->allow_unregistered || run_line_says(session, file, "allow-unregistered-dialect"));
  TRY(load_plugins(session, &options->dialect_plugins, true, request.context, err));
  TRY(load_plugins(session, &options->pass_plugins, false, request.context, err));
  TRY(assay_contracts_check(session, err));
  if (options->tail != NULL) {
    TRY(read_tail(session, request.context, &request.user_tail, err));
  }
  assay_words_of_options(session, &request);
  TRY(assay_shared_create(SHARED_BYTES, &request.shared, err));
  *out_request = request;
  return ASSAY_OK;
}

// Pipelines of the form "builtin.module(...)" one after the other, as a word of a command line.
static const char *join(assay_arena *arena, const char *const pipelines[], size_t count) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "--pass-pipeline=builtin.module(");
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    const char *open = strchr(pipelines[i], '('), *close = strrchr(pipelines[i], ')');
    int length = open != NULL ? (int)(close - open - 1) : 0;
    if (length > 0)
      assay_text_print(&text, "%s%.*s", any ? "," : "", length, open + 1);
    any |= length > 0;
  }
  assay_text_print(&text, ")");
  return assay_text_get(&text);
}

static assay_code built_in(const assay_session *session, const char *name, const char **out_word,
                           assay_error *err) {
  const assay_pipeline *pipeline = assay_pipeline_find(name);
  if (pipeline == NULL) {
    const char *names[16];
    size_t count = 0;
    for (const assay_pipeline *const *at = assay_pipelines_get(); *at != NULL && count < 16; at++)
      names[count++] = (*at)->name;
    return assay_fail(err, ASSAY_INVALID, "--pipeline: unknown pipeline '%s'%s", name,
                      assay_hint(session->arena, name, names, count));
  }
  const char *stages[ASSAY_MAX_STAGES];
  for (int i = 0; i < pipeline->stage_count; i++)
    stages[i] = pipeline->stage[i].passes;
  *out_word = join(session->arena, stages, (size_t)pipeline->stage_count);
  return ASSAY_OK;
}

assay_code assay_question_built_in(const assay_session *session, const char *name,
                                   MlirContext context, assay_pass_pipeline **out_pipeline,
                                   assay_error *err) {
  const char *word;
  TRY(built_in(session, name, &word, err));
  return assay_pass_pipeline_parse(context, 1, &word, out_pipeline, err);
}

// A command of a RUN line holds more than passes: flags of tests and of printing, which say nothing
// of the pipeline.
static assay_code command_text(const assay_session *session, MlirContext context,
                               const assay_source_command *command, const char **out_text,
                               assay_error *err) {
  const char **words =
      assay_arena_take(session->arena, (size_t)command->word_count + 1, sizeof *words);
  assay_pass_pipeline *pipeline;
  int count = 0;
  for (int i = 0; i < command->word_count; i++) {
    const char *word = command->words[i], *name = word + strspn(word, "-");
    if (word[0] == '-' &&
        (strncmp(name, "pass-pipeline", strlen("pass-pipeline")) == 0 || assay_pass_is_known(word)))
      words[count++] = word;
  }
  TRY(assay_pass_pipeline_parse(context, count, words, &pipeline, err));
  *out_text = assay_pass_pipeline_text(pipeline, session->arena);
  assay_pass_pipeline_destroy(pipeline);
  return ASSAY_OK;
}

bool assay_question_is_split(const assay_session *session, const assay_file *file) {
  return session->options->split_input || run_line_says(session, file, "split-input-file");
}

static assay_code run_line(const assay_session *session, const assay_file *file,
                           MlirContext context, const char **out_word, assay_error *err) {
  int count;
  const assay_source_command *commands = assay_source_run_line(file, session->arena, &count);
  const char **texts = assay_arena_take(session->arena, (size_t)count + 1, sizeof *texts);
  size_t used = 0;
  for (int i = 0; i < count; i++)
    if (strncmp(commands[i].tool, "mlir-opt", strlen("mlir-opt")) == 0)
      TRY(command_text(session, context, &commands[i], &texts[used++], err));
  if (used == 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "--run-line: no line '// RUN: mlir-opt ...'");
  *out_word = join(session->arena, texts, used);
  return ASSAY_OK;
}

// A word with dashes that is neither an option nor a pass: which of both may have been meant.
static assay_code check_words(const assay_session *session, const assay_names *words,
                              assay_error *err) {
  static const char text[] = "pass-pipeline";
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->items[i], *start = word + strspn(word, "-");
    if (strncmp(start, text, sizeof text - 1) == 0 || assay_pass_is_known(word))
      continue;
    const char *name = assay_arena_bytes(session->arena, start, strcspn(start, "={"));
    const char *near[2];
    size_t count = 0;
    near[count] = assay_pass_nearest(name);
    count += near[count] != NULL;
    near[count] = assay_options_nearest(session->arena, name, assay_verb_ledger.options);
    count += near[count] != NULL;
    const char *nearest = assay_nearest(name, near, count);
    if (nearest != NULL && strcmp(nearest, name) == 0)
      return assay_fail(err, ASSAY_INVALID, "--%s is an option of `assay ledger`, not of this verb",
                        name);
    return assay_fail(err, ASSAY_INVALID, "unknown pass or option '%s'%s%s%s", name,
                      nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                      nearest != NULL ? "'?" : "; see `mlir-opt --help` and `assay ledger --help`");
  }
  return ASSAY_OK;
}

assay_code assay_question_pipeline(const assay_session *session, const assay_file *file,
                                   const assay_source_piece *piece, assay_ledger_request *request,
                                   assay_error *err) {
  const assay_options *options = session->options;
  assay_names words = options->passes;
  const char *word = NULL;
  if ((words.count > 0) + (options->pipeline != NULL) + options->run_line > 1)
    return assay_fail(err, ASSAY_INVALID,
                      "passes, --pipeline and --run-line each give a pipeline: say one of them");
  TRY(check_words(session, &words, err));
  if (options->pipeline != NULL) {
    TRY(built_in(session, options->pipeline, &word, err));
  } else if (options->run_line) {
    TRY(run_line(session, file, request->context, &word, err));
  } else if (words.count == 0) {
    const char *embedded = assay_source_reproducer(piece->text, piece->size, session->arena);
    bool asked = options->nan_origin || options->inf_origin || options->loss_origin;
    if (embedded == NULL && asked)
      embedded = "builtin.module()"; // the program alone is asked about
    if (embedded == NULL)
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "no pipeline: give passes, --pipeline NAME or --run-line (the file "
                           "embeds none)");
    word = assay_arena_format(session->arena, "--pass-pipeline=%s", embedded);
  }
  if (word != NULL)
    words = (assay_names){.items = &word, .count = 1};
  return assay_pass_pipeline_parse(request->context, (int)words.count, words.items,
                                   &request->pipeline, err);
}
