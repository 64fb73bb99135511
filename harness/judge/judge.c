// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule, for one expected number `want` with error scale `scale`:
//   a NaN or Inf on either side: both must be NaN, or both the same infinity;
//   scale 0 (and every integer): got == want;
//   otherwise |got - want| / (ASSAY_LAMBDA * scale) <= 1.
// A result must have the expected dtype and shape before any number is looked at.
// Scale 0 asks for equal bits but for the sign of a zero: a sum of zeros is -0.0 or 0.0 by the
// order of its terms and by whether it starts from a fill or from its first product, so a correct
// compiler may give either.
#include "harness/judge/judge.h"

#include "harness/case/data.h"
#include "harness/judge/window.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One result under judgement.
typedef struct subject {
  int result; // number
  const assay_expected *expected;
  const assay_buffer *got;
  assay_matrix matrix;
  long double *sums[3]; // by part; sums of a float result
  uint64_t *wholes[3];  // by part; sums of an integer result
} subject;

static void *take(size_t count, size_t size) {
  void *taken = calloc(count > 0 ? count : 1, size);
  if (taken == NULL)
    abort();
  return taken;
}

// The entries of C w (part COLUMNS, one per row) or w^T C (part ROWS, one per column). Float sums
// are long double: their rounding is in the expected values' scale (reference/oracle/scale.py).
// Integer sums wrap modulo 2^64.
static void sum_probe(subject *it, assay_part part, const double weights[]) {
  bool by_row = part == ASSAY_PART_COLUMNS;
  int64_t count = by_row ? it->matrix.rows : it->matrix.columns;
  if (it->expected->whole)
    it->wholes[part] = take((size_t)count, sizeof *it->wholes[part]);
  else
    it->sums[part] = take((size_t)count, sizeof *it->sums[part]);
  for (int64_t i = 0; i < it->matrix.rows; i++) {
    for (int64_t j = 0; j < it->matrix.columns; j++) {
      int64_t element = i * it->matrix.columns + j, entry = by_row ? i : j;
      double weight = weights[by_row ? j : i];
      if (it->expected->whole)
        it->wholes[part][entry] +=
            (uint64_t)(int64_t)weight * (uint64_t)assay_element_whole(it->got, element);
      else
        it->sums[part][entry] += (long double)weight * assay_element_real(it->got, element);
    }
  }
}

static void sum_probes(subject *it, const char *line, const char *data) {
  static const char *const names[] = {[ASSAY_PART_COLUMNS] = "columns", [ASSAY_PART_ROWS] = "rows"};
  bool whole = it->expected->whole || strcmp(data, "int") == 0;
  for (assay_part part = ASSAY_PART_COLUMNS; part <= ASSAY_PART_ROWS; part++) {
    int64_t length = part == ASSAY_PART_COLUMNS ? it->matrix.columns : it->matrix.rows;
    double *weights = take((size_t)length, sizeof *weights);
    assay_data_probe(line, data, names[part], it->result, whole, (size_t)length, weights);
    sum_probe(it, part, weights);
    free(weights);
  }
}

static bool wants_probes(const assay_expected *expected) {
  for (size_t i = 0; i < expected->count; i++)
    if (expected->rows[i].part != ASSAY_PART_ELEMENT)
      return true;
  return false;
}

static double margin_of(long double got, double want, double scale) {
  if (isnan(got) || isnan(want))
    return isnan(got) && isnan(want) ? 0 : INFINITY;
  if (got == want)
    return 0; // equal infinities as well
  if (!isfinite(got) || !isfinite(want) || !isfinite(scale))
    return INFINITY; // a scale of infinity would accept anything
  return (double)(fabsl(got - want) / (ASSAY_LAMBDA * (long double)scale)); // scale 0: infinity
}

static assay_worst worst_of(const subject *it, const assay_expected_row *row, long double got) {
  static const char *const parts[] = {[ASSAY_PART_ELEMENT] = "element",
                                      [ASSAY_PART_COLUMNS] = "probe columns",
                                      [ASSAY_PART_ROWS] = "probe rows"};
  assay_worst worst = {.present = true,
                       .part = parts[row->part],
                       .rank = 1,
                       .index = {row->index},
                       .whole = it->expected->whole,
                       .got = isnan(got) ? NAN : (double)got, // without the sign it prints
                       .want = row->want,
                       .scale = row->scale,
                       .want_whole = row->want_whole};
  if (row->part == ASSAY_PART_ELEMENT)
    worst.rank = assay_index_unravel(&it->got->shape, row->index, worst.index);
  if (worst.whole)
    worst.got_whole = row->part == ASSAY_PART_ELEMENT ? assay_element_whole(it->got, row->index)
                                                      : (int64_t)it->wholes[row->part][row->index];
  return worst;
}

static double judge_row(const subject *it, const assay_expected_row *row, long double *out_got) {
  bool element = row->part == ASSAY_PART_ELEMENT;
  if (it->expected->whole) {
    int64_t got = element ? assay_element_whole(it->got, row->index)
                          : (int64_t)it->wholes[row->part][row->index];
    *out_got = got;
    return got == row->want_whole ? 0 : INFINITY;
  }
  *out_got = element ? assay_element_real(it->got, row->index) : it->sums[row->part][row->index];
  return margin_of(*out_got, row->want, row->scale);
}

static void explain(const subject *it, const assay_expected_row *row, const assay_worst *worst,
                    double margin, size_t failed, assay_judgement *into) {
  char index[160], numbers[128], window[160] = "";
  assay_index_print(worst->rank, worst->index, sizeof index, index);
  if (worst->whole)
    snprintf(numbers, sizeof numbers, "got %" PRId64 ", want %" PRId64, worst->got_whole,
             worst->want_whole);
  else
    snprintf(numbers, sizeof numbers, "got %.17g, want %.17g, scale %.9g", worst->got, worst->want,
             worst->scale);
  if (row->part == ASSAY_PART_ELEMENT)
    assay_window_print(it->got, row->index, sizeof window, window);
  snprintf(into->reason, sizeof into->reason,
           "%s %s of result %d: %s, margin %.3g; %zu of %zu expected values missed%s", worst->part,
           index, it->result, numbers, margin, failed, it->expected->count, window);
}

// "f32 3x5"
static const char *print_type(const char *dtype, const assay_shape *shape, size_t size,
                              char into[]) {
  snprintf(into, size, "%s %s", dtype, assay_shape_print(shape).text);
  return into;
}

// A result of another type than NumPy's is wrong whatever it holds, and nothing else is looked at.
static bool judge_type(const subject *it, assay_judgement *into) {
  const assay_result_type *type = &it->expected->type;
  const assay_shape *shape = &it->got->shape;
  const char *dtype = assay_dtype_get(it->got->dtype)->name;
  assay_shape wanted = {.rank = type->rank};
  memcpy(wanted.dim, type->dim, (size_t)type->rank * sizeof *wanted.dim);
  if (strcmp(dtype, type->dtype) == 0 && assay_shape_equal(shape, &wanted))
    return false;
  char got[224], want[224];
  into->compared = true;
  if (isinf(into->margin))
    return true; // of an earlier result, which has the reason
  snprintf(into->reason, sizeof into->reason, "type of result %d: got %s, want %s", it->result,
           print_type(dtype, shape, sizeof got, got),
           print_type(type->dtype, &wanted, sizeof want, want));
  into->margin = INFINITY;
  into->worst = (assay_worst){0};
  return true;
}

void assay_judge_result(const char *case_line, const char *data, int result,
                        const assay_expected *expected, const assay_buffer *got,
                        assay_judgement *into) {
  subject it = {
      .result = result, .expected = expected, .got = got, .matrix = assay_matrix_of(&got->shape)};
  if (judge_type(&it, into))
    return;
  if (wants_probes(expected))
    sum_probes(&it, case_line, data);

  const assay_expected_row *worst_row = NULL;
  assay_worst worst = {0};
  double largest = 0;
  size_t failed = 0;
  for (size_t i = 0; i < expected->count; i++) {
    const assay_expected_row *row = &expected->rows[i];
    long double value;
    double margin = judge_row(&it, row, &value);
    if (expected->whole || row->scale == 0)
      into->exact = true;
    else
      into->compared = true;
    failed += !(margin <= 1);
    if (margin > largest) {
      largest = margin;
      worst_row = row;
      worst = worst_of(&it, row, value);
    }
  }
  if (worst_row != NULL && largest > into->margin) {
    into->margin = largest;
    into->worst = worst;
    if (failed > 0)
      explain(&it, worst_row, &worst, largest, failed, into);
  }
  for (assay_part part = ASSAY_PART_COLUMNS; part <= ASSAY_PART_ROWS; part++) {
    free(it.sums[part]);
    free(it.wholes[part]);
  }
}
