// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/states_testing.h"

// What is stopped, and when: as so many jobs of that work are done.
typedef struct stopping {
  const char *doing;
  int done;
} stopping;

static volatile sig_atomic_t stop;

static void stop_there(void *user, const char *what, int done, int of) {
  (void)of;
  const stopping *it = user;
  if (strcmp(what, it->doing) == 0 && done >= it->done)
    stop = SIGINT;
}

static const assay_ledger_answer *ask(tried *it, const char *passes, stopping *when) {
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  assay_error err;
  ask_of_passes(it, passes);
  stop = 0;
  it->request.stop = &stop;
  it->request.jobs = 1;
  if (when != NULL) {
    it->request.progress = stop_there;
    it->request.progress_user = when;
  }
  assert_int_equal(assay_ledger_open(&it->request, it->arena, &ledger, &err), ASSAY_OK);
  assert_int_equal(assay_ledger_ask(ledger, NULL, &answer, &err), ASSAY_OK);
  return answer;
}

static const char passes[] = "assay-test-swap,assay-test-fickle";

static void names_the_first_bad_pass(void **state) {
  (void)state;
  tried it;
  const assay_ledger_answer *answer = ask(&it, passes, NULL);
  assert_false(answer->stopped);
  assert_null(answer->inconclusive);
  assert_int_equal(answer->blame.fault, ASSAY_FAULT_MISCOMPILE);
  assert_int_equal(answer->blame.row, 0);
  assert_string_equal(answer->entry, "main");
  assert_int_equal(answer->shown_count, ASSAY_DATA_SETS);
  end_trial(&it);
}

static void keeps_what_it_knew_when_it_was_stopped(void **state) {
  (void)state;
  tried it;
  stopping first_state = {.doing = "running states", .done = 1};
  const assay_ledger_answer *answer = ask(&it, passes, &first_state);
  assert_true(answer->stopped);
  assert_string_equal(answer->inconclusive, "stopped, with 1 of 2 states judged");
  assert_true(answer->rows[0].ran && !answer->rows[0].right);
  assert_false(answer->rows[1].ran);
  assert_string_equal(answer->rows[1].not_run, "stopped");
  assert_int_equal(answer->blame.fault, ASSAY_FAULT_NONE);
  end_trial(&it);
}

static void accuses_nobody_half_way_through_a_confirmation(void **state) {
  (void)state;
  static const char *const works[] = {"measuring the rounding error", "running the state again",
                                      "running the pass alone"};
  for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
    tried it;
    stopping when = {.doing = works[i]};
    const assay_ledger_answer *answer = ask(&it, passes, &when);
    assert_true(answer->stopped);
    assert_int_equal(answer->blame.fault, ASSAY_FAULT_NONE);
    assert_int_equal(answer->rows[0].fault, ASSAY_FAULT_NONE);
    assert_non_null(strstr(answer->inconclusive, "stopped"));
    end_trial(&it);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_the_first_bad_pass),
      cmocka_unit_test(keeps_what_it_knew_when_it_was_stopped),
      cmocka_unit_test(accuses_nobody_half_way_through_a_confirmation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
