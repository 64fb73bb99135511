// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/half.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void numbers_are_those_of_the_standard(void **state) {
  (void)state;
  static const struct {
    uint16_t bits;
    double number;
  } known[] = {
      {0x0000, 0},        {0x3c00, 1},           {0xc000, -2},      {0x7bff, 65504},
      {0x0001, 0x1p-24},  {0x03ff, 0x1.ff8p-15}, {0x0400, 0x1p-14}, {0x3555, 0.333251953125},
      {0xfc00, -INFINITY}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    assert_true(assay_half_number(known[i].bits) == known[i].number);
    assert_int_equal(assay_half_bits(known[i].number), known[i].bits);
  }
}

static void every_number_comes_back(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= UINT16_MAX; bits++) {
    double number = assay_half_number((uint16_t)bits);
    if (isnan(number))
      assert_true((bits & 0x7fff) > 0x7c00);
    else
      assert_int_equal(assay_half_bits(number), bits);
  }
  assert_true(isnan(assay_half_number(assay_half_bits(NAN))));
}

static void what_lies_between_is_cut(void **state) {
  (void)state;
  assert_int_equal(assay_half_bits(65535), 0x7bff);
  assert_int_equal(assay_half_bits(65536), 0x7c00);
  assert_int_equal(assay_half_bits(-1.00097), 0xbc00);
  assert_int_equal(assay_half_bits(0x1.8p-24), 0x0001);
  assert_int_equal(assay_half_bits(0x1p-40), 0x0000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_those_of_the_standard),
      cmocka_unit_test(every_number_comes_back),
      cmocka_unit_test(what_lies_between_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
