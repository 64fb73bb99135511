// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/process.h"
#include "compiler/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PLENTY = 60 }; // seconds

static int set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

static assay_code ask(assay_arena *arena, const char *script, double seconds, const char **out_line,
                      assay_error *err) {
  const char *const argv[] = {"sh", "-c", script, NULL};
  return assay_process_ask(arena, argv, seconds, out_line, err);
}

static void the_first_line_is_the_answer(void **state) {
  const char *line;
  assay_error err;
  assert_int_equal(ask(*state, "echo one; echo two; echo no >&2", PLENTY, &line, &err), ASSAY_OK);
  assert_string_equal(line, "one");
}

static void what_fails_is_told(void **state) {
  static const struct {
    const char *script, *text;
  } cases[] = {{"echo one; exit 1", "sh failed"},
               {"kill -9 $$", "sh failed"},
               {":", "sh failed"},
               {"echo; echo two", "sh failed"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *line = NULL;
    assay_error err;
    assert_int_equal(ask(*state, cases[i].script, PLENTY, &line, &err), ASSAY_FAILED);
    assert_string_equal(err.text, cases[i].text);
    assert_null(line);
  }
  const char *const argv[] = {"/no/such/program", NULL}, *line;
  assay_error err;
  assert_int_equal(assay_process_ask(*state, argv, PLENTY, &line, &err), ASSAY_FAILED);
  assert_string_equal(err.text, "cannot start /no/such/program: No such file or directory");
}

// Before it answers, after it has answered, and where what it started holds the pipe open.
static void what_does_not_end_is_ended(void **state) {
  static const char *const scripts[] = {"sleep 60", "echo one; exec sleep 60 >&-",
                                        "sleep 60 & echo one", "exec yes"};
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    const char *line;
    assay_error err;
    double start = assay_clock_now();
    assert_int_equal(ask(*state, scripts[i], 0.25, &line, &err), ASSAY_FAILED);
    assert_string_equal(err.text, "sh did not answer within 0.25 s");
    assert_true(assay_clock_now() - start < 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_first_line_is_the_answer, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_fails_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_does_not_end_is_ended, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
