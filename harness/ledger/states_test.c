// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/states_testing.h"

static void judges_each_state(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "cse,assay-test-swap,canonicalize,assay-test-swap");
  assert_null(state_after(&it, 1)); // the input itself
  const assay_state *swapped = state_after(&it, 2), *again = state_after(&it, 4);
  assert_true(swapped->judged.ran && !swapped->judged.right && !swapped->judged.imprecise);
  assert_true(swapped->judged.bitwise_changed && swapped->judged.margin[0] > 1);
  assert_non_null(strstr(swapped->judged.what, "result 0: got"));
  // Swapped twice it is the input again, by its hash.
  assert_null(again);
  assert_ptr_equal(it.steps.executions[3]->after, it.steps.stepping->input);
  assert_int_equal(it.states.count, 1);
  end_trial(&it);
}

static void runs_twins_once(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-aside,assay-test-aside,assay-test-swap,assay-test-aside");
  assert_int_equal(it.states.count, 4);
  const assay_state *first = state_after(&it, 1), *second = state_after(&it, 2);
  const assay_state *third = state_after(&it, 3), *fourth = state_after(&it, 4);
  assert_ptr_not_equal(first->snapshot, second->snapshot);
  assert_ptr_equal(first->answer, second->answer);
  assert_ptr_equal(third->answer, fourth->answer);
  assert_ptr_not_equal(first->answer, third->answer);
  assert_true(second->judged.ran && second->judged.right && !second->judged.bitwise_changed);
  assert_true(fourth->judged.ran && !fourth->judged.right);
  end_trial(&it);
}

static void misses_a_result(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-lose");
  const assay_judgement *judged = &state_after(&it, 1)->judged;
  assert_true(judged->ran);
  assert_false(judged->right);
  assert_string_equal(judged->what, "@main returns fewer values than it did");
  end_trial(&it);
}

static void misses_a_public_entry(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-erase");
  const assay_judgement *gone = &state_after(&it, 1)->judged;
  assert_true(gone->ran && !gone->right && gone->bitwise_changed);
  assert_string_equal(gone->what, "@main is gone");
  assert_string_equal(gone->not_run, "");
  end_trial(&it);
}

static void misses_no_private_entry(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-hide,assay-test-erase");
  const assay_judgement *gone = &state_after(&it, 2)->judged;
  assert_false(gone->ran);
  assert_string_equal(gone->not_run, "@main is gone, after it had been made private");
  end_trial(&it);
}

static void runs_a_state_by_the_other_tail(void **state) {
  (void)state;
  tried it;
  assay_error err;
  try_passes(&it, "assay-test-swap");
  assay_state other = *state_after(&it, 1);
  assert_int_equal(other.tail, ASSAY_TAIL_FIRST);
  assert_true(it.trial.other_usable);
  other.tail = ASSAY_TAIL_SECOND;
  const assay_run_wanted how = {.purpose = ASSAY_RUN_PLAIN};
  assert_int_equal(assay_state_run(&it.trial, &how, &other, &err), ASSAY_OK);
  assert_true(other.judged.ran && !other.judged.right);
  assert_ptr_not_equal(other.answer, state_after(&it, 1)->answer);
  end_trial(&it);
}

static void judges_nothing_by_an_input_that_cannot_be_judged(void **state) {
  (void)state;
  tried it;
  assay_error err;
  try_passes(&it, "assay-test-swap,assay-test-aside");
  it.trial.inconclusive = "for the test";
  assert_int_equal(assay_states_run(&it.trial, &it.steps, &it.states, &err), ASSAY_OK);
  assert_null(state_after(&it, 1)->answer);
  const assay_state *last = state_after(&it, 2); // is lowered, to see whether a tail can
  assert_true(last->judged.lowered && !last->judged.ran);
  end_trial(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(judges_each_state),
      cmocka_unit_test(runs_twins_once),
      cmocka_unit_test(misses_a_result),
      cmocka_unit_test(misses_a_public_entry),
      cmocka_unit_test(misses_no_private_entry),
      cmocka_unit_test(runs_a_state_by_the_other_tail),
      cmocka_unit_test(judges_nothing_by_an_input_that_cannot_be_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
