// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/judge/judge.h"

#include "harness/case/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char line[] = "matmul m=2 k=1 n=3 dtype=f64";

// Judges one number `got` against `want` and returns the margin.
static double judge_one(double got, double want, double scale, assay_judgement *out_judgement) {
  const assay_expected_row row = {.part = ASSAY_PART_ELEMENT, .want = want, .scale = scale};
  const assay_expected expected = {.type = {"f64", 2, {1, 1}}, .rows = &row, .count = 1};
  const assay_buffer buffer = {
      .data = &got, .dtype = ASSAY_F64, .shape = assay_shape_make(2, 1, 1)};
  *out_judgement = (assay_judgement){0};
  assay_judge_result(line, "real", 0, &expected, &buffer, out_judgement);
  assert_int_equal(out_judgement->reason[0] == '\0', out_judgement->margin <= 1);
  return out_judgement->margin;
}

static void examines_what_is_not_finite_first(void **state) {
  (void)state;
  static const struct {
    double got, want;
    bool agrees;
  } rows[] = {
      {NAN, 1, false},
      {1, NAN, false},
      {NAN, NAN, true},
      {-NAN, NAN, true},
      {INFINITY, 1, false},
      {1, INFINITY, false},
      {INFINITY, NAN, false},
      {NAN, -INFINITY, false},
      {INFINITY, INFINITY, true},
      {-INFINITY, -INFINITY, true},
      {INFINITY, -INFINITY, false},
  };
  // The same with any scale: an enormous one excuses nothing.
  static const double scales[] = {0, 1, 1e300, INFINITY, NAN};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (size_t j = 0; j < sizeof scales / sizeof scales[0]; j++) {
      assay_judgement judgement;
      double margin = judge_one(rows[i].got, rows[i].want, scales[j], &judgement);
      assert_true(rows[i].agrees ? margin == 0 : isinf(margin));
    }
  }
}

static void demands_equality_at_scale_zero(void **state) {
  (void)state;
  assay_judgement judgement;
  assert_true(judge_one(3, 3, 0, &judgement) == 0);
  assert_true(judgement.exact && !judgement.compared);
  assert_true(isinf(judge_one(3, nextafter(3, 4), 0, &judgement)));
  assert_true(judge_one(0.0, -0.0, 0, &judgement) == 0);
  assert_true(judge_one(-0.0, 0.0, 0, &judgement) == 0);
  assert_true(isinf(judge_one(0, 5e-324, 0, &judgement)));
}

static void accepts_a_margin_of_one_and_no_more(void **state) {
  (void)state;
  assay_judgement judgement;
  assert_true(judge_one(ASSAY_LAMBDA * 0.25, 0, 0.25, &judgement) == 1);
  assert_true(judgement.compared && !judgement.exact);
  assert_string_equal(judgement.reason, "");
  double above = judge_one(nextafter(ASSAY_LAMBDA * 0.25, 2), 0, 0.25, &judgement);
  assert_true(above > 1 && above < 1.0001);
  assert_true(judge_one(-ASSAY_LAMBDA * 0.125, 0, 0.25, &judgement) == 0.5);
  assert_true(isinf(judge_one(1, 2, INFINITY, &judgement)));
  assert_true(isinf(judge_one(1, 2, NAN, &judgement)));
}

static void explains_at_full_precision(void **state) {
  (void)state;
  const assay_expected_row rows[] = {{.index = 0, .want = 0.1, .scale = 1e-3},
                                     {.index = 4, .want = 1, .scale = 0.25}};
  const assay_expected expected = {.type = {"f64", 2, {2, 3}}, .rows = rows, .count = 2};
  double got[] = {0.1, 2, 3, 4, 7.1, 6};
  const assay_buffer buffer = {.data = got, .dtype = ASSAY_F64, .shape = assay_shape_make(2, 2, 3)};
  assay_judgement judgement = {0};
  assay_judge_result(line, "real", 0, &expected, &buffer, &judgement);
  assert_string_equal(judgement.reason,
                      "element [1,1] of result 0: got 7.0999999999999996, want 1, scale 0.25, "
                      "margin 4.07; 1 of 2 expected values missed; along the last axis: 4 "
                      "[7.0999999999999996] 6");
  assert_true(judgement.worst.present);
  assert_int_equal(judgement.worst.rank, 2);
  assert_int_equal(judgement.worst.index[0], 1);
  assert_int_equal(judgement.worst.index[1], 1);
}

// A sampled result of rows x columns: the first element and every entry of both probes, from the
// true values.
enum { ROWS = 19, COLUMNS = 23, SAMPLED = 1 + ROWS + COLUMNS };

typedef struct sample {
  assay_expected_row rows[SAMPLED];
  assay_expected expected;
} sample;

static void make_sample(const char *data, bool whole, double scale, const double truth[],
                        sample *out_sample) {
  double columns[COLUMNS], rows[ROWS];
  bool whole_weights = whole || strcmp(data, "int") == 0;
  assay_data_probe(line, data, "columns", 0, whole_weights, COLUMNS, columns);
  assay_data_probe(line, data, "rows", 0, whole_weights, ROWS, rows);
  memset(out_sample, 0, sizeof *out_sample);
  out_sample->rows[0].want = truth[0];
  for (int i = 0; i < ROWS; i++)
    out_sample->rows[1 + i].part = ASSAY_PART_COLUMNS;
  for (int j = 0; j < COLUMNS; j++)
    out_sample->rows[1 + ROWS + j].part = ASSAY_PART_ROWS;
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      out_sample->rows[1 + i].index = (uint32_t)i;
      out_sample->rows[1 + ROWS + j].index = (uint32_t)j;
      out_sample->rows[1 + i].want += truth[i * COLUMNS + j] * columns[j];
      out_sample->rows[1 + ROWS + j].want += truth[i * COLUMNS + j] * rows[i];
    }
  }
  for (int i = 0; i < SAMPLED; i++) {
    out_sample->rows[i].scale = scale;
    out_sample->rows[i].want_whole = (int64_t)out_sample->rows[i].want;
  }
  out_sample->expected = (assay_expected){.type = {whole ? "i64" : "f32", 2, {ROWS, COLUMNS}},
                                          .whole = whole,
                                          .sampled = true,
                                          .rows = out_sample->rows,
                                          .count = SAMPLED};
}

static void fill_truth(double truth[]) {
  for (int i = 0; i < ROWS * COLUMNS; i++)
    truth[i] = (i * 37) % 101 - 50;
}

static assay_judgement judge_floats(const char *data, const sample *the_sample,
                                    const double values[]) {
  float got[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    got[i] = (float)values[i];
  const assay_buffer buffer = {
      .data = got, .dtype = ASSAY_F32, .shape = assay_shape_make(2, ROWS, COLUMNS)};
  assay_judgement judgement = {0};
  assay_judge_result(line, data, 0, &the_sample->expected, &buffer, &judgement);
  return judgement;
}

static void probes_see_what_the_sample_does_not(void **state) {
  (void)state;
  static const struct {
    const char *data;
    double scale;
  } sets[] = {{"int", 0}, {"real", 1e-3}};
  for (int i = 0; i < 2; i++) {
    double truth[ROWS * COLUMNS], wrong[ROWS * COLUMNS];
    sample the_sample;
    fill_truth(truth);
    make_sample(sets[i].data, false, sets[i].scale, truth, &the_sample);
    assert_true(judge_floats(sets[i].data, &the_sample, truth).margin <= 1e-6);

    memcpy(wrong, truth, sizeof truth);
    wrong[7 * COLUMNS + 11] += 1;
    assay_judgement judgement = judge_floats(sets[i].data, &the_sample, wrong);
    assert_false(judgement.margin <= 1);
    assert_int_equal(strncmp(judgement.worst.part, "probe ", 6), 0);

    wrong[7 * COLUMNS + 11] = NAN;
    assert_true(isinf(judge_floats(sets[i].data, &the_sample, wrong).margin));
    wrong[7 * COLUMNS + 11] = -INFINITY;
    assert_true(isinf(judge_floats(sets[i].data, &the_sample, wrong).margin));
  }
}

static void probes_see_swapped_columns_and_rows(void **state) {
  (void)state;
  double truth[ROWS * COLUMNS], columns[ROWS * COLUMNS], rows[ROWS * COLUMNS];
  sample the_sample;
  fill_truth(truth);
  make_sample("int", false, 0, truth, &the_sample);
  memcpy(columns, truth, sizeof truth);
  memcpy(rows, truth, sizeof truth);
  for (int i = 0; i < ROWS; i++) {
    columns[i * COLUMNS + 5] = truth[i * COLUMNS + 6];
    columns[i * COLUMNS + 6] = truth[i * COLUMNS + 5];
  }
  memcpy(rows + 3 * COLUMNS, truth + 4 * COLUMNS, COLUMNS * sizeof *rows);
  memcpy(rows + 4 * COLUMNS, truth + 3 * COLUMNS, COLUMNS * sizeof *rows);
  assert_true(isinf(judge_floats("int", &the_sample, columns).margin));
  assert_true(isinf(judge_floats("int", &the_sample, rows).margin));
}

static void integers_agree_or_fail(void **state) {
  (void)state;
  const assay_expected_row row = {.index = 1, .want_whole = -5};
  const assay_expected expected = {
      .type = {"i32", 1, {2}}, .whole = true, .rows = &row, .count = 1};
  int32_t got[] = {7, -5};
  const assay_buffer buffer = {.data = got, .dtype = ASSAY_I32, .shape = assay_shape_make(1, 2)};
  assay_judgement judgement = {0};
  assay_judge_result(line, "real", 2, &expected, &buffer, &judgement);
  assert_true(judgement.margin == 0 && judgement.exact && !judgement.compared);
  got[1] = -6;
  assay_judge_result(line, "real", 2, &expected, &buffer, &judgement);
  assert_true(isinf(judgement.margin));
  assert_string_equal(judgement.reason,
                      "element [1] of result 2: got -6, want -5, margin inf; 1 of 1 expected "
                      "values missed; along the last axis: 7 [-6]");
  assert_true(judgement.worst.whole);
  assert_int_equal(judgement.worst.got_whole, -6);
}

// Full-range values: the probe sums pass 2^63 many times over and wrap modulo 2^64 on both sides.
static void integer_probes_wrap(void **state) {
  (void)state;
  int64_t got[ROWS * COLUMNS];
  double zero[ROWS * COLUMNS] = {0}, weights[COLUMNS];
  sample the_sample;
  make_sample("real", true, 0, zero, &the_sample);
  assay_data_probe(line, "real", "columns", 0, true, COLUMNS, weights);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    got[i] = INT64_MAX - i;
  got[0] = 0;
  assay_expected_row *row = &the_sample.rows[1];
  uint64_t sum = 0;
  for (int j = 0; j < COLUMNS; j++)
    sum += (uint64_t)(int64_t)weights[j] * (uint64_t)got[j];
  row->want_whole = (int64_t)sum;
  const assay_expected expected = {
      .type = {"i64", 2, {ROWS, COLUMNS}}, .whole = true, .sampled = true, .rows = row, .count = 1};
  const assay_buffer buffer = {
      .data = got, .dtype = ASSAY_I64, .shape = assay_shape_make(2, ROWS, COLUMNS)};
  assay_judgement judgement = {0};
  assay_judge_result(line, "real", 0, &expected, &buffer, &judgement);
  assert_true(judgement.margin == 0);
  got[3] ^= INT64_C(1) << 62;
  got[4] ^= INT64_C(1) << 40;
  assay_judge_result(line, "real", 0, &expected, &buffer, &judgement);
  assert_true(isinf(judgement.margin));
}

// Another dtype, another shape of as many elements, and another rank, whatever the numbers are.
static void results_of_another_type_are_wrong(void **state) {
  (void)state;
  const assay_expected_row rows[] = {{.index = 0, .want_whole = 0}, {.index = 1, .want_whole = 0}};
  const assay_expected expected = {
      .type = {"i64", 2, {2, 1}}, .whole = true, .rows = rows, .count = 2};
  double zeros[2] = {0};
  static const struct {
    assay_dtype dtype;
    assay_shape shape;
    const char *got; // NULL: the type that is wanted
  } cases[] = {
      {ASSAY_I64, {2, {2, 1}}, NULL},           {ASSAY_I32, {2, {2, 1}}, "i32 2x1"},
      {ASSAY_F64, {2, {2, 1}}, "f64 2x1"},      {ASSAY_BOOL, {2, {2, 1}}, "bool 2x1"},
      {ASSAY_I64, {2, {1, 2}}, "i64 1x2"},      {ASSAY_I64, {1, {2}}, "i64 2"},
      {ASSAY_I64, {3, {2, 1, 1}}, "i64 2x1x1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const assay_buffer buffer = {.data = zeros, .dtype = cases[i].dtype, .shape = cases[i].shape};
    assay_judgement judgement = {0};
    assay_judge_result(line, "real", 1, &expected, &buffer, &judgement);
    char reason[128] = "";
    if (cases[i].got != NULL)
      snprintf(reason, sizeof reason, "type of result 1: got %s, want i64 2x1", cases[i].got);
    assert_string_equal(judgement.reason, reason);
    assert_true(cases[i].got == NULL ? judgement.margin == 0 : isinf(judgement.margin));
    assert_true(judgement.compared == (cases[i].got != NULL));
    assert_false(judgement.worst.present);
  }
}

// Two results in one judgement: the larger margin and its reason stay.
static void keeps_the_worst_of_several_results(void **state) {
  (void)state;
  const assay_expected_row row = {.want = 1, .scale = 1};
  const assay_expected expected = {.type = {"f64", 0, {0}}, .rows = &row, .count = 1};
  double values[] = {1 + ASSAY_LAMBDA * 3, 1 + ASSAY_LAMBDA * 2, 1};
  assay_judgement judgement = {0};
  for (int i = 0; i < 3; i++) {
    const assay_buffer buffer = {
        .data = &values[i], .dtype = ASSAY_F64, .shape = assay_shape_make(0, 0)};
    assay_judge_result(line, "real", i, &expected, &buffer, &judgement);
  }
  assert_true(judgement.margin == 3);
  assert_string_equal(judgement.reason,
                      "element [] of result 0: got 19, want 1, scale 1, margin 3; "
                      "1 of 1 expected values missed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examines_what_is_not_finite_first),
      cmocka_unit_test(demands_equality_at_scale_zero),
      cmocka_unit_test(accepts_a_margin_of_one_and_no_more),
      cmocka_unit_test(explains_at_full_precision),
      cmocka_unit_test(probes_see_what_the_sample_does_not),
      cmocka_unit_test(probes_see_swapped_columns_and_rows),
      cmocka_unit_test(integers_agree_or_fail),
      cmocka_unit_test(integer_probes_wrap),
      cmocka_unit_test(results_of_another_type_are_wrong),
      cmocka_unit_test(keeps_the_worst_of_several_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
