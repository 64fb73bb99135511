// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/excerpt.h"
#include "compiler/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static size_t count_lines(const char *text) {
  size_t lines = 0;
  for (; *text != '\0'; text++)
    lines += *text == '\n';
  return lines;
}

// Lines "line 1" .. "line N", that of `changed` with a mark.
static const char *numbered(assay_arena *arena, int lines, int changed) {
  assay_text text = {.arena = arena};
  for (int i = 1; i <= lines; i++)
    assay_text_print(&text, "line %d%s\n", i, i == changed ? " changed" : "");
  return assay_text_get(&text);
}

static void the_change_stands_in_its_context(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *before, *after;
  assay_excerpt_of_change(arena, numbered(arena, 20, 0), numbered(arena, 20, 10), &before, &after);
  assert_string_equal(before, "// ... 6 more lines\nline 7\nline 8\nline 9\nline 10\nline 11\n"
                              "line 12\nline 13\n// ... 7 more lines\n");
  assert_string_equal(after, "// ... 6 more lines\nline 7\nline 8\nline 9\nline 10 changed\n"
                             "line 11\nline 12\nline 13\n// ... 7 more lines\n");
  assay_excerpt_of_change(arena, "a\nb\n", "a\nb\nc", &before, &after);
  assert_string_equal(before, "a\nb\n");
  assert_string_equal(after, "a\nb\nc\n");
  assay_excerpt_of_change(arena, "", "a\n", &before, &after);
  assert_string_equal(before, "");
  assert_string_equal(after, "a\n");
  assay_arena_destroy(arena);
}

static void equal_texts_show_their_start(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *before, *after, *text = numbered(arena, 3, 0);
  assay_excerpt_of_change(arena, text, text, &before, &after);
  assert_string_equal(before, text);
  assert_string_equal(after, text);
  assay_arena_destroy(arena);
}

static void long_changes_are_cut(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *before, *after;
  assay_text wide = {.arena = arena};
  for (int i = 0; i < 3000; i++)
    assay_text_print(&wide, "\u20ac");
  const char *const texts[] = {numbered(arena, 5000, 0), assay_text_get(&wide), ""};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      assay_excerpt_of_change(arena, texts[i], texts[k], &before, &after);
      assert_true(count_lines(before) <= ASSAY_EXCERPT_LINES);
      assert_true(strlen(before) <= ASSAY_EXCERPT_BYTES);
      assert_true(count_lines(after) <= ASSAY_EXCERPT_LINES);
      assert_true(strlen(after) <= ASSAY_EXCERPT_BYTES);
    }
  }
  assay_excerpt_of_change(arena, texts[1], "", &before, &after);
  assert_non_null(strstr(before, "\u20ac ...\n")); // whole characters
  assay_excerpt_of_change(arena, texts[0], "", &before, &after);
  assert_non_null(strstr(before, "line 38\n// ... 4962 more lines\n"));
  assay_arena_destroy(arena);
}

static void no_bundle_is_no_excerpt(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *before = "", *after = "";
  assay_excerpt_of_bundle(arena, "/nowhere/bundle", &before, &after);
  assert_null(before);
  assert_null(after);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_change_stands_in_its_context),
      cmocka_unit_test(equal_texts_show_their_start),
      cmocka_unit_test(long_changes_are_cut),
      cmocka_unit_test(no_bundle_is_no_excerpt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
