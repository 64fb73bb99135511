// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/manifest.h"

#include "compiler/base/file.h"
#include "harness/ledger/steps.h"
#include "results/record/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_callable(const assay_ledger_answer *answer, const assay_snapshot *state) {
  for (int i = 0; i < state->function_count; i++)
    if (strcmp(state->functions[i].name, answer->entry) == 0)
      return state->functions[i].kind == ASSAY_FUNCTION_FUNC;
  return answer->entry[0] == '\0';
}

// Whether the pass alone, on the state before it, says as much as the whole pipeline: what is left
// unlowered hangs on what the passes before it did.
static bool is_alone(const assay_ledger_answer *answer, const assay_execution *bad) {
  assay_fault fault = answer->blame.fault;
  return bad->options[0] != '\0' && fault != ASSAY_FAULT_UNLOWERED &&
         (!assay_fault_needs_runs(fault) || is_callable(answer, bad->before));
}

assay_manifest assay_manifest_of(const assay_ledger_request *request, assay_arena *arena,
                                 const assay_ledger_answer *answer) {
  const assay_execution *bad = answer->rows[answer->blame.row].execution;
  bool alone = is_alone(answer, bad);
  const char *whole = assay_pass_pipeline_text(request->pipeline, arena);
  return (assay_manifest){
      .module = alone ? "before.mlir" : "input.mlir",
      .pipeline = alone ? assay_steps_pipeline(arena, bad) : whole,
      .whole = whole,
      .pass = bad->name,
      .fault = answer->blame.fault,
      .entry = answer->entry,
      .reason = answer->blame.reason,
      .words = assay_arena_format(arena, "%s%s",
                                  request->plugin_words != NULL ? request->plugin_words : "",
                                  request->option_words != NULL ? request->option_words : ""),
      .input_count = request->inputs != NULL ? request->input_count : 0,
      .has_after = bad->after != bad->before,
  };
}

assay_code assay_manifest_write(const assay_manifest *manifest, const char *path,
                                assay_error *err) {
  json_t *made = json_object();
  json_object_set_new(made, "bundle", json_integer(ASSAY_BUNDLE_FORMAT));
  json_object_set_new(made, "module", assay_json_text(manifest->module));
  json_object_set_new(made, "pipeline", assay_json_text(manifest->pipeline));
  json_object_set_new(made, "whole", assay_json_text(manifest->whole));
  json_object_set_new(made, "pass", assay_json_text(manifest->pass));
  json_object_set_new(made, "class", json_string(assay_fault_name(manifest->fault)));
  json_object_set_new(made, "entry", assay_json_text(manifest->entry));
  json_object_set_new(made, "reason", assay_json_text(manifest->reason));
  json_object_set_new(made, "words", assay_json_text(manifest->words));
  json_object_set_new(made, "inputs", json_integer(manifest->input_count));
  json_object_set_new(made, "after", json_boolean(manifest->has_after));
  char *text = json_dumps(made, JSON_INDENT(1));
  json_decref(made);
  if (text == NULL)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot be written as JSON");
  assay_code code = assay_file_write(path, text, err);
  free(text);
  return code;
}

// The text of a key; NULL, with the error, where there is none.
static const char *text_of(assay_arena *arena, const json_t *from, const char *path,
                           const char *key, assay_error *err) {
  const char *text = json_string_value(json_object_get(from, key));
  if (text == NULL)
    (void)!assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "no text under \"%s\"", key);
  return text != NULL ? assay_arena_string(arena, text) : NULL;
}

static assay_code fault_of(const char *name, const char *path, assay_fault *out_fault,
                           assay_error *err) {
  for (int fault = ASSAY_FAULT_MISCOMPILE; fault <= ASSAY_FAULT_NONDETERMINISTIC; fault++)
    if (strcmp(assay_fault_name((assay_fault)fault), name) == 0) {
      *out_fault = (assay_fault)fault;
      return ASSAY_OK;
    }
  return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "\"%s\" is no class of faults", name);
}

static assay_code interpret(assay_arena *arena, const json_t *from, const char *path,
                            assay_manifest *out_manifest, assay_error *err) {
  const json_t *format = json_object_get(from, "bundle");
  if (!json_is_integer(format))
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0,
                         "no number under \"bundle\": this is no bundle of a ledger");
  if (json_integer_value(format) != ASSAY_BUNDLE_FORMAT)
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0,
                         "a bundle of format %lld, this version of assay reads format %d",
                         (long long)json_integer_value(format), ASSAY_BUNDLE_FORMAT);
  const struct {
    const char *key, **text;
  } texts[] = {{"module", &out_manifest->module}, {"pipeline", &out_manifest->pipeline},
               {"whole", &out_manifest->whole},   {"pass", &out_manifest->pass},
               {"entry", &out_manifest->entry},   {"reason", &out_manifest->reason},
               {"words", &out_manifest->words}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    *texts[i].text = text_of(arena, from, path, texts[i].key, err);
    if (*texts[i].text == NULL)
      return ASSAY_INVALID;
  }
  const char *fault = text_of(arena, from, path, "class", err);
  if (fault == NULL)
    return ASSAY_INVALID;
  out_manifest->input_count = (int)json_integer_value(json_object_get(from, "inputs"));
  out_manifest->has_after = json_is_true(json_object_get(from, "after"));
  return fault_of(fault, path, &out_manifest->fault, err);
}

static assay_code check_file(assay_arena *arena, const char *folder, const char *name,
                             assay_error *err) {
  const char *path = assay_arena_format(arena, "%s/%s", folder, name);
  if (access(path, R_OK) == 0)
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "this file of the bundle is missing");
}

assay_code assay_manifest_read(assay_arena *arena, const char *folder, assay_manifest *out_manifest,
                               assay_error *err) {
  const char *path = assay_arena_format(arena, "%s/bundle.json", folder);
  if (access(path, F_OK) != 0)
    return assay_fail_at(
        err, ASSAY_INVALID, folder, 0, 0,
        "no bundle: it holds no bundle.json (`assay ledger --save DIR` makes one)");
  assay_file file;
  TRY(assay_file_read(arena, path, &file, err));
  json_error_t wrong;
  json_t *json = json_loadb(file.bytes, file.size, 0, &wrong);
  if (json == NULL)
    return assay_fail_at(err, ASSAY_INVALID, path, wrong.line, wrong.column, "%s", wrong.text);
  *out_manifest = (assay_manifest){0};
  assay_code code = interpret(arena, json, path, out_manifest, err);
  json_decref(json);
  TRY(code);
  const char *const files[] = {"input.mlir", "before.mlir", "pass",
                               out_manifest->has_after ? "after.mlir" : "pass"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    TRY(check_file(arena, folder, files[i], err));
  for (int i = 0; i < out_manifest->input_count; i++)
    TRY(check_file(arena, folder, assay_arena_format(arena, "inputs/real-%d.npy", i), err));
  return ASSAY_OK;
}
