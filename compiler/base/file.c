// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/file.h"
#include "compiler/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_code read_all(assay_arena *arena, FILE *stream, const char *path, assay_file *out_file,
                           assay_error *err) {
  assay_text text = {.arena = arena};
  char chunk[16 * 1024];
  size_t got;
  do {
    got = fread(chunk, 1, sizeof chunk, stream);
    assay_text_append(&text, chunk, got);
  } while (got == sizeof chunk);
  if (ferror(stream))
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot read: %s", strerror(errno));
  *out_file = (assay_file){.path = path, .bytes = assay_text_get(&text), .size = text.length};
  return ASSAY_OK;
}

// A file whose size is known is read into its place: a growing text leaves as much again behind.
static assay_code read_sized(assay_arena *arena, FILE *stream, const char *path, size_t size,
                             assay_file *out_file, assay_error *err) {
  char *bytes = assay_arena_take(arena, size + 1, 1); // zeros: the text ends
  size_t got = fread(bytes, 1, size, stream);
  if (ferror(stream))
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot read: %s", strerror(errno));
  *out_file = (assay_file){.path = path, .bytes = bytes, .size = got};
  return ASSAY_OK;
}

// Opens what has an end: a pipe waits for its writer, and some devices never stop.
static FILE *open_regular(const char *path, size_t *out_size, assay_error *err) {
  struct stat status = {0};
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  bool regular = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  FILE *stream = regular ? fdopen(descriptor, "rb") : NULL;
  *out_size = regular ? (size_t)status.st_size : 0;
  if (stream != NULL)
    return stream;
  if (descriptor < 0 || regular)
    (void)!assay_fail_at(err, ASSAY_MISSING, path, 0, 0, "cannot open: %s", strerror(errno));
  else
    (void)!assay_fail_at(err, ASSAY_MISSING, path, 0, 0, "expected a file, found a %s",
                         S_ISDIR(status.st_mode) ? "folder" : "pipe or device");
  if (descriptor >= 0)
    close(descriptor);
  return NULL;
}

assay_code assay_file_read(assay_arena *arena, const char *path, assay_file *out_file,
                           assay_error *err) {
  if (strcmp(path, "-") == 0)
    return read_all(arena, stdin, "<stdin>", out_file, err);
  size_t size; // 0 where the system makes a file up as it is read
  FILE *stream = open_regular(path, &size, err);
  if (stream == NULL)
    return err->code;
  const char *name = assay_arena_string(arena, path);
  assay_code code = size > 0 ? read_sized(arena, stream, name, size, out_file, err)
                             : read_all(arena, stream, name, out_file, err);
  fclose(stream);
  return code;
}

bool assay_lines_next(assay_lines *lines) {
  const assay_file *file = lines->file;
  if (lines->offset >= file->size)
    return false;
  lines->start = file->bytes + lines->offset;
  const char *end = memchr(lines->start, '\n', file->size - lines->offset);
  lines->length = end != NULL ? (size_t)(end - lines->start) : file->size - lines->offset;
  lines->offset += lines->length + (end != NULL);
  if (lines->length > 0 && lines->start[lines->length - 1] == '\r')
    lines->length--;
  lines->number++;
  return true;
}

static assay_code fail_write(const char *path, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
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

bool assay_path_is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
