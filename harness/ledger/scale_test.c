// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/scale_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static assay_arena *arena;

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  assay_arena_destroy(arena);
  return 0;
}

// Eight samples tell a deviation within a factor; the median is much nearer.
static void measures_the_deviation(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, MADE_ELEMENTS, 10);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assert_int_equal(scale->unjudged, 0);
  assert_true(scale->unstable < MADE_ELEMENTS / 100);
  int below = 0;
  for (int i = 0; i < MADE_ELEMENTS; i++) {
    const assay_scale_element *element = &scale->items[0].elements[i];
    assert_int_not_equal(element->kind, ASSAY_SCALE_EXACT);
    assert_true(element->scale > 3 * 0x1p-23 && element->scale < 40 * 0x1p-23);
    below += element->scale < 11 * 0x1p-23; // the larger of two: above 10 on the average
  }
  assert_in_range(below, MADE_ELEMENTS / 3, 2 * MADE_ELEMENTS / 3);
}

static void knows_exact_elements(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 64, 0);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  for (int i = 0; i < 64; i++) {
    assert_int_equal(scale->items[0].elements[i].kind, ASSAY_SCALE_EXACT);
    assert_true(scale->items[0].elements[i].scale == 0);
  }
  // Unless something that rounds was not seen rounding.
  samples.incomplete = true;
  scale = assay_scale_make(&samples, arena);
  assert_int_equal(scale->items[0].elements[0].kind, ASSAY_SCALE_SMOOTH);
  assert_true(scale->items[0].elements[0].scale == 0.3 * 0x1p-23);
}

// A plain run that is far from the mean of its samples: all roundings go the same way.
static void widens_by_the_plain_run_s_own_error(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 8, 1);
  for (int k = 0; k < MADE_SAMPLES; k++)
    made_floats(&samples.rounded[k])[0] += 100 * 0x1p-23F;
  const assay_scale_element *element = assay_scale_make(&samples, arena)->items[0].elements;
  assert_true(element->mean > 95 * 0x1p-23 && element->mean < 105 * 0x1p-23);
  assert_true(element->scale == element->mean / 2);
}

static void finds_unstable_elements(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 64, 1);
  made_floats(&samples.amplified[3])[5] = 2; // a branch taken once
  const assay_scale *scale = assay_scale_make(&samples, arena);
  const assay_scale_element *element = &scale->items[0].elements[5];
  assert_int_equal(element->kind, ASSAY_SCALE_UNSTABLE);
  double moved = 2 - (double)made_floats(samples.plain)[5];
  assert_true(element->high > 1.4 * moved && element->high < 1.6 * moved);
  assert_true(element->low < -0.4 * moved && element->low > -0.6 * moved);
  assert_int_equal(scale->unstable, 1);
  assert_null(scale->items[0].unjudged);
  for (int i = 10; i < 14; i++)
    made_floats(&samples.amplified[i % MADE_SAMPLES])[i] = -1;
  scale = assay_scale_make(&samples, arena);
  assert_string_equal(scale->items[0].unjudged, "5 of 64 elements are unstable");
  assert_int_equal(scale->unjudged, 1);
}

// 1 + 1e-20 again and again: hardly ever rounded up, and as noisy as any sum once amplified.
static void judges_what_only_amplified_samples_move(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, MADE_ELEMENTS, 1);
  for (int k = 0; k < MADE_SAMPLES; k++)
    memcpy(made_floats(&samples.rounded[k]), made_floats(samples.plain),
           MADE_ELEMENTS * sizeof(float));
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assert_true(scale->unstable < MADE_ELEMENTS / 25);
  assert_null(scale->items[0].unjudged);
  assay_observation *got = made_observation(arena, ASSAY_ELEMENT_F32, MADE_ELEMENTS);
  memcpy(made_floats(got), made_floats(samples.plain), MADE_ELEMENTS * sizeof(float));
  made_floats(got)[7] += 10 * 0x1p-23F;
  assay_comparison comparison;
  assay_compare(scale, got, &comparison);
  assert_true(comparison.passed);
  made_floats(got)[7] += 0x1p-14F;
  assay_compare(scale, got, &comparison);
  assert_false(comparison.passed);
  assert_int_equal(comparison.worst.index, 7);
}

static void examines_what_is_not_finite_first(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 64, 1);
  made_floats(samples.plain)[0] = NAN;
  made_floats(samples.plain)[1] = -INFINITY;
  made_floats(samples.plain)[2] = INFINITY;
  for (int k = 0; k < MADE_SAMPLES; k++) {
    const assay_observation *runs[] = {&samples.rounded[k], &samples.amplified[k]};
    for (int j = 0; j < 2; j++) {
      made_floats(runs[j])[0] = -NAN;
      made_floats(runs[j])[1] = -INFINITY;
      made_floats(runs[j])[2] = k == 3 && j == 1 ? 3e38F : INFINITY;
    }
  }
  made_floats(&samples.rounded[2])[3] = NAN;
  const assay_scale_element *elements = assay_scale_make(&samples, arena)->items[0].elements;
  assert_int_equal(elements[0].kind, ASSAY_SCALE_EXACT);
  assert_int_equal(elements[1].kind, ASSAY_SCALE_EXACT);
  for (int i = 2; i < 4; i++) {
    assert_int_equal(elements[i].kind, ASSAY_SCALE_UNSTABLE);
    assert_true(isinf(elements[i].low) && isinf(elements[i].high));
  }
}

static void keeps_integers_exact_unless_samples_move_them(void **state) {
  (void)state;
  assay_observation *plain = made_observation(arena, ASSAY_ELEMENT_INTEGER, 64);
  assay_observation runs[MADE_SAMPLES];
  made_wholes(plain)[0] = INT64_MAX;
  for (int k = 0; k < MADE_SAMPLES; k++) {
    runs[k] = *made_observation(arena, ASSAY_ELEMENT_INTEGER, 64);
    made_wholes(&runs[k])[0] = INT64_MAX - (k == 2); // the same double
    made_wholes(&runs[k])[1] = k == 5 ? 4 : 0;
  }
  assay_scale_samples samples = {
      .plain = plain, .count = MADE_SAMPLES, .rounded = runs, .amplified = runs, .amplitude = 16};
  const assay_scale_element *elements = assay_scale_make(&samples, arena)->items[0].elements;
  assert_int_equal(elements[0].kind, ASSAY_SCALE_UNSTABLE);
  assert_int_equal(elements[1].kind, ASSAY_SCALE_UNSTABLE);
  assert_true(elements[1].low == -2 && elements[1].high == 6);
  assert_int_equal(elements[2].kind, ASSAY_SCALE_EXACT);
}

static void keeps_the_digits_of_f64(void **state) {
  (void)state;
  assay_observation *plain = made_observation(arena, ASSAY_ELEMENT_F64, 1);
  assay_observation runs[2 * MADE_SAMPLES];
  made_doubles(plain)[0] = 1.5;
  for (int k = 0; k < 2 * MADE_SAMPLES; k++) {
    runs[k] = *made_observation(arena, ASSAY_ELEMENT_F64, 1);
    double units = k % 2 == 0 ? 1 : -1;
    made_doubles(&runs[k])[0] = 1.5 + units * (k < MADE_SAMPLES ? 1 : 23) * 0x1p-52;
  }
  assay_scale_samples samples = {.plain = plain,
                                 .count = MADE_SAMPLES,
                                 .rounded = runs,
                                 .amplified = runs + MADE_SAMPLES,
                                 .amplitude = 16};
  const assay_scale_element *element = assay_scale_make(&samples, arena)->items[0].elements;
  assert_int_equal(element->kind, ASSAY_SCALE_SMOOTH);
  assert_true(element->mean == 0 && fabs(element->scale / 0x1p-52 - 1.086) < 0.003);
}

static void does_not_judge_what_comes_and_goes(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 8, 1);
  assay_observation *other = made_observation(arena, ASSAY_ELEMENT_F32, 9);
  ((assay_observation *)samples.rounded)[4] = *other;
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assert_true(scale->items[0].shapeless);
  assert_non_null(scale->items[0].unjudged);
}

static void knows_units(void **state) {
  (void)state;
  static const struct {
    assay_element element;
    double number, unit;
  } rows[] = {
      {ASSAY_ELEMENT_F32, 1, 0x1p-23},      {ASSAY_ELEMENT_F32, -1.99, 0x1p-23},
      {ASSAY_ELEMENT_F32, 2, 0x1p-22},      {ASSAY_ELEMENT_F32, 0, 0x1p-149},
      {ASSAY_ELEMENT_F32, 1e-44, 0x1p-149}, {ASSAY_ELEMENT_F64, 0.75, 0x1p-53},
      {ASSAY_ELEMENT_F64, 0, 0x1p-1074},    {ASSAY_ELEMENT_F16, 1000, 0.5},
      {ASSAY_ELEMENT_F16, 1e-6, 0x1p-24},   {ASSAY_ELEMENT_BF16, 3, 0x1p-6},
      {ASSAY_ELEMENT_INTEGER, 3, 0},        {ASSAY_ELEMENT_TEXT, 65, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_true(assay_scale_unit(rows[i].element, rows[i].number) == rows[i].unit);
  assert_true(assay_scale_floor(ASSAY_ELEMENT_F32, 1) == 0.3 * 0x1p-23);
  assert_true(assay_scale_floor(ASSAY_ELEMENT_F32, 0) == 0x1p-126 / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measures_the_deviation),
      cmocka_unit_test(knows_exact_elements),
      cmocka_unit_test(widens_by_the_plain_run_s_own_error),
      cmocka_unit_test(finds_unstable_elements),
      cmocka_unit_test(judges_what_only_amplified_samples_move),
      cmocka_unit_test(examines_what_is_not_finite_first),
      cmocka_unit_test(keeps_integers_exact_unless_samples_move_them),
      cmocka_unit_test(keeps_the_digits_of_f64),
      cmocka_unit_test(does_not_judge_what_comes_and_goes),
      cmocka_unit_test(knows_units),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
