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
  switch (assay_file_read(arena, file, &read, &why)) {
  case ASSAY_OK:
    break;
  case ASSAY_MISSING:
    return ASSAY_CACHE_NOTHING;
  default:
    return ASSAY_CACHE_DAMAGED;
  }
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
  if (key_size != strlen(key) || memcmp(at, key, key_size) != 0)
    return ASSAY_CACHE_NOTHING;
  *out_output = (assay_ptxas_output){.bytes = at + key_size + log_size,
                                     .size = size,
                                     .log = assay_arena_bytes(arena, at + key_size, log_size)};
  return ASSAY_CACHE_FOUND;
}

// Makes each folder on the way to the file.
static bool make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made)
      return false;
  }
  return true;
}

static bool write_all(FILE *stream, const char *key, const assay_ptxas_output *output) {
  size_t key_size = strlen(key), log_size = strlen(output->log);
  bool written =
      fprintf(stream, HEADER, checksum(key, output), key_size, log_size, output->size) > 0 &&
      fwrite(key, 1, key_size, stream) == key_size &&
      fwrite(output->log, 1, log_size, stream) == log_size &&
      fwrite(output->bytes, 1, output->size, stream) == output->size;
  return fclose(stream) == 0 && written;
}

void assay_cache_write(assay_arena *arena, const char *file, const char *key,
                       const assay_ptxas_output *output) {
  char *path = assay_arena_format(arena, "%s.XXXXXX", file);
  if (!make_folders(path))
    return;
  int descriptor = mkstemp(path);
  if (descriptor < 0)
    return;
  FILE *stream = fdopen(descriptor, "wb");
  if (stream == NULL)
    close(descriptor);
  if (stream == NULL || !write_all(stream, key, output) || rename(path, file) != 0)
    unlink(path);
}
