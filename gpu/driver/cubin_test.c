// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made by ptxas, and the cache.
#include "gpu/driver/cubin_testing.h"

#include "compiler/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

static void figures_are_read_and_kept(void **state) {
  (void)state;
  for (int time = 0; time < 2; time++) {
    const char *note;
    assay_cubin cubin = make(kernels, 90, &note);
    assert_null(note);
    assert_int_equal(cubin.cached, time);
    assert_string_equal(cubin.bytes, "fake cubin sm_90 b a \n");
    assert_int_equal(cubin.kernel_count, 2);
    for (int i = 0; i < 2; i++) {
      const assay_kernel_figures *kernel = &cubin.kernels[i];
      assert_string_equal(kernel->name, i == 0 ? "a" : "b");
      assert_int_equal(kernel->registers, 32);
      assert_int_equal(kernel->shared, 1024);
      assert_int_equal(kernel->stack, 8);
      assert_int_equal(kernel->spill_stores, 12);
      assert_int_equal(kernel->spill_loads, 16);
    }
  }
  assert_int_equal(ptxas_runs(), 1);
}

static void each_architecture_and_text_has_its_file(void **state) {
  (void)state;
  const char *note;
  assert_string_equal(make(kernels, 80, &note).bytes, "fake cubin sm_80 b a \n");
  assert_string_equal(make(kernels, 90, &note).bytes, "fake cubin sm_90 b a \n");
  assert_string_equal(make(".entry c()\n", 90, &note).bytes, "fake cubin sm_90 c \n");
  assert_int_equal(ptxas_runs(), 3);
  // Another ptxas does not trust what this one made.
  char other[sizeof fake_ptxas + 8];
  snprintf(other, sizeof other, "%s", fake_ptxas);
  strstr(other, "Build fake")[6] = 'm';
  write_program("ptxas", other);
  assert_false(make(kernels, 80, &note).cached);
}

// The same words, at another place, of another size or time.
static void another_ptxas_of_the_version_has_its_own(void **state) {
  (void)state;
  const char *note;
  char longer[sizeof fake_ptxas + 8];
  struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
  make(kernels, 90, &note);
  snprintf(longer, sizeof longer, "%s#\n", fake_ptxas);
  write_program("ptxas", longer);
  assert_false(make(kernels, 90, &note).cached);
  char *own = assay_arena_format(arena, "%s/bin/ptxas", folder);
  assert_int_equal(utimensat(AT_FDCWD, own, times, 0), 0);
  assert_false(make(kernels, 90, &note).cached);
  assert_true(make(kernels, 90, &note).cached);
  write_program("other", longer);
  char *other = assay_arena_format(arena, "%s/bin/other", folder);
  assert_int_equal(utimensat(AT_FDCWD, other, times, 0), 0);
  setenv("ASSAY_PTXAS", other, 1);
  assert_false(make(kernels, 90, &note).cached);
  // One file, by another name.
  char *name = assay_arena_format(arena, "%s/bin/link", folder);
  assert_int_equal(symlink(other, name), 0);
  setenv("ASSAY_PTXAS", name, 1);
  assert_true(make(kernels, 90, &note).cached);
  unsetenv("ASSAY_PTXAS");
}

static void code_without_figures_is_not_kept(void **state) {
  (void)state;
  const char *note;
  write_program("ptxas", "#!/bin/sh\n"
                         "[ \"$1\" = --version ] && exec echo Build fake\n"
                         "echo run >>\"$(dirname \"$0\")/../runs\"\n"
                         "echo fake cubin >\"$5\"\n");
  for (int time = 0; time < 2; time++) {
    assay_cubin cubin = make(kernels, 90, &note);
    assert_string_equal(cubin.bytes, "fake cubin\n");
    assert_string_equal(cubin.unknown, "ptxas says nothing of kernel 'b'");
    assert_string_equal(note, "the cubin is not kept: ptxas says nothing of kernel 'b'");
    assert_null(cubin.kernels);
    assert_int_equal(cubin.kernel_count, 0);
    assert_int_equal(access(cubin.file, F_OK), -1);
  }
  assert_int_equal(ptxas_runs(), 2);
}

// As a ptxas that was silent once leaves it, or one whose words were lost.
static void a_file_without_figures_is_made_anew(void **state) {
  (void)state;
  const char *note, *file = make(kernels, 90, &note).file;
  const char *ptxas = assay_toolkit_find(arena).ptxas;
  const char *key = assay_arena_format(arena, "sm_90\nBuild fake\n%s\n%s",
                                       assay_ptxas_identity(arena, ptxas), kernels);
  assert_string_equal(assay_cache_file(arena, key), file);
  static const char *const logs[] = {"",
                                     "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"};
  for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
    must(assay_cache_write(arena, file, key, &(assay_ptxas_output){"x", 1, logs[i]}, &err));
    assay_cubin cubin = make(kernels, 90, &note);
    assert_false(cubin.cached);
    assert_int_equal(cubin.kernels[0].registers, 32);
    assert_string_equal(
        note, assay_arena_format(arena, "%s is without ptxas' figures; it was made anew", file));
    assert_true(make(kernels, 90, &note).cached);
  }
}

static void damage(const char *file, size_t keep, char spoil) {
  assay_file whole;
  must(assay_file_read(arena, file, &whole, &err));
  FILE *stream = fopen(file, "wb");
  if (stream == NULL) {
    fail();
    return;
  }
  if (keep > whole.size)
    keep = whole.size;
  assert_int_equal(fwrite(whole.bytes, 1, keep, stream), keep);
  if (spoil != '\0') {
    fseek(stream, (long)keep - 3, SEEK_SET);
    fputc(spoil, stream);
  }
  fclose(stream);
}

static void a_damaged_file_is_made_anew_and_said(void **state) {
  (void)state;
  const struct {
    size_t keep;
    char spoil;
  } rows[] = {{0, '\0'}, {5, '\0'}, {60, '\0'}, {150, '\0'}, {100000, '#'}, {20, '#'}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *note;
    assay_cubin cubin = make(kernels, 90, &note);
    damage(cubin.file, rows[i].keep, rows[i].spoil);
    cubin = make(kernels, 90, &note);
    assert_string_equal(cubin.bytes, "fake cubin sm_90 b a \n");
    assert_false(cubin.cached);
    if (note == NULL || strstr(note, "was damaged; it was made anew") == NULL)
      fail_msg("row %zu: '%s'", i, note != NULL ? note : "");
    cubin = make(kernels, 90, &note);
    assert_true(cubin.cached);
    assert_null(note);
  }
}

// Two keys of one hash, as far as the file's name tells.
static void a_file_of_another_key_does_not_count(void **state) {
  (void)state;
  const char *note;
  assay_cubin cubin = make(kernels, 90, &note);
  assay_ptxas_output output;
  const struct {
    const char *key;
    assay_cache_answer answer;
    const char *said;
  } rows[] = {
      {"sm_90", ASSAY_CACHE_FOREIGN, "is not code for sm_90; it was made anew"},
      {"sm_9\nBuild", ASSAY_CACHE_FOREIGN, "is not code for sm_90; it was made anew"},
      {"sm_900\nBuild", ASSAY_CACHE_FOREIGN, "is not code for sm_90; it was made anew"},
      {"sm_90\nBuild", ASSAY_CACHE_OTHER, "is of other kernels; it was made anew"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    must(
        assay_cache_write(arena, cubin.file, rows[i].key, &(assay_ptxas_output){"x", 1, ""}, &err));
    assert_int_equal(assay_cache_read(arena, cubin.file, rows[i].key, &output), ASSAY_CACHE_FOUND);
    assert_int_equal(assay_cache_read(arena, cubin.file, "sm_90\nBuild fake\n", &output),
                     rows[i].answer);
    assert_false(make(kernels, 90, &note).cached);
    assert_string_equal(note, assay_arena_format(arena, "%s %s", cubin.file, rows[i].said));
    assert_true(make(kernels, 90, &note).cached);
    assert_null(note);
  }
}

// What stands in the file's place: the rest of the work is done all the same.
static void a_place_that_is_no_file_is_said(void **state) {
  (void)state;
  const char *note, *file = make(kernels, 90, &note).file;
  const char *damaged = assay_arena_format(arena, "%s was damaged; it was made anew", file);
  assert_int_equal(unlink(file), 0);
  assert_int_equal(symlink("/nowhere/at/all", file), 0);
  assert_false(make(kernels, 90, &note).cached);
  assert_string_equal(note, damaged);
  assert_true(make(kernels, 90, &note).cached);
  assert_int_equal(unlink(file), 0);
  assert_int_equal(mkfifo(file, 0600), 0);
  assert_false(make(kernels, 90, &note).cached);
  assert_string_equal(note, damaged);
  assert_int_equal(unlink(file), 0);
  assert_int_equal(mkdir(file, 0700), 0);
  for (int time = 0; time < 2; time++) {
    assert_string_equal(make(kernels, 90, &note).bytes, "fake cubin sm_90 b a \n");
    assert_string_equal(note,
                        assay_arena_format(arena, "%s was damaged; cubins are not kept: %s: %s",
                                           file, file, strerror(EISDIR)));
  }
}

static void a_cache_that_cannot_be_written_is_said(void **state) {
  (void)state;
  const char *note;
  for (int time = 0; time < 2; time++) {
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1);
    assert_false(make(kernels, 90, &note).cached);
    assert_string_equal(note, "cubins are not kept: /dev/null/nowhere: Not a directory");
  }
  char *cache = assay_arena_format(arena, "%s/locked", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  assert_int_equal(mkdir(cache, 0500), 0);
  if (geteuid() == 0)
    return; // who may write everywhere
  assert_false(make(kernels, 90, &note).cached);
  assert_string_equal(note, assay_arena_format(arena, "cubins are not kept: %s/assay: %s", cache,
                                               strerror(EACCES)));
}

// A folder that is not absolute is ignored, as the specification of these variables has it.
static void the_cache_is_where_variables_say(void **state) {
  (void)state;
  const char *note;
  char *home = getenv("HOME") != NULL ? assay_arena_string(arena, getenv("HOME")) : NULL;
  char *own = assay_arena_format(arena, "%s/.cache/assay/", folder);
  setenv("HOME", folder, 1);
  static const char *const ignored[] = {"", "relative", NULL};
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
    unsetenv("XDG_CACHE_HOME");
    if (ignored[i] != NULL)
      setenv("XDG_CACHE_HOME", ignored[i], 1);
    assert_int_equal(make(kernels, 90, &note).cached, i > 0);
    assert_null(note);
    assert_non_null(strstr(make(kernels, 90, &note).file, own));
  }
  for (int time = 0; time < 2; time++) {
    unsetenv("HOME");
    if (time == 1)
      setenv("HOME", "relative", 1);
    assert_null(make(kernels, 90, &note).file);
    assert_string_equal(note, "cubins are not kept: neither XDG_CACHE_HOME nor HOME is an absolute "
                              "path");
  }
  unsetenv("HOME");
  if (home != NULL)
    setenv("HOME", home, 1);
  assert_int_equal(ptxas_runs(), 3);
}

static void processes_at_once_agree(void **state) {
  (void)state;
  enum { PROCESSES = 4 };
  for (int i = 0; i < PROCESSES; i++)
    if (fork() == 0) {
      const char *note;
      bool right = true;
      for (int j = 0; j < 5 && right; j++) {
        assay_cubin cubin = make(kernels, 90, &note);
        right = note == NULL && strcmp(cubin.bytes, "fake cubin sm_90 b a \n") == 0;
        assay_cubin_forget(&cubin);
      }
      _exit(right ? 0 : 1);
    }
  for (int i = 0; i < PROCESSES; i++) {
    int status = 0;
    assert_true(wait(&status) > 0);
    assert_int_equal(status, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(figures_are_read_and_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(each_architecture_and_text_has_its_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(another_ptxas_of_the_version_has_its_own, set_up, tear_down),
      cmocka_unit_test_setup_teardown(code_without_figures_is_not_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_file_without_figures_is_made_anew, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_damaged_file_is_made_anew_and_said, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_file_of_another_key_does_not_count, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_place_that_is_no_file_is_said, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_cache_that_cannot_be_written_is_said, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_cache_is_where_variables_say, set_up, tear_down),
      cmocka_unit_test_setup_teardown(processes_at_once_agree, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
