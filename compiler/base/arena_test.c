// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void memory_is_zeroed_aligned_and_apart(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  unsigned char *before = NULL;
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *taken = assay_arena_take(arena, size, 1);
    assert_int_equal((uintptr_t)taken % alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(taken[i], 0);
    memset(taken, 0xff, size);
    assert_ptr_not_equal(taken, before);
    before = taken;
  }
  assay_arena_destroy(arena);
}

static void blocks_larger_than_a_page_of_the_arena_work(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  char *large = assay_arena_take(arena, 1000, 1000);
  memset(large, 'x', 1000 * 1000);
  char *after = assay_arena_take(arena, 1, 10);
  assert_int_equal(after[0], 0);
  assert_int_equal(large[999999], 'x');
  assay_arena_destroy(arena);
}

static void strings_are_copied_and_terminated(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  char source[] = "abcdef";
  char *string = assay_arena_string(arena, source);
  char *bytes = assay_arena_bytes(arena, source, 3);
  source[0] = 'X';
  assert_string_equal(string, "abcdef");
  assert_string_equal(bytes, "abc");
  assert_string_equal(assay_arena_format(arena, "%s-%03d", string, 7), "abcdef-007");
  assert_string_equal(assay_arena_format(arena, "%s", ""), "");
  assay_arena_destroy(arena);
}

static void destroying_nothing_is_allowed(void **state) {
  (void)state;
  assay_arena_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
      cmocka_unit_test(blocks_larger_than_a_page_of_the_arena_work),
      cmocka_unit_test(strings_are_copied_and_terminated),
      cmocka_unit_test(destroying_nothing_is_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
