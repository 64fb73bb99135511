// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is a line of numbers, then the key, what ptxas said and the cubin. The key stands there
// whole, since two may have one hash; the checksum of all that follows the first line finds what
// was cut or spoiled.
#include "gpu/driver/cubin.h"

#include "compiler/base/file.h"
#include "compiler/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS "assay cubin 1 "
#define HEADER WORDS "%016" PRIx64 " %zu %zu %zu\n"

const char *assay_cache_file(assay_arena *arena, const char *key) {
  const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  uint64_t hash = assay_hash_string(key);
  if (folder != NULL && folder[0] == '/') // the specification ignores relative ones
    return assay_arena_format(arena, "%s/assay/%016" PRIx64 ".cubin", folder, hash);
  if (home != NULL && home[0] == '/')
    return assay_arena_format(arena, "%s/.cache/assay/%016" PRIx64 ".cubin", home, hash);
  return NULL;
}

static uint64_t checksum(const char *key, const assay_ptxas_output *output) {
  uint64_t hash = assay_hash_bytes(ASSAY_HASH_START, key, strlen(key));
  hash = assay_hash_bytes(hash, output->log, strlen(output->log));
  return assay_hash_bytes(hash, output->bytes, output->size);
}

// A number of the first line and the byte that ends it.
static bool read_number(const char **at, int base, char end, uint64_t *out_number) {
  char *after;
  *out_number = strtoull(*at, &after, base);
  if (after == *at || *after != end)
    return false;
  *at = after + 1;
  return true;
}

assay_cache_answer assay_cache_read(assay_arena *arena, const char *file, const char *key,
                                    assay_ptxas_output *out_output) {
  assay_file read;
  assay_error why;
  struct stat unused;
  if (assay_file_read(arena, file, &read, &why) != ASSAY_OK)
    return lstat(file, &unused) == 0 ? ASSAY_CACHE_DAMAGED : ASSAY_CACHE_NOTHING;
  uint64_t sum, key_size, log_size, size;
  const char *at = read.bytes;
  if (strncmp(at, WORDS, strlen(WORDS)) != 0)
    return ASSAY_CACHE_DAMAGED;
  at += strlen(WORDS);
  if (!read_number(&at, 16, ' ', &sum) || !read_number(&at, 10, ' ', &key_size) ||
      !read_number(&at, 10, ' ', &log_size) || !read_number(&at, 10, '\n', &size))
    return ASSAY_CACHE_DAMAGED;
  size_t left = read.size - (size_t)(at - read.bytes);
  if (key_size > left || log_size > left - key_size || size != left - key_size - log_size ||
      assay_hash_bytes(ASSAY_HASH_START, at, left) != sum)
    return ASSAY_CACHE_DAMAGED;
  if (key_size != strlen(key) || memcmp(at, key, key_size) != 0) {
    size_t line = strcspn(key, "\n");
    bool same = key_size > line && memcmp(at, key, line) == 0 && at[line] == '\n';
    return same ? ASSAY_CACHE_OTHER : ASSAY_CACHE_FOREIGN;
  }
  *out_output = (assay_ptxas_output){.bytes = at + key_size + log_size,
                                     .size = size,
                                     .log = assay_arena_bytes(arena, at + key_size, log_size)};
  return ASSAY_CACHE_FOUND;
}

static assay_code refuse(const char *place, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, place, 0, 0, "%s", strerror(errno));
}

// Makes each folder on the way to the file. *out_folder: the last.
static assay_code make_folders(assay_arena *arena, const char *file, const char **out_folder,
                               assay_error *err) {
  char *path = assay_arena_string(arena, file);
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
      return refuse(path, err);
    *slash = '/';
  }
  *strrchr(path, '/') = '\0';
  *out_folder = path;
  return ASSAY_OK;
}

static bool write_all(FILE *stream, const char *key, const assay_ptxas_output *output) {
  size_t key_size = strlen(key), log_size = strlen(output->log);
  return fprintf(stream, HEADER, checksum(key, output), key_size, log_size, output->size) > 0 &&
         fwrite(key, 1, key_size, stream) == key_size &&
         fwrite(output->log, 1, log_size, stream) == log_size &&
         fwrite(output->bytes, 1, output->size, stream) == output->size && fflush(stream) == 0;
}

static assay_code fill(int descriptor, const char *folder, const char *key,
                       const assay_ptxas_output *output, assay_error *err) {
  FILE *stream = fdopen(descriptor, "wb");
  assay_code code = ASSAY_OK;
  if (stream == NULL || !write_all(stream, key, output))
    code = refuse(folder, err);
  if (stream == NULL)
    close(descriptor);
  else if (fclose(stream) != 0 && code == ASSAY_OK)
    code = refuse(folder, err);
  return code;
}

assay_code assay_cache_write(assay_arena *arena, const char *file, const char *key,
                             const assay_ptxas_output *output, assay_error *err) {
  const char *folder = file;
  TRY(make_folders(arena, file, &folder, err));
  char *path = assay_arena_format(arena, "%s.XXXXXX", file);
  int descriptor = mkstemp(path);
  if (descriptor < 0)
    return refuse(folder, err);
  assay_code code = fill(descriptor, folder, key, output, err);
  if (code == ASSAY_OK && rename(path, file) != 0)
    code = refuse(file, err);
  if (code != ASSAY_OK)
    unlink(path);
  return code;
}
