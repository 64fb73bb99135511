// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void text_grows_and_stays_terminated(void **state) {
  (void)state;
  assay_text text = {.arena = assay_arena_create()};
  assert_string_equal(assay_text_get(&text), "");
  for (int i = 0; i < 1000; i++) {
    assay_text_print(&text, "%d,", i % 10);
    assert_int_equal(strlen(assay_text_get(&text)), text.length);
  }
  assert_int_equal(text.length, 2000);
  assay_text_append(&text, "tail", 2);
  assert_string_equal(assay_text_get(&text) + 1996, "8,9,ta");
  assay_arena_destroy(text.arena);
}

// Published vectors of FNV-1a 64.
static void hashes_are_fnv1a(void **state) {
  (void)state;
  assert_true(assay_hash_string("") == UINT64_C(0xcbf29ce484222325));
  assert_true(assay_hash_string("a") == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(assay_hash_string("foobar") == UINT64_C(0x85944171f73967e8));
  uint64_t parts = assay_hash_bytes(assay_hash_bytes(ASSAY_HASH_START, "foo", 3), "bar", 3);
  assert_true(parts == assay_hash_string("foobar"));
}

static void nearest_finds_what_was_meant(void **state) {
  (void)state;
  static const char *const names[] = {"matmul", "batch_matmul", "linear", "run", "references"};
  enum { COUNT = sizeof names / sizeof *names };
  assert_string_equal(assay_nearest("matmull", names, COUNT), "matmul");
  assert_string_equal(assay_nearest("mtamul", names, COUNT), "matmul");
  assert_string_equal(assay_nearest("batch", names, COUNT), "batch_matmul");
  assert_string_equal(assay_nearest("rnu", names, COUNT), "run");
  assert_null(assay_nearest("zebra_crossing", names, COUNT));
  assert_null(assay_nearest("", names, COUNT));
  char longer[200];
  memset(longer, 'm', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  assert_null(assay_nearest(longer, names, COUNT));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_grows_and_stays_terminated),
      cmocka_unit_test(hashes_are_fnv1a),
      cmocka_unit_test(nearest_finds_what_was_meant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
