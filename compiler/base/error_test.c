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
  for (size_t i = 0; i < sizeof longer; i++)
    longer[i] = i % 8 == 7 ? ' ' : 'a';
  longer[sizeof longer - 1] = '\0';
  assay_error err;
  assert_int_equal(assay_fail(&err, ASSAY_FAILED, "%s", longer), ASSAY_FAILED);
  assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void long_words_and_places_are_cut_in_messages(void **state) {
  (void)state;
  enum { LENGTH = 5000 };
  char word[LENGTH + 1];
  memset(word, 'a', LENGTH);
  word[LENGTH] = '\0';
  assay_error err;
  assert_int_equal(assay_fail(&err, ASSAY_FAILED, "no '%s'; did you mean 'b'?", word),
                   ASSAY_FAILED);
  assert_true(strlen(err.text) < 256);
  assert_non_null(strstr(err.text, "no 'aaa"));
  assert_non_null(strstr(err.text, "aaa...aaa"));
  assert_non_null(strstr(err.text, "aaa'; did you mean 'b'?"));
  assert_int_equal(assay_fail_at(&err, ASSAY_FAILED, word, 12, 7, "%.200s", word), ASSAY_FAILED);
  assert_int_equal(strlen(err.text), 200);
  assert_non_null(strstr(err.where, "aaa:12:7"));
  // No character of several bytes is cut in two.
  for (size_t i = 0; i < LENGTH; i++)
    word[i] = i % 2 == 0 ? '\xc3' : '\xa9';
  assert_int_equal(assay_fail(&err, ASSAY_FAILED, "!%s", word), ASSAY_FAILED);
  const char *dots = strstr(err.text, "...");
  assert_non_null(dots);
  assert_int_equal((unsigned char)dots[-1], 0xa9);
  assert_int_equal((unsigned char)dots[3], 0xc3);
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
      cmocka_unit_test(long_words_and_places_are_cut_in_messages),
      cmocka_unit_test(try_returns_at_the_first_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
