// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/tail_testing.h"

static const char doubled[] = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                              "  %r = arith.addf %a, %a : tensor<4xf32>\n"
                              "  return %r : tensor<4xf32>\n}\n";
static const char divided[] = "func.func @main(%a: i32) -> i32 {\n"
                              "  %z = arith.subi %a, %a : i32\n"
                              "  %r = arith.divsi %a, %z : i32\n  return %r : i32\n}\n";

static testing_request ask(const char *source) {
  return (testing_request){.source = source, .reuse = assay_reuse_create(testing_shared)};
}

// What a run shows is in shared memory: it is at one place only if there was one run only.
static void equal_code_runs_once(void **state) {
  (void)state;
  testing_request asked = ask(doubled);
  const assay_observed *first = testing_see(&asked)->items;
  asked.passes = "canonicalize,cse,convert-elementwise-to-linalg";
  assert_ptr_equal(testing_see(&asked)->items, first);
  asked.passes = "convert-elementwise-to-linalg," DETENSOR ",func.func(convert-linalg-to-loops)";
  const assay_observed *later = testing_see(&asked)->items;
  assert_memory_equal(later->data, first->data, 4 * sizeof(float));
}

static void other_code_runs(void **state) {
  (void)state;
  testing_request asked = ask(doubled);
  const assay_observed *first = testing_see(&asked)->items;
  asked.source = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                 "  %r = arith.mulf %a, %a : tensor<4xf32>\n"
                 "  return %r : tensor<4xf32>\n}\n";
  assert_memory_not_equal(testing_see(&asked)->items->data, first->data, 4 * sizeof(float));
}

static void other_runs_run(void **state) {
  (void)state;
  testing_request asked = ask(doubled);
  const assay_observed *first = testing_see(&asked)->items;
  asked.run.data = 1;
  assert_ptr_not_equal(testing_see(&asked)->items, first);
  asked.run = (assay_tail_run){.poison = 0x5A};
  assert_ptr_not_equal(testing_see(&asked)->items, first);
}

// A memref of a layout that is not fixed gets gaps, which no code shows.
static void other_layouts_run(void **state) {
  (void)state;
  testing_request asked =
      ask("func.func @main(%a: memref<4xf32>) -> f32 {\n  %c = arith.constant 1 : index\n"
          "  %r = memref.load %a[%c] : memref<4xf32>\n  return %r : f32\n}\n");
  const assay_observed *first = testing_see(&asked)->items;
  asked.source = "func.func @main(%a: memref<4xf32, strided<[?], offset: ?>>) -> f32 {\n"
                 "  %c = arith.constant 1 : index\n  %r = memref.load %a[%c] :\n"
                 "       memref<4xf32, strided<[?], offset: ?>>\n  return %r : f32\n}\n";
  assert_ptr_not_equal(testing_see(&asked)->items, first);
}

static void crashes_are_no_answer_for_others(void **state) {
  (void)state;
  testing_request asked = ask(divided);
  const assay_tail_outcome *first = testing_outcome(&asked);
  assert_int_equal(first->status, ASSAY_TAIL_CRASHED);
  const assay_tail_outcome *again = testing_outcome(&asked);
  assert_int_equal(again->status, ASSAY_TAIL_CRASHED);
  assert_ptr_not_equal(again->reason, first->reason);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_code_runs_once),
      cmocka_unit_test(other_code_runs),
      cmocka_unit_test(other_runs_run),
      cmocka_unit_test(other_layouts_run),
      cmocka_unit_test(crashes_are_no_answer_for_others),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
