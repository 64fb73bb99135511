// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/out.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static assay_arena *arena;
static const char *folder;

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  char *made = mkdtemp(assay_arena_string(arena, "out_test_XXXXXX"));
  folder = made;
  return made == NULL;
}

static int tear_down(void **state) {
  (void)state;
  static const char *const files[] = {"/a/b/run.jsonl",
                                      "/a/b/summary.txt",
                                      "/a/b/repro/one/mine",
                                      "/a/b/repro/one",
                                      "/a/b/repro",
                                      "/a/b",
                                      "/a",
                                      "/file",
                                      ""};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    remove(assay_arena_format(arena, "%s%s", folder, files[i]));
  assay_arena_destroy(arena);
  return 0;
}

static const char *below(const char *path) {
  return assay_arena_format(arena, "%s/%s", folder, path);
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

static size_t open_and_close(bool resume, const char *const append[], size_t count) {
  assay_out out;
  assay_record *kept;
  size_t kept_count;
  assay_error err;
  assert_int_equal(assay_out_open(arena, below("a/b"), resume, &out, &kept, &kept_count, &err),
                   ASSAY_OK);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(assay_out_append(&out, append[i], &err), ASSAY_OK);
  assay_out_close(&out);
  return kept_count;
}

static const char *read_records(void) {
  assay_file file;
  assay_error err;
  assert_int_equal(assay_file_read(arena, below("a/b/run.jsonl"), &file, &err), ASSAY_OK);
  return file.bytes;
}

static void resuming_drops_a_half_line_and_appends(void **state) {
  (void)state;
  const char *one = print_record("one"), *two = print_record("two");
  open_and_close(false, &one, 1);
  FILE *file = fopen(below("a/b/run.jsonl"), "a");
  if (file != NULL) {
    fputs("{\"schema\":1,\"key\":\"ha", file);
    fclose(file);
  }
  assert_int_equal(open_and_close(true, &two, 1), 1);
  assert_string_equal(read_records(), assay_arena_format(arena, "%s\n%s\n", one, two));
  assert_int_equal(open_and_close(true, NULL, 0), 2);
  assert_int_equal(open_and_close(false, NULL, 0), 0);
  assert_string_equal(read_records(), "");
}

static void a_new_run_clears_only_what_runs_write(void **state) {
  (void)state;
  assay_error err;
  assert_int_equal(assay_folder_make(below("a/b/repro/one"), &err), ASSAY_OK);
  assert_int_equal(assay_file_write(below("a/b/repro/one/repro.sh"), "#", &err), ASSAY_OK);
  assert_int_equal(assay_file_write(below("a/b/repro/one/mine"), "kept", &err), ASSAY_OK);
  open_and_close(true, NULL, 0);
  assert_int_equal(access(below("a/b/repro/one/repro.sh"), F_OK), 0);
  open_and_close(false, NULL, 0);
  assert_int_equal(access(below("a/b/repro/one/repro.sh"), F_OK), -1);
  assert_int_equal(access(below("a/b/repro/one/mine"), F_OK), 0);
}

static void what_cannot_be_written_is_named(void **state) {
  (void)state;
  assay_error err;
  assay_out out;
  assay_record *kept;
  size_t count;
  assert_int_equal(assay_file_write(below("file"), "x", &err), ASSAY_OK);
  assert_int_equal(assay_out_open(arena, below("file"), false, &out, &kept, &count, &err),
                   ASSAY_FAILED);
  assert_string_equal(err.where, below("file"));
  assert_string_equal(err.text, "cannot write: this is no folder");
  assert_int_equal(assay_out_open(arena, below("file/a"), false, &out, &kept, &count, &err),
                   ASSAY_FAILED);
  assert_string_equal(err.text, "cannot write: Not a directory");
  assert_int_equal(assay_file_write(below("none/x"), "x", &err), ASSAY_FAILED);
  assert_string_equal(err.text, "cannot write: No such file or directory");
}

static void repro_folders_have_readable_unique_names(void **state) {
  (void)state;
  assay_out out = {.folder = "out"};
  assert_string_equal(
      assay_out_repro(arena, &out, "matmul m=3 k=5 lhs=sliced_transposed data=int backend=blas"),
      "out/repro/matmul-m3-k5-sliced_transposed-int-blas-ef67516bc07bc3ea");
  const char *longest = assay_out_repro(
      arena, &out, "an_op_with_a_very_long_name_indeed_and_then_some key=1 another_key=2 third=3");
  assert_true(strlen(longest) <= strlen("out/repro/") + 64 + 1 + 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(resuming_drops_a_half_line_and_appends, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_new_run_clears_only_what_runs_write, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_cannot_be_written_is_named, set_up, tear_down),
      cmocka_unit_test_setup_teardown(repro_folders_have_readable_unique_names, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
