// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/partner.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG = 60 }; // seconds that no answer takes

static assay_partner *start(const char *script) {
  const char *const argv[] = {"sh", "-c", script, NULL};
  assay_partner *partner;
  assay_error err;
  assert_int_equal(assay_partner_start(argv, &partner, &err), ASSAY_OK);
  return partner;
}

static void check_answer(assay_partner *partner, const char *line, const char *want) {
  assay_arena *arena = assay_arena_create();
  const char *answer;
  assay_error err;
  if (assay_partner_ask(partner, arena, line, LONG, &answer, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_string_equal(answer, want);
  assay_arena_destroy(arena);
}

static void check_failure(assay_partner *partner, double seconds, const char *want) {
  assay_arena *arena = assay_arena_create();
  const char *answer;
  assay_error err;
  assert_int_equal(assay_partner_ask(partner, arena, "x", seconds, &answer, &err), ASSAY_FAILED);
  assert_string_equal(err.text, want);
  assay_arena_destroy(arena);
}

static void each_line_has_its_answer(void **state) {
  (void)state;
  assay_partner *partner = start("echo hello; while read -r word; do echo \"$word!\"; done");
  check_answer(partner, NULL, "hello");
  check_answer(partner, "one", "one!");
  check_answer(partner, "", "!");
  check_answer(partner, "two words", "two words!");
  assay_partner_stop(partner);
}

static void bytes_behind_an_answer_are_read_as_they_are(void **state) {
  (void)state;
  assay_partner *partner =
      start("read -r word; printf '5\\n\\001\\n\\000\\377z'; read -r word; echo after");
  check_answer(partner, "bytes", "5");
  char bytes[5];
  assay_error err;
  assert_int_equal(assay_partner_read(partner, bytes, sizeof bytes, LONG, &err), ASSAY_OK);
  assert_memory_equal(bytes, "\001\n\000\377z", sizeof bytes);
  check_answer(partner, "more", "after");
  assert_int_equal(assay_partner_read(partner, bytes, 1, LONG, &err), ASSAY_FAILED);
  assay_partner_stop(partner);
}

static void one_that_ends_is_quoted(void **state) {
  (void)state;
  assay_partner *partner = start("echo first >&2; echo 'no such case' >&2; read -r word; exit 3");
  check_failure(partner, LONG, "'sh' has ended: no such case");
  check_failure(partner, LONG, "'sh' has ended: no such case");
  assay_partner_stop(partner);
  partner = start("read -r word; printf half");
  check_failure(partner, LONG, "'sh' has ended");
  assay_partner_stop(partner);
}

static void one_that_is_not_there_says_so(void **state) {
  (void)state;
  const char *const argv[] = {"/nowhere/assay", NULL};
  assay_partner *partner;
  assay_error err;
  assert_int_equal(assay_partner_start(argv, &partner, &err), ASSAY_OK);
  check_failure(partner, LONG,
                "'/nowhere/assay' has ended: /nowhere/assay: No such file or directory");
  assay_partner_stop(partner);
}

static void one_that_does_not_answer_is_not_waited_for(void **state) {
  (void)state;
  assay_partner *partner = start("echo 'working on it' >&2; sleep 600");
  check_failure(partner, 0.05, "'sh' does not answer: working on it");
  assay_partner_stop(partner);
  // Nor does one that never ends its line fill the memory.
  partner = start("cat /dev/zero");
  check_failure(partner, LONG, "'sh' answers with a line of more than 16 MiB");
  assay_partner_stop(partner);
}

// What it started ends with it: nobody holds the pipe that all of them were given.
static void stopping_it_ends_what_it_started(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  assay_partner *partner = start("sleep 600 & echo started; wait");
  check_answer(partner, NULL, "started");
  close(ends[1]);
  struct pollfd held = {.fd = ends[0], .events = POLLIN};
  assert_int_equal(poll(&held, 1, 0), 0);
  assay_partner_stop(partner);
  assay_partner_stop(NULL);
  assert_int_equal(poll(&held, 1, 1000 * LONG), 1);
  assert_true(held.revents & POLLHUP);
  close(ends[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_line_has_its_answer),
      cmocka_unit_test(bytes_behind_an_answer_are_read_as_they_are),
      cmocka_unit_test(one_that_ends_is_quoted),
      cmocka_unit_test(one_that_is_not_there_says_so),
      cmocka_unit_test(one_that_does_not_answer_is_not_waited_for),
      cmocka_unit_test(stopping_it_ends_what_it_started),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
