// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/below.h"

#include "harness/ledger/states_testing.h"

static void names_lose_their_namespaces(void **state) {
  (void)state;
  static const char *const names[][2] = {
      {"(anonymous namespace)::ShapeCastBroadcastFolder", "ShapeCastBroadcastFolder"},
      {"{anonymous}::A", "A"},
      {"mlir::linalg::B_2", "B_2"},
      {"mlir::Fold<mlir::tensor::PadOp, (anonymous namespace)::Other<int>, true>",
       "Fold<PadOp, Other<int>, true>"},
      {"Plain", "Plain"},
      {"two words", "two words"},
      {"a::b::", ""},
      {"(anonymous namespace)", ""},
      {"", ""},
  };
  assay_arena *arena = assay_arena_create();
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_string_equal(assay_below_plain_name(arena, names[i][0]), names[i][1]);
  assay_arena_destroy(arena);
}

static void messages_are_the_same_but_for_places_and_values(void **state) {
  (void)state;
  assert_true(assay_below_same_message("a.mlir:3:8: %12 does not dominate %x.y",
                                       "unknown: %1 does not dominate %0"));
  assert_true(assay_below_same_message("", ""));
  assert_false(assay_below_same_message("a.mlir:3:8: 'x' op fails", "a.mlir:3:8: 'y' op fails"));
  assert_false(assay_below_same_message("a: 'x' op fails", "a: 'x' op fails too"));
  assert_false(assay_below_same_message("a: %1 fails", "a: 1 fails"));
}

static const assay_ledger_answer *ask(tried *it, const char *passes, const char *source) {
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  assay_error err;
  ask_of_passes(it, passes);
  if (source != NULL) {
    it->request.source = source;
    it->request.size = strlen(source);
  }
  assert_int_equal(assay_ledger_open(&it->request, it->arena, &ledger, &err), ASSAY_OK);
  assert_int_equal(assay_ledger_ask(ledger, NULL, &answer, &err), ASSAY_OK);
  return answer;
}

static void expect_nothing(const char *passes, assay_fault fault) {
  tried it;
  const assay_ledger_answer *answer = ask(&it, passes, NULL);
  assert_int_equal(answer->blame.fault, fault);
  assert_null(answer->blame.step);
  assert_null(answer->blame.pattern);
  end_trial(&it);
}

static void a_pass_without_patterns_has_nothing_inside(void **state) {
  (void)state;
  expect_nothing("assay-test-swap", ASSAY_FAULT_MISCOMPILE);
  expect_nothing("assay-test-fickle", ASSAY_FAULT_NONDETERMINISTIC);
  expect_nothing("assay-test-erase", ASSAY_FAULT_MISCOMPILE);
  expect_nothing("cse", ASSAY_FAULT_NONE);
}

static void a_fold_is_told_from_a_pattern(void **state) {
  (void)state;
  tried it;
  static const char folds[] = "func.func @main() -> f32 {\n"
                              "  %z = arith.constant 0.0 : f32\n"
                              "  %0 = arith.divf %z, %z : f32\n"
                              "  return %0 : f32\n"
                              "}\n";
  const assay_ledger_answer *answer = ask(&it, "canonicalize", folds);
  assert_int_equal(answer->blame.fault, ASSAY_FAULT_NAN_ATTRIBUTE);
  assert_string_equal(answer->blame.pattern, "fold");
  end_trial(&it);
  // sccp folds too, but by no driver that could be shown to do it.
  answer = ask(&it, "sccp", folds);
  assert_int_equal(answer->blame.fault, ASSAY_FAULT_NAN_ATTRIBUTE);
  assert_null(answer->blame.pattern);
  end_trial(&it);
}

static const char broadcast[] =
    "func.func @main(%a: vector<2x1xf32>) -> vector<2x2xf32> {\n"
    "  %b = vector.broadcast %a : vector<2x1xf32> to vector<2x2x1xf32>\n"
    "  %c = vector.shape_cast %b : vector<2x2x1xf32> to vector<2x2xf32>\n"
    "  return %c : vector<2x2xf32>\n"
    "}\n";

static void the_pattern_is_named_with_its_place(void **state) {
  (void)state;
  tried it;
  const assay_ledger_answer *answer = ask(&it, "cse,func.func(canonicalize)", broadcast);
  assert_int_equal(answer->blame.row, 1);
  assert_string_equal(answer->blame.pattern,
                      "ShapeCastBroadcastFolder on vector.shape_cast at test.mlir:3:8");
  assert_null(answer->blame.step);
  end_trial(&it);
}

// A constant of 64 KB stands beside the states, where a pass alone must find it.
static void large_constants_are_no_hindrance(void **state) {
  (void)state;
  enum { DIGITS = 2 << 16 };
  static const char head[] = "func.func @main(%a: vector<2x1xf32>) -> (vector<2x2xf32>, i8) {\n"
                             "  %w = arith.constant dense<\"0x",
                    tail[] = "\"> : tensor<65536xi8>\n"
                             "  %i = arith.constant 5 : index\n"
                             "  %e = tensor.extract %w[%i] : tensor<65536xi8>\n"
                             "  %b = vector.broadcast %a : vector<2x1xf32> to vector<2x2x1xf32>\n"
                             "  %c = vector.shape_cast %b : vector<2x2x1xf32> to vector<2x2xf32>\n"
                             "  return %c, %e : vector<2x2xf32>, i8\n"
                             "}\n";
  static char source[sizeof head + DIGITS + sizeof tail];
  memcpy(source, head, sizeof head - 1);
  for (int i = 0; i < DIGITS; i++)
    source[sizeof head - 1 + (size_t)i] = (char)('0' + i / 3 % 8);
  memcpy(source + sizeof head - 1 + DIGITS, tail, sizeof tail);
  tried it;
  const assay_ledger_answer *answer = ask(&it, "canonicalize", source);
  assert_int_equal(answer->blame.fault, ASSAY_FAULT_MISCOMPILE);
  assert_non_null(strstr(answer->blame.pattern, "ShapeCastBroadcastFolder on vector.shape_cast"));
  end_trial(&it);
}

static volatile sig_atomic_t stop;

static void stop_inside(void *user, const char *what, int done, int of) {
  (void)user;
  (void)done;
  (void)of;
  if (strcmp(what, "looking inside the pass") == 0)
    stop = SIGINT;
}

static void nothing_is_looked_for_where_nobody_asks(void **state) {
  (void)state;
  tried it;
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  assay_error err;
  ask_of_passes(&it, "canonicalize");
  stop = 0;
  it.request.source = broadcast;
  it.request.size = sizeof broadcast - 1;
  it.request.stop = &stop;
  it.request.progress = stop_inside;
  it.request.whole_passes = true;
  assert_int_equal(assay_ledger_open(&it.request, it.arena, &ledger, &err), ASSAY_OK);
  assert_int_equal(assay_ledger_ask(ledger, NULL, &answer, &err), ASSAY_OK);
  assert_false(answer->stopped);
  assert_int_equal(answer->blame.fault, ASSAY_FAULT_MISCOMPILE);
  assert_null(answer->blame.pattern);
  end_trial(&it);
}

static void a_stop_ends_the_search(void **state) {
  (void)state;
  tried it;
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  assay_error err;
  ask_of_passes(&it, "canonicalize");
  stop = 0;
  it.request.source = broadcast;
  it.request.size = sizeof broadcast - 1;
  it.request.stop = &stop;
  it.request.progress = stop_inside;
  assert_int_equal(assay_ledger_open(&it.request, it.arena, &ledger, &err), ASSAY_OK);
  assert_int_equal(assay_ledger_ask(ledger, NULL, &answer, &err), ASSAY_OK);
  assert_true(answer->stopped);
  assert_int_equal(answer->rows[0].fault, ASSAY_FAULT_MISCOMPILE);
  assert_null(answer->blame.pattern);
  end_trial(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_lose_their_namespaces),
      cmocka_unit_test(messages_are_the_same_but_for_places_and_values),
      cmocka_unit_test(a_pass_without_patterns_has_nothing_inside),
      cmocka_unit_test(a_fold_is_told_from_a_pattern),
      cmocka_unit_test(the_pattern_is_named_with_its_place),
      cmocka_unit_test(large_constants_are_no_hindrance),
      cmocka_unit_test(nothing_is_looked_for_where_nobody_asks),
      cmocka_unit_test(a_stop_ends_the_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
