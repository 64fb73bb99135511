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

// A copy that can be changed.
static assay_observation *copy_of(const assay_observation *observation) {
  const assay_observed *item = &observation->items[0];
  assay_observation *copy = made_observation(arena, item->element, item->count);
  memcpy(copy->items[0].data, item->data, (size_t)item->count * (size_t)item->bytes);
  return copy;
}

static assay_comparison compare(const assay_scale *scale, const assay_observation *got) {
  assay_comparison found;
  assay_compare(scale, got, &found);
  assert_int_equal(found.passed, found.margin <= 1);
  assert_int_equal(found.reason[0] == '\0', found.passed);
  return found;
}

static void passes_what_is_within_the_noise(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, MADE_ELEMENTS, 2);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assay_comparison same = compare(scale, samples.plain);
  assert_true(same.passed && !same.changed && same.margin < 0.3);
  // Another rounding of the same program: twice the deviation of the samples.
  assay_observation *got = copy_of(samples.plain);
  uint64_t seed = 77;
  for (int i = 0; i < MADE_ELEMENTS; i++)
    made_floats(got)[i] += (float)(4 * made_noise(&seed) * 0x1p-23);
  assay_comparison found = compare(scale, got);
  assert_true(found.passed && found.changed && found.rms > 0.8 && found.rms < 2.5);
}

static void fails_on_one_wrong_element(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, MADE_ELEMENTS, 2);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assay_observation *got = copy_of(samples.plain);
  made_floats(got)[1234] += 1000 * 0x1p-23F;
  assay_comparison found = compare(scale, got);
  assert_false(found.passed);
  assert_true(found.imprecise && found.failed == 1 && found.worst.index == 1234);
  assert_string_equal(found.worst.item, "result 0");
  assert_non_null(strstr(found.reason, "result 0[1234]: got 1."));
  assert_non_null(strstr(found.reason, "1 of 4096 elements"));
  made_floats(got)[1234] += 0.25F;
  found = compare(scale, got);
  assert_true(!found.passed && !found.imprecise);
}

// 5 scales everywhere are below the limit of each element, and far above that of all of them.
static void fails_on_a_small_error_everywhere(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, MADE_ELEMENTS, 2);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assay_observation *got = copy_of(samples.plain);
  for (int i = 0; i < MADE_ELEMENTS; i++)
    made_floats(got)[i] += (float)(5 * scale->items[0].elements[i].scale);
  assay_comparison found = compare(scale, got);
  assert_true(!found.passed && found.failed == 0 && found.imprecise);
  assert_non_null(strstr(found.reason, "in root mean square"));
  // A single number can be as far off.
  samples = made_samples(arena, 1, 2);
  scale = assay_scale_make(&samples, arena);
  got = copy_of(samples.plain);
  made_floats(got)[0] += (float)(15 * scale->items[0].elements[0].scale);
  assert_true(compare(scale, got).passed);
}

static void bf16_is_imprecise_and_a_swap_is_wrong(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 256, 2);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assay_observation *got = copy_of(samples.plain);
  for (int i = 0; i < 256; i++) {
    uint32_t bits;
    memcpy(&bits, &made_floats(got)[i], sizeof bits);
    bits &= 0xffff0000;
    memcpy(&made_floats(got)[i], &bits, sizeof bits);
  }
  assay_comparison found = compare(scale, got);
  assert_true(!found.passed && found.imprecise);
  got = copy_of(samples.plain);
  int other = 4;
  while (fabsf(made_floats(got)[other] - made_floats(got)[3]) < 0.1F)
    other++;
  made_floats(got)[3] = made_floats(got)[other];
  found = compare(scale, got);
  assert_true(!found.passed && !found.imprecise);
}

static void demands_equality_of_exact_elements(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 64, 0);
  made_floats(samples.plain)[7] = 0;
  for (int k = 0; k < MADE_SAMPLES; k++)
    made_floats(&samples.rounded[k])[7] = made_floats(&samples.amplified[k])[7] = 0;
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assay_observation *got = copy_of(samples.plain);
  made_floats(got)[7] = -0.0F;
  assay_comparison found = compare(scale, got);
  assert_true(found.passed && found.changed && found.margin == 0);
  made_floats(got)[8] = nextafterf(made_floats(got)[8], 2);
  found = compare(scale, got);
  assert_true(!found.passed && isinf(found.margin) && found.imprecise);
}

static void examines_what_is_not_finite_first(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 64, 1);
  for (int k = -1; k < MADE_SAMPLES; k++) {
    made_floats(k < 0 ? samples.plain : &samples.rounded[k])[0] = NAN;
    made_floats(k < 0 ? samples.plain : &samples.amplified[k])[0] = NAN;
    made_floats(k < 0 ? samples.plain : &samples.rounded[k])[1] = INFINITY;
    made_floats(k < 0 ? samples.plain : &samples.amplified[k])[1] = INFINITY;
  }
  const assay_scale *scale = assay_scale_make(&samples, arena);
  static const struct {
    int index;
    float got;
    bool passes;
  } rows[] = {{0, -NAN, true},     {0, 1, false},         {0, INFINITY, false},
              {1, INFINITY, true}, {1, -INFINITY, false}, {1, NAN, false},
              {1, 3e38F, false},   {2, NAN, false},       {2, INFINITY, false}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assay_observation *got = copy_of(samples.plain);
    made_floats(got)[rows[i].index] = rows[i].got;
    assay_comparison found = compare(scale, got);
    assert_int_equal(found.passed, rows[i].passes);
    assert_false(found.imprecise);
  }
}

static void accepts_unstable_elements_within_their_hull(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 64, 1);
  made_floats(&samples.amplified[3])[5] = 2;
  const assay_scale *scale = assay_scale_make(&samples, arena);
  assay_observation *got = copy_of(samples.plain);
  made_floats(got)[5] = 2;
  assert_true(compare(scale, got).passed);
  made_floats(got)[5] = 3;
  assert_false(compare(scale, got).passed);
  // A tensor of unstable elements is not judged at all.
  for (int i = 10; i < 20; i++)
    made_floats(&samples.amplified[4])[i] = -1;
  scale = assay_scale_make(&samples, arena);
  assay_comparison found = compare(scale, got);
  assert_true(found.passed && found.changed && found.unjudged == 1);
}

static void compares_shapes_and_items(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 8, 1);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  const assay_observation none = {.count = 0};
  assert_string_equal(compare(scale, &none).reason, "result 0 is missing");
  assert_string_equal(compare(scale, made_observation(arena, ASSAY_ELEMENT_F32, 9)).reason,
                      "result 0 is 9xf32, want 8xf32");
  assert_string_equal(compare(scale, made_observation(arena, ASSAY_ELEMENT_F64, 8)).reason,
                      "result 0 is 8xf64, want 8xf32");
  assay_observed two[2] = {samples.plain->items[0], samples.plain->items[0]};
  two[1].kind = ASSAY_OBSERVED_PRINTED;
  const assay_observation more = {.count = 2, .items = two};
  assert_string_equal(compare(scale, &more).reason, "print 0 is one too many");
  // The order of items does not matter, only what they are.
  const assay_observed turned[2] = {two[1], two[0]};
  assay_comparison found;
  assay_compare_exactly(&more, &(assay_observation){.count = 2, .items = turned}, &found);
  assert_true(found.passed && !found.changed);
}

static void compares_text(void **state) {
  (void)state;
  assay_observation *want = made_observation(arena, ASSAY_ELEMENT_TEXT, 5);
  memcpy(want->items[0].data, "hello", 5);
  assay_observation *got = made_observation(arena, ASSAY_ELEMENT_TEXT, 4);
  memcpy(got->items[0].data, "help", 4);
  assay_comparison found;
  assay_compare_exactly(want, got, &found);
  assert_false(found.passed || found.imprecise);
  assert_string_equal(found.reason, "result 0: got \"help\", want \"hello\"");
  assay_compare_exactly(want, want, &found);
  assert_true(found.passed && !found.changed);
}

static void compares_integers_by_their_bits(void **state) {
  (void)state;
  assay_observation *want = made_observation(arena, ASSAY_ELEMENT_INTEGER, 3);
  made_wholes(want)[1] = INT64_MAX;
  assay_observation *got = copy_of(want);
  made_wholes(got)[1] = INT64_MAX - 1; // the same double
  assay_comparison found;
  assay_compare_exactly(want, got, &found);
  assert_true(!found.passed && !found.imprecise && found.worst.index == 1);
}

static void compares_printed_numbers(void **state) {
  (void)state;
  assay_observed items[3];
  assay_observation got = {.count = 3, .items = items};
  items[0] = made_observation(arena, ASSAY_ELEMENT_F32, 2)->items[0];
  items[1] = made_observation(arena, ASSAY_ELEMENT_TEXT, 2)->items[0];
  items[2] = made_observation(arena, ASSAY_ELEMENT_INTEGER, 1)->items[0];
  for (int i = 0; i < 3; i++)
    items[i].kind = ASSAY_OBSERVED_PRINTED;
  float *reals = items[0].data;
  reals[0] = 3.14159274F;
  reals[1] = NAN;
  ((int64_t *)items[2].data)[0] = 1234567;
  static const struct {
    double want[4];
    int count;
    bool passes;
  } rows[] = {
      {{3.14159, NAN, 1234567}, 3, true},     {{3.1416, NAN, 1234567}, 3, true},
      {{3.1415, NAN, 1234567}, 3, false},     {{3.14159, 0, 1234567}, 3, false},
      {{3.14159, NAN, 1234568}, 3, false},    {{3.14159, NAN}, 2, false},
      {{3.14159, NAN, 1234567, 0}, 4, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assay_comparison found;
    assay_compare_numbers(NULL, &got, rows[i].count, rows[i].want, &found);
    if (found.passed != rows[i].passes)
      fail_msg("row %zu: %s", i, found.reason);
  }
}

static void compares_with_a_users_tensor(void **state) {
  (void)state;
  assay_scale_samples samples = made_samples(arena, 6, 4);
  const assay_scale *scale = assay_scale_make(&samples, arena);
  double values[6];
  for (int i = 0; i < 6; i++)
    values[i] = (double)made_floats(samples.plain)[i] + 10 * 0x1p-23;
  assay_expected_tensor want = {.rank = 1, .dim = {6}, .values = values};
  assay_comparison found;
  assay_compare_tensors(scale, samples.plain, 1, &want, &found);
  assert_true(found.passed && found.changed);
  assay_compare_tensors(NULL, samples.plain, 1, &want, &found);
  assert_false(found.passed);
  values[2] += 1;
  assay_compare_tensors(scale, samples.plain, 1, &want, &found);
  assert_true(!found.passed && found.worst.index == 2);
  want.dim[0] = 5;
  assay_compare_tensors(scale, samples.plain, 1, &want, &found);
  assert_false(found.passed);
  assay_compare_tensors(scale, samples.plain, 0, &want, &found);
  assert_string_equal(found.reason, "1 results, want 0");
}

static void sets_addresses_aside(void **state) {
  (void)state;
  assay_observation *plain = made_observation(arena, ASSAY_ELEMENT_INTEGER, 2);
  assay_observation *other = copy_of(plain), *moved = copy_of(plain);
  made_wholes(other)[1] = 0x7f00;
  assay_comparison found;
  assay_compare_memory(plain, other, moved, arena, &found);
  assert_false(found.passed); // other bytes in fresh memory, other values
  made_wholes(moved)[1] = 0x8f00;
  assay_compare_memory(plain, other, moved, arena, &found);
  assert_true(found.passed); // elsewhere alone it is another value
  assay_compare_memory(plain, other, NULL, arena, &found);
  assert_false(found.passed);
  assay_observation none = {0};
  assay_compare_memory(plain, &none, moved, arena, &found);
  assert_string_equal(found.reason, "result 0 is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_what_is_within_the_noise),
      cmocka_unit_test(fails_on_one_wrong_element),
      cmocka_unit_test(fails_on_a_small_error_everywhere),
      cmocka_unit_test(bf16_is_imprecise_and_a_swap_is_wrong),
      cmocka_unit_test(demands_equality_of_exact_elements),
      cmocka_unit_test(examines_what_is_not_finite_first),
      cmocka_unit_test(accepts_unstable_elements_within_their_hull),
      cmocka_unit_test(compares_shapes_and_items),
      cmocka_unit_test(compares_text),
      cmocka_unit_test(compares_integers_by_their_bits),
      cmocka_unit_test(compares_printed_numbers),
      cmocka_unit_test(sets_addresses_aside),
      cmocka_unit_test(compares_with_a_users_tensor),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
