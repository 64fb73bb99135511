// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each property holds for a right program, and for none that does not look at its inputs.
#include "suite/property_testing.h"

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
      cmocka_unit_test(properties_are_sorted_and_apply_to_their_ops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
