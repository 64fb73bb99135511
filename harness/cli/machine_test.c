// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/machine.h"

#include "gpu/backends/backends.h"

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

// A backend as the built-in ones are, but for its name.
static assay_backend make(const char *name) {
  assay_backend made = *assay_backends_get()[0];
  made.name = name;
  return made;
}

static assay_code join(const assay_backend *backend, const assay_backend *const **out_backends,
                       assay_error *err) {
  const assay_backend *const added[] = {backend, NULL};
  return assay_backends_join(arena, added, out_backends, err);
}

static void they_are_sorted_and_found(void **state) {
  (void)state;
  const assay_backend first = make("aardvark"), last = make("z-1.2_B");
  const assay_backend *const added[] = {&last, &first, NULL};
  assay_session session = {.arena = arena};
  assay_error err;
  assert_int_equal(assay_backends_join(arena, added, &session.backends, &err), ASSAY_OK);
  size_t count = 0;
  for (; session.backends[count] != NULL; count++)
    assert_true(count == 0 ||
                strcmp(session.backends[count - 1]->name, session.backends[count]->name) < 0);
  assert_ptr_equal(session.backends[0], &first);
  assert_ptr_equal(session.backends[count - 1], &last);
  assert_ptr_equal(assay_backend_find(&session, "aardvark"), &first);
  assert_non_null(assay_backend_find(&session, "loop"));
  assert_null(assay_backend_find(&session, "lop"));
  const assay_backend *found;
  assert_int_equal(assay_backend_need(&session, "aardvrk", &found, &err), ASSAY_INVALID);
  assert_string_equal(err.text, "--backend: unknown backend 'aardvrk'; did you mean 'aardvark'?");
}

static void without_an_extension_there_are_the_built_in_ones(void **state) {
  (void)state;
  const assay_backend *const *backends;
  assay_error err;
  assert_int_equal(assay_backends_join(arena, NULL, &backends, &err), ASSAY_OK);
  size_t count = 0, found = 0;
  while (backends[count] != NULL)
    count++;
  for (size_t i = 0; i < count; i++)
    for (int room = 0; room < 2; room++) {
      const assay_backend *const *at = room == 0 ? assay_backends_get() : assay_gpu_backends_get();
      for (; *at != NULL; at++)
        found += *at == backends[i];
    }
  assert_int_equal(found, count);
  assert_string_equal(backends[0]->name, "blas");
}

static void a_name_that_is_none_is_refused(void **state) {
  (void)state;
  static const char *const names[] = {"", "a b", "a,b", "a=b", "none", "numpy", "cblas", "a\n"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const assay_backend backend = make(names[i]), *const * backends;
    assay_error err;
    assert_int_equal(join(&backend, &backends, &err), ASSAY_INVALID);
    assert_non_null(strstr(err.text, "cannot name a backend"));
  }
}

static void what_is_taken_missing_or_unknown_is_refused(void **state) {
  (void)state;
  const assay_backend *const *backends;
  assay_error err;
  const assay_backend taken = make("loop");
  assert_int_equal(join(&taken, &backends, &err), ASSAY_INVALID);
  assert_string_equal(err.text, "extension: there is already a backend 'loop'");
  assay_backend lacking = make("mine");
  lacking.run = NULL;
  assert_int_equal(join(&lacking, &backends, &err), ASSAY_INVALID);
  assert_string_equal(
      err.text, "extension: the backend 'mine' lacks its summary or a method that is not optional");
  assay_backend lost = make("mine");
  lost.pipeline = "lop";
  assert_int_equal(join(&lost, &backends, &err), ASSAY_INVALID);
  assert_string_equal(
      err.text, "extension: the backend 'mine' lowers with 'lop', which is no built-in pipeline");
  lost.pipeline = NULL; // it need not have one
  assert_int_equal(join(&lost, &backends, &err), ASSAY_OK);
}

#define in_arena(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      in_arena(they_are_sorted_and_found),
      in_arena(without_an_extension_there_are_the_built_in_ones),
      in_arena(a_name_that_is_none_is_refused),
      in_arena(what_is_taken_missing_or_unknown_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
