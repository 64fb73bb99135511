// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/gaps.h"
#include "harness/case/testing.h"

#define LINE "linear m=1 k=1 n=1 dtype=i64"

static assay_code parse(assay_arena *arena, const char *text, assay_gaps *gaps, assay_error *err) {
  assay_file file = file_of("suite/known_gaps", text);
  return assay_gaps_parse(arena, &file, gaps, err);
}

static void the_first_row_that_matches_is_found(void **state) {
  assay_gaps gaps;
  assay_error err;
  const char *text = "# comment\n"
                     "\n"
                     "linear m=2 k=1 n=1 temporary \"no\" # why\n"
                     "linear * dtype=i64 * backend=fast\ttemporary \"drops \\\"signs\\\"\"\r\n"
                     "*dtype=i64* lasting \"no integers\"";
  assert_int_equal(parse(*state, text, &gaps, &err), ASSAY_OK);
  assert_int_equal(gaps.count, 3);
  const assay_gap *gap = assay_gaps_find(&gaps, LINE, "int", "fast");
  assert_ptr_equal(gap, &gaps.items[1]);
  assert_string_equal(gap->pattern, "linear * dtype=i64 * backend=fast");
  assert_false(gap->lasting);
  assert_string_equal(gap->reason, "drops \"signs\"");
  assert_string_equal(gap->origin, "suite/known_gaps:4");
  gap = assay_gaps_find(&gaps, LINE, "int", "slow");
  assert_ptr_equal(gap, &gaps.items[2]);
  assert_true(gap->lasting);
  assert_null(assay_gaps_find(&gaps, "linear m=1 k=1 n=1 dtype=f32", "int", "fast"));
  assert_null(assay_gaps_find(&(assay_gaps){0}, LINE, "int", "fast"));
}

static void broken_rows_are_reported_where_they_break(void **state) {
  const struct {
    const char *row;
    int column;
    const char *text;
  } rows[] = {
      {"linear temporary why", 18, "expected a reason in double quotes at the end"},
      {"linear", 1, "expected a reason in double quotes at the end"},
      {"linear temporary \"\"", 18, "expected a reason in double quotes at the end"},
      {"linear temporary \"a", 18, "this quote is not closed"},
      {"linear often \"a\"", 8, "expected 'temporary' or 'lasting' before the reason"},
      {"linear \"a\"", 1, "expected 'temporary' or 'lasting' before the reason"},
      {"temporary \"a\"", 1, "expected a pattern before 'temporary'"},
      {"lasting \"a\"", 1, "expected a pattern before 'lasting'"},
      {" liner m=1 lasting \"a\"", 2, "unknown op 'liner'; did you mean 'linear'?"},
      {"linear mm=1 lasting \"a\"", 1, "linear has no key 'mm'; did you mean 'm'?"},
      {"linear dtype=f32 lasting \"a\"", 1,
       "a prefix has the keys in order, 'linear m k n dtype precision'; in another order all of m "
       "k n are "
       "needed"},
      {"fft lasting \"a\"", 1, "unknown op 'fft'; 'assay list ops' names them"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assay_gaps gaps;
    assay_error err;
    assay_code code =
        parse(*state, assay_arena_format(*state, "#\n%s\n", rows[i].row), &gaps, &err);
    assert_fails(code, ASSAY_INVALID, &err,
                 assay_arena_format(*state, "suite/known_gaps:2:%d", rows[i].column), rows[i].text);
  }
}

static void the_projects_own_gaps_are_well_formed(void **state) {
  assay_gaps gaps;
  assay_error err;
  if (assay_gaps_load(*state, ASSAY_SOURCE_DIR, &gaps, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
}

static void a_missing_file_is_reported(void **state) {
  assay_gaps gaps;
  assay_error err;
  assert_int_equal(assay_gaps_load(*state, "/nonexistent", &gaps, &err), ASSAY_MISSING);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      arena_test(the_first_row_that_matches_is_found),
      arena_test(broken_rows_are_reported_where_they_break),
      arena_test(the_projects_own_gaps_are_well_formed),
      arena_test(a_missing_file_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
