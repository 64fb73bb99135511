// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/confirm.h"

#include "harness/ledger/states_testing.h"

static assay_confirmation confirm(tried *it, const assay_execution *execution) {
  assay_confirmation found;
  assay_error err;
  assert_int_equal(assay_confirm(&it->trial, &it->states, execution, &found, &err), ASSAY_OK);
  return found;
}

static void believes_what_shows_again(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-swap");
  assay_confirmation found = confirm(&it, it.steps.executions[0]);
  assert_int_equal(found.fault, ASSAY_FAULT_MISCOMPILE);
  assert_non_null(strstr(found.what, "result 0: got"));
  assert_null(strstr(found.what, "nobody wrote"));
  assert_null(strstr(found.what, "run again"));
  assert_int_equal(it.trial.note_count, 0);
  end_trial(&it);
}

static void calls_a_pass_fickle_that_gives_other_values(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-fickle");
  assay_confirmation found = confirm(&it, it.steps.executions[0]);
  assert_int_equal(found.fault, ASSAY_FAULT_NONDETERMINISTIC);
  assert_non_null(strstr(found.what, "gave other values and was wrong 3 times of 3"));
  end_trial(&it);
}

// The state is wrong, and the pass that is said to have made it leaves a right one.
static void calls_a_pass_fickle_that_does_not_do_it_again(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-swap");
  assay_execution innocent = *it.steps.executions[0];
  innocent.name = innocent.options = "cse";
  assay_confirmation found = confirm(&it, &innocent);
  assert_int_equal(found.fault, ASSAY_FAULT_NONDETERMINISTIC);
  assert_non_null(strstr(found.what, "run again alone on the same state, the pass did so 0 times"));
  end_trial(&it);
}

// A pass that cannot be run by a name is named for what its state shows.
static void believes_the_state_of_a_nameless_pass(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-swap");
  assay_execution nameless = *it.steps.executions[0];
  nameless.options = "";
  assert_int_equal(confirm(&it, &nameless).fault, ASSAY_FAULT_MISCOMPILE);
  end_trial(&it);
}

// LLVM's optimiser throws the write away, and the second tail optimises.
static void believes_an_overrun_that_an_optimiser_hides(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-overrun");
  assay_confirmation found = confirm(&it, it.steps.executions[0]);
  assert_int_equal(found.fault, ASSAY_FAULT_MISCOMPILE);
  assert_string_equal(found.what, "heap write out of bounds: block of 12 bytes, at byte 12");
  end_trial(&it);
}

static void accuses_nobody_of_what_more_samples_explain(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-aside");
  assay_confirmation found = confirm(&it, it.steps.executions[0]);
  assert_int_equal(found.fault, ASSAY_FAULT_NONE);
  assert_int_equal(it.trial.note_count, 1);
  assert_string_equal(it.trial.notes[0], "after 1 assay-test-aside: a difference that more samples "
                                         "explain");
  assert_null(it.trial.inconclusive);
  end_trial(&it);
}

static void accuses_nobody_on_an_unsound_input(void **state) {
  (void)state;
  tried it;
  try_passes(&it, "assay-test-swap");
  it.trial.unsound = "an offset is out of bounds";
  assert_int_equal(confirm(&it, it.steps.executions[0]).fault, ASSAY_FAULT_NONE);
  assert_non_null(strstr(it.trial.inconclusive, "an offset is out of bounds"));
  end_trial(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(believes_what_shows_again),
      cmocka_unit_test(calls_a_pass_fickle_that_gives_other_values),
      cmocka_unit_test(calls_a_pass_fickle_that_does_not_do_it_again),
      cmocka_unit_test(believes_the_state_of_a_nameless_pass),
      cmocka_unit_test(believes_an_overrun_that_an_optimiser_hides),
      cmocka_unit_test(accuses_nobody_of_what_more_samples_explain),
      cmocka_unit_test(accuses_nobody_on_an_unsound_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
