// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/out.h"
#include "compiler/base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_SLUG = 64 };

static assay_code fail_write(const char *path, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
}

assay_code assay_folder_make(const char *path, assay_error *err) {
  char prefix[PATH_MAX];
  struct stat status;
  size_t length = strlen(path);
  if (length >= sizeof prefix)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "the path is too long");
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(prefix, path, i);
    prefix[i] = '\0';
    if (mkdir(prefix, 0777) != 0 && errno != EEXIST)
      return fail_write(path, err);
  }
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: this is no folder");
  return ASSAY_OK;
}

assay_code assay_file_write(const char *path, const char *text, assay_error *err) {
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return fail_write(path, err);
  bool written = fputs(text, file) >= 0;
  if (fclose(file) != 0 || !written)
    return fail_write(path, err);
  return ASSAY_OK;
}

// Removes what an earlier run left in repro/, and nothing else: --out may be any folder.
static void clear_repro(assay_arena *arena, const char *folder) {
  static const char *const files[] = {"repro.sh", "record.json", "module.mlir"};
  const char *repro = assay_arena_format(arena, "%s/repro", folder);
  DIR *stream = opendir(repro);
  if (stream == NULL)
    return;
  for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
    if (entry->d_name[0] == '.')
      continue;
    const char *one = assay_arena_format(arena, "%s/%s", repro, entry->d_name);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
      unlink(assay_arena_format(arena, "%s/%s", one, files[i]));
    rmdir(one);
  }
  closedir(stream);
  rmdir(repro);
}

// Cuts off a last line that was not finished, so that appending goes on with whole records.
static assay_code read_kept(assay_arena *arena, const char *path, assay_record **out_kept,
                            size_t *out_count, assay_error *err) {
  assay_file file;
  size_t size;
  TRY(assay_file_read(arena, path, &file, err));
  TRY(assay_records_read(arena, &file, out_kept, out_count, &size, err));
  return truncate(path, (off_t)size) == 0 ? ASSAY_OK : fail_write(path, err);
}

assay_code assay_out_open(assay_arena *arena, const char *folder, bool resume, assay_out *out_out,
                          assay_record **out_kept, size_t *out_kept_count, assay_error *err) {
  *out_kept = NULL;
  *out_kept_count = 0;
  TRY(assay_folder_make(folder, err));
  const char *path = assay_arena_format(arena, "%s/run.jsonl", folder);
  if (resume && access(path, F_OK) == 0)
    TRY(read_kept(arena, path, out_kept, out_kept_count, err));
  FILE *stream = fopen(path, resume ? "a" : "w");
  if (stream == NULL)
    return fail_write(path, err);
  if (!resume)
    clear_repro(arena, folder);
  *out_out = (assay_out){.folder = folder, .records = path, .stream = stream};
  return ASSAY_OK;
}

void assay_out_close(assay_out *out) {
  fclose(out->stream); // each record was flushed and checked
  out->stream = NULL;
}

assay_code assay_out_append(const assay_out *out, const char *line, assay_error *err) {
  if (fprintf(out->stream, "%s\n", line) < 0 || fflush(out->stream) != 0)
    return fail_write(out->records, err);
  return ASSAY_OK;
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

// "matmul m=3 k=5 lhs=sliced data=int" -> "matmul-m3-k5-sliced-int": a number needs its key to be
// understood, a word does not.
static const char *make_slug(assay_arena *arena, const char *key) {
  assay_text slug = {.arena = arena};
  for (const char *word = key; *word != '\0' && slug.length < LONGEST_SLUG;) {
    size_t length = strcspn(word, " ");
    const char *equals = memchr(word, '=', length);
    bool name_it = equals == NULL || !isalpha((unsigned char)equals[1]);
    const char *start = name_it ? word : equals + 1;
    if (slug.length > 0)
      assay_text_print(&slug, "-");
    for (const char *byte = start; byte < word + length && slug.length < LONGEST_SLUG; byte++)
      if (isalnum((unsigned char)*byte) || *byte == '_')
        assay_text_append(&slug, byte, 1);
    word += length;
    word += strspn(word, " ");
  }
  return assay_text_get(&slug);
}

const char *assay_out_repro(assay_arena *arena, const assay_out *out, const char *key) {
  return assay_arena_format(arena, "%s/repro/%s-%016" PRIx64, out->folder, make_slug(arena, key),
                            assay_hash_string(key));
}
