// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two stand-ins in sh, which write down what they are asked, in the order in which they are.
#include "harness/bench/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/file.h"

// One that answers as it should: a run takes SECONDS; $1 is its name in the log $2. Behind it stand
// the lines of a `case` on the question that come before these.
#define SIDE(greeting, cases)                                                                      \
  "echo \"$1 start\" >>\"$2\"\n"                                                                   \
  "echo '" greeting "'\n"                                                                          \
  "while read -r verb backend rest; do\n"                                                          \
  "  echo \"$1 $verb $backend\" >>\"$2\"\n"                                                        \
  "  case \"$verb $backend\" in\n" cases "  check*) echo '{\"verdict\": \"PASS\"}' ;;\n"           \
  "  describe*) echo '{\"verdict\": \"PASS\", \"key\": \"k\"}' ;;\n"                               \
  "  load*) echo '{\"seconds\": 0.5}' ;;\n"                                                        \
  "  time*) echo '{\"seconds\": 0.25, \"iterations\": 1}' ;;\n"                                    \
  "  esac\ndone\n"

static const char honest[] = SIDE("assay bench 1", "");

enum { PAIRS = 3, BATCHES = 12 }; // a run of a quarter of a second is a batch; at least so many

typedef struct bench {
  assay_arena *arena;
  char log[64];
  volatile sig_atomic_t stop;
  void (*progress)(void *user, int pair, int of);
  const assay_pairs *pairs;
  assay_error err;
} bench;

static bench *create(void) {
  assay_arena *arena = assay_arena_create();
  bench *it = assay_arena_take(arena, 1, sizeof *it);
  it->arena = arena;
  snprintf(it->log, sizeof it->log, "/tmp/assay-pairs-XXXXXX");
  close(mkstemp(it->log));
  return it;
}

static void destroy(bench *it) {
  unlink(it->log);
  assay_arena_destroy(it->arena);
}

static assay_code time_pairs(bench *it, const char *base, const char *new,
                             const char *const backends[], size_t count, double timeout) {
  const char *const a[] = {"sh", "-c", base, "side", "A", it->log, NULL};
  const char *const b[] = {"sh", "-c", new, "side", "B", it->log, NULL};
  const char *const *const argv[ASSAY_SIDES] = {a, b};
  const assay_pair_options options = {.pairs = PAIRS,
                                      .min_seconds = 0.1,
                                      .timeout = timeout,
                                      .stop = &it->stop,
                                      .progress = it->progress,
                                      .user = (void *)&it->stop};
  return assay_pairs_time(it->arena, argv, backends, count, &options, &it->pairs, &it->err);
}

// The sides of the log's lines that hold the word, as letters: "ABBA".
static const char *sides_of(bench *it, const char *word) {
  assay_file file;
  assert_int_equal(assay_file_read(it->arena, it->log, &file, &it->err), ASSAY_OK);
  char *letters = assay_arena_take(it->arena, file.size + 1, 1), *rest = NULL;
  size_t count = 0;
  char *text = assay_arena_bytes(it->arena, file.bytes, file.size);
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
    if (strstr(line, word) != NULL)
      letters[count++] = line[0];
  return letters;
}

static const char *const one[] = {"x"}, *const two[] = {"x", "y"};

static void sides_take_turns_and_each_begins_every_other_pair(void **state) {
  (void)state;
  bench *it = create();
  assert_int_equal(time_pairs(it, honest, honest, one, 1, 20), ASSAY_OK);
  assert_int_equal(it->pairs->count, PAIRS);
  assert_string_equal(sides_of(it, "start"), "ABBAAB");
  assert_string_equal(sides_of(it, "check"), "AB");
  assert_string_equal(sides_of(it, "load"), "ABBAAB");
  // The first questions find out how long a run is on either side.
  assert_string_equal(sides_of(it, "time"), "AB"
                                            "ABBAABBAABBAABBAABBAABBA"
                                            "BAABBAABBAABBAABBAABBAAB"
                                            "ABBAABBAABBAABBAABBAABBA");
  for (int side = 0; side < ASSAY_SIDES; side++)
    for (int pair = 0; pair < PAIRS; pair++) {
      assert_true(it->pairs->results[0][side].run_samples[pair] == 0.25);
      assert_true(it->pairs->results[0][side].compile_samples[pair] == 0.5);
    }
  assert_non_null(strstr(it->pairs->results[0][1].description, "\"key\""));
  destroy(it);
}

static void check_failure(const bench *it, size_t backend, int side, const char *want) {
  const char *got = it->pairs->results[backend][side].failure;
  if ((want == NULL) != (got == NULL) || (want != NULL && strstr(got, want) == NULL))
    fail_msg("backend %zu, side %d: '%s', want '%s'", backend, side, got != NULL ? got : "nothing",
             want != NULL ? want : "nothing");
}

typedef struct fault {
  const char *script, *reason;
} fault;

// Of two backends only the guilty one goes, on both sides; the other has all its samples.
static void a_failure_takes_one_backend_out(void **state) {
  (void)state;
  const fault faults[] = {
      {SIDE("assay bench 1", "'check x') echo '{\"verdict\": \"FAIL\"}'; continue ;;\n"),
       "FAIL, and is not timed"},
      {SIDE("assay bench 1", "'check x') echo '{\"error\": \"no backend x\"}'; continue ;;\n"),
       "no backend x"},
      {SIDE("assay bench 1", "'load x') echo '{\"error\": \"no such op\"}'; continue ;;\n"),
       "no such op"},
      {SIDE("assay bench 1", "'load x') echo 'segmentation fault' >&2; exit 139 ;;\n"),
       "has ended: segmentation fault"},
      {SIDE("assay bench 1", "'time x') echo 'segmentation fault' >&2; exit 139 ;;\n"),
       "has ended: segmentation fault"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    bench *it = create();
    int guilty = (int)(i % ASSAY_SIDES);
    const char *const scripts[] = {guilty == 0 ? faults[i].script : honest,
                                   guilty == 1 ? faults[i].script : honest};
    if (time_pairs(it, scripts[0], scripts[1], two, 2, 20) != ASSAY_OK)
      fail_msg("fault %zu: %s", i, it->err.text);
    assert_int_equal(it->pairs->count, PAIRS);
    check_failure(it, 0, guilty, faults[i].reason);
    check_failure(it, 0, 1 - guilty, NULL);
    for (int side = 0; side < ASSAY_SIDES; side++) {
      check_failure(it, 1, side, NULL);
      assert_true(it->pairs->results[1][side].run_samples[PAIRS - 1] == 0.25);
    }
    destroy(it);
  }
}

static void one_that_stops_answering_is_a_failure(void **state) {
  (void)state;
  static const char hanging[] = SIDE("assay bench 1", "'check x') sleep 600 ;;\n");
  bench *it = create();
  assert_int_equal(time_pairs(it, honest, hanging, one, 1, 0.3), ASSAY_OK);
  check_failure(it, 0, 1, "does not answer");
  destroy(it);
}

static void what_is_no_such_program_is_an_error(void **state) {
  (void)state;
  const fault faults[] = {
      {"true", "'sh' has ended; expected a build that knows `assay bench --serve`"},
      {"echo 'no such verb' >&2; exit 2", "'sh' has ended: no such verb"},
      {"cat /dev/null; sleep 600", "'sh' does not answer"},
      {"printf 'hello \\033[31m\\n'; cat >/dev/null",
       "'sh' does not answer as `assay bench --serve`: it said 'hello ?[31m', expected"},
      {SIDE("assay bench 2", ""), "it said 'assay bench 2', expected 'assay bench 1'"},
      {"echo 'assay bench 1'; while read -r line; do echo \"you said $line\"; done",
       "'sh' answered 'you said check x' to 'check x', expected a JSON object"},
      {SIDE("assay bench 1", "time*) echo '{}'; continue ;;\n"), "without a number \"seconds\""},
      {SIDE("assay bench 1", "time*) echo '{\"seconds\": 0}'; continue ;;\n"),
       "without a number \"seconds\""},
      {SIDE("assay bench 1", "load*) echo '{\"seconds\": \"1\"}'; continue ;;\n"),
       "without a number \"seconds\""},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    bench *it = create();
    assert_int_not_equal(time_pairs(it, faults[i].script, honest, one, 1, 1), ASSAY_OK);
    if (strstr(it->err.text, faults[i].reason) == NULL)
      fail_msg("fault %zu: '%s', want '%s'", i, it->err.text, faults[i].reason);
    destroy(it);
  }
}

static void stop_in_the_last_pair(void *user, int pair, int of) {
  if (pair == of)
    *(volatile sig_atomic_t *)user = SIGINT;
}

static void stopping_keeps_whole_pairs(void **state) {
  (void)state;
  bench *it = create();
  it->progress = stop_in_the_last_pair;
  assert_int_equal(time_pairs(it, honest, honest, one, 1, 20), ASSAY_OK);
  assert_int_equal(it->pairs->count, PAIRS - 1);
  check_failure(it, 0, 0, NULL);
  check_failure(it, 0, 1, NULL);
  assert_true(it->pairs->results[0][1].run_samples[PAIRS - 2] == 0.25);
  destroy(it);
  it = create();
  it->stop = SIGINT;
  assert_int_equal(time_pairs(it, honest, honest, one, 1, 20), ASSAY_OK);
  assert_int_equal(it->pairs->count, 0);
  assert_string_equal(sides_of(it, "start"), "");
  destroy(it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sides_take_turns_and_each_begins_every_other_pair),
      cmocka_unit_test(a_failure_takes_one_backend_out),
      cmocka_unit_test(one_that_stops_answering_is_a_failure),
      cmocka_unit_test(what_is_no_such_program_is_an_error),
      cmocka_unit_test(stopping_keeps_whole_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
