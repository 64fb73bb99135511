// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the toolkit is looked for, and what is said where it is not.
#include "gpu/driver/cubin_testing.h"

#include "compiler/base/file.h"

// Below CUDA_HOME, before where toolkits are installed.
static void libraries_are_found_in_the_toolkit(void **state) {
  (void)state;
  const char *bin = assay_arena_format(arena, "%s/bin", folder);
  const char *library = assay_arena_format(arena, "%s/lib64/libmade-up.so.1", folder);
  assert_null(assay_toolkit_library(arena, "libmade-up.so.1"));
  assert_int_equal(mkdir(assay_arena_format(arena, "%s/lib64", folder), 0700), 0);
  must(assay_file_write(library, "", &err));
  // ptxas is on PATH, and the library beside it.
  assert_string_equal(assay_toolkit_library(arena, "libmade-up.so.1"), library);
  assert_string_equal(assay_toolkit_find(arena).ptxas, assay_arena_format(arena, "%s/ptxas", bin));
  char *path = assay_arena_string(arena, getenv("PATH"));
  setenv("PATH", "/nowhere", 1);
  assert_null(assay_toolkit_library(arena, "libmade-up.so.1"));
  setenv("CUDA_HOME", folder, 1);
  assert_string_equal(assay_toolkit_library(arena, "libmade-up.so.1"), library);
  assert_string_equal(assay_toolkit_find(arena).ptxas, assay_arena_format(arena, "%s/ptxas", bin));
  unsetenv("CUDA_HOME");
  setenv("PATH", path, 1);
}

static void what_is_given_in_the_place_of_ptxas(void **state) {
  (void)state;
  char *text = assay_arena_format(arena, "%s/text", folder);
  must(assay_file_write(text, "", &err));
  const struct {
    const char *given, *lack;
  } rows[] = {
      {"", "ASSAY_PTXAS is empty"},
      {"/nowhere/ptxas", "what ASSAY_PTXAS names is no executable file: /nowhere/ptxas"},
      {folder,
       assay_arena_format(arena, "what ASSAY_PTXAS names is no executable file: %s", folder)},
      {text, assay_arena_format(arena, "what ASSAY_PTXAS names is no executable file: %s", text)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    setenv("ASSAY_PTXAS", rows[i].given, 1);
    assay_toolkit toolkit = assay_toolkit_find(arena);
    assert_null(toolkit.ptxas);
    assert_string_equal(toolkit.lack, rows[i].lack);
    assay_cubin cubin;
    const char *note;
    must_say(assay_cubin_make(arena, &toolkit, kernels, 90, &cubin, &note, &err),
             i == 0 ? ASSAY_MISSING : ASSAY_INVALID,
             assay_arena_format(arena, "no ptxas: %s", rows[i].lack));
  }
  char *own = assay_arena_format(arena, "%s/bin/ptxas", folder);
  setenv("ASSAY_PTXAS", own, 1);
  assert_string_equal(assay_toolkit_find(arena).ptxas, own);
  assert_null(assay_toolkit_find(arena).lack);
  unsetenv("ASSAY_PTXAS");
}

// Which may be entered, and so is "executable".
static void a_folder_is_no_program(void **state) {
  (void)state;
  char *path = assay_arena_string(arena, getenv("PATH"));
  char *place = assay_arena_format(arena, "%s/other", folder);
  assert_int_equal(mkdir(place, 0700), 0);
  assert_int_equal(mkdir(assay_arena_format(arena, "%s/ptxas", place), 0700), 0);
  setenv("PATH", assay_arena_format(arena, "%s:%s", place, path), 1);
  assert_string_equal(assay_toolkit_find(arena).ptxas,
                      assay_arena_format(arena, "%s/bin/ptxas", folder));
  setenv("PATH", path, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(libraries_are_found_in_the_toolkit, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_given_in_the_place_of_ptxas, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_folder_is_no_program, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
