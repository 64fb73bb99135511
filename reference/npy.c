// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = "\x93NUMPY";

enum {
  MAGIC_BYTES = sizeof magic - 1,
  VERSION_BYTES = MAGIC_BYTES + 2,
  ALIGNMENT = 64, // the writer pads the header so that the data starts at a multiple of it
};

// The header's text as it is read: a Python dictionary.
typedef struct cursor {
  const assay_file *file;
  const char *at, *end;
  assay_arena *arena;
} cursor;

static assay_code malformed(const cursor *here, const char *expected, assay_error *err) {
  char found[16] = "its end";
  if (here->at < here->end)
    snprintf(found, sizeof found, "'%c'", *here->at);
  return assay_fail_at(err, ASSAY_INVALID, here->file->path, 0, 0,
                       "malformed .npy header at byte %zu: found %s, expected %s",
                       (size_t)(here->at - here->file->bytes), found, expected);
}

static void skip_spaces(cursor *here) {
  while (here->at < here->end && *here->at == ' ')
    here->at++;
}

static bool accept(cursor *here, char wanted) {
  skip_spaces(here);
  if (here->at == here->end || *here->at != wanted)
    return false;
  here->at++;
  return true;
}

static assay_code expect(cursor *here, char wanted, assay_error *err) {
  char expected[] = {'\'', wanted, '\'', '\0'};
  return accept(here, wanted) ? ASSAY_OK : malformed(here, expected, err);
}

// A quoted string without escapes, which no dtype or key needs; out_string is in the arena.
static assay_code read_string(cursor *here, const char *expected, const char **out_string,
                              assay_error *err) {
  skip_spaces(here);
  if (here->at == here->end || (*here->at != '\'' && *here->at != '"'))
    return malformed(here, expected, err);
  const char *start = here->at + 1;
  const char *close = memchr(start, *here->at, (size_t)(here->end - start));
  if (close == NULL || memchr(start, '\\', (size_t)(close - start)) != NULL)
    return malformed(here, expected, err);
  *out_string = assay_arena_bytes(here->arena, start, (size_t)(close - start));
  here->at = close + 1;
  return ASSAY_OK;
}

// A dtype: a string, or a list of fields, of which the text is kept as it stands.
static assay_code read_descr(cursor *here, const char **out_descr, assay_error *err) {
  const char *expected = "a dtype: a string or a list of fields";
  skip_spaces(here);
  const char *start = here->at;
  if (start == here->end || *start != '[')
    return read_string(here, expected, out_descr, err);
  int depth = 0;
  do {
    if (here->at == here->end)
      return malformed(here, expected, err);
    char each = *here->at;
    const char *ignored;
    if (each == '\'' || each == '"')
      TRY(read_string(here, expected, &ignored, err));
    else
      here->at++;
    depth += (each == '[') - (each == ']');
  } while (depth > 0);
  *out_descr = assay_arena_bytes(here->arena, start, (size_t)(here->at - start));
  return ASSAY_OK;
}

static bool accept_word(cursor *here, const char *word) {
  size_t length = strlen(word);
  skip_spaces(here);
  if ((size_t)(here->end - here->at) < length || memcmp(here->at, word, length) != 0)
    return false;
  here->at += length;
  return true;
}

static assay_code read_order(cursor *here, assay_error *err) {
  if (accept_word(here, "False"))
    return ASSAY_OK;
  if (!accept_word(here, "True"))
    return malformed(here, "True or False", err);
  return assay_fail_at(err, ASSAY_INVALID, here->file->path, 0, 0,
                       "array in Fortran order, expected C order (rows one after the other)");
}

static assay_code read_dimension(cursor *here, int64_t *out_dim, assay_error *err) {
  if (here->at == here->end || !isdigit((unsigned char)*here->at))
    return malformed(here, "a dimension, a whole number from 0", err);
  int64_t dim = 0;
  for (; here->at < here->end && isdigit((unsigned char)*here->at); here->at++) {
    int digit = *here->at - '0';
    if (dim > (INT64_MAX - digit) / 10)
      return malformed(here, "a dimension below 2^63", err);
    dim = dim * 10 + digit;
  }
  *out_dim = dim;
  return ASSAY_OK;
}

// A tuple of whole numbers; one alone has a comma behind it. Their product must fit an int64_t even
// where a 0 is among them, so that no order of multiplying overflows.
static assay_code read_shape(cursor *here, assay_npy *npy, assay_error *err) {
  int64_t count = 1;
  npy->rank = 0;
  TRY(expect(here, '(', err));
  while (!accept(here, ')')) {
    int64_t dim = 0;
    if (npy->rank == ASSAY_NPY_MAX_RANK)
      return malformed(here, "at most 8 dimensions", err);
    TRY(read_dimension(here, &dim, err));
    if (dim > 0 && count > INT64_MAX / dim)
      return malformed(here, "a shape of fewer than 2^63 elements", err);
    count *= dim > 0 ? dim : 1;
    npy->dim[npy->rank++] = dim;
    bool comma = accept(here, ',');
    skip_spaces(here);
    bool last = here->at < here->end && *here->at == ')';
    if (!comma && (!last || npy->rank == 1))
      return malformed(here, "','", err);
  }
  return ASSAY_OK;
}

// {'descr': ..., 'fortran_order': ..., 'shape': ...} in any order, then spaces.
static assay_code read_header(cursor *here, assay_npy *npy, assay_error *err) {
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  const char *expected = "each of the keys 'descr', 'fortran_order' and 'shape' once";
  bool seen[3] = {false};
  TRY(expect(here, '{', err));
  for (int i = 0; i < 3; i++) {
    const char *key = "";
    int number = 0;
    skip_spaces(here);
    cursor place = *here;
    TRY(read_string(here, expected, &key, err));
    while (number < 3 && strcmp(key, keys[number]) != 0)
      number++;
    if (number == 3 || seen[number])
      return malformed(&place, expected, err);
    seen[number] = true;
    TRY(expect(here, ':', err));
    if (number == 0)
      TRY(read_descr(here, &npy->descr, err));
    else if (number == 1)
      TRY(read_order(here, err));
    else
      TRY(read_shape(here, npy, err));
    if (!accept(here, ',') && i < 2)
      return malformed(here, "','", err);
  }
  TRY(expect(here, '}', err));
  skip_spaces(here);
  return here->at == here->end ? ASSAY_OK : malformed(here, "spaces up to the header's end", err);
}

// Finds the header's text behind magic, version and length.
static assay_code find_header(const assay_file *file, cursor *header, assay_error *err) {
  const unsigned char *bytes = (const unsigned char *)file->bytes;
  if (file->size < MAGIC_BYTES || memcmp(bytes, magic, MAGIC_BYTES) != 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "not a .npy file: expected it to start with \\x93NUMPY");
  size_t length_bytes = file->size > MAGIC_BYTES && bytes[MAGIC_BYTES] == 2 ? 4 : 2;
  size_t start = VERSION_BYTES + length_bytes;
  if (file->size < start)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "truncated .npy file: %zu bytes, no header", file->size);
  if (bytes[6] < 1 || bytes[6] > 2 || bytes[7] != 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         ".npy format version %d.%d, expected 1.0 or 2.0", bytes[6], bytes[7]);
  size_t length = 0;
  for (size_t i = length_bytes; i > 0; i--)
    length = length << 8 | bytes[VERSION_BYTES + i - 1];
  if (length > file->size - start)
    return assay_fail_at(
        err, ASSAY_INVALID, file->path, 0, 0,
        "truncated .npy file: %zu bytes, expected a header of %zu from byte %zu on", file->size,
        length, start);
  header->at = file->bytes + start;
  header->end = header->at + length;
  return ASSAY_OK;
}

assay_code assay_npy_parse(assay_arena *arena, const assay_file *file, assay_npy *out_npy,
                           assay_error *err) {
  cursor header = {.file = file, .at = file->bytes, .end = file->bytes, .arena = arena};
  TRY(find_header(file, &header, err));
  const char *data = header.end;
  for (cursor each = header; each.at < each.end; each.at++)
    if ((*each.at < ' ' || *each.at > '~') && !(*each.at == '\n' && each.at + 1 == each.end))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "malformed .npy header at byte %zu: 0x%02x is no printable character",
                           (size_t)(each.at - file->bytes), (unsigned)(unsigned char)*each.at);
  if (header.at == header.end || header.end[-1] != '\n') {
    header.at = header.end;
    return malformed(&header, "a newline", err);
  }
  header.end--;
  assay_npy npy = {.descr = ""};
  TRY(read_header(&header, &npy, err));
  if (strchr(npy.descr, '>') != NULL)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "big-endian dtype %s, expected little-endian ('<')", npy.descr);
  npy.data = data;
  npy.data_size = file->size - (size_t)(data - file->bytes);
  *out_npy = npy;
  return ASSAY_OK;
}

assay_code assay_npy_expect(const assay_file *file, const assay_npy *npy, const char *descr,
                            size_t element_size, assay_error *err) {
  if (strcmp(npy->descr, descr) != 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0, "dtype %s, expected %s", npy->descr,
                         descr);
  uint64_t count = 1;
  for (int i = 0; i < npy->rank; i++)
    count *= (uint64_t)npy->dim[i];
  // Divided rather than multiplied: count * element_size may overflow.
  if (npy->data_size / element_size == count && npy->data_size % element_size == 0)
    return ASSAY_OK;
  const char *what =
      npy->data_size / element_size < count ? "truncated .npy file" : "trailing bytes";
  return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                       "%s: %zu bytes of data, expected %llu elements of %zu bytes", what,
                       npy->data_size, (unsigned long long)count, element_size);
}

// The preamble and header of version 1.0; their length.
static size_t format_header(char *header, size_t size, const char *descr, int rank,
                            const int64_t dim[]) {
  size_t start = VERSION_BYTES + 2;
  size_t used = start;
  used += (size_t)snprintf(header + used, size - used,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (int i = 0; i < rank; i++)
    used +=
        (size_t)snprintf(header + used, size - used, i == 0 ? "%lld" : ", %lld", (long long)dim[i]);
  used += (size_t)snprintf(header + used, size - used, rank == 1 ? ",), }" : "), }");
  size_t total = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  memset(header + used, ' ', total - used);
  header[total - 1] = '\n';
  memcpy(header, magic, MAGIC_BYTES);
  header[6] = 1;
  header[7] = 0;
  header[8] = (char)((total - start) & 0xff);
  header[9] = (char)((total - start) >> 8);
  return total;
}

assay_code assay_npy_write(const char *path, const char *descr, size_t element_size, int rank,
                           const int64_t dim[], const void *data, assay_error *err) {
  char header[1024];
  size_t header_size = format_header(header, sizeof header, descr, rank, dim);
  size_t data_size = element_size;
  for (int i = 0; i < rank; i++)
    data_size *= (size_t)dim[i];
  char temporary[4096];
  int length = snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof temporary)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: the path is too long");
  FILE *stream = fopen(temporary, "wb");
  if (stream == NULL)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
  bool written = fwrite(header, 1, header_size, stream) == header_size &&
                 fwrite(data, 1, data_size, stream) == data_size;
  written = fclose(stream) == 0 && written;
  if (written && rename(temporary, path) == 0)
    return ASSAY_OK;
  int reason = errno;
  unlink(temporary);
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(reason));
}
