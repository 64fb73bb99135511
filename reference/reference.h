// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values: what a case's results should be, with the error scale, from the store or live
// from the oracle.
//
// A reference is one table per case, reference/store/OP/SLUG-HASH.npy: a one-dimensional structured
// array, one row per expected number. Its columns:
//   data      |u1  0 int, 1 real
//   result    |u1  the result's number from 0
//   part      |u1  0 an element; 1 an entry of C w (probe "columns"), w of the columns' number;
//                  2 an entry of w^T C (probe "rows"); 3 the result's type
//   index     <u4  part 0: the element's row-major number; 1: its row; 2: its column; 3: 0, of
//                  which "expected" is the dtype's number, then 1 + i, the size of axis i
//   expected  <f8  (float results), or <i8 (integer results, exact; probe sums wrap modulo 2^64)
//   scale     <f8  (float results only) the error scale; 0 demands equal bits
// Dtypes are numbered bool 0, i32 1, i64 2, f16 3, f32 4, f64 5.
// A result of any rank is seen as rows x columns: the product of all axes but the last, times the
// last. All its elements are stored where it has at most 128, or where one is not finite, which no
// probe sees past; else a fixed sample and both probes, which see every element. Rows are sorted by
// data, result, part and index.
#ifndef ASSAY_REFERENCE_REFERENCE_H
#define ASSAY_REFERENCE_REFERENCE_H

#include "compiler/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum assay_part {
  ASSAY_PART_ELEMENT,
  ASSAY_PART_COLUMNS,
  ASSAY_PART_ROWS,
  ASSAY_PART_TYPE, // in tables only
} assay_part;

typedef struct assay_expected_row {
  assay_part part;
  uint32_t index;
  double want;        // float results
  int64_t want_whole; // integer results
  double scale;       // float results
} assay_expected_row;

enum { ASSAY_REFERENCE_RESULTS = 4, ASSAY_REFERENCE_RANK = 8 };

// What NumPy gives for a result besides its values.
typedef struct assay_result_type {
  const char *dtype; // "f32"
  int rank;
  int64_t dim[ASSAY_REFERENCE_RANK];
} assay_result_type;

// The expected values of one result on one data set.
typedef struct assay_expected {
  assay_result_type type;
  bool whole;   // an integer result
  bool sampled; // not every element is there; the probes see the others
  const assay_expected_row *rows;
  size_t count;
} assay_expected;

// The case that a table is of; for its messages and checks. Types are the table's own to say.
typedef struct assay_reference_need {
  const char *line; // canonical case line
  const char *op;
  int result_count; // at most ASSAY_REFERENCE_RESULTS
} assay_reference_need;

typedef struct assay_reference assay_reference; // one case's table, in an arena

// Where the case's table is, relative to root:
// "reference/store/matmul/m3-k5-n7-f32-0123456789abcdef.npy".
const char *assay_reference_path(assay_arena *arena, const char *op, const char *line);

// Reads the stored table. ASSAY_MISSING where there is no file, ASSAY_INVALID where it is not such
// a table or does not fit need: the message names the file and `assay references update` which
// remakes it.
ASSAY_MUST_USE assay_code assay_reference_load(assay_arena *arena, const char *root,
                                               const assay_reference_need *need,
                                               const assay_reference **out_reference,
                                               assay_error *err);

// Asks the oracle (root/.venv/bin/python) for the tables of several cases, in order, in one
// process. For a case without an answer out_references has NULL and out_refusals a text in the
// arena that names the case and says why; else that is NULL. ASSAY_MISSING where the oracle's
// Python or NumPy is not there, saying how to get it.
ASSAY_MUST_USE assay_code assay_reference_compute(assay_arena *arena, const char *root,
                                                  size_t count, const assay_reference_need needs[],
                                                  const assay_reference *out_references[],
                                                  const char *out_refusals[], assay_error *err);

// The rows of one result on one data set ("int", "real"). ASSAY_MISSING where the table has none.
ASSAY_MUST_USE assay_code assay_reference_get(const assay_reference *reference, const char *data,
                                              int result, assay_expected *out_expected,
                                              assay_error *err);

#endif
