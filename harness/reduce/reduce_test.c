// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/reduce.h"

#include "harness/ledger/states_testing.h"

typedef struct reduced {
  assay_arena *arena;
  assay_ledger_request ledger;
  volatile sig_atomic_t stop;
  int kept;              // times that a better one was handed over
  int stop_after, fails; // of those: set stop, fail; 0: never
} reduced;

// A difference that is not its operands' becomes its negative, where a product is left in the
// function; and the function is invalid after it where the difference is of f64.
static assay_code swap_beside_a_product(MlirOperation module, assay_error *err) {
  bool product = !mlirOperationIsNull(tried_find(module, "arith.mulf", NULL));
  bool difference = !mlirOperationIsNull(tried_find(module, "arith.subf", NULL));
  return product && difference ? tried_swap(module, err) : ASSAY_OK;
}

static const assay_pass swap = {.argument = "assay-test-swap-beside",
                                .description = "swaps",
                                .anchor = "builtin.module",
                                .run = swap_beside_a_product};

static int set_up(void **state) {
  static reduced it;
  assay_error err;
  it = (reduced){.arena = assay_arena_create()};
  assay_pass_register(&swap);
  it.ledger = (assay_ledger_request){.context = assay_passes_context(),
                                     .file = "test.mlir",
                                     .data = {true, true},
                                     .seed = 1,
                                     .jobs = 2,
                                     .timeout = 60,
                                     .memory_bytes = INT64_C(4000000000),
                                     .stop = &it.stop};
  *state = &it;
  return assay_shared_create((size_t)1 << 36, &it.ledger.shared, &err) == ASSAY_OK ? 0 : -1;
}

static int tear_down(void **state) {
  reduced *it = *state;
  assay_shared_destroy(it->ledger.shared);
  mlirContextDestroy(it->ledger.context);
  assay_arena_destroy(it->arena);
  return 0;
}

static assay_code better(void *user, const char *text, assay_error *err) {
  reduced *it = user;
  assert_non_null(text);
  it->kept++;
  if (it->kept == it->stop_after)
    it->stop = 1;
  return it->kept == it->fails ? assay_fail(err, ASSAY_FAILED, "the disk is full") : ASSAY_OK;
}

static const char program[] = "func.func @main(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) -> "
                              "tensor<4x5xf32> {\n"
                              "  %0 = math.exp %a : tensor<4x5xf32>\n"
                              "  %1 = arith.addf %0, %b : tensor<4x5xf32>\n"
                              "  %2 = arith.mulf %1, %b : tensor<4x5xf32>\n"
                              "  %3 = math.tanh %2 : tensor<4x5xf32>\n"
                              "  %4 = arith.subf %3, %a : tensor<4x5xf32>\n"
                              "  %5 = math.absf %4 : tensor<4x5xf32>\n"
                              "  %6 = arith.addf %4, %5 : tensor<4x5xf32>\n"
                              "  return %6 : tensor<4x5xf32>\n"
                              "}\n";

static assay_reduction_request request_of(reduced *it, const char *text) {
  return (assay_reduction_request){.ledger = &it->ledger,
                                   .text = text,
                                   .pipeline = "builtin.module(assay-test-swap-beside)",
                                   .entry = "main",
                                   .pass = swap.argument,
                                   .fault = ASSAY_FAULT_MISCOMPILE,
                                   .without_tool = true,
                                   .better = better,
                                   .user = it};
}

// What the fault hangs on is kept: the difference and a product.
static void keeps_what_the_fault_needs(void **state) {
  reduced *it = *state;
  const assay_reduction_request request = request_of(it, program);
  assay_reduction found;
  assay_error err;
  assert_int_equal(assay_reduce(&request, it->arena, &found, &err), ASSAY_OK);
  assert_null(found.nothing);
  assert_int_equal(found.size_before, 7);
  assert_int_equal(found.size, 2);
  assert_non_null(strstr(found.text, "arith.subf"));
  assert_non_null(strstr(found.text, "arith.mulf"));
  assert_string_equal(found.sentence, "first bad pass: 1 assay-test-swap-beside (miscompile)");
  assert_int_equal(it->kept, found.shown + 1);
  assert_false(found.stopped || found.out_of_time);
}

static void says_why_there_is_nothing(void **state) {
  reduced *it = *state;
  static const char right[] = "func.func @main(%a: f32) -> f32 {\n  return %a : f32\n}\n";
  assay_reduction_request request = request_of(it, right);
  assay_reduction found;
  assay_error err;
  assert_int_equal(assay_reduce(&request, it->arena, &found, &err), ASSAY_OK);
  assert_string_equal(found.nothing, "the fault does not show: no bad pass");
  request = request_of(it, program);
  request.fault = ASSAY_FAULT_CRASH;
  assert_int_equal(assay_reduce(&request, it->arena, &found, &err), ASSAY_OK);
  assert_string_equal(found.nothing, "the fault does not show: no bad pass");
  request = request_of(it, "func.func @main() -> f32 {\n  return\n}\n");
  assert_int_equal(assay_reduce(&request, it->arena, &found, &err), ASSAY_INVALID);
  assert_non_null(strstr(err.text, "invalid before the pass"));
  assert_int_equal(it->kept, 0);
}

static void stops_with_the_best_so_far(void **state) {
  reduced *it = *state;
  assay_reduction_request request = request_of(it, program);
  assay_reduction found;
  assay_error err;
  it->stop_after = 2;
  assert_int_equal(assay_reduce(&request, it->arena, &found, &err), ASSAY_OK);
  assert_null(found.nothing);
  assert_true(found.stopped);
  assert_int_equal(found.shown, 1);
  assert_true(found.size < found.size_before);
}

static void ends_where_nothing_can_be_kept(void **state) {
  reduced *it = *state;
  const assay_reduction_request request = request_of(it, program);
  assay_reduction found;
  assay_error err;
  it->fails = 2;
  assert_int_equal(assay_reduce(&request, it->arena, &found, &err), ASSAY_FAILED);
  assert_string_equal(err.text, "the disk is full");
}

static void is_a_test_for_other_tools(void **state) {
  reduced *it = *state;
  const assay_symptom symptom =
      assay_symptom_make(ASSAY_FAULT_MISCOMPILE, swap.argument, "result 0[1]: got 1, want 2");
  static const struct {
    const char *text;
    assay_code code;
    bool shows;
  } cases[] = {{program, ASSAY_OK, true},
               {"func.func @main(%a: f32) -> f32 {\n  return %a : f32\n}\n", ASSAY_OK, false},
               {"func.func", ASSAY_INVALID, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const assay_reduction_request request = request_of(it, cases[i].text);
    bool shows = false;
    assay_error err;
    assert_int_equal(assay_reduction_check(&request, &symptom, it->arena, &shows, &err),
                     cases[i].code);
    assert_int_equal(shows, cases[i].shows);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(keeps_what_the_fault_needs, set_up, tear_down),
      cmocka_unit_test_setup_teardown(says_why_there_is_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(stops_with_the_best_so_far, set_up, tear_down),
      cmocka_unit_test_setup_teardown(ends_where_nothing_can_be_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(is_a_test_for_other_tools, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
