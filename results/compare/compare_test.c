// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/compare_testing.h"

static void cases_that_come_and_go(void **state) {
  assay_record base[] = {verdict("a", ASSAY_PASS, 0), verdict("b", ASSAY_PASS, 0),
                         bench(*state, "b", 1, 0)};
  assay_record new[] = {verdict("c", ASSAY_FAIL, 0), verdict("b", ASSAY_PASS, 0)};
  new[0].reason = "wrong";
  const assay_comparison *found = compare(*state, base, 3, new, 2, false);
  assert_row(found, "a", "verdict", ASSAY_VANISHED, true, true);
  assert_row(found, "c", "verdict", ASSAY_NEW, true, true);
  assert_non_null(strstr(print(*state, found, false), "NEW       FAIL  c  (run)\n    wrong\n"));
  assert_int_equal(found->cases, 1);
  assert_int_equal(found->changes[ASSAY_VANISHED], 2);
}

// All timings are gone: each fails the gate, in one line.
static void kinds_that_come_and_go(void **state) {
  assay_record base[] = {verdict("a", ASSAY_PASS, 0), bench(*state, "a", 1, 0),
                         bench(*state, "b", 1, 0), bench(*state, "x backend=numpy", 1, 0)};
  const assay_comparison *found = compare(*state, base, 4, base, 1, false);
  assert_int_equal(found->gates, 2); // a peer's do not
  assert_int_equal(found->worse, 3);
  assert_null(strstr(print(*state, found, true), "VANISHED  "));
  assert_string_equal(print(*state, found, false),
                      "3 records of kind bench vanished: NEW has none\n"
                      "1 case: 3 VANISHED, 5 SAME; the gate fails on 2 rows\n");
  found = compare(*state, base, 1, base, 2, false);
  assert_row(found, "a", "verdict", ASSAY_SAME, false, false);
  assert_int_equal(found->gates, 0);
  assert_string_equal(print(*state, found, false), "1 record of kind bench is new: BASE has none\n"
                                                   "1 case: 1 NEW, 5 SAME; the gate passes\n");
  static const char text[] = "vanished.kind.gate = no\n";
  const assay_file file = {.path = "t", .bytes = text, .size = strlen(text)};
  assay_comparison_request request = {.base = base, .new = base, .base_count = 4, .new_count = 1};
  assay_error err;
  assert_int_equal(assay_thresholds_read(*state, &file, &request.thresholds, &err), ASSAY_OK);
  assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
  assert_int_equal(found->gates, 0);
  assert_int_equal(found->worse, 3);
  // Two of three timings is another matter.
  request.new_count = 2;
  assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
  assert_int_equal(found->gates, 1);
}

// Where all of a kind are new those that are bad are told each by itself, and can be let in.
static void new_cases_that_are_bad(void **state) {
  static const struct {
    assay_verdict verdict;
    bool bad;
  } table[] = {{ASSAY_PASS, false},  {ASSAY_WARN, false},   {ASSAY_SKIP, false},
               {ASSAY_XFAIL, false}, {ASSAY_FAIL, true},    {ASSAY_ERROR, true},
               {ASSAY_CRASH, true},  {ASSAY_TIMEOUT, true}, {ASSAY_XPASS, true}};
  static const char text[] = "[n]\nnew.gate = no\n";
  const assay_file file = {.path = "t", .bytes = text, .size = strlen(text)};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record both[] = {verdict("a", ASSAY_PASS, 0), bench(*state, "n", 1, 0)};
    both[1].verdict = table[i].verdict;
    const assay_comparison *found = compare(*state, both, 1, both, 2, false);
    assert_row(found, "n", "verdict", ASSAY_NEW, table[i].bad, table[i].bad);
    assert_true((strstr(print(*state, found, false), "(bench)") != NULL) == table[i].bad);
    assay_comparison_request request = {.base = both, .new = both, .base_count = 1, .new_count = 2};
    assay_error err;
    assert_int_equal(assay_thresholds_read(*state, &file, &request.thresholds, &err), ASSAY_OK);
    assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
    assert_row(found, "n", "verdict", ASSAY_NEW, table[i].bad, false);
  }
}

static void the_last_record_of_a_key_counts(void **state) {
  assay_record base[] = {verdict("a", ASSAY_PASS, 0)};
  assay_record new[] = {verdict("a", ASSAY_PASS, 0), verdict("a", ASSAY_FAIL, 0)};
  assert_row(compare(*state, base, 1, new, 2, false), "a", "verdict", ASSAY_CHANGED, true, true);
}

static void nothing_in_common_is_no_answer(void **state) {
  assay_record base = verdict("a", ASSAY_PASS, 0), new = verdict("b", ASSAY_PASS, 0);
  assay_comparison_request request = {.base = &base, .new = &new, .base_count = 1, .new_count = 1};
  const assay_comparison *found;
  assay_error err;
  assert_int_equal(assay_thresholds_read(*state, NULL, &request.thresholds, &err), ASSAY_OK);
  assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_INVALID);
  assert_string_equal(err.text,
                      "no case is in both: none of BASE's records (run 1) has the kind and "
                      "key of one of NEW's (run 1)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_that_come_and_go),
      cmocka_unit_test(kinds_that_come_and_go),
      cmocka_unit_test(new_cases_that_are_bad),
      cmocka_unit_test(the_last_record_of_a_key_counts),
      cmocka_unit_test(nothing_in_common_is_no_answer),
  };
  return cmocka_run_group_tests(tests, compare_set_up, compare_tear_down);
}
