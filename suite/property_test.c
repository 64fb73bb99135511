// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each property holds for a right program and not for one that breaks it. Programs are plain C
// functions here.
#include "suite/property.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 4, COLUMNS = 4, COUNT = ROWS * COLUMNS, INPUTS = 5 };

typedef void (*program)(const double *const inputs[], double result[]);

// ---- programs: x and what they make of it, both ROWS x COLUMNS ----

static void softmax(const double *const inputs[], double result[]) {
  for (int row = 0; row < ROWS; row++) {
    const double *x = inputs[0] + row * COLUMNS;
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < COLUMNS; i++)
      largest = fmax(largest, x[i]);
    for (int i = 0; i < COLUMNS; i++)
      sum += exp(x[i] - largest);
    for (int i = 0; i < COLUMNS; i++)
      result[row * COLUMNS + i] = exp(x[i] - largest) / sum;
  }
}

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

static void layer_norm_with(const double *const inputs[], double result[], double divisor) {
  for (int row = 0; row < ROWS; row++) {
    const double *x = inputs[0] + row * COLUMNS;
    double mean = 0, variance = 0;
    for (int i = 0; i < COLUMNS; i++)
      mean += x[i] / COLUMNS;
    for (int i = 0; i < COLUMNS; i++)
      variance += (x[i] - mean) * (x[i] - mean) / divisor;
    for (int i = 0; i < COLUMNS; i++)
      result[row * COLUMNS + i] =
          (x[i] - mean) / sqrt(variance + 1e-5) * inputs[1][i] + inputs[2][i];
  }
}

static void layer_norm(const double *const inputs[], double result[]) {
  layer_norm_with(inputs, result, COLUMNS);
}

static void layer_norm_unbiased(const double *const inputs[], double result[]) {
  layer_norm_with(inputs, result, COLUMNS - 1);
}

static void root_mean_square(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] * inputs[1][i % COLUMNS] + inputs[2][i % COLUMNS];
}

static void gelu(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    double x = inputs[0][i];
    result[i] = 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
  }
}

static void gelu_by_erf(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = 0.5 * inputs[0][i] * (1 + erf(inputs[0][i] / sqrt(2)));
}

static void multiply(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    result[i] = 0;
    for (int k = 0; k < COLUMNS; k++)
      result[i] += inputs[0][i / COLUMNS * COLUMNS + k] * inputs[1][k * COLUMNS + i % COLUMNS];
  }
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

static void multiply_transposed(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    result[i] = 0;
    for (int k = 0; k < COLUMNS; k++)
      result[i] += inputs[0][i / COLUMNS * COLUMNS + k] * inputs[1][i % COLUMNS * COLUMNS + k];
  }
}

// Takes the second operand for the first where they are one buffer.
static void multiply_aliased(const double *const inputs[], double result[]) {
  multiply_transposed(inputs, result);
  if (inputs[0] == inputs[1])
    result[1] += 1;
}

// A causal block: each row is the sum of itself and the rows before.
static void running_sum(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] + (i >= COLUMNS ? result[i - COLUMNS] : 0);
}

static void running_sum_backwards(const double *const inputs[], double result[]) {
  for (int i = COUNT - 1; i >= 0; i--)
    result[i] = inputs[0][i] + (i + COLUMNS < COUNT ? result[i + COLUMNS] : 0);
}

static void copy(const double *const inputs[], double result[]) {
  memcpy(result, inputs[0], COUNT * sizeof *result);
}

static void nothing(const double *const inputs[], double result[]) {
  (void)inputs;
  memset(result, 0, COUNT * sizeof *result);
}

// Adds the mean of all rows to each: tokens see all of them, in no order.
static void share(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    result[i] = inputs[0][i];
    for (int row = 0; row < ROWS; row++)
      result[i] += inputs[0][row * COLUMNS + i % COLUMNS] / ROWS;
  }
}

// Attention whose heads, of one column each, are their biases.
static void bare_biases(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] + inputs[2][i % COLUMNS] + inputs[2][2 * COLUMNS + i % COLUMNS];
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

// ---- running a property ----

typedef struct subject {
  const char *op;
  const char *data;
  program program;
} subject;

// How many arguments the op has here.
static int inputs_of(const char *op) {
  if (strcmp(op, "matmul") == 0)
    return 2;
  if (strcmp(op, "layer_norm") == 0)
    return 3;
  return strcmp(op, "attention") == 0 ? INPUTS : 1;
}

static assay_code run(const void *user, const assay_buffer inputs[], const assay_buffer *result,
                      assay_error *err) {
  (void)err;
  const subject *of = user;
  const double *elements[INPUTS] = {NULL};
  for (int i = 0; i < inputs_of(of->op); i++)
    elements[i] = inputs[i].data;
  of->program(elements, result->data);
  return ASSAY_OK;
}

// The outer product of two columns.
static assay_code run_outer(const void *user, const assay_buffer inputs[],
                            const assay_buffer *result, assay_error *err) {
  (void)user;
  (void)err;
  for (int i = 0; i < ROWS * ROWS; i++)
    ((double *)result->data)[i] =
        ((const double *)inputs[0].data)[i / ROWS] * ((const double *)inputs[1].data)[i % ROWS];
  return ASSAY_OK;
}

static const assay_property *find(const char *name) {
  const assay_property *const *properties = assay_properties_get();
  int i = 0;
  while (properties[i] != NULL && strcmp(properties[i]->name, name) != 0)
    i++;
  assert_non_null(properties[i]);
  return properties[i];
}

// Keys of an op: sizes ROWS = COLUMNS, dtype f64, choices their presets.
static assay_params make_params(const char *op) {
  assay_params params = {.op = assay_suite_op_find(op)};
  assert_non_null(params.op);
  for (int i = 0; params.op->keys[i].name != NULL; i++) {
    params.value[i].size = ROWS;
    params.value[i].dtype = ASSAY_F64;
    params.value[i].choice = params.op->keys[i].preset;
  }
  return params;
}

// zero: an argument but x that is all zeros; 0: none.
static void examine(const char *property, const subject *of, int zero,
                    char reason[ASSAY_EXAMINATION_REASON]) {
  assay_arena *arena = assay_arena_create();
  static const int factor[INPUTS] = {5, 7, 3, 11, 13};
  static double elements[INPUTS][COUNT], result[COUNT];
  bool whole = strcmp(of->data, "int") == 0;
  for (int k = 0; k < INPUTS; k++) {
    for (int i = 0; i < COUNT; i++) {
      int number = k > 0 && k == zero ? 0 : i * factor[k] % 17 - 8;
      elements[k][i] = whole ? number : number / 8.0 + (k == 0 ? 0x1p-20 : 0);
    }
  }
  assay_shape shape = assay_shape_make(2, ROWS, COLUMNS);
  if (strcmp(of->op, "batch_matmul") == 0)
    shape = assay_shape_make(3, 2, 2, COLUMNS);
  assay_buffer inputs[INPUTS];
  for (int i = 0; i < INPUTS; i++)
    inputs[i] = (assay_buffer){elements[i], ASSAY_F64, shape};
  assay_buffer computed = {result, ASSAY_F64, shape};
  assay_params params = make_params(of->op);
  assay_examination it = {.arena = arena,
                          .params = &params,
                          .data = of->data,
                          .input_count = inputs_of(of->op),
                          .inputs = inputs,
                          .result = &computed,
                          .slack = 1e-12,
                          .run = run,
                          .user = of};
  assay_error err;
  assert_int_equal(run(of, inputs, &computed, &err), ASSAY_OK);
  assert_int_equal(find(property)->check(&it, &err), ASSAY_OK);
  snprintf(reason, ASSAY_EXAMINATION_REASON, "%s", it.reason);
  assay_arena_destroy(arena);
}

static void check_with(const char *property, const subject *of, int zero, const char *reason) {
  char given[ASSAY_EXAMINATION_REASON];
  examine(property, of, zero, given);
  if (strncmp(given, reason, strlen(reason)) != 0 || (reason[0] == '\0') != (given[0] == '\0'))
    fail_msg("%s: '%s', want '%s'", property, given, reason);
}

static void check(const char *property, const subject *of, const char *reason) {
  check_with(property, of, 0, reason);
}

static const struct {
  const char *property;
  subject of;
} held[] = {
    {"causality", {"attend", "real", running_sum}},
    {"row_independence", {"softmax", "real", softmax}},
    {"batch_independence", {"batch_matmul", "real", copy}},
    {"head_independence", {"attention", "real", bare_biases}},
    {"row_independence", {"layer_norm", "int", layer_norm}},
    {"permutation_equivariance", {"attention", "real", share}},
    {"softmax_distribution", {"softmax", "real", softmax}},
    {"softmax_shift", {"softmax", "real", softmax}},
    {"softmax_shift", {"softmax", "int", softmax}},
    {"layer_norm_moments", {"layer_norm", "real", layer_norm}},
    {"layer_norm_invariance", {"layer_norm", "real", layer_norm}},
    {"gelu_limits", {"gelu", "real", gelu}},
    {"matmul_identity", {"matmul", "real", multiply}},
    {"matmul_zero", {"matmul", "real", multiply}},
    {"matmul_transposition", {"matmul", "int", multiply}},
    {"matmul_linearity", {"matmul", "int", multiply}},
    {"matmul_associativity", {"matmul", "int", multiply}},
    {"shared_input", {"matmul", "real", multiply_transposed}},
    {"repetition", {"softmax", "real", softmax}},
};

static void right_programs_have_their_properties(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
    check(held[i].property, &held[i].of, "");
}

static void one(const double *const inputs[], double result[]) {
  (void)inputs;
  for (int i = 0; i < COUNT; i++)
    result[i] = 1;
}

// Each property, of a program that does not look at its inputs.
static void constants_have_no_property(void **state) {
  (void)state;
  bool tried[ASSAY_MAX_PROPERTIES] = {false};
  for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
    for (int k = 0; assay_properties_get()[k] != NULL; k++)
      tried[k] |= strcmp(assay_properties_get()[k]->name, held[i].property) == 0;
    const program constant[] = {nothing, one};
    for (int k = 0; k < 2; k++) {
      char reason[ASSAY_EXAMINATION_REASON];
      examine(held[i].property, &(subject){held[i].of.op, held[i].of.data, constant[k]}, 0, reason);
      assert_string_not_equal(reason, "");
    }
  }
  for (int k = 0; assay_properties_get()[k] != NULL; k++)
    assert_true(tried[k]);
}

static const subject without_weights[] = {
    {"matmul", "int", multiply},
    {"layer_norm", "int", layer_norm},
};

static const struct {
  const char *property, *reason; // why a program is told that computes nothing
  int of;
} unshown[] = {
    {"matmul_zero", "products of other numbers are zero, too", 0},
    {"matmul_transposition", "B A is A B", 0},
    {"matmul_associativity", "B A is A B", 0},
    {"matmul_linearity", "the product did not change with its operands", 0},
    {"repetition", "the result did not change with x", 0},
    {"repetition", "the result did not change with x", 1},
    {"row_independence", "row 0 did not change with its input", 1},
};

// With a zero gain no row changes, and zeros commute with all: no fault of the program.
static void what_a_case_cannot_show_other_inputs_do(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof unshown / sizeof unshown[0]; i++) {
    subject of = without_weights[unshown[i].of];
    check_with(unshown[i].property, &of, 1, "");
    of.program = nothing;
    check_with(unshown[i].property, &of, 1, unshown[i].reason);
  }
}

// A zero row's sum of squares is zero.
static void a_zero_row_is_no_fault(void **state) {
  (void)state;
  static double x[ROWS], y[ROWS] = {1, 2, 3, 4}, result[ROWS * ROWS];
  assay_shape column = assay_shape_make(2, ROWS, 1);
  assay_buffer inputs[] = {{x, ASSAY_F64, column}, {y, ASSAY_F64, column}};
  assay_buffer computed = {result, ASSAY_F64, assay_shape_make(2, ROWS, ROWS)};
  assay_examination it = {.arena = assay_arena_create(),
                          .input_count = 2,
                          .inputs = inputs,
                          .result = &computed,
                          .run = run_outer};
  assay_error err;
  assert_int_equal(find("shared_input")->check(&it, &err), ASSAY_OK);
  assert_string_equal(it.reason, "");
  assay_arena_destroy(it.arena);
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

// A program on many tokens of two channels, f16: each row the sum of its token and those before it
// (from the other end where it is backwards).
enum { TOKENS = 33, CHANNELS = 2 };

typedef struct long_sum {
  bool backwards;
  int *runs;
} long_sum;

static assay_code run_long_sum(const void *user, const assay_buffer inputs[],
                               const assay_buffer *result, assay_error *err) {
  (void)err;
  const long_sum *of = user;
  double sum[CHANNELS] = {0};
  for (int i = 0; i < TOKENS * CHANNELS; i++) {
    int at = of->backwards ? TOKENS * CHANNELS - 1 - i : i;
    sum[at % CHANNELS] += assay_examine_get(&inputs[0], at);
    assay_examine_set(result, at, sum[at % CHANNELS]);
  }
  ++*of->runs;
  return ASSAY_OK;
}

static void check_many_tokens(bool backwards, int want_runs, const char *reason) {
  assay_arena *arena = assay_arena_create();
  uint16_t elements[TOKENS * CHANNELS], result[TOKENS * CHANNELS];
  assay_shape shape = assay_shape_make(2, TOKENS, CHANNELS);
  assay_buffer input = {elements, ASSAY_F16, shape}, computed = {result, ASSAY_F16, shape};
  for (int i = 0; i < TOKENS * CHANNELS; i++)
    assay_examine_set(&input, i, i * 5 % 17 / 8.0 - 1);
  assay_params params = make_params("attend");
  int runs = 0;
  long_sum of = {backwards, &runs};
  assay_examination it = {.arena = arena,
                          .params = &params,
                          .data = "real",
                          .input_count = 1,
                          .inputs = &input,
                          .result = &computed,
                          .run = run_long_sum,
                          .user = &of};
  assay_error err;
  assert_int_equal(run_long_sum(&of, &input, &computed, &err), ASSAY_OK);
  runs = 0;
  assert_int_equal(find("causality")->check(&it, &err), ASSAY_OK);
  assert_string_equal(it.reason, reason);
  assert_int_equal(runs, want_runs);
  assay_arena_destroy(arena);
}

// The first, the middle and the last one, and the last two at once.
static void of_many_tokens_a_few_are_changed(void **state) {
  (void)state;
  check_many_tokens(false, 4, "");
  check_many_tokens(true, 12, // other inputs were tried for two tokens
                    "no row after token 0 changed with it");
}

static void properties_are_sorted_and_apply_to_their_ops(void **state) {
  (void)state;
  const assay_property *const *properties = assay_properties_get();
  int count = 0;
  for (; properties[count] != NULL; count++)
    if (count > 0)
      assert_true(strcmp(properties[count - 1]->name, properties[count]->name) < 0);
  assert_in_range(count, 1, ASSAY_MAX_PROPERTIES);
  assay_params softmax_params = make_params("softmax"), product = make_params("matmul");
  product.value[5].choice = product.value[6].choice = product.value[7].choice = "plain";
  product.value[4].dtype = ASSAY_F64;
  assert_true(find("softmax_shift")->applies(&softmax_params, "real"));
  assert_false(find("causality")->applies(&softmax_params, "real"));
  assert_true(find("softmax_distribution")->applies(&softmax_params, "real"));
  softmax_params.value[2].dtype = ASSAY_F16;
  assert_true(find("softmax_shift")->applies(&softmax_params, "real"));
  assert_false(find("softmax_distribution")->applies(&softmax_params, "real"));
  assert_true(find("matmul_identity")->applies(&product, "real"));
  assay_params rounding = product;
  rounding.value[8].choice = "tf32"; // precision
  assert_false(find("matmul_identity")->applies(&rounding, "real"));
  assert_true(find("matmul_identity")->applies(&rounding, "int"));
  assert_false(find("matmul_linearity")->applies(&product, "real"));
  assert_true(find("matmul_linearity")->applies(&product, "int"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_programs_have_their_properties),
      cmocka_unit_test(constants_have_no_property),
      cmocka_unit_test(what_a_case_cannot_show_other_inputs_do),
      cmocka_unit_test(a_zero_row_is_no_fault),
      cmocka_unit_test(wrong_programs_are_told),
      cmocka_unit_test(of_many_tokens_a_few_are_changed),
      cmocka_unit_test(properties_are_sorted_and_apply_to_their_ops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
