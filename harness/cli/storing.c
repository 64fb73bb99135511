// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/storing.h"

#include "harness/cli/places.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

assay_code assay_storing_plan(const assay_session *session, bool by_default,
                              assay_storing *out_storing, assay_error *err) {
  const assay_options *options = session->options;
  const char *path = options->store;
  if (path == NULL && by_default)
    path = ASSAY_DEFAULT_STORE;
  *out_storing = (assay_storing){.path = path, .tag = options->tag};
  if (options->tag == NULL)
    return ASSAY_OK;
  if (path == NULL)
    return assay_fail(err, ASSAY_INVALID,
                      "--tag names records in a store: it goes with --store FILE");
  assay_error inside;
  if (assay_store_check_tag(options->tag, &inside) != ASSAY_OK)
    return assay_fail(err, ASSAY_INVALID, "--tag: %s", inside.text);
  return ASSAY_OK;
}

static bool is_same_file(const char *a, const char *b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

// What is written there by others would be lost, or the store.
static assay_code check_place(assay_arena *arena, const assay_storing *storing,
                              const assay_out *out, const assay_reports *reports,
                              assay_error *err) {
  const char *path = storing->path;
  if (out != NULL && (is_same_file(path, out->journal.path) ||
                      is_same_file(path, assay_arena_format(arena, "%s/summary.txt", out->folder))))
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "--store: this file is the run's own");
  for (size_t i = 0; reports != NULL && i < reports->count; i++)
    if (is_same_file(path, reports->items[i].path))
      return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "--store: a report goes to this file");
  return ASSAY_OK;
}

static assay_code make_folder(assay_arena *arena, assay_storing *storing, assay_error *err) {
  const char *slash = strrchr(storing->path, '/');
  if (slash == NULL || slash == storing->path)
    return ASSAY_OK;
  storing->folder = assay_arena_bytes(arena, storing->path, (size_t)(slash - storing->path));
  return assay_folders_make(storing->folder, &storing->folders_made, err);
}

static void unmake_folder(assay_arena *arena, const assay_storing *storing) {
  if (storing->folder != NULL)
    assay_folders_unmake(arena, storing->folder, storing->folders_made);
}

assay_code assay_storing_open(assay_arena *arena, assay_storing *storing, const assay_out *out,
                              const assay_reports *reports, assay_error *err) {
  assay_store *store;
  if (storing->path == NULL)
    return ASSAY_OK;
  TRY(check_place(arena, storing, out, reports, err)); // an empty run.jsonl could become a store
  assay_code code = make_folder(arena, storing, err);
  if (code == ASSAY_OK)
    code = assay_store_open(storing->path, &store, err);
  if (code != ASSAY_OK) {
    unmake_folder(arena, storing);
    return code;
  }
  storing->made = assay_store_was_made(store);
  assay_store_close(store);
  code = check_place(arena, storing, out, reports, err); // what was not there has a file now
  if (code != ASSAY_OK)
    assay_storing_abandon(arena, storing);
  return code;
}

void assay_storing_abandon(assay_arena *arena, assay_storing *storing) {
  assay_store *store;
  assay_error ignored;
  if (storing->made && assay_store_open(storing->path, &store, &ignored) == ASSAY_OK)
    assay_store_remove_if_empty(store);
  unmake_folder(arena, storing);
}

static assay_code ingest(const assay_storing *storing, const assay_record records[], size_t count,
                         assay_error *err) {
  assay_store *store;
  size_t added;
  TRY(assay_store_open(storing->path, &store, err));
  assay_code code = assay_store_ingest(store, records, count, storing->tag, &added, err);
  assay_store_close(store);
  return code;
}

assay_code assay_storing_finish(const assay_storing *storing, const assay_record records[],
                                size_t count, const char *kept, assay_error *err) {
  if (storing->path == NULL || count == 0)
    return ASSAY_OK;
  assay_code code = ingest(storing, records, count, err);
  if (code == ASSAY_OK || kept == NULL)
    return code;
  size_t length = strlen(err->text);
  snprintf(err->text + length, sizeof err->text - length, "; the records are in %.1000s", kept);
  return code;
}

assay_code assay_storing_open_all(const assay_session *session, assay_storing *out_storing,
                                  assay_out *out_out, assay_reports *reports, assay_error *err) {
  assay_arena *arena = session->arena;
  const char *folder = session->options->out;
  TRY(assay_storing_plan(session, folder == ASSAY_DEFAULT_OUT, out_storing, err));
  TRY(assay_places_check_out(session, err));
  TRY(assay_out_open(arena, folder, out_out, err));
  assay_code code = assay_storing_open(arena, out_storing, out_out, reports, err);
  if (code == ASSAY_OK) {
    code = assay_reports_open(arena, reports, out_out, err);
    if (code != ASSAY_OK)
      assay_storing_abandon(arena, out_storing);
  }
  if (code != ASSAY_OK)
    assay_out_abandon(arena, out_out);
  return code;
}
