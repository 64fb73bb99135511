// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/compare_testing.h"
#include "results/compare/columns.h"

static size_t occurrences(const char *text, const char *word) {
  size_t count = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
    count++;
  return count;
}

// One is slower and one is not, one of each of the larger changes: each case is named once.
static void timings_of_a_case_stand_together(void **state) {
  static const double run[] = {1.3, 1.2, 1, 1.01}, compile[] = {1, 1.25, 1.4, 1};
  enum { CASES = 4 };
  assay_record base[CASES], new[CASES];
  for (int i = 0; i < CASES; i++) {
    const char *key = assay_arena_format(*state, "case-%d", i);
    base[i] = bench(*state, key, 1, 0);
    new[i] = bench(*state, key, run[i], 0);
    base[i].compile_samples = base[i].run_samples;
    new[i].compile_samples = bench(*state, key, compile[i], 0).run_samples;
    base[i].compile_sample_count = new[i].compile_sample_count = SAMPLES;
  }
  const char *text = print(*state, compare(*state, base, CASES, new, CASES, true), false);
  static const char *const order[] = {"case-2  (", "case-0  (", "case-1  (", "case-3  ("};
  for (int i = 0; i < CASES; i++) {
    assert_int_equal(occurrences(text, order[i]), 1);
    assert_true(i == 0 || strstr(text, order[i - 1]) < strstr(text, order[i]));
  }
  const char *second = strstr(text, "case-2");
  assert_true(strstr(second, "compile") < strstr(second, "  run "));
}

// Keys and reasons of any length and with any bytes keep to the table's width and lines.
static void tables_keep_to_their_width(void **state) {
  const char *key = assay_arena_format(*state, "%040d\033[31m\n\"<&%09952d", 0, 0);
  assay_record base[] = {verdict(key, ASSAY_PASS, 0.2), verdict("b", ASSAY_PASS, NAN)};
  assay_record new[] = {verdict(key, ASSAY_FAIL, INFINITY)};
  new[0].reason = assay_arena_format(*state, "a\033[1m\n%s", key);
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assay_comparison_print(stream, *state, compare(*state, base, 2, new, 1, false), false, true);
  fclose(stream);
  for (char *line = text, *end; *line != '\0'; line = end + 1) {
    end = strchr(line, '\n');
    assert_in_range(end - line, 0, 100);
  }
  assert_null(strchr(text, '\033'));
  assert_non_null(
      strstr(text, "\n1 case: 1 VANISHED, 2 CHANGED, 3 SAME; the gate fails on 3 rows\n"));
  free(text);
}

static void columns_are_obeyed_by_no_terminal(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(assay_columns_fit(arena, "\x1b[2J\n", 100), "\\x1b[2J\\n");
  assert_string_equal(assay_columns_fit(arena, "\x1b\x1b\x1b", 9), "\\x1...x1b");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(timings_of_a_case_stand_together),
      cmocka_unit_test(tables_keep_to_their_width),
      cmocka_unit_test(columns_are_obeyed_by_no_terminal),
  };
  return cmocka_run_group_tests(tests, compare_set_up, compare_tear_down);
}
