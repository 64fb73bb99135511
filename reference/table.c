// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/table.h"

#include "reference/npy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WHOLE_LIMIT = 128, PARTS = 3 };

const char *const assay_table_data[ASSAY_DATA_SETS] = {"int", "real"};

static const char floating_descr[] =
    "[('data', '|u1'), ('result', '|u1'), ('part', '|u1'), ('index', '<u4'), ('expected', '<f8'), "
    "('scale', '<f4')]";
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
  FLOATING_SIZE = 19,
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
    float scale;
    memcpy(&read.row.want, bytes + AT_EXPECTED, sizeof read.row.want);
    memcpy(&scale, bytes + AT_SCALE, sizeof scale);
    read.row.scale = scale;
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

static bool is_sampled(const assay_reference_need *need, int result) {
  return need->result[result].rows > WHOLE_LIMIT / need->result[result].columns;
}

static bool in_bounds(const entry *each, const assay_reference_need *need) {
  if (each->data >= ASSAY_DATA_SETS || each->result >= (unsigned)need->result_count)
    return false;
  int64_t rows = need->result[each->result].rows, columns = need->result[each->result].columns;
  switch (each->row.part) {
  case ASSAY_PART_ELEMENT:
    return each->row.index / columns < rows;
  case ASSAY_PART_COLUMNS:
    return each->row.index < rows;
  case ASSAY_PART_ROWS:
    return each->row.index < columns;
  }
  return false;
}

// That a result has all its rows: every element, or some elements and every probe sum.
static assay_code check_section(const assay_file *file, const assay_reference *reference, int data,
                                int result, assay_error *err) {
  const assay_table_section *section = &reference->section[data][result];
  long long rows = reference->need.result[result].rows;
  long long columns = reference->need.result[result].columns;
  long long found[PARTS] = {0};
  for (size_t i = 0; i < section->count; i++)
    found[reference->rows[section->start + i].part]++;
  long long sums = found[ASSAY_PART_COLUMNS] + found[ASSAY_PART_ROWS];
  bool sampled = is_sampled(&reference->need, result);
  if ((sampled ? found[ASSAY_PART_ELEMENT] > 0 && sums == rows + columns
               : found[ASSAY_PART_ELEMENT] == rows * columns && sums == 0))
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                       "result %d on data set %s has %lld elements and %lld probe sums, expected "
                       "%lld%s and %lld for a %lldx%lld result",
                       result, assay_table_data[data], found[ASSAY_PART_ELEMENT], sums,
                       sampled ? 1 : rows * columns, sampled ? " or more" : "",
                       sampled ? rows + columns : 0, rows, columns);
}

// Reads the rows one by one into reference, whose sections grow.
static assay_code read_rows(const assay_file *file, const unsigned char *bytes, size_t count,
                            assay_reference *reference, assay_expected_row *rows,
                            assay_error *err) {
  bool whole = reference->need.result[0].whole;
  entry before = {0};
  for (size_t i = 0; i < count; i++) {
    entry each = read_entry(bytes + i * (whole ? WHOLE_SIZE : FLOATING_SIZE), whole);
    if (!in_bounds(&each, &reference->need))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu (data %u, result %u, part %d, index %u) is outside the results",
                           i, each.data, each.result, (int)each.row.part, (unsigned)each.row.index);
    if (i > 0 && !follows(&before, &each))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu is not in order (by data, result, part, index)", i);
    if (!(each.row.scale >= 0 && isfinite(each.row.scale)))
      return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                           "row %zu has the error scale %g, expected a finite one from 0", i,
                           each.row.scale);
    assay_table_section *section = &reference->section[each.data][each.result];
    section->start = section->count == 0 ? i : section->start;
    section->count++;
    section->sampled = is_sampled(&reference->need, (int)each.result);
    rows[i] = each.row;
    before = each;
  }
  return ASSAY_OK;
}

assay_code assay_table_read(assay_arena *arena, const assay_file *file, bool whole_file,
                            const assay_reference_need *need, assay_reference *out_reference,
                            size_t *out_used, assay_error *err) {
  bool whole = need->result[0].whole;
  for (int i = 1; i < need->result_count; i++)
    assert(need->result[i].whole == whole); // one column "expected" for all results
  size_t size = whole ? WHOLE_SIZE : FLOATING_SIZE;
  assay_npy npy;
  TRY(assay_npy_parse(arena, file, &npy, err));
  if (npy.rank != 1)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0,
                         "array of %d dimensions, expected a table (1)", npy.rank);
  size_t count = (size_t)npy.dim[0];
  if (!whole_file && count <= npy.data_size / size)
    npy.data_size = count * size;
  TRY(assay_npy_expect(file, &npy, whole ? whole_descr : floating_descr, size, err));
  *out_reference = (assay_reference){.need = *need, .path = file->path};
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
