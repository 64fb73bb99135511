// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle as a process: the real one, and processes that misbehave as Python might.
#include "reference/oracle.h"

#include "compiler/base/text.h"
#include "reference/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define LINE "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"

static const assay_reference_need small = {.line = LINE, .op = "matmul", .result_count = 1};

typedef struct fixture {
  assay_arena *arena;
  char root[64];
  const char *python; // root/.venv/bin/python
} fixture;

// A project's root whose Python is still to be written.
static int set_up(void **state) {
  static fixture made;
  made.arena = assay_arena_create();
  strcpy(made.root, "oracle_test-XXXXXX");
  if (mkdtemp(made.root) == NULL)
    return -1;
  made.python = assay_arena_format(made.arena, "%s/.venv/bin/python", made.root);
  *state = &made;
  return mkdir(assay_arena_format(made.arena, "%s/.venv", made.root), 0777) |
         mkdir(assay_arena_format(made.arena, "%s/.venv/bin", made.root), 0777);
}

static int tear_down(void **state) {
  fixture *use = *state;
  unlink(use->python);
  int failed = rmdir(assay_arena_format(use->arena, "%s/.venv/bin", use->root)) |
               rmdir(assay_arena_format(use->arena, "%s/.venv", use->root)) | rmdir(use->root);
  assay_arena_destroy(use->arena);
  return failed;
}

// Makes a shell script the root's Python.
static void be(const fixture *use, const char *script) {
  FILE *stream = fopen(use->python, "w");
  if (stream == NULL)
    abort();
  assert_true(fprintf(stream, "#!/bin/sh\n%s\n", script) > 0);
  assert_int_equal(fclose(stream), 0);
  assert_int_equal(chmod(use->python, 0777), 0);
}

static void a_table_is_computed(void **state) {
  fixture *use = *state;
  const assay_reference *reference;
  const char *refusal;
  assay_expected expected;
  assay_error err = {0};
  assay_code code =
      assay_reference_compute(use->arena, ASSAY_SOURCE_DIR, 1, &small, &reference, &refusal, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  assert_int_equal(assay_reference_get(reference, "int", 0, &expected, &err), ASSAY_OK);
  assert_int_equal(expected.count, 21);
  for (size_t i = 0; i < 21; i++)
    assert_true(expected.rows[i].scale == 0 && expected.rows[i].want >= -5 * 64 &&
                expected.rows[i].want <= 5 * 64);
  assert_int_equal(assay_reference_get(reference, "real", 0, &expected, &err), ASSAY_OK);
  // The scale of a sum of five products of numbers in [-1, 1), in units of f32's roundoff.
  for (size_t i = 0; i < 21; i++)
    assert_true(expected.rows[i].scale > 0 && expected.rows[i].scale < 15 * 0x1p-24);
}

// Both the lines and the tables are several times what a pipe or socket holds.
static void many_tables_come_in_order(void **state) {
  enum { COUNT = 6000 };
  fixture *use = *state;
  assay_reference_need *needs = assay_arena_take(use->arena, COUNT, sizeof *needs);
  const assay_reference **references = assay_arena_take(use->arena, COUNT, sizeof *references);
  const char **refusals = assay_arena_take(use->arena, COUNT, sizeof *refusals);
  for (int i = 0; i < COUNT; i++) {
    needs[i] = small;
    int n = i % 2 + 1;
    needs[i].line = assay_arena_format(use->arena,
                                       "matmul m=3 k=%d n=%d dtype=i64 rhs_dtype=i64 lhs=plain "
                                       "rhs=plain result=plain",
                                       i / 2 % 20 + 1, n);
  }
  assay_error err = {0};
  assay_code code = assay_reference_compute(use->arena, ASSAY_SOURCE_DIR, COUNT, needs, references,
                                            refusals, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  for (int i = 0; i < COUNT; i++) {
    assay_expected expected;
    assert_int_equal(assay_reference_get(references[i], "real", 0, &expected, &err), ASSAY_OK);
    assert_int_equal(expected.count, 3 * (i % 2 + 1));
  }
}

static void a_case_without_an_answer_is_told_among_the_others(void **state) {
  enum { COUNT = 3 };
  fixture *use = *state;
  const assay_reference *references[COUNT];
  const char *refusals[COUNT];
  assay_reference_need needs[COUNT] = {small, small, small};
  needs[1].line = "matmull m=3";
  assay_error err;
  assert_int_equal(assay_reference_compute(use->arena, ASSAY_SOURCE_DIR, COUNT, needs, references,
                                           refusals, &err),
                   ASSAY_OK);
  assert_true(references[0] != NULL && references[1] == NULL && references[2] != NULL);
  assert_true(refusals[0] == NULL && refusals[2] == NULL);
  assert_string_equal(refusals[1], "matmull m=3: unknown op 'matmull'; did you mean 'matmul'?");
}

static void without_python_the_way_to_get_it_is_told(void **state) {
  fixture *use = *state;
  const assay_reference *reference;
  const char *refusal;
  assay_error err;
  assert_int_equal(
      assay_reference_compute(use->arena, use->root, 1, &small, &reference, &refusal, &err),
      ASSAY_MISSING);
  assert_string_equal(err.where, use->python);
  assert_string_equal(err.text, "no Python for the oracle; run ci/setup, which makes .venv");
}

static void without_numpy_the_way_to_get_it_is_told(void **state) {
  fixture *use = *state;
  const assay_reference *reference;
  const char *refusal;
  assay_error err;
  be(use, "exec /usr/bin/python3 -I -S -B " ASSAY_SOURCE_DIR "/reference/oracle \"$5\"");
  assert_int_equal(
      assay_reference_compute(use->arena, use->root, 1, &small, &reference, &refusal, &err),
      ASSAY_MISSING);
  assert_string_equal(err.text,
                      "cannot import NumPy: No module named 'numpy'; run ci/setup, which makes .venv");
}

static void misbehaving_processes_are_errors(void **state) {
  fixture *use = *state;
  static const struct {
    const char *script, *text;
  } cases[] = {
      {"kill -9 $$", "the oracle was killed by signal 9"},
      {"echo Traceback >&2; echo 'ValueError: odd' >&2; exit 1",
       "the oracle failed with exit code 1: ValueError: odd"},
      {"exit 130", "the oracle failed with exit code 130: "},
      {ASSAY_SOURCE_DIR "/.venv/bin/python -B " ASSAY_SOURCE_DIR "/reference/oracle compute; echo",
       "the oracle wrote 1 bytes more than 1 tables take"},
      {"cat >/dev/null", "not a .npy file: expected it to start with \\x93NUMPY"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const assay_reference *reference;
    const char *refusal;
    assay_error err;
    be(use, cases[i].script);
    assert_int_not_equal(
        assay_reference_compute(use->arena, use->root, 1, &small, &reference, &refusal, &err),
        ASSAY_OK);
    assert_string_equal(err.text, cases[i].text);
  }
}

// Silent, silent after its answer, or never silent, and whether or not its streams are captured.
static void a_process_that_does_not_end_is_ended(void **state) {
  fixture *use = *state;
  static const char *const arguments[] = {"compute", NULL};
  static const struct {
    const char *script;
    assay_capture capture;
  } cases[] = {{"exec sleep 60", ASSAY_CAPTURE_ALL},
               {"exec sleep 60", ASSAY_CAPTURE_NOTHING},
               {"echo; exec sleep 60 <&- >&- 2>&-", ASSAY_CAPTURE_ALL},
               {"while :; do echo; done", ASSAY_CAPTURE_OUTPUT}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assay_oracle_answer answer;
    assay_error err = {0};
    time_t before = time(NULL);
    be(use, cases[i].script);
    assert_int_equal(assay_oracle_run_within(use->arena, use->root, arguments, LINE "\n",
                                             sizeof LINE, cases[i].capture, 0.25, &answer, &err),
                     ASSAY_FAILED);
    assert_string_equal(err.text, "the oracle did not answer within 0.25 s");
    assert_true(time(NULL) - before < 30);
  }
  assert_true(assay_oracle_patience("", 0) >= 60);
  assert_true(assay_oracle_patience("a\nb\n", 4) >= assay_oracle_patience("", 0) + 20);
}

// More input than any socket holds, to a process that reads none of it: an error, not a signal.
static void a_process_that_does_not_read_is_survived(void **state) {
  enum { SIZE = 4 * 1024 * 1024 };
  fixture *use = *state;
  static const char *const arguments[] = {"compute", NULL};
  assay_oracle_answer answer;
  assay_error err = {0};
  char *input = assay_arena_take(use->arena, SIZE, 1);
  memset(input, '\n', SIZE);
  be(use, "exec <&-; echo answer");
  assert_int_equal(assay_oracle_run(use->arena, use->root, arguments, input, SIZE,
                                    ASSAY_CAPTURE_ALL, &answer, &err),
                   ASSAY_OK);
  assert_int_equal(answer.status, 0);
  assert_int_equal(answer.size, 7);
  assert_memory_equal(answer.bytes, "answer\n", 7);
}

// Much in and much out at once: neither side may wait for the other.
static void a_process_that_writes_while_it_reads_is_followed(void **state) {
  enum { SIZE = 4 * 1024 * 1024 };
  fixture *use = *state;
  static const char *const arguments[] = {"compute", NULL};
  assay_oracle_answer answer;
  assay_error err = {0};
  char *input = assay_arena_take(use->arena, SIZE, 1);
  for (int i = 0; i < SIZE; i++)
    input[i] = (char)(i * 31 % 251);
  be(use, "exec cat");
  assert_int_equal(assay_oracle_run(use->arena, use->root, arguments, input, SIZE,
                                    ASSAY_CAPTURE_ALL, &answer, &err),
                   ASSAY_OK);
  assert_int_equal(answer.size, SIZE);
  assert_memory_equal(answer.bytes, input, SIZE);
}

static void what_is_passed_through_is_not_captured(void **state) {
  fixture *use = *state;
  static const char *const arguments[] = {"check", "store", NULL};
  assay_oracle_answer answer;
  assay_error err;
  be(use, "read line; [ \"$line\" = '" LINE "' ] && [ \"$5 $6\" = 'check store' ] && exit 1");
  assert_int_equal(assay_oracle_run(use->arena, use->root, arguments, LINE "\n", sizeof LINE,
                                    ASSAY_CAPTURE_NOTHING, &answer, &err),
                   ASSAY_OK);
  assert_int_equal(answer.status, 1);
  assert_null(answer.bytes);
  be(use, "exit 2");
  assert_int_equal(assay_oracle_run(use->arena, use->root, arguments, LINE "\n", sizeof LINE,
                                    ASSAY_CAPTURE_NOTHING, &answer, &err),
                   ASSAY_INVALID);
  assert_string_equal(err.text, "the oracle cannot answer: see its messages above");
}

// What update stores, load reads: the path and the form of a table agree in Python and C.
static void what_it_stores_is_loaded(void **state) {
  fixture *use = *state;
  const char *store = assay_arena_format(use->arena, "%s/reference/store", use->root);
  const char *const arguments[] = {"update", store, NULL};
  const char *reference_folder = assay_arena_format(use->arena, "%s/reference", use->root);
  assert_int_equal(mkdir(reference_folder, 0777) | mkdir(store, 0777), 0);
  assay_oracle_answer answer;
  assay_error err = {0};
  assert_int_equal(assay_oracle_run(use->arena, ASSAY_SOURCE_DIR, arguments, LINE "\n", sizeof LINE,
                                    ASSAY_CAPTURE_ALL, &answer, &err),
                   ASSAY_OK);
  const assay_reference *stored, *live;
  const char *refusal;
  assert_int_equal(assay_reference_load(use->arena, use->root, &small, &stored, &err), ASSAY_OK);
  assert_int_equal(
      assay_reference_compute(use->arena, ASSAY_SOURCE_DIR, 1, &small, &live, &refusal, &err),
      ASSAY_OK);
  assay_expected from_store, computed;
  assert_int_equal(assay_reference_get(stored, "real", 0, &from_store, &err), ASSAY_OK);
  assert_int_equal(assay_reference_get(live, "real", 0, &computed, &err), ASSAY_OK);
  assert_int_equal(from_store.count, computed.count);
  for (size_t i = 0; i < computed.count; i++)
    assert_true(from_store.rows[i].want == computed.rows[i].want &&
                from_store.rows[i].scale == computed.rows[i].scale);
  const char *table = assay_arena_format(use->arena, "%s/%s", use->root,
                                         assay_reference_path(use->arena, "matmul", LINE));
  assert_int_equal(unlink(table), 0);
  assert_int_equal(rmdir(assay_arena_format(use->arena, "%s/matmul", store)), 0);
  assert_int_equal(rmdir(store) | rmdir(reference_folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_table_is_computed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(many_tables_come_in_order, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_case_without_an_answer_is_told_among_the_others, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(without_python_the_way_to_get_it_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(without_numpy_the_way_to_get_it_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(misbehaving_processes_are_errors, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_process_that_does_not_end_is_ended, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_process_that_does_not_read_is_survived, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_process_that_writes_while_it_reads_is_followed, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(what_is_passed_through_is_not_captured, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_it_stores_is_loaded, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
