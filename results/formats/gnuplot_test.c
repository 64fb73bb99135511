// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/page/plot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// What a gnuplot that is this shell script draws within so many seconds.
static const char *run(assay_arena *arena, const char *script, double seconds,
                       const char **out_reason) {
  char folder[] = "/tmp/assay-gnuplot-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const char *path = assay_arena_format(arena, "%s/gnuplot", folder);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    abort();
  fprintf(file, "#!/bin/sh\n%s\n", script);
  fclose(file);
  assert_int_equal(chmod(path, 0755), 0);
  const char *before = assay_arena_string(arena, getenv("PATH"));
  setenv("PATH", assay_arena_format(arena, "%s:%s", folder, before), 1);
  const char *drawing = assay_gnuplot_run(arena, "plot x", seconds, out_reason);
  setenv("PATH", before, 1);
  unlink(path);
  rmdir(folder);
  return drawing;
}

static void what_it_draws_is_read(void **state) {
  (void)state;
  const char *reason;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(run(arena, "cat", 60, &reason), "plot x");
  assert_null(reason);
  assert_null(run(arena, "exit 3", 60, &reason));
  assert_string_equal(reason, "gnuplot failed");
  assay_arena_destroy(arena);
}

// Waiting for it would outlast any limit on tests.
static void one_that_hangs_is_killed(void **state) {
  (void)state;
  const char *reason;
  assay_arena *arena = assay_arena_create();
  assert_null(run(arena, "echo started; sleep 1000; true", 0.2, &reason));
  assert_string_equal(reason, "gnuplot did not end within 0.2 s");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_it_draws_is_read),
      cmocka_unit_test(one_that_hangs_is_killed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
