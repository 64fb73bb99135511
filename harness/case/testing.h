// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of this room share.
#ifndef ASSAY_HARNESS_CASE_TESTING_H
#define ASSAY_HARNESS_CASE_TESTING_H

#include "harness/case/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A fresh arena for each test, in *state.
static inline int open_arena(void **state) {
  *state = assay_arena_create();
  return 0;
}

static inline int close_arena(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

#define arena_test(test) cmocka_unit_test_setup_teardown(test, open_arena, close_arena)

static inline assay_file file_of(const char *path, const char *text) {
  return (assay_file){.path = path, .bytes = text, .size = strlen(text)};
}

static inline void assert_fails(assay_code got, assay_code want, const assay_error *err,
                                const char *where, const char *text) {
  assert_int_equal(got, want);
  assert_string_equal(err->text, text);
  assert_string_equal(err->where, where);
  assert_int_equal(err->code, want);
}

#endif
