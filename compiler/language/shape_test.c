// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void shapes_print_as_sizes_joined_by_x(void **state) {
  (void)state;
  const struct {
    assay_shape shape;
    const char *text;
  } cases[] = {
      {assay_shape_make(2, 3, 5), "3x5"},
      {assay_shape_make(1, 7), "7"},
      {assay_shape_make(0, 0), "scalar"},
      {assay_shape_make(3, 0, -1, 4), "0x-1x4"},
      {{.rank = 9}, "rank 9"},
      {{.rank = -1}, "rank -1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(assay_shape_print(&cases[i].shape).text, cases[i].text);
}

static void the_longest_text_fits(void **state) {
  (void)state;
  assay_shape shape = {.rank = ASSAY_MAX_RANK};
  for (int i = 0; i < ASSAY_MAX_RANK; i++)
    shape.dim[i] = INT64_MIN;
  const char one[] = "-9223372036854775808x";
  assay_shape_text text = assay_shape_print(&shape);
  assert_int_equal(strlen(text.text), ASSAY_MAX_RANK * (sizeof one - 1) - 1);
}

static void only_equal_shapes_are_equal(void **state) {
  (void)state;
  assay_shape a = assay_shape_make(2, 3, 5), same = assay_shape_make(2, 3, 5);
  assay_shape other = assay_shape_make(2, 3, 6), longer = assay_shape_make(3, 3, 5, 1);
  assert_true(assay_shape_equal(&a, &same));
  assert_false(assay_shape_equal(&a, &other));
  assert_false(assay_shape_equal(&a, &longer));
  // What stands beyond the rank does not count.
  same.dim[2] = 9;
  assert_true(assay_shape_equal(&a, &same));
}

static void counts_multiply_sizes(void **state) {
  (void)state;
  assay_shape matrix = assay_shape_make(2, 3, 5), scalar = assay_shape_make(0, 0);
  assert_int_equal(assay_shape_count(&matrix), 15);
  assert_int_equal(assay_shape_count(&scalar), 1);
}

static void check(assay_shape shape, const char *broken_rule) {
  assay_error err = {.text = ""};
  assay_code expected = broken_rule == NULL ? ASSAY_OK : ASSAY_INVALID;
  assert_int_equal(assay_shape_check(&shape, &err), expected);
  assert_string_equal(err.text, broken_rule == NULL ? "" : broken_rule);
}

static void possible_shapes_pass(void **state) {
  (void)state;
  check(assay_shape_make(0, 0), NULL);
  check(assay_shape_make(8, 1, 1, 1, 1, 1, 1, 1, 1), NULL);
  check(assay_shape_make(1, (INT64_C(1) << 40) - 1), NULL);
  check(assay_shape_make(2, 1 << 20, (1 << 20) - 1), NULL);
}

static void impossible_shapes_name_the_rule(void **state) {
  (void)state;
  const char *const large = "the count of elements must be below 2^40";
  check((assay_shape){.rank = 9}, "the rank must be from 0 to 8, found 9");
  check((assay_shape){.rank = -1}, "the rank must be from 0 to 8, found -1");
  check(assay_shape_make(2, 0, 5), "each size must be at least 1, found 0");
  check(assay_shape_make(2, 3, -5), "each size must be at least 1, found -5");
  check(assay_shape_make(1, INT64_MIN), "each size must be at least 1, found -9223372036854775808");
  check(assay_shape_make(1, INT64_C(1) << 40), large);
  check(assay_shape_make(2, 1 << 20, 1 << 20), large);
  check(assay_shape_make(1, INT64_MAX), large);
  // Products that a 64-bit multiplication would wrap to 0 and to 1.
  check(assay_shape_make(2, INT64_C(1) << 32, INT64_C(1) << 32), large);
  check(assay_shape_make(2, INT64_MAX, INT64_MAX), large);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_print_as_sizes_joined_by_x),
      cmocka_unit_test(the_longest_text_fits),
      cmocka_unit_test(only_equal_shapes_are_equal),
      cmocka_unit_test(counts_multiply_sizes),
      cmocka_unit_test(possible_shapes_pass),
      cmocka_unit_test(impossible_shapes_name_the_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
