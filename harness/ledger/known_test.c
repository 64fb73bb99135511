// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/known.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static assay_arena *arena;
static char folder[] = "/tmp/assay-known-XXXXXX";

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  return mkdtemp(folder) == NULL;
}

static int tear_down(void **state) {
  (void)state;
  assay_arena_destroy(arena);
  return rmdir(folder);
}

static const char *path_of(const char *name) {
  return assay_arena_format(arena, "%s/%s", folder, name);
}

static assay_code read_text(const char *text, assay_known_fault *known, assay_error *err) {
  const char *path = path_of("a.b.mlir");
  assert_int_equal(assay_file_write(path, text, err), ASSAY_OK);
  assay_code code = assay_known_fault_read(arena, path, known, err);
  unlink(path);
  return code;
}

static void reads_all_that_a_file_says(void **state) {
  (void)state;
  assay_known_fault known;
  assay_error err;
  assert_int_equal(read_text("// fault: a sum is lost\n"
                             "// Prose, and a colon: ignored.\n"
                             "// pipeline: --cse --pass-pipeline='builtin.module(a{b=1 c})'\n"
                             "// values: 1 nan\n"
                             "// entry: f\n"
                             "// bad-pass: cse\n"
                             "// class: precision-loss\n"
                             "// step: transform.a\n"
                             "// pattern: B on c.d\n"
                             "\n"
                             "// class: no longer a header\n"
                             "module {}\n",
                             &known, &err),
                   ASSAY_OK);
  assert_string_equal(known.name, "a");
  assert_string_equal(known.title, "a sum is lost");
  assert_int_equal(known.word_count, 2);
  assert_string_equal(known.words[1], "--pass-pipeline=builtin.module(a{b=1 c})");
  assert_string_equal(known.values, "1 nan");
  assert_string_equal(known.entry, "f");
  assert_string_equal(known.bad_pass, "cse");
  assert_int_equal(known.fault, ASSAY_FAULT_PRECISION_LOSS);
  assert_string_equal(known.step, "transform.a");
  assert_string_equal(known.pattern, "B on c.d");
  assert_int_equal(read_text("// fault: none\n// pipeline:\n// bad-pass: none\n", &known, &err),
                   ASSAY_OK);
  assert_null(known.bad_pass);
  assert_null(known.step);
  assert_null(known.pattern);
  assert_int_equal(known.fault, ASSAY_FAULT_NONE);
  assert_int_equal(known.word_count, 0);
}

static void says_what_is_wrong_with_a_file(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } files[] = {
      {"", "no line '// fault: ...'"},
      {"// fault: x\n// bad-pass: none\n", "no line '// pipeline: ...'"},
      {"// fault: x\n// pipeline: --cse\n", "no line '// bad-pass: ...'"},
      {"// fault: x\n// fault: y\n", "fault is given twice"},
      {"// fault: x\n// pipeline: -a\n// bad-pass: a\n", "found no class"},
      {"// fault: x\n// pipeline: -a\n// bad-pass: none\n// class: crash\n", "found a class"},
      {"// fault: x\n// pipeline: -a\n// bad-pass: a\n// class: bad\n", "unknown class 'bad'"},
      {"// fault: x\n// pipeline: -a\n// bad-pass: none\n// pattern: b\n", "found a pattern"},
      {"// fault: x\n// pipeline: -a\n// bad-pass: none\n// step: b\n", "found a step"},
  };
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    assay_known_fault known;
    assay_error err;
    assert_int_equal(read_text(files[i].text, &known, &err), ASSAY_INVALID);
    assert_non_null(strstr(err.text, files[i].message));
    assert_non_null(strstr(err.where, "a.b.mlir"));
  }
}

static void splits_words_as_a_shell_does(void **state) {
  (void)state;
  const char *const *words;
  assert_int_equal(assay_words_split(arena, "  a 'b c'd \t\"it's\" '' ", &words), 4);
  assert_string_equal(words[0], "a");
  assert_string_equal(words[1], "b cd");
  assert_string_equal(words[2], "it's");
  assert_string_equal(words[3], "");
  assert_int_equal(assay_words_split(arena, " \t", &words), 0);
}

static void reads_a_folder_in_order(void **state) {
  (void)state;
  static const char *const names[] = {"c.mlir", "a.mlir", "b.mlir", "b.txt", ".d.mlir"};
  enum { COUNT = sizeof names / sizeof names[0] };
  assay_known_fault *known;
  assay_error err;
  size_t count;
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(assay_file_write(path_of(names[i]),
                                      "// fault: x\n// pipeline: -a\n// bad-pass: none\n", &err),
                     ASSAY_OK);
  assert_int_equal(assay_known_faults_read(arena, folder, &known, &count, &err), ASSAY_OK);
  assert_int_equal(count, 3);
  for (int i = 0; i < 3; i++)
    assert_int_equal(known[i].name[0], 'a' + i);
  for (int i = 0; i < COUNT; i++)
    unlink(path_of(names[i]));
  assert_int_equal(assay_known_faults_read(arena, path_of("none"), &known, &count, &err),
                   ASSAY_MISSING);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_all_that_a_file_says),
      cmocka_unit_test(says_what_is_wrong_with_a_file),
      cmocka_unit_test(splits_words_as_a_shell_does),
      cmocka_unit_test(reads_a_folder_in_order),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
