// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void fail_fills_code_and_text(void **state) {
  (void)state;
  assay_error err = {.where = "old"};
  assert_int_equal(assay_fail(&err, ASSAY_INVALID, "found %d, expected %s", 3, "five"),
                   ASSAY_INVALID);
  assert_int_equal(err.code, ASSAY_INVALID);
  assert_string_equal(err.where, "");
  assert_string_equal(err.text, "found 3, expected five");
}

static void fail_at_names_what_of_the_place_is_known(void **state) {
  (void)state;
  assay_error err;
  assert_int_equal(assay_fail_at(&err, ASSAY_MISSING, "a.cases", 12, 7, "x"), ASSAY_MISSING);
  assert_string_equal(err.where, "a.cases:12:7");
  assert_int_equal(assay_fail_at(&err, ASSAY_MISSING, "a.cases", 12, 0, "x"), ASSAY_MISSING);
  assert_string_equal(err.where, "a.cases:12");
  assert_int_equal(assay_fail_at(&err, ASSAY_MISSING, "a.cases", 0, 0, "x"), ASSAY_MISSING);
  assert_string_equal(err.where, "a.cases");
}

static void long_messages_are_cut_not_overrun(void **state) {
  (void)state;
  char longer[sizeof((assay_error *)0)->text * 2];
  memset(longer, 'a', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  assay_error err;
  assert_int_equal(assay_fail(&err, ASSAY_FAILED, "%s", longer), ASSAY_FAILED);
  assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static assay_code try_twice(assay_code first, int *reached, assay_error *err) {
  TRY(first == ASSAY_OK ? ASSAY_OK : assay_fail(err, first, "first"));
  *reached = 1;
  return ASSAY_OK;
}

static void try_returns_at_the_first_failure(void **state) {
  (void)state;
  assay_error err = {0};
  int reached = 0;
  assert_int_equal(try_twice(ASSAY_UNSUPPORTED, &reached, &err), ASSAY_UNSUPPORTED);
  assert_int_equal(reached, 0);
  assert_int_equal(try_twice(ASSAY_OK, &reached, &err), ASSAY_OK);
  assert_int_equal(reached, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fail_fills_code_and_text),
      cmocka_unit_test(fail_at_names_what_of_the_place_is_known),
      cmocka_unit_test(long_messages_are_cut_not_overrun),
      cmocka_unit_test(try_returns_at_the_first_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
