// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/repro.h"
#include "compiler/base/text.h"
#include "compiler/lower/emit.h"
#include "harness/cli/sandbox.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder of this program, so that repro.sh finds it wherever it is called.
static const char *find_program_folder(assay_arena *arena) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(path, '/');
  return slash != NULL ? assay_arena_bytes(arena, path, (size_t)(slash - path)) : ".";
}

static void print_comment(assay_text *script, const char *text) {
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    assay_text_print(script, "# %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static const char *print_script(assay_arena *arena, const assay_record *record) {
  assay_text script = {.arena = arena};
  assay_text_print(&script, "#!/bin/sh\n");
  print_comment(&script, assay_arena_format(arena, "%s %s", assay_verdict_name(record->verdict),
                                            record->key));
  if (record->reason != NULL)
    print_comment(&script, record->reason);
  // Into a folder of its own: neither the records of the run that failed are written over, nor is
  // anything put beside this script, which a later run must be able to remove.
  assay_text_print(&script,
                   "out=$(mktemp -d) || exit\nPATH='%s':$PATH\nexec %s --out \"$out\" \"$@\"\n",
                   find_program_folder(arena), record->repro);
  return assay_text_get(&script);
}

typedef struct module_task {
  const assay_context *context;
  const assay_case *a_case;
  const char *path;
} module_task;

static assay_code write_module(void *user, assay_error *err) {
  const module_task *task = user;
  assay_arena *arena = assay_arena_create();
  const assay_program *program;
  MlirModule module;
  assay_code code = assay_case_build(arena, task->a_case, &program, err);
  if (code == ASSAY_OK)
    code = assay_module_emit(task->context, program, &module, err);
  if (code == ASSAY_OK) {
    code = assay_file_write(task->path, assay_module_print(arena, module), err);
    mlirModuleDestroy(module);
  }
  assay_arena_destroy(arena);
  return code;
}

static assay_code write_record(const assay_out *out, const assay_record *record, assay_arena *arena,
                               assay_error *err) {
  const char *folder = assay_out_repro(arena, out, record->key);
  TRY(assay_folder_make(folder, err));
  return assay_file_write(assay_arena_format(arena, "%s/record.json", folder),
                          assay_arena_format(arena, "%s\n", assay_record_print(arena, record)),
                          err);
}

static assay_code write_one(const assay_session *session, const assay_out *out,
                            const assay_context *context, const assay_case *a_case,
                            const assay_record *record, assay_arena *arena, assay_error *err) {
  const char *folder = assay_out_repro(arena, out, record->key);
  TRY(write_record(out, record, arena, err));
  if (record->repro != NULL) {
    const char *script = assay_arena_format(arena, "%s/repro.sh", folder);
    TRY(assay_file_write(script, print_script(arena, record), err));
    chmod(script, 0755);
  }
  if (a_case == NULL || a_case->op->rejected)
    return ASSAY_OK;
  module_task task = {.context = context,
                      .a_case = a_case,
                      .path = assay_arena_format(arena, "%s/module.mlir", folder)};
  // Without it where it cannot be made: the record says what went wrong.
  assay_error ignored;
  (void)!assay_sandbox_run(session->options, write_module, &task, &ignored);
  return ASSAY_OK;
}

assay_code assay_repro_write(const assay_session *session, const assay_out *out,
                             const assay_context *context, const assay_cases *cases,
                             const assay_record records[], size_t count, assay_error *err) {
  for (size_t i = 0; i < count; i++) {
    if (!assay_verdict_is_bad(records[i].verdict))
      continue;
    assay_arena *arena = assay_arena_create();
    assay_code code = write_one(session, out, context, assay_cases_find(cases, records[i].line),
                                &records[i], arena, err);
    assay_arena_destroy(arena);
    TRY(code);
  }
  return ASSAY_OK;
}

assay_code assay_repro_rewrite(const assay_out *out, const assay_record records[], size_t count,
                               assay_error *err) {
  for (size_t i = 0; i < count; i++) {
    bool is_known = records[i].first_bad.n > 0 || records[i].nan_origin != NULL;
    if (!assay_verdict_is_bad(records[i].verdict) || !is_known)
      continue;
    assay_arena *arena = assay_arena_create();
    assay_code code = write_record(out, &records[i], arena, err);
    assay_arena_destroy(arena);
    TRY(code);
  }
  return ASSAY_OK;
}
