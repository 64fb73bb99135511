// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/columns.h"
#include "results/formats/common/measure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void text_is_cleaned_and_clipped(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(assay_clean(arena, NULL), "");
  // NOLINTNEXTLINE(misc-misleading-bidirectional): what is to be found
  assert_string_equal(
      assay_clean(arena, "a\tb\n\r\x1b\x7f\xff\u20ac\xc2\x9b\ufffe\xe2\x80\xae\u00a0"),
      "a\tb\n????\u20ac????????\u00a0");
  assert_string_equal(assay_clean_line(arena, "a\tb\nc"), "a b c");
  assert_string_equal(assay_clip(arena, "12345678", 8), "12345678");
  assert_string_equal(assay_clip(arena, "123456789", 8), "123...89");
  assert_string_equal(assay_clip(arena, "\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20acxy", 8),
                      "\u20ac\u20ac\u20ac...xy");
  assay_arena_destroy(arena);
}

static void samples_are_measured(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const double samples[] = {4, NAN, 1, INFINITY, 3, 2};
  assay_measure all = assay_measure_make(arena, samples, 6);
  assert_int_equal(all.count, 4);
  assert_true(all.least == 1 && all.low == 1.75 && all.median == 2.5 && all.high == 3.25);
  assert_true(all.most == 4 && all.mean == 2.5);
  assert_true(fabs(all.deviation - 1.2909944487358056) < 1e-15);
  assay_measure one = assay_measure_make(arena, samples, 1);
  assert_true(one.count == 1 && one.median == 4 && isnan(one.deviation));
  assay_measure none = assay_measure_make(arena, NULL, 0);
  assert_true(none.count == 0 && isnan(none.median) && isnan(none.mean));
  assay_arena_destroy(arena);
}

static void quantities_have_three_digits(void **state) {
  (void)state;
  assert_string_equal(assay_print_seconds(12.345).text, "12.3 s");
  assert_string_equal(assay_print_seconds(0.9999).text, "1.00 s");
  assert_string_equal(assay_print_seconds(0.012345).text, "12.3 ms");
  assert_string_equal(assay_print_seconds(123.4e-6).text, "123 \u00b5s");
  assert_string_equal(assay_print_seconds(5e-10).text, "0.50 ns");
  assert_string_equal(assay_print_seconds(0).text, "0 ns");
  assert_string_equal(assay_print_seconds(NAN).text, "-");
  assert_string_equal(assay_print_seconds(1e308).text, "1.00e+308 s");
  assert_string_equal(assay_ratio_print(1.05).text, "1.050");
  assert_string_equal(assay_ratio_print(1e300).text, "1e+300");
  assert_string_equal(assay_total_seconds_print(1e308).text, "1e+308");
  assert_string_equal(assay_total_seconds_print(12.345).text, "12.35");
  assert_string_equal(assay_print_number(0.25).text, "0.250");
  assert_string_equal(assay_print_number(98.34).text, "98.3");
  assert_string_equal(assay_print_number(123456).text, "123456");
  assert_string_equal(assay_print_number(4e6).text, "4.00e+06");
  assert_string_equal(assay_print_number(1e-5).text, "1.00e-05");
  assert_string_equal(assay_print_number(INFINITY).text, "inf");
  assert_string_equal(assay_print_number(NAN).text, "-");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_cleaned_and_clipped),
      cmocka_unit_test(samples_are_measured),
      cmocka_unit_test(quantities_have_three_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
