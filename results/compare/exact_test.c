// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/compare_testing.h"

static void verdicts_that_change(void **state) {
  static const struct {
    assay_verdict base, new;
    bool worse, gates;
  } table[] = {{ASSAY_PASS, ASSAY_FAIL, true, true},      {ASSAY_FAIL, ASSAY_PASS, false, false},
               {ASSAY_WARN, ASSAY_CRASH, true, true},     {ASSAY_PASS, ASSAY_WARN, true, false},
               {ASSAY_PASS, ASSAY_SKIP, true, true},      {ASSAY_SKIP, ASSAY_PASS, false, false},
               {ASSAY_PASS, ASSAY_XFAIL, true, false},    {ASSAY_XFAIL, ASSAY_XPASS, true, true},
               {ASSAY_FAIL, ASSAY_TIMEOUT, false, false}, {ASSAY_XFAIL, ASSAY_SKIP, false, false},
               {ASSAY_FAIL, ASSAY_SKIP, true, true},      {ASSAY_XPASS, ASSAY_SKIP, true, true}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record base = verdict("k", table[i].base, NAN), new = verdict("k", table[i].new, NAN);
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "verdict", ASSAY_CHANGED, table[i].worse, table[i].gates);
    assert_int_equal(found->gates, table[i].gates);
    found = compare(*state, &base, 1, &base, 1, false);
    assert_row(found, "k", "verdict", ASSAY_SAME, false, false);
    assert_null(find(found, "k", "margin"));
  }
}

static void failures_that_change_their_place(void **state) {
  static const char text[] = "first-bad.gate = yes\n";
  const assay_file file = {.path = "t", .bytes = text, .size = strlen(text)};
  static const struct {
    assay_first_bad base, new;
    bool changed;
  } table[] = {{{3, .name = "cse", .fault = "loss"}, {5, .name = "sink", .fault = "wrong"}, true},
               {{3, .name = "cse", .fault = "loss"}, {3, .name = "cse", .fault = "wrong"}, true},
               {{3, .name = "cse", .fault = "loss"}, {4, .name = "cse", .fault = "loss"}, false},
               {{3, .name = "cse", .fault = "loss"}, {0}, false},
               {{0}, {3, .name = "cse", .fault = "loss"}, false}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record base = verdict("k", ASSAY_FAIL, NAN), new = base;
    base.first_bad = table[i].base;
    new.first_bad = table[i].new;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "verdict", table[i].changed ? ASSAY_CHANGED : ASSAY_SAME, false, false);
    assay_comparison_request request = {
        .base = &base, .new = &new, .base_count = 1, .new_count = 1};
    assay_error err;
    if (i == 0)
      assert_string_equal(find(found, "k", "verdict")->reason,
                          "FAIL at 3 cse (loss) -> FAIL at 5 sink (wrong)");
    assert_int_equal(assay_thresholds_read(*state, &file, &request.thresholds, &err), ASSAY_OK);
    assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
    assert_int_equal(found->gates, table[i].changed);
  }
}

static void margins_that_drift(void **state) {
  static const struct {
    double base, new;
    assay_change change;
    bool worse, gates;
  } table[] = {
      {0.2, 0.4, ASSAY_CHANGED, true, false},        {0.2, 0.39, ASSAY_SAME, false, false},
      {0.3, 0.6, ASSAY_CHANGED, true, true},         {0.001, 0.09, ASSAY_SAME, false, false},
      {0, 0.2, ASSAY_CHANGED, true, false},          {0, 0, ASSAY_SAME, false, false},
      {0.4, 0.1, ASSAY_CHANGED, false, false},       {0.2, INFINITY, ASSAY_CHANGED, true, true},
      {0.2, NAN, ASSAY_CHANGED, true, true},         {NAN, 0.2, ASSAY_CHANGED, false, false},
      {INFINITY, INFINITY, ASSAY_SAME, false, false}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record base = verdict("k", ASSAY_PASS, table[i].base);
    assay_record new = verdict("k", ASSAY_PASS, table[i].new);
    assert_row(compare(*state, &base, 1, &new, 1, false), "k", "margin", table[i].change,
               table[i].worse, table[i].gates);
  }
}

static void counters_are_exact(void **state) {
  static const assay_counter before[] = {{"heap", 10}, {"gone", 1}, {"bytes", 100}};
  static const assay_counter after[] = {{"bytes", 99}, {"heap", 11}, {"fresh", 1}};
  assay_record base = verdict("k", ASSAY_PASS, 0), new = base;
  base.counters = before;
  new.counters = after;
  base.counter_count = new.counter_count = 3;
  base.blas_calls = 2;
  new.blas_calls = 1;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "heap", ASSAY_CHANGED, true, true);
  assert_row(found, "k", "bytes", ASSAY_CHANGED, false, false);
  assert_row(found, "k", "blas_calls", ASSAY_CHANGED, true, true);
  assert_row(found, "k", "compiles", ASSAY_SAME, false, false);
  assert_row(found, "k", "gone", ASSAY_CHANGED, true, true);
  assert_true(find(found, "k", "gone")->base_counter->value == 1);
  assert_null(find(found, "k", "gone")->new_counter);
  assert_row(found, "k", "fresh", ASSAY_NEW, false, false);
  assert_true(find(found, "k", "fresh")->new_counter->value == 1);
  assert_null(find(found, "k", "fresh")->base_counter);
  assert_true(find(found, "k", "heap")->ratio == 1.1);
  // A case that does not run any more counts nothing; its verdict says so.
  new.verdict = ASSAY_CRASH;
  found = compare(*state, &base, 1, &new, 1, false);
  assert_null(find(found, "k", "gone"));
  assert_null(find(compare(*state, &new, 1, &base, 1, false), "k", "gone"));
}

// Doubles do not tell these apart, nor print the largest.
static void counters_are_whole_numbers(void **state) {
  static const struct {
    int64_t base, new;
    const char *base_text, *new_text;
  } table[] = {{INT64_C(9007199254740992), INT64_C(9007199254740993), "9007199254740992",
                "9007199254740993"},
               {INT64_MIN, INT64_MAX, "-9223372036854775808", "9223372036854775807"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const assay_counter before = {"heap", table[i].base}, after = {"heap", table[i].new};
    assay_record base = verdict("k", ASSAY_PASS, 0), new = base;
    const char *base_text, *new_text;
    base.counters = &before;
    new.counters = &after;
    base.counter_count = new.counter_count = 1;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "heap", ASSAY_CHANGED, true, true);
    assay_comparison_values(*state, find(found, "k", "heap"), &base_text, &new_text);
    assert_string_equal(base_text, table[i].base_text);
    assert_string_equal(new_text, table[i].new_text);
    if (i == 0)
      assert_non_null(strstr(print(*state, found, false), "9007199254740993         +1\n"));
    char *json = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&json, &size);
    assay_comparison_print_json(stream, *state, found, NULL);
    fclose(stream);
    assert_non_null(
        strstr(json, assay_arena_format(*state, "\"base\":%s,\"new\":%s,", base_text, new_text)));
    free(json);
    assert_row(compare(*state, &base, 1, &base, 1, false), "k", "heap", ASSAY_SAME, false, false);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verdicts_that_change),
      cmocka_unit_test(failures_that_change_their_place),
      cmocka_unit_test(margins_that_drift),
      cmocka_unit_test(counters_are_exact),
      cmocka_unit_test(counters_are_whole_numbers),
  };
  return cmocka_run_group_tests(tests, compare_set_up, compare_tear_down);
}
