// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/journal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

static assay_arena *arena;
static const char *folder, *path;

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  char *made = mkdtemp(assay_arena_string(arena, "journal_test_XXXXXX"));
  folder = made;
  path = assay_arena_format(arena, "%s/run.jsonl", made);
  return made == NULL;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  int failed = rmdir(folder); // nothing else was left there
  assay_arena_destroy(arena);
  return failed;
}

static const char *print_record(const char *key) {
  assay_record record = {.key = key,
                         .line = key,
                         .op = "matmul",
                         .backend = "loop",
                         .data = "int",
                         .margin = NAN,
                         .started = "2020-01-02T03:04:05.678Z"};
  return assay_record_print(arena, &record);
}

static assay_journal open_journal(void) {
  assay_journal journal;
  assay_error err;
  assert_int_equal(assay_journal_open(arena, folder, &journal, &err), ASSAY_OK);
  return journal;
}

static size_t read_journal(assay_journal *journal) {
  assay_record *records;
  size_t count;
  assay_error err;
  assert_int_equal(assay_journal_read(arena, journal, &records, &count, &err), ASSAY_OK);
  return count;
}

static void assert_holds(const char *text) {
  assay_file file;
  assay_error err;
  assert_int_equal(assay_file_read(arena, path, &file, &err), ASSAY_OK);
  assert_string_equal(file.bytes, text);
}

static void append(const assay_journal *journal, const char *line) {
  assay_error err;
  assert_int_equal(assay_journal_append(journal, line, &err), ASSAY_OK);
}

static void reading_drops_a_half_line_and_appending_goes_on(void **state) {
  (void)state;
  const char *one = print_record("one"), *two = print_record("two");
  assay_journal journal = open_journal();
  assay_error err;
  assert_true(journal.created);
  append(&journal, one);
  assert_true(write(journal.descriptor, "{\"schema\":1,\"key\":\"ha", 22) == 22);
  assay_journal_close(&journal);
  journal = open_journal();
  assert_false(journal.created);
  assert_int_equal(read_journal(&journal), 1);
  append(&journal, two);
  assert_holds(assay_arena_format(arena, "%s\n%s\n", one, two));
  assert_int_equal(read_journal(&journal), 2);
  assert_int_equal(assay_journal_clear(&journal, &err), ASSAY_OK);
  assert_holds("");
  assay_journal_close(&journal);
}

static void one_has_it_at_a_time(void **state) {
  (void)state;
  assay_journal first = open_journal(), second;
  assay_error err;
  const char *line = print_record("one");
  append(&first, line);
  // Also while what it holds is put in a new file.
  for (int i = 0; i < 2; i++) {
    assert_int_equal(assay_journal_open(arena, folder, &second, &err), ASSAY_FAILED);
    assert_string_equal(err.where, folder);
    assert_string_equal(err.text, "another run writes to this folder");
    assert_int_equal(read_journal(&first), 1);
    assert_int_equal(assay_journal_keep(arena, &first, &(bool){true}, &err), ASSAY_OK);
  }
  assert_holds(assay_arena_format(arena, "%s\n", line));
  assay_journal_close(&first);
  second = open_journal();
  assay_journal_close(&second);
}

static void lines_are_kept_as_they_are(void **state) {
  (void)state;
  assay_journal journal = open_journal();
  assay_error err;
  static const char form[] =
      "{\"schema\":1, \"future\": %d, \"key\":\"k\",\"case\":\"c\",\"op\":\"o\","
      "\"backend\":\"b\",\"data\":\"d\",\"verdict\":\"PASS\"}";
  for (int i = 0; i < 3; i++)
    append(&journal, assay_arena_format(arena, form, i));
  assert_int_equal(read_journal(&journal), 3);
  assert_int_equal(assay_journal_keep(arena, &journal, (bool[]){true, false, true}, &err),
                   ASSAY_OK);
  append(&journal, "last");
  assert_holds(assay_arena_format(arena, "%s\n%s\nlast\n", assay_arena_format(arena, form, 0),
                                  assay_arena_format(arena, form, 2)));
  assay_journal_close(&journal);
}

static void a_line_that_does_not_fit_is_not_begun(void **state) {
  (void)state;
  assay_journal journal = open_journal();
  assay_error err;
  append(&journal, "0123456789");
  struct rlimit before, small = {.rlim_cur = 16};
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small.rlim_max = before.rlim_max;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  assay_code code = assay_journal_append(&journal, "0123456789", &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(code, ASSAY_FAILED);
  assert_string_equal(err.where, path);
  assert_string_equal(err.text, "cannot write: File too large");
  assert_holds("0123456789\n");
  assay_journal_close(&journal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(reading_drops_a_half_line_and_appending_goes_on, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(one_has_it_at_a_time, set_up, tear_down),
      cmocka_unit_test_setup_teardown(lines_are_kept_as_they_are, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_line_that_does_not_fit_is_not_begun, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
