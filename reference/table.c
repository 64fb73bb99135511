// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/table.h"

#include "reference/npy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_LIMIT = 128, PARTS = 3, DTYPES = 6, FIRST_FLOATING = 3 };

static const char *const dtypes[DTYPES] = {"bool", "i32", "i64", "f16", "f32", "f64"};

const char *const assay_table_data[ASSAY_DATA_SETS] = {"int", "real"};

static const char floating_descr[] =
    "[('data', '|u1'), ('result', '|u1'), ('part', '|u1'), ('index', '<u4'), ('expected', '<f8'), "
    "('scale', '<f8')]";
static const char whole_descr[] =
    "[('data', '|u1'), ('result', '|u1'), ('part', '|u1'), ('index', '<u4'), ('expected', '<i8')]";

// Where the columns stand in a row, packed, little-endian as the machines Assay runs on.
enum {
  AT_DATA = 0,
  AT_RESULT = 1,
  AT_PART = 2,
  AT_INDEX = 3,
  AT_EXPECTED = 7,
  AT_SCALE = 15,
  WHOLE_SIZE = 15,
  FLOATING_SIZE = 23,
};

// One row as it stands.
typedef struct entry {
  unsigned data, result;
  assay_expected_row row;
} entry;

static entry read_entry(const unsigned char *bytes, bool whole) {
  entry read = {.data = bytes[AT_DATA], .result = bytes[AT_RESULT]};
  read.row.part = bytes[AT_PART];
  memcpy(&read.row.index, bytes + AT_INDEX, sizeof read.row.index);
  if (whole) {
    memcpy(&read.row.want_whole, bytes + AT_EXPECTED, sizeof read.row.want_whole);
  } else {
    memcpy(&read.row.want, bytes + AT_EXPECTED, sizeof read.row.want);
    memcpy(&read.row.scale, bytes + AT_SCALE, sizeof read.row.scale);
  }
  return read;
}

// Rows are sorted by data, result, part and index, and no two are the same.
static bool follows(const entry *before, const entry *next) {
  if (before->data != next->data)
    return before->data < next->data;
  if (before->result != next->result)
    return before->result < next->result;
  if (before->row.part != next->row.part)
    return before->row.part < next->row.part;
  return before->row.index < next->row.index;
}

// A type's row: its number, exact in either form of the column; -1 for what is none.
static int64_t type_number(const assay_reference *reference, const assay_expected_row *row) {
  if (reference->whole)
    return row->want_whole;
  return row->want >= 0 && row->want <= UINT32_MAX ? (int64_t)row->want : -1;
}

// Reads the type that stands behind a section's values, and how many rows and columns it makes.
static assay_code read_type(const assay_file *file, const assay_reference *reference,
                            assay_table_section *section, int64_t *out_rows, int64_t *out_columns,
                            assay_error *err) {
  const assay_expected_row *row = &reference->rows[section->start + section->count];
  assay_result_type *type = &section->type;
  int64_t most = UINT32_MAX, number = section->types > 0 ? type_number(reference, row) : -1;
  bool fits = number >= 0 && number < DTYPES && (number < FIRST_FLOATING) == reference->whole &&
              section->types <= 1 + ASSAY_REFERENCE_RANK;
  *out_rows = *out_columns = 1;
  for (size_t i = 1; fits && i < section->types; i++) {
    int64_t size = type_number(reference, &row[i]);
    *out_rows *= *out_columns;
    *out_columns = size;
    fits = row[i].index == i && size >= 1 && size <= most / *out_rows;
    type->dim[type->rank++] = size;
  }
  if (!fits || row->index != 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "a result without a type (a dtype's number and at most %d sizes)",
                         ASSAY_REFERENCE_RANK);
  type->dtype = dtypes[number];
  return ASSAY_OK;
}

static bool in_bounds(const assay_expected_row *row, int64_t rows, int64_t columns) {
  switch (row->part) {
  case ASSAY_PART_ELEMENT:
    return row->index / columns < rows;
  case ASSAY_PART_COLUMNS:
    return row->index < rows;
  case ASSAY_PART_ROWS:
    return row->index < columns;
  case ASSAY_PART_TYPE:
    break;
  }
  return false;
}

// That a result has all its rows: every element, or of a large one some elements and every probe
// sum.
static assay_code check_section(const assay_file *file, assay_reference *reference, int data,
                                int result, assay_error *err) {
  assay_table_section *section = &reference->section[data][result];
  if (section->count == 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "nothing of result %d on data set %s", result, assay_table_data[data]);
  int64_t rows, columns;
  TRY(read_type(file, reference, section, &rows, &columns, err));
  int64_t found[PARTS] = {0};
  for (size_t i = 0; i < section->count; i++) {
    const assay_expected_row *row = &reference->rows[section->start + i];
    if (!in_bounds(row, rows, columns))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu (data %d, result %d, part %d, index %u) is outside the result",
                           section->start + i, data, result, (int)row->part, (unsigned)row->index);
    found[row->part]++;
  }
  int64_t sums = found[ASSAY_PART_COLUMNS] + found[ASSAY_PART_ROWS], elements = rows * columns;
  section->sampled = sums > 0;
  if (section->sampled
          ? elements > WHOLE_LIMIT && found[ASSAY_PART_ELEMENT] > 0 && sums == rows + columns
          : found[ASSAY_PART_ELEMENT] == elements)
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                       "result %d on data set %s has %lld elements and %lld probe sums, expected "
                       "all %lld elements%s",
                       result, assay_table_data[data], (long long)found[ASSAY_PART_ELEMENT],
                       (long long)sums, (long long)elements,
                       elements > WHOLE_LIMIT ? ", or some and the sums of all rows and columns"
                                              : "");
}

// Reads the rows one by one into reference, whose sections grow.
static assay_code read_rows(const assay_file *file, const unsigned char *bytes, size_t count,
                            assay_reference *reference, assay_expected_row *rows,
                            assay_error *err) {
  entry before = {0};
  for (size_t i = 0; i < count; i++) {
    size_t size = reference->whole ? WHOLE_SIZE : FLOATING_SIZE;
    entry each = read_entry(bytes + i * size, reference->whole);
    if (each.data >= ASSAY_DATA_SETS || each.result >= (unsigned)reference->need.result_count ||
        each.row.part > ASSAY_PART_TYPE)
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu (data %u, result %u, part %d) is of none of the results", i,
                           each.data, each.result, (int)each.row.part);
    if (i > 0 && !follows(&before, &each))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu is not in order (by data, result, part, index)", i);
    if (!(each.row.scale >= 0 && isfinite(each.row.scale)))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu has the error scale %g, expected a finite one from 0", i,
                           each.row.scale);
    assay_table_section *section = &reference->section[each.data][each.result];
    section->start = section->count + section->types == 0 ? i : section->start;
    *(each.row.part == ASSAY_PART_TYPE ? &section->types : &section->count) += 1;
    rows[i] = each.row;
    before = each;
  }
  return ASSAY_OK;
}

assay_code assay_table_refusal(assay_arena *arena, const assay_file *file, const char **out_text,
                               size_t *out_used, assay_error *err) {
  assay_npy npy;
  *out_text = NULL;
  TRY(assay_npy_parse(arena, file, &npy, err));
  if (strncmp(npy.descr, "|S", 2) != 0)
    return ASSAY_OK;
  size_t size = (size_t)strtoull(npy.descr + 2, NULL, 10);
  npy.data_size = size < npy.data_size ? size : npy.data_size;
  if (npy.rank != 1 || npy.dim[0] != 1 || npy.data_size != size)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0, "a truncated text");
  *out_text = assay_arena_format(arena, "%.*s", (int)size, (const char *)npy.data);
  *out_used = (size_t)((const char *)npy.data - file->bytes) + size;
  return ASSAY_OK;
}

assay_code assay_table_read(assay_arena *arena, const assay_file *file, bool whole_file,
                            const assay_reference_need *need, assay_reference *out_reference,
                            size_t *out_used, assay_error *err) {
  assert(need->result_count <= ASSAY_REFERENCE_RESULTS);
  assay_npy npy;
  TRY(assay_npy_parse(arena, file, &npy, err));
  if (npy.rank != 1)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "array of %d dimensions, expected a table (1)", npy.rank);
  bool whole = strcmp(npy.descr, whole_descr) == 0; // one column "expected" for all results
  size_t count = (size_t)npy.dim[0], size = whole ? WHOLE_SIZE : FLOATING_SIZE;
  if (!whole_file && count <= npy.data_size / size)
    npy.data_size = count * size;
  TRY(assay_npy_expect(file, &npy, whole ? whole_descr : floating_descr, size, err));
  *out_reference = (assay_reference){.need = *need, .path = file->path, .whole = whole};
  out_reference->need.line = assay_arena_string(arena, need->line);
  out_reference->need.op = assay_arena_string(arena, need->op);
  assay_expected_row *rows = assay_arena_take(arena, count, sizeof *rows);
  out_reference->rows = rows;
  TRY(read_rows(file, npy.data, count, out_reference, rows, err));
  for (int data = 0; data < ASSAY_DATA_SETS; data++)
    for (int result = 0; result < need->result_count; result++)
      TRY(check_section(file, out_reference, data, result, err));
  *out_used = (size_t)((const char *)npy.data - file->bytes) + npy.data_size;
  return ASSAY_OK;
}
