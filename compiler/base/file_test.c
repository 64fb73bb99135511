// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
  assay_arena *arena;
  char path[64];
} fixture;

static int set_up(void **state) {
  static fixture made;
  made.arena = assay_arena_create();
  strcpy(made.path, "file_test-XXXXXX");
  int descriptor = mkstemp(made.path);
  *state = &made;
  return descriptor < 0 ? -1 : close(descriptor);
}

static int tear_down(void **state) {
  fixture *used = *state;
  assay_arena_destroy(used->arena);
  return unlink(used->path);
}

static void write_file(const char *path, const void *bytes, size_t size) {
  int descriptor = open(path, O_WRONLY | O_TRUNC);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, bytes, size), size);
  assert_int_equal(close(descriptor), 0);
}

static void a_file_is_read_whole_with_its_zero_bytes(void **state) {
  fixture *use = *state;
  char large[100 * 1000];
  for (size_t i = 0; i < sizeof large; i++)
    large[i] = (char)(i * 31 % 251);
  write_file(use->path, large, sizeof large);
  assay_file file;
  assay_error err;
  assert_int_equal(assay_file_read(use->arena, use->path, &file, &err), ASSAY_OK);
  assert_int_equal(file.size, sizeof large);
  assert_memory_equal(file.bytes, large, sizeof large);
  assert_int_equal(file.bytes[file.size], 0);
}

static void a_missing_file_and_a_folder_are_named(void **state) {
  fixture *use = *state;
  assay_file file;
  assay_error err;
  assert_int_equal(assay_file_read(use->arena, "no/such", &file, &err), ASSAY_MISSING);
  assert_string_equal(err.where, "no/such");
  assert_string_equal(err.text, "cannot open: No such file or directory");
  assert_int_equal(assay_file_read(use->arena, ".", &file, &err), ASSAY_MISSING);
  assert_string_equal(err.text, "expected a file, found a folder");
}

// Neither is waited for, nor read without end.
static void a_pipe_and_a_device_are_refused(void **state) {
  fixture *use = *state;
  assay_file file;
  assay_error err;
  const char *pipe = assay_arena_format(use->arena, "%s-pipe", use->path);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  assay_code code = assay_file_read(use->arena, pipe, &file, &err);
  assert_int_equal(unlink(pipe), 0);
  assert_int_equal(code, ASSAY_MISSING);
  assert_string_equal(err.where, pipe);
  assert_string_equal(err.text, "expected a file, found a pipe or device");
  assert_int_equal(assay_file_read(use->arena, "/dev/zero", &file, &err), ASSAY_MISSING);
  assert_string_equal(err.text, "expected a file, found a pipe or device");
}

static void lines_end_with_either_newline_or_the_file(void **state) {
  (void)state;
  const char *bytes = "one\r\n\ntwo words\nlast";
  assay_file file = {.path = "x", .bytes = bytes, .size = strlen(bytes)};
  assay_lines lines = {.file = &file};
  static const char *const expected[] = {"one", "", "two words", "last"};
  for (int i = 0; i < 4; i++) {
    assert_true(assay_lines_next(&lines));
    assert_int_equal(lines.number, i + 1);
    assert_int_equal(lines.length, strlen(expected[i]));
    assert_memory_equal(lines.start, expected[i], lines.length);
  }
  assert_false(assay_lines_next(&lines));
}

static void an_empty_file_has_no_lines(void **state) {
  fixture *use = *state;
  assay_file file;
  assay_error err;
  assert_int_equal(assay_file_read(use->arena, use->path, &file, &err), ASSAY_OK);
  assert_int_equal(file.size, 0);
  assay_lines lines = {.file = &file};
  assert_false(assay_lines_next(&lines));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_file_is_read_whole_with_its_zero_bytes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_missing_file_and_a_folder_are_named, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_pipe_and_a_device_are_refused, set_up, tear_down),
      cmocka_unit_test(lines_end_with_either_newline_or_the_file),
      cmocka_unit_test_setup_teardown(an_empty_file_has_no_lines, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
