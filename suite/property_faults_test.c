// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What breaks a property is told, with the place.
#include "suite/property_testing.h"

static void softmax_without_maximum(const double *const inputs[], double result[]) {
  for (int row = 0; row < ROWS; row++) {
    const double *x = inputs[0] + row * COLUMNS;
    double sum = 0;
    for (int i = 0; i < COLUMNS; i++)
      sum += exp(x[i]);
    for (int i = 0; i < COLUMNS; i++)
      result[row * COLUMNS + i] = exp(x[i]) / sum;
  }
}

static void layer_norm_unbiased(const double *const inputs[], double result[]) {
  layer_norm_with(inputs, result, COLUMNS - 1);
}

static void root_mean_square(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] * inputs[1][i % COLUMNS] + inputs[2][i % COLUMNS];
}

static void gelu_by_erf(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = 0.5 * inputs[0][i] * (1 + erf(inputs[0][i] / sqrt(2)));
}

static void multiply_plus_one(const double *const inputs[], double result[]) {
  multiply(inputs, result);
  result[5] += 1;
}

static void multiply_squared(const double *const inputs[], double result[]) {
  multiply(inputs, result);
  for (int i = 0; i < COUNT; i++)
    result[i] *= result[i];
}

// Takes the second operand for the first where they are one buffer.
static void multiply_aliased(const double *const inputs[], double result[]) {
  multiply_transposed(inputs, result);
  if (inputs[0] == inputs[1])
    result[1] += 1;
}

static void running_sum_backwards(const double *const inputs[], double result[]) {
  for (int i = COUNT - 1; i >= 0; i--)
    result[i] = inputs[0][i] + (i + COLUMNS < COUNT ? result[i + COLUMNS] : 0);
}

static void bare_biases_of_neighbours(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] + inputs[2][(i + 1) % COLUMNS];
}

// Remembers, as a program with memory of its own would.
static void with_memory(const double *const inputs[], double result[]) {
  static double kept; // of this test's one process
  copy(inputs, result);
  result[3] += kept;
  kept = inputs[0][0] + 1;
}

static void wrong_programs_are_told(void **state) {
  (void)state;
  static const struct {
    const char *property;
    subject of;
    const char *reason;
  } broken[] = {
      {"causality", {"attend", "int", share}, "row 0 changed with token 1"},
      {"causality", {"attend", "int", running_sum_backwards}, "no row after token 0 changed"},
      {"causality", {"attend", "real", nothing}, "row 0 did not change with its token"},
      {"causality", {"attend", "real", copy}, "no row after token 0 changed with it"},
      {"row_independence", {"softmax", "real", running_sum}, "another row changed with row 0"},
      {"row_independence", {"softmax", "real", nothing}, "row 0 did not change with its input"},
      {"batch_independence", {"batch_matmul", "real", running_sum}, "another product changed"},
      {"batch_independence", {"batch_matmul", "real", nothing}, "product 0 did not change"},
      {"head_independence", {"attention", "real", bare_biases_of_neighbours}, "another head"},
      {"head_independence", {"attention", "real", nothing}, "head 0 did not change"},
      {"permutation_equivariance", {"attention", "real", running_sum}, "rows are off by "},
      {"permutation_equivariance", {"attention", "real", nothing}, "the result did not change"},
      {"softmax_distribution", {"softmax", "real", copy}, "element [0,0] is "},
      {"softmax_distribution", {"softmax", "real", nothing}, "row 0 sums to 1 + -1"},
      {"softmax_distribution", {"softmax", "real", softmax_without_maximum}, "element [0,0] is "},
      {"softmax_shift", {"softmax", "real", softmax_without_maximum}, "row 0 changed when 1"},
      {"softmax_shift", {"softmax", "real", nothing}, "row 0 did not change with one"},
      {"layer_norm_moments", {"layer_norm", "real", layer_norm_unbiased}, "row 0 has the variance"},
      {"layer_norm_moments", {"layer_norm", "real", root_mean_square}, "row 0 has the mean"},
      {"layer_norm_invariance", {"layer_norm", "real", root_mean_square}, "x * 1 + 1 changes"},
      {"layer_norm_invariance", {"layer_norm", "real", nothing}, "the result did not change"},
      {"gelu_limits", {"gelu", "real", gelu_by_erf}, "gelu(1) is 0.841344746"},
      {"gelu_limits", {"gelu", "real", copy}, "gelu(0.5) - gelu(-0.5) is 1"},
      {"matmul_identity",
       {"matmul", "real", multiply_plus_one},
       "with an identity as lhs element 5"},
      {"matmul_zero", {"matmul", "real", multiply_plus_one}, "with zeros as lhs element 5"},
      {"matmul_zero", {"matmul", "real", nothing}, "products of other numbers are zero"},
      {"matmul_transposition", {"matmul", "int", multiply_transposed}, "element [0,0] of B^T A^T"},
      {"matmul_transposition", {"matmul", "int", nothing}, "B A is A B"},
      {"matmul_linearity", {"matmul", "int", multiply_squared}, "element 0 of (A + A') B"},
      {"matmul_linearity", {"matmul", "int", nothing}, "the product did not change"},
      {"matmul_associativity", {"matmul", "int", multiply_transposed}, "element 0 of (A B) A"},
      {"matmul_associativity", {"matmul", "int", nothing}, "B A is A B"},
      {"shared_input", {"matmul", "real", multiply_aliased}, "x @ x.T of one buffer"},
      {"shared_input", {"matmul", "real", nothing}, "the product did not change"},
      {"repetition", {"softmax", "real", with_memory}, "the same input gave other bits"},
      {"repetition", {"softmax", "real", nothing}, "the result did not change with x"},
  };
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
    check(broken[i].property, &broken[i].of, broken[i].reason);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_programs_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
