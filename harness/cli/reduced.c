// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/reduced.h"

#include "compiler/base/file.h"
#include "compiler/base/text.h"
#include "harness/cli/json_file.h"
#include "results/record/json_text.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *in(const assay_reduced *it, const char *name) {
  return assay_arena_format(it->session->arena, "%s/%s", it->subject->folder, name);
}

// Whole or not at all, whatever ends this process.
static assay_code replace(const assay_reduced *it, const char *name, const char *text,
                          assay_error *err) {
  const char *draft = in(it, assay_arena_format(it->session->arena, ".%s", name));
  const char *path = in(it, name);
  assay_code code = assay_file_write(draft, text, err);
  if (code == ASSAY_OK && rename(draft, path) != 0)
    code = assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
  if (code != ASSAY_OK)
    unlink(draft);
  return code;
}

static const char *options_of(const assay_reduced *it) {
  const assay_reducible *subject = it->subject;
  assay_text text = {.arena = it->session->arena};
  assay_text_print(&text, "%s", subject->manifest.words);
  if (subject->manifest.entry[0] != '\0')
    assay_text_print(&text, " --entry=%s", subject->manifest.entry);
  for (int i = 0; it->reduction->given && i < subject->manifest.input_count; i++)
    assay_text_print(&text, " --input=inputs/real-%d.npy", i);
  return assay_text_get(&text);
}

// README as the ledger wrote it, and what is there now besides.
assay_code assay_reduced_tell(const assay_reduced *it, const char *plain, assay_error *err) {
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
                   mark, it->subject->manifest.module, it->reduction->size,
                   it->reduction->size_before, it->subject->manifest.pipeline, options_of(it));
  if (plain[0] != '\0')
    assay_text_print(&text, "and by MLIR's own tools alone:\n\n%s", plain);
  else
    assay_text_print(&text,
                     "    assay opt reduced.mlir --pass-pipeline='%s'%s\n\n"
                     "what the pass does; mlir-opt and mlir-runner alone do not show it.\n",
                     it->subject->manifest.pipeline,
                     it->subject->request.plugin_words != NULL ? it->subject->request.plugin_words
                                                               : "");
  return replace(it, "README", assay_text_get(&text), err);
}

assay_code assay_reduced_write_json(const assay_reduced *it, assay_error *err) {
  const char *path = it->session->options->json;
  if (path == NULL)
    return ASSAY_OK;
  const assay_reducible *subject = it->subject;
  json_t *made = json_object();
  json_object_set_new(made, "input", assay_json_text(subject->module));
  json_object_set_new(made, "pipeline", assay_json_text(subject->manifest.pipeline));
  json_object_set_new(made, "pass", assay_json_text(subject->manifest.pass));
  json_object_set_new(made, "class", assay_json_text(assay_fault_name(subject->manifest.fault)));
  json_object_set_new(made, "operations_before", json_integer(it->reduction->size_before));
  json_object_set_new(made, "operations", json_integer(it->reduction->size));
  json_object_set_new(made, "candidates", json_integer(it->reduction->tried));
  json_object_set_new(made, "seconds", json_real(it->reduction->seconds));
  json_object_set_new(made, "reduced",
                      subject->folder != NULL && it->reduction->nothing == NULL
                          ? assay_json_text(in(it, "reduced.mlir"))
                          : json_null());
  json_object_set_new(made, "module",
                      it->reduction->nothing == NULL ? assay_json_text(it->reduction->text)
                                                     : json_null());
  json_object_set_new(made, "nothing", assay_json_text(it->reduction->nothing));
  json_object_set_new(made, "stopped", json_boolean(it->reduction->stopped));
  json_object_set_new(made, "out_of_time", json_boolean(it->reduction->out_of_time));
  return assay_json_file_write(made, path, err);
}

void assay_reduced_print(const assay_reduced *it) {
  const char *json = it->session->options->json;
  if (json != NULL && strcmp(json, "-") == 0)
    return;
  if (it->subject->folder == NULL) {
    printf("// %s\n// %d of %d operations\n%s", it->reduction->sentence, it->reduction->size,
           it->reduction->size_before, it->reduction->text);
    return;
  }
  printf("%s\nreduced: %d operations to %d: %s\n", it->reduction->sentence,
         it->reduction->size_before, it->reduction->size, in(it, "reduced.mlir"));
}

assay_code assay_reduced_keep(const assay_reduced *it, const char *text, assay_error *err) {
  return it->subject->folder != NULL ? replace(it, "reduced.mlir", text, err) : ASSAY_OK;
}
