// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments that a program is given where the user gives none.
#include "compiler/tail/tail_testing.h"

static const char GIVEN_BACK[] = "func.func @main(%a: i8, %b: i64, %c: index, %d: tensor<8xi16>)"
                                 " -> (i8, i64, index, tensor<8xi16>) {\n"
                                 "  return %a, %b, %c, %d : i8, i64, index, tensor<8xi16>\n}\n";

static const assay_observation *see(int data, bool cautious) {
  const testing_request request = {
      .source = GIVEN_BACK, .run = {.data = data, .poison = 0xc1}, .cautious = cautious};
  return testing_see(&request);
}

static double number(const assay_observation *seen, int item) {
  return assay_observed_value(&seen->items[item], 0);
}

static void whole_numbers_of_the_int_set_are_small(void **state) {
  (void)state;
  const assay_observation *seen = see(0, false);
  for (int i = 0; i < 3; i++)
    assert_true(number(seen, i) >= 1 && number(seen, i) <= 3);
}

// A sign, and bits that a narrower type would lose.
static void lone_integers_of_the_real_set_are_negative_and_wide(void **state) {
  (void)state;
  const assay_observation *seen = see(1, false);
  assert_true(number(seen, 0) < 0);
  assert_true(number(seen, 1) < -0x1p33);
  assert_true(number(seen, 2) >= 1 && number(seen, 2) <= 3); // an index is a size or a bound
}

static void cautious_ones_are_small(void **state) {
  (void)state;
  const assay_observation *seen = see(1, true);
  for (int i = 0; i < 3; i++)
    assert_true(number(seen, i) >= 1 && number(seen, i) <= 3);
}

static void no_integer_of_a_tensor_is_zero(void **state) {
  (void)state;
  for (int data = 0; data < 2; data++) {
    const assay_observation *seen = see(data, false);
    for (int64_t i = 0; i < seen->items[3].count; i++)
      assert_true(assay_observed_value(&seen->items[3], i) != 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_numbers_of_the_int_set_are_small),
      cmocka_unit_test(lone_integers_of_the_real_set_are_negative_and_wide),
      cmocka_unit_test(cautious_ones_are_small),
      cmocka_unit_test(no_integer_of_a_tensor_is_zero),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
