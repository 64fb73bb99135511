// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/arrays.h"

#include "reference/npy.h"

#include <stdlib.h>
#include <string.h>

// A whole array: as many bytes of data as its shape and dtype ask for.
static assay_code read_array(assay_arena *arena, const char *path, assay_file *out_file,
                             assay_npy *out_npy, assay_error *err) {
  TRY(assay_file_read(arena, path, out_file, err));
  TRY(assay_npy_parse(arena, out_file, out_npy, err));
  const char *descr = out_npy->descr;
  bool plain = strlen(descr) > 2 && descr[0] != '[' && strchr("biufcV", descr[1]) != NULL;
  size_t size = plain ? (size_t)strtol(descr + 2, NULL, 10) : 0;
  if (size == 0)
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "found dtype %s, expected one of numbers",
                         descr);
  return assay_npy_expect(out_file, out_npy, descr, size, err);
}

static assay_code read_inputs(const assay_session *session, assay_ledger_request *request,
                              assay_error *err) {
  const assay_names *files = &session->options->inputs;
  if (files->count == 0)
    return ASSAY_OK;
  assay_tail_input *inputs = assay_arena_take(session->arena, files->count, sizeof *inputs);
  for (size_t i = 0; i < files->count; i++) {
    assay_file file;
    assay_npy npy;
    TRY(read_array(session->arena, files->items[i], &file, &npy, err));
    inputs[i] = (assay_tail_input){.file = file.path,
                                   .descr = npy.descr,
                                   .data = npy.data,
                                   .size = npy.data_size,
                                   .rank = npy.rank};
    memcpy(inputs[i].dim, npy.dim, (size_t)npy.rank * sizeof npy.dim[0]);
  }
  request->inputs = inputs;
  request->input_count = (int)files->count;
  return ASSAY_OK;
}

static void append_number(assay_arena *arena, double **numbers, int *count, double number) {
  if ((*count & (*count - 1)) == 0) {
    double *more = assay_arena_take(arena, *count > 0 ? 2 * (size_t)*count : 1, sizeof *more);
    if (*count > 0)
      memcpy(more, *numbers, (size_t)*count * sizeof *more);
    *numbers = more;
  }
  (*numbers)[(*count)++] = number;
}

// "15 3 nan inf"
assay_code assay_values_read(const assay_session *session, const char *words,
                             assay_ledger_request *request, assay_error *err) {
  double *numbers = NULL;
  int count = 0;
  for (const char *at = words + strspn(words, " \t\n"); *at != '\0'; at += strspn(at, " \t\n")) {
    char *end;
    double number = strtod(at, &end);
    if (end == at || strchr(" \t\n", *end) == NULL)
      return assay_fail(err, ASSAY_INVALID, "--expect-values: '%.*s' is no number",
                        (int)strcspn(at, " \t\n"), at);
    append_number(session->arena, &numbers, &count, number);
    at = end;
  }
  if (count == 0)
    return assay_fail(err, ASSAY_INVALID, "--expect-values: no number in '%s'", words);
  request->expected = numbers;
  request->expected_count = count;
  return ASSAY_OK;
}

// A little-endian number of 1 to 8 bytes, with its sign where it has one.
static double whole_number(const unsigned char *at, size_t size, bool is_signed) {
  uint64_t bits = 0;
  for (size_t i = size; i > 0; i--)
    bits = bits << 8 | at[i - 1];
  unsigned unused = size > 0 ? 64 - 8 * (unsigned)size : 0;
  return is_signed ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
}

static assay_code number_of(const assay_file *file, const assay_npy *npy, size_t i,
                            double *out_number, assay_error *err) {
  size_t size = (size_t)strtol(npy->descr + 2, NULL, 10);
  const unsigned char *at = (const unsigned char *)npy->data + size * i;
  char kind = npy->descr[0] != '>' ? npy->descr[1] : '\0';
  float single;
  if (kind == 'f' && size == sizeof(double)) {
    memcpy(out_number, at, sizeof(double));
  } else if (kind == 'f' && size == sizeof single) {
    memcpy(&single, at, sizeof single);
    *out_number = (double)single;
  } else if (kind != '\0' && strchr("biu", kind) != NULL && size <= sizeof(uint64_t)) {
    *out_number = whole_number(at, size, kind == 'i');
  } else {
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "found dtype %s, expected <f8, <f4, whole numbers or bool", npy->descr);
  }
  return ASSAY_OK;
}

static assay_code read_expected_files(const assay_session *session, assay_ledger_request *request,
                                      assay_error *err) {
  const assay_names *files = &session->options->expected;
  double *numbers = NULL;
  int count = 0;
  for (size_t i = 0; i < files->count; i++) {
    assay_file file;
    assay_npy npy;
    size_t elements = 1;
    TRY(read_array(session->arena, files->items[i], &file, &npy, err));
    for (int k = 0; k < npy.rank; k++)
      elements *= (size_t)npy.dim[k];
    for (size_t k = 0; k < elements; k++) {
      double number = 0;
      TRY(number_of(&file, &npy, k, &number, err));
      append_number(session->arena, &numbers, &count, number);
    }
  }
  if (files->count > 0) {
    request->expected = numbers;
    request->expected_count = count;
  }
  return ASSAY_OK;
}

assay_code assay_arrays_read(const assay_session *session, assay_ledger_request *request,
                             assay_error *err) {
  const assay_options *options = session->options;
  TRY(read_inputs(session, request, err));
  if (options->expect_values == NULL)
    return read_expected_files(session, request, err);
  if (options->expected.count > 0)
    return assay_fail(err, ASSAY_INVALID,
                      "--expect and --expect-values each say what is right: give one of them");
  return assay_values_read(session, options->expect_values, request, err);
}
