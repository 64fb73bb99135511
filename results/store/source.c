// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/source.h"
#include "results/store/internal.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path, bool *out_folder) {
  struct stat status;
  bool is = stat(path, &status) == 0;
  *out_folder = is && S_ISDIR(status.st_mode);
  return is;
}

static bool ends_with(const char *text, const char *tail) {
  size_t length = strlen(text), size = strlen(tail);
  return length >= size && strcmp(text + length - size, tail) == 0;
}

// A last line without its end is a record where the file merely lacks the newline, and else what a
// killed run left: then not all is there, and whoever compares must know.
static assay_code read_rest(assay_arena *arena, const assay_file *file, size_t whole,
                            assay_record *out_record, assay_error *err) {
  int number = 1;
  for (size_t i = 0; i < whole; i++)
    number += file->bytes[i] == '\n';
  assay_error inside;
  if (assay_record_parse(arena, file->path, number, file->bytes + whole, file->size - whole,
                         out_record, &inside) == ASSAY_OK)
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_INVALID, file->path, number, 0,
                       "the last line is cut off, as by a run that was killed: %s", inside.text);
}

static assay_code read_lines(assay_arena *arena, const char *path, assay_reading how,
                             assay_found *out_found, assay_error *err) {
  assay_file file;
  assay_record *records;
  size_t count, whole;
  TRY(assay_file_read(arena, path, &file, err));
  TRY(assay_records_read(arena, &file, &records, &count, &whole, err));
  if (whole < file.size) {
    assay_record *more = assay_arena_take(arena, count + 1, sizeof *more);
    if (count > 0)
      memcpy(more, records, count * sizeof *more);
    TRY(read_rest(arena, &file, whole, &more[count++], err));
    records = more;
  }
  *out_found = (assay_found){.records = records, .count = count};
  if (how == ASSAY_READ_EACH)
    out_found->batches = assay_arena_take(arena, count, sizeof *out_found->batches);
  else
    assay_records_merge(arena, records, NULL, count, &out_found->records, &out_found->count);
  return ASSAY_OK;
}

static assay_code read_path(assay_arena *arena, const char *path, bool folder, assay_reading how,
                            assay_found *out_found, assay_error *err) {
  if (folder)
    path = assay_arena_format(arena, "%s/run.jsonl", path);
  else if (ends_with(path, ".db") || assay_store_is_database(path))
    return assay_store_read(arena, path, NULL, how, out_found, err);
  return read_lines(arena, path, how, out_found, err);
}

// Where the word is STORE@WHAT with a file that is there: the path, in the arena; else NULL. A tag
// may hold an '@', and so may a path: the first '@' behind which both make sense counts.
static const char *split(assay_arena *arena, const char *word, const char **out_what) {
  for (const char *at = strchr(word, '@'); at != NULL; at = strchr(at + 1, '@')) {
    bool folder;
    const char *path = assay_arena_bytes(arena, word, (size_t)(at - word));
    *out_what = at + 1;
    if (at > word && exists(path, &folder) && !folder)
      return path;
  }
  return NULL;
}

static assay_code read_name(assay_arena *arena, const char *word, const char *default_store,
                            assay_reading how, assay_found *out_found, assay_error *err) {
  static const char *const endings[] = {".jsonl", ".db", ".json"};
  bool folder, is_path = strchr(word, '/') != NULL;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    is_path = is_path || ends_with(word, endings[i]);
  if (exists(default_store, &folder) && !is_path)
    return assay_store_read(arena, default_store, word, how, out_found, err);
  if (is_path && !exists(default_store, &folder))
    return assay_fail_at(err, ASSAY_MISSING, word, 0, 0,
                         "cannot open: no such file or folder of records");
  if (!is_path)
    return assay_fail(err, ASSAY_MISSING,
                      "'%s' is no file or folder of records, and there is no store '%s' in which "
                      "it could be a tag or a revision",
                      word, default_store);
  // A tag may look like a path, as names of branches do.
  assay_error ignored;
  if (assay_store_read(arena, default_store, word, how, out_found, &ignored) == ASSAY_OK)
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_MISSING, word, 0, 0,
                       "cannot open: no such file or folder of records, nor a tag of the store "
                       "'%s'",
                       default_store);
}

static assay_code read_word(assay_arena *arena, const char *word, const char *default_store,
                            assay_reading how, assay_found *out_found, assay_error *err) {
  bool folder;
  const char *what;
  if (word[0] == '\0')
    return assay_fail(err, ASSAY_INVALID, "an empty word names no records");
  if (exists(word, &folder))
    return read_path(arena, word, folder, how, out_found, err);
  const char *path = split(arena, word, &what);
  if (path == NULL)
    return read_name(arena, word, default_store, how, out_found, err);
  if (what[0] == '\0')
    return assay_fail(err, ASSAY_INVALID,
                      "'%s': expected a tag, a revision or 'latest' behind the '@'", word);
  if (!assay_store_is_database(path) && !ends_with(path, ".db"))
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0,
                         "expected a store before '@%s', found no SQLite file", what);
  return assay_store_read(arena, path, what, how, out_found, err);
}

assay_code assay_source_read(assay_arena *arena, const char *word, const char *default_store,
                             bool full, assay_record **out_records, size_t *out_count,
                             assay_error *err) {
  assay_found found = {.count = 0};
  assay_reading how = full ? ASSAY_READ_FULL : ASSAY_READ_LIGHT;
  TRY(read_word(arena, word, default_store, how, &found, err));
  *out_records = found.records;
  *out_count = found.count;
  return ASSAY_OK;
}

assay_code assay_source_read_each(assay_arena *arena, const char *word, const char *default_store,
                                  assay_record **out_records, int64_t **out_batches,
                                  size_t *out_count, assay_error *err) {
  assay_found found = {.count = 0};
  TRY(read_word(arena, word, default_store, ASSAY_READ_EACH, &found, err));
  *out_records = found.records;
  *out_batches = found.batches;
  *out_count = found.count;
  return ASSAY_OK;
}
