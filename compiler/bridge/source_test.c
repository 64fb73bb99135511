// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static assay_arena *arena;

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  assay_arena_destroy(arena);
  return 0;
}

static assay_file file_of(const char *text) {
  return (assay_file){.path = "x.mlir", .bytes = text, .size = strlen(text)};
}

static void pieces_keep_the_lines_of_the_file(void **state) {
  (void)state;
  assay_file file = file_of("a\n// -----\nb\nc\n// -----  \n  // -----\n// -----// no\nd");
  int count = 0;
  const assay_source_piece *pieces = assay_source_split(&file, arena, &count);
  assert_int_equal(count, 3);
  assert_string_equal(pieces[0].text, "a\n");
  assert_string_equal(pieces[1].text, "\n\nb\nc\n");
  assert_int_equal(pieces[1].line, 3);
  assert_string_equal(pieces[2].text, "\n\n\n\n\n  // -----\n// -----// no\nd");
  assert_int_equal(pieces[2].size, strlen(pieces[2].text));
  file = file_of("module {}\n");
  pieces = assay_source_split(&file, arena, &count);
  assert_int_equal(count, 1);
  assert_ptr_equal(pieces[0].text, file.bytes);
}

static const char *reproducer(const char *text) {
  return assay_source_reproducer(text, strlen(text), arena);
}

static void reproducers_give_their_pipeline(void **state) {
  (void)state;
  assert_string_equal(
      reproducer("module {}\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
                 "      pipeline: \"builtin.module(func.func(a{b=\\22x\\22 c=\\\"y\\\"}))\",\n"
                 "      disable_threading: true\n    }\n  }\n#-}\n"),
      "builtin.module(func.func(a{b=\"x\" c=\"y\"}))");
  assert_null(reproducer("module {}\n{-# dialect_resources: { builtin: { w: \"0x00\" } } #-}"));
  assert_null(reproducer("module {}\n"));
  assert_null(reproducer("{-# external_resources: { mlir_reproducer: { pipeline: \"unfinished"));
  assert_null(reproducer(""));
}

// "TOOL[WORD][WORD] TOOL..." of the first RUN line.
static const char *run_line(const char *text) {
  static char joined[2048];
  assay_file file = file_of(text);
  int count = 0;
  const assay_source_command *commands = assay_source_run_line(&file, arena, &count);
  joined[0] = '\0';
  for (int i = 0; i < count; i++) {
    strncat(joined, i > 0 ? " " : "", 2);
    strncat(joined, commands[i].tool, 256);
    for (int j = 0; j < commands[i].word_count; j++) {
      strncat(joined, "[", 2);
      strncat(joined, commands[i].words[j], 256);
      strncat(joined, "]", 2);
    }
  }
  return joined;
}

static void run_lines_give_their_commands(void **state) {
  (void)state;
  assert_string_equal(run_line("// RUN: mlir-opt %s -cse --canonicalize=top-down=false | "
                               "FileCheck %s --check-prefix=X\n"),
                      "mlir-opt[-cse][--canonicalize=top-down=false] FileCheck[--check-prefix=X]");
  assert_string_equal(run_line("module {}\n//   RUN:  not --crash %bin/mlir-opt -a 2>&1 < %s\n"),
                      "mlir-opt[-a]");
  assert_string_equal(
      run_line("// RUN: mlir-opt %s -pass-pipeline=\"builtin.module(func.func(a{b='c d'}))\" \\\n"
               "// RUN:   -x='1 2' |\\\n// RUN: mlir-opt -y > %t && mlir-runner -e main %t\n"
               "// RUN: mlir-opt -never\n"),
      "mlir-opt[-pass-pipeline=builtin.module(func.func(a{b='c d'}))][-x=1 2] mlir-opt[-y] "
      "mlir-runner[-e][main][%t]");
}

static void lines_without_mlir_opt_are_passed_over(void **state) {
  (void)state;
  assert_string_equal(run_line("// RUN: rm -rf %t\n// RUN: X=1 mlir-opt-22 %s -a\n"),
                      "mlir-opt-22[-a]");
  assert_string_equal(run_line("// RUN: mlir-translate %s\n"), "");
  assert_string_equal(run_line("// CHECK-RUN: mlir-opt %s\n"), "");
  assert_string_equal(run_line(""), "");
}

static void definitions_are_put_in(void **state) {
  (void)state;
  assert_string_equal(
      run_line("// DEFINE: %{option} = enable=true\n"
               "// DEFINE: %{compile} = mlir-opt %s \\\n// DEFINE:   --a=\"%{option}\"\n"
               "// DEFINE: %{run} = mlir-runner -e main | FileCheck %s\n"
               "// REDEFINE: %{option} = enable=false\n"
               "// RUN: %{compile} | %{run}\n"),
      "mlir-opt[--a=enable=false] mlir-runner[-e][main] FileCheck");
  // This one never ends; the expansion does.
  assert_int_equal(strncmp(run_line("// DEFINE: %{a} = mlir-opt -a %{a}\n// RUN: %{a}\n"),
                           "mlir-opt[-a][mlir-opt][-a]", 26),
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_keep_the_lines_of_the_file),
      cmocka_unit_test(reproducers_give_their_pipeline),
      cmocka_unit_test(run_lines_give_their_commands),
      cmocka_unit_test(lines_without_mlir_opt_are_passed_over),
      cmocka_unit_test(definitions_are_put_in),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
