// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/machine.h"

#include "gpu/backends/backends.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  assert_int_equal(count > 0, true);
}

static void a_name_that_is_none_is_refused(void **state) {
  (void)state;
  static const char *const names[] = {
      "",
      "a b",
      "a,b",
      "a=b",
      "none",
      "numpy",
      "cblas",
      "a\n",
      "-a",
      "all",
      ".",
      "..",
      "a2345678901234567890123456789012345678901234567890123456789012345"};
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

static assay_code open_and_abort(const assay_context *context, assay_device **out_device,
                                 assay_error *err) {
  (void)context, (void)out_device, (void)err;
  puts("no card\x1b[31m");
  fflush(stdout);
  abort();
}

static assay_code open_for_ever(const assay_context *context, assay_device **out_device,
                                assay_error *err) {
  (void)context, (void)out_device, (void)err;
  for (;;)
    pause();
  return ASSAY_OK;
}

static assay_code open_nothing(const assay_context *context, assay_device **out_device,
                               assay_error *err) {
  (void)context, (void)out_device;
  return assay_fail(err, ASSAY_MISSING, "no card\nin \x1b[31mslot 3");
}

static void close_and_abort(assay_device *device) {
  (void)device;
  abort();
}

// Opens one backend; the machine is to be closed.
static const assay_station *open_one(const assay_backend *backend, assay_machine *out_machine) {
  static assay_options options = {.timeout = 0.2};
  static assay_session session;
  assay_names all = {0};
  assay_error err;
  session = (assay_session){.arena = arena, .options = &options};
  assert_int_equal(join(backend, &session.backends, &err), ASSAY_OK);
  assert_int_equal(assay_machine_open(&session, &all, out_machine, &err), ASSAY_OK);
  for (size_t i = 0; i < out_machine->count; i++)
    if (out_machine->stations[i].opened.backend == backend)
      return &out_machine->stations[i];
  fail();
  return NULL;
}

static void what_cannot_be_opened_takes_nothing_with_it(void **state) {
  (void)state;
  static const struct {
    assay_code (*open)(const assay_context *context, assay_device **out_device, assay_error *err);
    const char *reason;
  } cases[] = {{open_and_abort, "while it was opened: killed by SIGABRT (Aborted); it printed: "
                                "no card\\x1b[31m"},
               {open_for_ever, "not ready after 0.2 s"},
               {open_nothing, "no card\\nin \\x1b[31mslot 3"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assay_backend backend = make("mine");
    assay_machine machine;
    backend.open = cases[i].open;
    const assay_station *station = open_one(&backend, &machine);
    assert_string_equal(station->reason, cases[i].reason);
    assert_null(station->opened.device);
    for (size_t k = 0; k < machine.count; k++) // the others are as they were
      assert_true(&machine.stations[k] == station ||
                  (machine.stations[k].reason == NULL) ==
                      (machine.stations[k].opened.device != NULL));
    assay_machine_close(&machine);
  }
}

static void what_cannot_be_closed_is_used_and_left(void **state) {
  (void)state;
  assay_backend backend = make("mine");
  assay_machine machine;
  backend.close = close_and_abort;
  const assay_station *station = open_one(&backend, &machine);
  assert_null(station->reason);
  assert_non_null(station->opened.device);
  assert_string_equal(station->lasting, "while it was closed: killed by SIGABRT (Aborted)");
  assay_device *device = station->opened.device;
  assay_machine_close(&machine); // and lives
  assay_backends_get()[0]->close(device);
}

#define in_arena(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      in_arena(they_are_sorted_and_found),
      in_arena(without_an_extension_there_are_the_built_in_ones),
      in_arena(a_name_that_is_none_is_refused),
      in_arena(what_is_taken_missing_or_unknown_is_refused),
      in_arena(what_cannot_be_opened_takes_nothing_with_it),
      in_arena(what_cannot_be_closed_is_used_and_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
