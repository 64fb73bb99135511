// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas says as a process, in messages and of its version.
#include "gpu/driver/cubin_testing.h"

static void what_ptxas_says_is_told(void **state) {
  (void)state;
  const char *note;
  assay_cubin cubin;
  write_program("ptxas", "#!/bin/sh\n"
                         "[ \"$1\" = --version ] && exec echo Build fake\n"
                         "echo \"ptxas info    : 0 bytes gmem\"\n"
                         "echo \"ptxas $6, line 3; error   : Unknown symbol 'x'\" >&2\n"
                         "echo 'ptxas fatal   : Ptx assembly aborted due to errors' >&2\n"
                         "exit 255\n");
  assay_toolkit toolkit = assay_toolkit_find(arena);
  must_say(assay_cubin_make(arena, &toolkit, kernels, 90, &cubin, &note, &err), ASSAY_FAILED,
           "exit status 255: ptxas kernels.ptx, line 3; error   : Unknown symbol 'x';ptxas fatal ");
  assert_string_equal(err.where, toolkit.ptxas);
  write_program("ptxas", "#!/bin/sh\n[ \"$1\" = --version ] && exec echo Build fake\nkill -9 $$\n");
  must_say(assay_cubin_make(arena, &toolkit, kernels, 90, &cubin, &note, &err), ASSAY_FAILED,
           "died by signal 9");
  write_program("ptxas", "#!/bin/sh\necho Build fake\n");
  must_say(assay_cubin_make(arena, &toolkit, kernels, 90, &cubin, &note, &err), ASSAY_FAILED,
           "it made no cubin: Build fake");
  setenv("TMPDIR", "/dev/null", 1);
  must_say(assay_cubin_make(arena, &toolkit, kernels, 90, &cubin, &note, &err), ASSAY_FAILED,
           "cannot make a folder for ptxas: Not a directory");
  unsetenv("TMPDIR");
}

static assay_code ask_version(const char *says, const char **out_version) {
  write_program("ptxas", assay_arena_format(arena, "#!/bin/sh\nprintf '%s'\n", says));
  return assay_ptxas_version(arena, assay_toolkit_find(arena).ptxas, out_version, &err);
}

static void the_version_is_one_line_that_can_be_printed(void **state) {
  (void)state;
  static const struct {
    const char *says, *version;
  } rows[] = {
      {"ptxas: NVIDIA\\nBuild cuda_13.0\\n", "Build cuda_13.0"},
      {"Build 1", "Build 1"},
      {"Build 1\\r\\n \\n\\n", "Build 1"},
      {"Build \\033[31mred\\033[0m\\a", "Build red?"},
      {"\\302\\233Build\\t\\377\\376 1", "?Build ? 1"},
  };
  const char *version;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    must(ask_version(rows[i].says, &version));
    assert_string_equal(version, rows[i].version);
  }
  must(ask_version("%0400d", &version));
  assert_int_equal(strlen(version), 120);
}

static void a_version_that_says_nothing_is_none(void **state) {
  (void)state;
  static const char *const rows[] = {"", "\\n", " \\t\\n \\n", "\\033[0m\\n"};
  const char *version;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    must_say(ask_version(rows[i], &version), ASSAY_FAILED, "it tells no version");
}

static void messages_have_no_control_characters(void **state) {
  (void)state;
  const char *note;
  assay_cubin cubin;
  write_program("ptxas", "#!/bin/sh\n"
                         "[ \"$1\" = --version ] && exec echo Build fake\n"
                         "printf '\\033[2J\\033]0;title\\007error\\r\\n\\tat \\001\\002\\n'\n"
                         "exit 1\n");
  assay_toolkit toolkit = assay_toolkit_find(arena);
  must_say(assay_cubin_make(arena, &toolkit, kernels, 90, &cubin, &note, &err), ASSAY_FAILED,
           "exit status 1: ]0;title?error; at ?");
  for (const char *at = err.text; *at != '\0'; at++)
    assert_in_range(*at, ' ', '~');
}

// The program runs in another folder.
static void a_relative_name_is_of_this_folder(void **state) {
  (void)state;
  char here[4096];
  const char *version;
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(folder), 0);
  must(assay_ptxas_version(arena, "bin/ptxas", &version, &err));
  assert_string_equal(version, "Build fake");
  assert_int_equal(chdir(here), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_ptxas_says_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_version_is_one_line_that_can_be_printed, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_version_that_says_nothing_is_none, set_up, tear_down),
      cmocka_unit_test_setup_teardown(messages_have_no_control_characters, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_relative_name_is_of_this_folder, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
