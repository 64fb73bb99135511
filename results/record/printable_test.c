// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void terminals_obey_nothing(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"", ""},
      {"plain \"text\" \\ a", "plain \"text\" \\ a"},
      {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
      {"a\nb\tc\rd\x7f", "a\\nb\\tc\\rd\\x7f"},
      {"\x01", "\\x01"},
      {"\xc2\x9b", "\\u009b"},               // the C1 form of ESC [
      {"\xe2\x80\xa8", "\\u2028"},           // ends a line
      {"\xff\x80 \xc3", "\\xff\\x80 \\xc3"}, // cut off at the end
      {"\xe0\x81\x81", "\\xe0\\x81\\x81"},   // longer than need be
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},   // half of a pair
  };
  assay_arena *arena = assay_arena_create();
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    assert_string_equal(assay_printable(arena, pairs[i][0]), pairs[i][1]);
  const char right_to_left[] = {(char)0xe2, (char)0x80, (char)0xae, '\0'};
  assert_string_equal(assay_printable(arena, right_to_left), "\\u202e");
  assert_ptr_equal(assay_printable(arena, pairs[1][0]), pairs[1][0]);
  assert_string_equal(assay_printable(arena, NULL), "");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(terminals_obey_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
