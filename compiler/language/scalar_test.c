// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/scalar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static double real_as(double value, assay_dtype dtype) {
  return assay_scalar_cast(&(assay_scalar){.real = value}, ASSAY_F64, dtype).real;
}

static int64_t integer_as(double value, assay_dtype dtype) {
  return assay_scalar_cast(&(assay_scalar){.real = value}, ASSAY_F64, dtype).integer;
}

// numpy.float16 of the same numbers: ties to even, subnormals, and the edge of infinity.
static void f16_rounds_to_nearest_even(void **state) {
  (void)state;
  const double cases[][2] = {
      {1 + 0x1p-11, 1},
      {1 + 0x3p-11, 1 + 0x1p-9},
      {1 + 0x1.000001p-11, 1 + 0x1p-10},
      {65519.99, 65504},
      {65520, INFINITY},
      {-1e300, -INFINITY},
      {0x1p-24, 0x1p-24},
      {0x1p-25, 0},
      {0x1.8p-24, 0x1p-23},
      {-0x1.00001p-25, -0x1p-24},
      {0x1.ffcp-15, 0x1p-14},
      {5e-324, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_true(real_as(cases[i][0], ASSAY_F16) == cases[i][1]);
  assert_true(isnan(real_as(NAN, ASSAY_F16)));
  assert_true(signbit(real_as(-0.0, ASSAY_F16)));
  assert_true(real_as(0.1, ASSAY_F32) == 0.1F);
}

static void integers_are_cut_and_wrap(void **state) {
  (void)state;
  assert_int_equal(integer_as(-2.9, ASSAY_I32), -2);
  assert_int_equal(integer_as(2147483647.5, ASSAY_I32), INT32_MAX);
  assert_int_equal(integer_as(-2147483648.5, ASSAY_I32), INT32_MIN);
  assert_int_equal(integer_as(2147483648.0, ASSAY_I32), INT32_MIN);
  assert_int_equal(integer_as(NAN, ASSAY_I64), INT64_MIN);
  assert_int_equal(integer_as(1e300, ASSAY_I64), INT64_MIN);
  assert_int_equal(integer_as(NAN, ASSAY_BOOL), 1);
  assert_int_equal(integer_as(-0.0, ASSAY_BOOL), 0);
  assay_scalar wide = {.integer = INT64_C(0x1ffffffff)};
  assert_int_equal(assay_scalar_cast(&wide, ASSAY_I64, ASSAY_I32).integer, -1);
  assert_int_equal(assay_scalar_cast(&wide, ASSAY_I64, ASSAY_BOOL).integer, 1);
  assert_true(assay_scalar_cast(&wide, ASSAY_I64, ASSAY_F32).real == 0x1p33);
  assert_true(assay_scalar_cast(&wide, ASSAY_I64, ASSAY_F16).real == INFINITY);
}

static void integers_fit_their_ranges(void **state) {
  (void)state;
  assert_true(assay_integer_fits(INT32_MIN, ASSAY_I32));
  assert_false(assay_integer_fits(INT64_C(-1) + INT32_MIN, ASSAY_I32));
  assert_false(assay_integer_fits(INT64_C(1) + INT32_MAX, ASSAY_I32));
  assert_true(assay_integer_fits(INT64_MAX, ASSAY_I64));
  assert_true(assay_integer_fits(INT64_MAX, ASSAY_F16));
  assert_true(assay_integer_fits(1, ASSAY_BOOL));
  assert_false(assay_integer_fits(-1, ASSAY_BOOL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f16_rounds_to_nearest_even),
      cmocka_unit_test(integers_are_cut_and_wrap),
      cmocka_unit_test(integers_fit_their_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
