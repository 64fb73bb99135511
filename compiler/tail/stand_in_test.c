// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and operations that nothing defines, and programs that break rules as they run.
#include "compiler/tail/tail_testing.h"

static const assay_tail_answer *answer_of(const char *source, const char *passes,
                                          const char *const *declared, bool checked, int tail) {
  testing_request request = {.source = source,
                             .passes = passes,
                             .tail = (assay_tail)tail,
                             .declared = declared,
                             .checked = checked};
  static const assay_tail_run run = {.poison = 0xc1, .guarded = true};
  return testing_answer(&request, 1, &run);
}

static const char *const both[] = {"f", "g", NULL};

static const char CALLS[] = "func.func private @f(i32, f32, i8) -> (i8, f32)\n"
                            "func.func private @g(memref<?xf32>, i64) -> i16\n"
                            "func.func @main() -> (i8, f32, i16) {\n"
                            "  %a = arith.constant 3 : i32\n  %b = arith.constant 2.5 : f32\n"
                            "  %c = arith.constant -7 : i8\n  %n = arith.constant 4 : index\n"
                            "  %d = arith.constant 11 : i64\n"
                            "  %m = memref.alloc(%n) : memref<?xf32>\n"
                            "  %x:2 = call @f(%a, %b, %c) : (i32, f32, i8) -> (i8, f32)\n"
                            "  %y = call @g(%m, %d) : (memref<?xf32>, i64) -> i16\n"
                            "  memref.dealloc %m : memref<?xf32>\n"
                            "  return %x#0, %x#1, %y : i8, f32, i16\n}\n";

// The call by its name, its numbers where no memory goes with them, the floats of memory, 0 where
// nobody wrote one, arguments as results, or 1.
static void calls_are_taken_down(void **state) {
  (void)state;
  static const char *const levels[] = {
      NULL, "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,"
            "reconcile-unrealized-casts"};
  static const double values[] = {-7, 2.5, 1, 'f', 3, 2.5, -7, 'g', 0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    const assay_tail_answer *answer = answer_of(CALLS, levels[i / 2], both, false, i % 2);
    assert_string_equal(answer->reason, "");
    assert_string_equal(answer->stand_ins, "@f, @g");
    testing_expect(&answer->outcomes[0].seen, 12, values);
  }
}

// Floats are other ones behind a call, but where it says that it only reads them: whoever takes the
// ones for the others shows it.
static void memory_that_a_call_is_given_changes(void **state) {
  (void)state;
  static const char source[] =
      "func.func private @f(memref<2xf32>, memref<?xi32>)\n"
      "func.func private @g(memref<2xf32> {bufferization.access = \"read\"})\n"
      "func.func @main() -> (f32, f32) {\n  %c0 = arith.constant 0 : index\n"
      "  %c1 = arith.constant 1 : index\n  %a = arith.constant 2.5 : f32\n"
      "  %n = memref.alloc(%c1) : memref<?xi32>\n  %m = memref.alloc() : memref<2xf32>\n"
      "  memref.store %a, %m[%c0] : memref<2xf32>\n"
      "  call @f(%m, %n) : (memref<2xf32>, memref<?xi32>) -> ()\n"
      "  call @g(%m) : (memref<2xf32>) -> ()\n"
      "  %x = memref.load %m[%c0] : memref<2xf32>\n  %y = memref.load %m[%c1] : memref<2xf32>\n"
      "  return %x, %y : f32, f32\n}\n";
  static const char *const levels[] = {
      NULL, "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,"
            "reconcile-unrealized-casts"};
  static const double values[] = {-2.5, 6, 'f', 2.5, 0, 'g'};
  for (int i = 0; i < 4; i++) {
    const assay_tail_answer *answer = answer_of(source, levels[i / 2], both, false, i % 2);
    assert_string_equal(answer->reason, "");
    testing_expect(&answer->outcomes[0].seen, 6, values);
  }
}

static void a_symbol_of_a_pass_is_still_missed(void **state) {
  (void)state;
  const char *const none[] = {NULL};
  const assay_tail_answer *answer = answer_of(CALLS, NULL, none, false, ASSAY_TAIL_FIRST);
  assert_int_equal(answer->status, ASSAY_TAIL_NOT_RUN);
  assert_non_null(strstr(answer->reason, "Symbols not found"));
}

static void operations_of_no_dialect_are_calls(void **state) {
  (void)state;
  mlirContextSetAllowUnregisteredDialects(testing_context, true);
  static const char source[] = "func.func @main() -> f32 {\n  %a = arith.constant 2.5 : f32\n"
                               "  %n = \"far.size\"() : () -> index\n"
                               "  %r = \"far.away\"(%a, %n) : (f32, index) -> f32\n"
                               "  return %r : f32\n}\n";
  const assay_tail_answer *answer = answer_of(source, NULL, NULL, false, ASSAY_TAIL_FIRST);
  assert_string_equal(answer->reason, "");
  assert_string_equal(answer->stand_ins, "@far.size, @far.away");
  const assay_observation *seen = &answer->outcomes[0].seen;
  assert_int_equal(seen->count, 5);
  assert_true(assay_observed_value(&seen->items[0], 0) == 2.5);
  assert_true(assay_observed_value(&seen->items[4], 0) == 1);
  answer = answer_of("func.func @main() { %m = \"far.memory\"() : () -> memref<2xf32>\n return }",
                     NULL, NULL, false, ASSAY_TAIL_FIRST);
  assert_non_null(strstr(answer->reason, "far.memory"));
  mlirContextSetAllowUnregisteredDialects(testing_context, false);
}

static void a_broken_rule_is_named_where_it_is_checked(void **state) {
  (void)state;
  static const char source[] = "func.func private @f(%a: memref<?xf32>) {\n"
                               "  %x = memref.cast %a : memref<?xf32> to memref<3xf32>\n"
                               "  memref.dealloc %x : memref<3xf32>\n  return\n}\n"
                               "func.func @main() {\n  %n = arith.constant 4 : index\n"
                               "  %m = memref.alloc(%n) : memref<?xf32>\n"
                               "  call @f(%m) : (memref<?xf32>) -> ()\n  return\n}\n";
  assert_int_equal(answer_of(source, NULL, NULL, false, 0)->outcomes[0].status, ASSAY_TAIL_RAN);
  const assay_tail_answer *answer = answer_of(source, NULL, NULL, true, 0);
  assert_string_equal(answer->reason, "");
  assert_int_equal(answer->outcomes[0].status, ASSAY_TAIL_CRASHED);
  assert_non_null(strstr(answer->outcomes[0].reason, "size mismatch of dim 0"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_are_taken_down),
      cmocka_unit_test(memory_that_a_call_is_given_changes),
      cmocka_unit_test(a_symbol_of_a_pass_is_still_missed),
      cmocka_unit_test(operations_of_no_dialect_are_calls),
      cmocka_unit_test(a_broken_rule_is_named_where_it_is_checked),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
