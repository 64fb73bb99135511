// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/bundle.h"

#include "compiler/base/file.h"
#include "compiler/base/text.h"
#include "harness/ledger/manifest.h"
#include "harness/ledger/printed.h"
#include "harness/ledger/readme.h"
#include "harness/ledger/steps.h"
#include "reference/npy.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_code print_state(const assay_ledger_request *request, assay_arena *arena,
                              const assay_snapshot *snapshot, bool generic, const char *path,
                              assay_error *err) {
  const char *text;
  assay_error why;
  assay_code code =
      assay_state_text(request, arena, snapshot, generic, "writing the bundle", &text, &why);
  if (code != ASSAY_OK)
    return assay_fail_at(err, code, path, 0, 0, "%s", why.text);
  return assay_file_write(path, text, err);
}

static const char *npy_descr(const assay_observed *item, assay_arena *arena) {
  switch (item->element) {
  case ASSAY_ELEMENT_F16:
    return "<f2";
  case ASSAY_ELEMENT_F32:
    return "<f4";
  case ASSAY_ELEMENT_F64:
    return "<f8";
  case ASSAY_ELEMENT_BF16:
    return "<u2"; // NumPy has no bf16: its bits
  case ASSAY_ELEMENT_TEXT:
    return "|u1";
  case ASSAY_ELEMENT_INTEGER:
    break;
  default:
    return "|u1"; // nor floats of a byte
  }
  // NumPy has no wider integers than of 8 bytes: their bytes.
  return item->bytes > 8
             ? "|V16"
             : assay_arena_format(arena, "%ci%d", item->bytes == 1 ? '|' : '<', item->bytes);
}

static assay_code write_arrays(assay_arena *arena, const char *folder, const char *data,
                               const assay_observation *seen, assay_error *err) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return assay_fail_at(err, ASSAY_FAILED, folder, 0, 0, "cannot make: %s", strerror(errno));
  for (int i = 0; i < seen->count; i++) {
    const assay_observed *item = &seen->items[i];
    if (item->rank <= ASSAY_NPY_MAX_RANK)
      TRY(assay_npy_write(assay_arena_format(arena, "%s/%s-%d.npy", folder, data, i),
                          npy_descr(item, arena), (size_t)item->bytes, item->rank, item->dim,
                          item->data, err));
  }
  return ASSAY_OK;
}

static assay_code write_values(assay_arena *arena, const assay_ledger_answer *answer,
                               const char *folder, assay_error *err) {
  for (int i = 0; i < answer->shown_count; i++) {
    const assay_ledger_shown *shown = &answer->shown[i];
    const char *data = assay_readme_data(shown);
    if (shown->arguments != NULL)
      TRY(write_arrays(arena, assay_arena_format(arena, "%s/inputs", folder), data,
                       shown->arguments, err));
    if (shown->expected != NULL)
      TRY(write_arrays(arena, assay_arena_format(arena, "%s/expected", folder), data,
                       shown->expected, err));
    if (shown->got != NULL)
      TRY(write_arrays(arena, assay_arena_format(arena, "%s/got", folder), data, shown->got, err));
  }
  return ASSAY_OK;
}

// The pretty form, but for a state that it cannot be read again from.
static assay_code print_before(const assay_ledger_request *request, assay_arena *arena,
                               const assay_ledger_answer *answer, const assay_snapshot *state,
                               const char *path, assay_error *err) {
  bool generic = false;
  for (int i = 0; i < answer->row_count; i++)
    generic |= answer->rows[i].execution->after == state && !answer->rows[i].roundtrips;
  return print_state(request, arena, state, generic, path, err);
}

static assay_code write_all(const assay_ledger_request *request, assay_arena *arena,
                            const assay_ledger_answer *answer, const char *folder,
                            const char *program, assay_error *err) {
  const assay_execution *bad = answer->rows[answer->blame.row].execution;
  TRY(print_before(request, arena, answer, answer->input,
                   assay_arena_format(arena, "%s/input.mlir", folder), err));
  TRY(print_before(request, arena, answer, bad->before,
                   assay_arena_format(arena, "%s/before.mlir", folder), err));
  bool whole = bad->verifies && answer->blame.fault != ASSAY_FAULT_UNPARSABLE_IR;
  if (bad->after != bad->before)
    TRY(print_state(request, arena, bad->after, !whole,
                    assay_arena_format(arena, "%s/after.mlir", folder), err));
  const char *pass = assay_arena_format(arena, "%s\n", assay_steps_pass(arena, bad));
  TRY(assay_file_write(assay_arena_format(arena, "%s/pass", folder), pass, err));
  TRY(write_values(arena, answer, folder, err));
  const assay_manifest manifest = assay_manifest_of(request, arena, answer);
  TRY(assay_manifest_write(&manifest, assay_arena_format(arena, "%s/bundle.json", folder), err));
  return assay_file_write(assay_arena_format(arena, "%s/README", folder),
                          assay_readme_text(request, arena, answer, program), err);
}

// All that a bundle may hold.
static const char *const FILES[] = {"before.mlir", "after.mlir",  "input.mlir",   "pass",
                                    "README",      "bundle.json", "reduced.mlir", "shown.mlir"};
static const char *const ARRAYS[] = {"inputs", "expected", "got"};
enum {
  FILE_COUNT = sizeof FILES / sizeof FILES[0],
  ARRAY_COUNT = sizeof ARRAYS / sizeof ARRAYS[0]
};

static bool is_folder(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void remove_arrays(assay_arena *arena, const char *folder) {
  DIR *stream = is_folder(folder) ? opendir(folder) : NULL;
  if (stream == NULL)
    return;
  for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot != NULL && strcmp(dot, ".npy") == 0)
      unlink(assay_arena_format(arena, "%s/%s", folder, entry->d_name));
  }
  closedir(stream);
  rmdir(folder);
}

static void remove_contents(assay_arena *arena, const char *folder) {
  for (int i = 0; i < FILE_COUNT; i++)
    unlink(assay_arena_format(arena, "%s/%s", folder, FILES[i]));
  for (int i = 0; i < ARRAY_COUNT; i++)
    remove_arrays(arena, assay_arena_format(arena, "%s/%s", folder, ARRAYS[i]));
}

void assay_bundle_remove(assay_arena *arena, const char *folder) {
  if (!is_folder(folder))
    return;
  remove_contents(arena, folder);
  rmdir(folder);
}

static assay_code move(assay_arena *arena, const char *draft, const char *folder, const char *name,
                       assay_error *err) {
  const char *from = assay_arena_format(arena, "%s/%s", draft, name);
  const char *to = assay_arena_format(arena, "%s/%s", folder, name);
  if (rename(from, to) != 0 && errno != ENOENT) // not every bundle has all
    return assay_fail_at(err, ASSAY_FAILED, to, 0, 0, "cannot write: %s", strerror(errno));
  return ASSAY_OK;
}

static assay_code publish(assay_arena *arena, const char *draft, const char *folder,
                          assay_error *err) {
  remove_contents(arena, folder);
  for (int i = 0; i < FILE_COUNT; i++)
    TRY(move(arena, draft, folder, FILES[i], err));
  for (int i = 0; i < ARRAY_COUNT; i++)
    TRY(move(arena, draft, folder, ARRAYS[i], err));
  return ASSAY_OK;
}

assay_code assay_bundle_write(const assay_ledger_request *request, assay_arena *arena,
                              const assay_ledger_answer *answer, const char *folder,
                              const char *program, assay_error *err) {
  if (answer->blame.fault == ASSAY_FAULT_NONE)
    return ASSAY_OK;
  // What is half written stands aside, so that a bundle is there as a whole or not at all.
  const char *draft = assay_arena_format(arena, "%s/.draft", folder);
  assay_bundle_remove(arena, draft); // of a ledger that was killed
  if (mkdir(draft, 0777) != 0)
    return assay_fail_at(err, ASSAY_FAILED, folder, 0, 0, "cannot write: %s", strerror(errno));
  assay_code code = write_all(request, arena, answer, draft, program, err);
  if (code == ASSAY_OK)
    code = publish(arena, draft, folder, err);
  assay_bundle_remove(arena, draft);
  return code;
}
