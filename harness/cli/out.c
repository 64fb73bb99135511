// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/out.h"
#include "harness/ledger/bundle.h"
#include "results/record/slug.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_code fail_write(const char *path, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
}

assay_code assay_folders_make(const char *path, size_t *out_made, assay_error *err) {
  char prefix[PATH_MAX];
  *out_made = 0;
  struct stat status;
  size_t length = strlen(path);
  if (length >= sizeof prefix)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "the path is too long");
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(prefix, path, i);
    prefix[i] = '\0';
    if (mkdir(prefix, 0777) == 0)
      *out_made = *out_made > 0 ? *out_made : i;
    else if (errno != EEXIST)
      return fail_write(path, err);
  }
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: this is no folder");
  return ASSAY_OK;
}

void assay_folders_unmake(assay_arena *arena, const char *path, size_t made) {
  char *prefix = assay_arena_string(arena, path);
  for (size_t i = strlen(path); made > 0 && i >= made; i--) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    prefix[i] = '\0';
    rmdir(prefix);
  }
}

assay_code assay_folder_make(const char *path, assay_error *err) {
  size_t ignored;
  return assay_folders_make(path, &ignored, err);
}

assay_code assay_folder_probe(assay_arena *arena, const char *path, assay_error *err) {
  size_t made;
  TRY(assay_folders_make(path, &made, err));
  assay_code code = access(path, W_OK | X_OK) == 0 ? ASSAY_OK : fail_write(path, err);
  assay_folders_unmake(arena, path, made);
  return code;
}

static bool is_folder(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Removes what runs write into a folder, and the folder where that was all: --out may be any.
static void remove_written(assay_arena *arena, const char *folder) {
  static const char *const files[] = {"repro.sh", "record.json", "module.mlir"};
  if (!is_folder(folder))
    return;
  assay_bundle_remove(arena, assay_arena_format(arena, "%s/bundle", folder));
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    unlink(assay_arena_format(arena, "%s/%s", folder, files[i]));
  rmdir(folder);
}

// Calls for each entry of FOLDER/repro, and removes that folder where nothing is left in it.
static void clear_repro(assay_arena *arena, const char *folder,
                        void (*clear)(assay_arena *arena, const char *one)) {
  const char *repro = assay_arena_format(arena, "%s/repro", folder);
  DIR *stream = opendir(repro);
  if (stream == NULL)
    return;
  for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
    if (entry->d_name[0] != '.')
      clear(arena, assay_arena_format(arena, "%s/%s", repro, entry->d_name));
  closedir(stream);
  rmdir(repro);
}

// Removes one repro folder. Scripts of earlier versions ran inside it and left their records there.
static void clear_one(assay_arena *arena, const char *folder) {
  const char *above = assay_arena_format(arena, "%s/assay-out", folder);
  const char *inner = assay_arena_format(arena, "%s/latest", above);
  if (is_folder(folder) && is_folder(above) && is_folder(inner)) {
    clear_repro(arena, inner, remove_written);
    unlink(assay_arena_format(arena, "%s/run.jsonl", inner));
    unlink(assay_arena_format(arena, "%s/summary.txt", inner));
    rmdir(inner);
    rmdir(above);
  }
  remove_written(arena, folder);
}

assay_code assay_out_open(assay_arena *arena, const char *folder, assay_out *out_out,
                          assay_error *err) {
  assay_out out = {.folder = folder};
  assay_code code = assay_folders_make(folder, &out.made, err);
  if (code == ASSAY_OK)
    code = assay_journal_open(arena, folder, &out.journal, err);
  if (code != ASSAY_OK)
    assay_folders_unmake(arena, folder, out.made);
  *out_out = out;
  return code;
}

void assay_out_abandon(assay_arena *arena, assay_out *out) {
  if (out->journal.created)
    unlink(out->journal.path);
  assay_journal_close(&out->journal);
  assay_folders_unmake(arena, out->folder, out->made);
}

assay_code assay_out_begin(assay_arena *arena, const assay_out *out, assay_error *err) {
  clear_repro(arena, out->folder, clear_one);
  unlink(assay_arena_format(arena, "%s/summary.txt", out->folder)); // of records that go now
  unlink(assay_arena_format(arena, "%s/" ASSAY_BASE_RECORDS, out->folder));
  return assay_journal_clear(&out->journal, err);
}

void assay_out_forget(assay_arena *arena, const assay_out *out, const char *key) {
  clear_one(arena, assay_out_repro(arena, out, key));
}

void assay_out_close(assay_out *out) {
  assay_journal_close(&out->journal);
}

assay_code assay_out_summarise(assay_arena *arena, const assay_out *out,
                               const assay_record records[], size_t count,
                               const assay_run_totals *totals, assay_error *err) {
  const char *path = assay_arena_format(arena, "%s/summary.txt", out->folder);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return fail_write(path, err);
  assay_code code = assay_format_find("text")->write(file, records, count, totals, err);
  if (fclose(file) != 0 && code == ASSAY_OK)
    return fail_write(path, err);
  return code;
}

const char *assay_out_repro(assay_arena *arena, const assay_out *out, const char *key) {
  return assay_arena_format(arena, "%s/repro/%s", out->folder, assay_record_slug(arena, key));
}
