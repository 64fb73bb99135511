// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

static assay_out open_out(void) {
  assay_out out;
  assay_error err;
  assert_int_equal(assay_out_open(arena, below("a/b"), &out, &err), ASSAY_OK);
  return out;
}

static void begin_anew(void) {
  assay_out out = open_out();
  assay_error err;
  assert_int_equal(assay_out_begin(arena, &out, &err), ASSAY_OK);
  assay_out_close(&out);
}

static void make(const char *folder_name, const char *file_name) {
  assay_error err;
  assert_int_equal(assay_folder_make(below(folder_name), &err), ASSAY_OK);
  assert_int_equal(
      assay_file_write(below(assay_arena_format(arena, "%s/%s", folder_name, file_name)), "#",
                       &err),
      ASSAY_OK);
}

static bool exists(const char *path) {
  return access(below(path), F_OK) == 0;
}

static void what_opening_made_can_be_undone(void **state) {
  (void)state;
  assay_out out = open_out();
  assert_true(exists("a/b/run.jsonl"));
  assay_out_abandon(arena, &out);
  assert_false(exists("a"));
  make("a/b", "run.jsonl");
  out = open_out();
  assay_out_abandon(arena, &out);
  assert_true(exists("a/b/run.jsonl"));
}

static void a_new_run_clears_only_what_runs_write(void **state) {
  (void)state;
  make("a/b/repro/one", "repro.sh");
  make("a/b/repro/one", "mine");
  make("a/b/repro/two", "record.json");
  make("a/b/repro/two/assay-out/latest", "run.jsonl"); // of a script that ran there
  make("a/b/repro/two/assay-out/latest", "summary.txt");
  make("a/b/repro/two/assay-out/latest/repro/three", "module.mlir");
  make("a/b", "summary.txt");
  assay_out out = open_out();
  assay_out_close(&out);
  assert_true(exists("a/b/repro/one/repro.sh") && exists("a/b/summary.txt"));
  begin_anew();
  assert_false(exists("a/b/repro/one/repro.sh") || exists("a/b/repro/two") ||
               exists("a/b/summary.txt"));
  assert_true(exists("a/b/repro/one/mine"));
}

static void one_repro_can_be_forgotten(void **state) {
  (void)state;
  assay_out out = open_out();
  const char *one = assay_out_repro(arena, &out, "matmul m=1 data=int backend=loop");
  const char *two = assay_out_repro(arena, &out, "matmul m=2 data=int backend=loop");
  assay_error err;
  assert_int_equal(assay_folder_make(one, &err) | assay_folder_make(two, &err), ASSAY_OK);
  assay_out_forget(arena, &out, "matmul m=1 data=int backend=loop");
  assert_int_equal(access(one, F_OK), -1);
  assert_int_equal(rmdir(two), 0);
  assay_out_close(&out);
}

static void what_cannot_be_written_is_named(void **state) {
  (void)state;
  assay_error err;
  assay_out out;
  assert_int_equal(assay_file_write(below("file"), "x", &err), ASSAY_OK);
  assert_int_equal(assay_out_open(arena, below("file"), &out, &err), ASSAY_FAILED);
  assert_string_equal(err.where, below("file"));
  assert_string_equal(err.text, "cannot write: this is no folder");
  assert_int_equal(assay_out_open(arena, below("file/a"), &out, &err), ASSAY_FAILED);
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
      cmocka_unit_test_setup_teardown(what_opening_made_can_be_undone, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_new_run_clears_only_what_runs_write, set_up, tear_down),
      cmocka_unit_test_setup_teardown(one_repro_can_be_forgotten, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_cannot_be_written_is_named, set_up, tear_down),
      cmocka_unit_test_setup_teardown(repro_folders_have_readable_unique_names, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
