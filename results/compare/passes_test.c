// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/passes.h"

#include "compiler/base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

// Each letter is a pass.
static assay_pass_row *pipeline(assay_arena *arena, const char *letters) {
  size_t count = strlen(letters);
  assay_pass_row *rows = assay_arena_take(arena, count, sizeof *rows);
  for (size_t i = 0; i < count; i++)
    rows[i] = (assay_pass_row){.n = (int)i + 1,
                               .name = assay_arena_bytes(arena, &letters[i], 1),
                               .seconds = 0.001,
                               .ops_before = 10,
                               .ops_after = 10,
                               .margin = NAN};
  return rows;
}

// "a +b -c >d": what the alignment says.
static const char *align(assay_arena *arena, const char *base, const char *new) {
  static const char *const marks[] = {"", "+", "-", ">"};
  assay_pass_pair *rows;
  size_t count = assay_passes_align(arena, pipeline(arena, base), strlen(base),
                                    pipeline(arena, new), strlen(new), &rows);
  assay_text text = {.arena = arena};
  for (size_t i = 0; i < count; i++) {
    assert_true((rows[i].base == NULL) == (rows[i].mark == ASSAY_PASS_ADDED));
    assert_true((rows[i].new == NULL) == (rows[i].mark == ASSAY_PASS_REMOVED));
    const assay_pass_row *there = rows[i].new != NULL ? rows[i].new : rows[i].base;
    assay_text_print(&text, "%s%s%s", i > 0 ? " " : "", marks[rows[i].mark],
                     there != NULL ? there->name : "nothing");
  }
  return assay_text_get(&text);
}

static void pipelines_align(void **state) {
  assert_string_equal(align(*state, "", ""), "");
  assert_string_equal(align(*state, "abc", "abc"), "a b c");
  assert_string_equal(align(*state, "abc", "abxc"), "a b +x c");
  assert_string_equal(align(*state, "abc", "ac"), "a -b c");
  assert_string_equal(align(*state, "abc", "xyz"), "-a -b -c +x +y +z");
  assert_string_equal(align(*state, "abcd", "bcda"), "b c d >a");
  assert_string_equal(align(*state, "", "ab"), "+a +b");
  assert_string_equal(align(*state, "ab", ""), "-a -b");
  // The same pass several times.
  assert_string_equal(align(*state, "acbc", "acbcc"), "a c b c +c");
  assert_string_equal(align(*state, "cccc", "cc"), "c c -c -c");
  assert_string_equal(align(*state, "acb", "cacb"), "+c a c b");
  // A moved pass beside a new one and one that is gone.
  assert_string_equal(align(*state, "abcde", "acxeb"), "a c -d +x e >b");
}

static assay_record record(assay_arena *arena, const char *key, const char *backend,
                           const char *letters) {
  return (assay_record){.kind = ASSAY_RECORD_LEDGER,
                        .key = key,
                        .op = "op",
                        .backend = backend,
                        .margin = NAN,
                        .passes = pipeline(arena, letters),
                        .pass_count = strlen(letters)};
}

static const assay_pass_comparison *compare(assay_arena *arena, assay_record base[],
                                            assay_record new[], size_t count) {
  assay_error err;
  assay_comparison_request request = {
      .base = base, .new = new, .base_count = count, .new_count = count};
  assert_int_equal(assay_thresholds_read(arena, NULL, &request.thresholds, &err), ASSAY_OK);
  return assay_passes_compare(arena, &request);
}

// One change of a pipeline is told once, and the case that differs besides by itself.
static void cases_with_one_change_are_a_group(void **state) {
  static const char *const keys[] = {"a", "b", "c", "d", "e"};
  assay_record base[5], new[5];
  for (int i = 0; i < 5; i++) {
    base[i] = record(*state, keys[i], i == 4 ? "loop" : "blas", "xyz");
    new[i] = record(*state, keys[i], i == 4 ? "loop" : "blas", i == 4 ? "xyz" : "xyiz");
  }
  ((assay_pass_row *)new[1].passes)[3].ops_after = 7;
  new[2].pass_count = 0;
  const assay_pass_comparison *found = compare(*state, base, new, 5);
  assert_int_equal(found->count, 4);
  assert_int_equal(found->without, 1);
  assert_int_equal(found->group_count, 3);
  assert_int_equal(found->groups[0].count, 2);
  assert_string_equal(found->groups[0].cases[0]->new->key, "a");
  assert_string_equal(found->groups[0].cases[1]->new->key, "d");
  assert_true(found->groups[0].differs && found->groups[1].differs);
  assert_string_equal(found->groups[1].cases[0]->new->key, "b");
  assert_int_equal(found->groups[1].cases[0]->rows[3].differs, ASSAY_PASS_DIFFERS_OPS);
  assert_string_equal(found->groups[2].cases[0]->new->backend, "loop");
  assert_false(found->groups[2].differs);
}

static void what_a_pass_does_is_compared(void **state) {
  assay_record base = record(*state, "a", "blas", "xyzuvw"), new = base;
  new.passes = pipeline(*state, "xyzuvw");
  assay_pass_row *before = (assay_pass_row *)base.passes, *after = (assay_pass_row *)new.passes;
  after[0].changed = true;
  after[1].fault = "miscompile";
  after[2].nan_added = 1;
  before[3].margin = 0.2;
  after[3].margin = 0.5;
  before[4].margin = 0.01; // below the floor
  after[4].margin = 0.09;
  after[4].seconds = 0.010; // noise
  before[5].margin_nan = true;
  after[5].seconds = 1;
  new.first_bad = (assay_first_bad){.n = 2, .name = "y", .fault = "miscompile"};
  const assay_pass_case *found = &compare(*state, &base, &new, 1)->cases[0];
  static const unsigned expected[] = {ASSAY_PASS_DIFFERS_CHANGED,
                                      ASSAY_PASS_DIFFERS_CLASS,
                                      ASSAY_PASS_DIFFERS_NAN,
                                      ASSAY_PASS_DIFFERS_MARGIN,
                                      0,
                                      ASSAY_PASS_DIFFERS_MARGIN | ASSAY_PASS_DIFFERS_TIME};
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(found->rows[i].differs, expected[i]);
  assert_true(found->first_bad_differs);
  assert_true(fabs(found->base_seconds - 0.006) < 1e-12 &&
              fabs(found->new_seconds - 1.014) < 1e-12);
}

static const char *print(assay_arena *arena, const assay_pass_comparison *passes) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assay_passes_print(stream, arena, passes, false, false);
  fclose(stream);
  const char *kept = assay_arena_string(arena, text);
  free(text);
  return kept;
}

// Not timed is not 0 s, not compared is not NaN, and far slower is marked.
static void tables_tell_none_from_nothing(void **state) {
  assay_record base[2] = {record(*state, "a", "blas", "xyz"), record(*state, "b", "blas", "")};
  assay_record new[2] = {record(*state, "a", "blas", "xyz"), record(*state, "b", "blas", "xyz")};
  assay_pass_row *before = (assay_pass_row *)base[0].passes;
  assay_pass_row *after = (assay_pass_row *)new[0].passes;
  before[0].seconds = NAN;
  after[1].margin_nan = true;
  after[2].seconds = 0.020;
  const char *text = print(*state, compare(*state, base, new, 2));
  assert_non_null(strstr(text, "passes: 1 case has them on one side only\n"));
  assert_non_null(
      strstr(text, "  x                                        -      1 ms  no         -"));
  assert_non_null(
      strstr(text, "* y                                     1 ms      1 ms  no         -, NaN "));
  assert_non_null(
      strstr(text, "* z                                     1 ms     20 ms  no         - "));
  assert_non_null(strstr(text, "    takes more than ten times as long in 1 case\n"));
  for (int i = 0; i < 3; i++)
    before[i].seconds = NAN;
  assert_non_null(strstr(print(*state, compare(*state, base, new, 2)),
                         "  total                                    -     22 ms  -\n"));
}

// Many passes may each take somewhat longer, and all of them far.
static void totals_are_marked_as_passes_are(void **state) {
  assay_record base = record(*state, "a", "blas", "xyz"), new = base;
  new.passes = pipeline(*state, "xyz");
  for (int i = 0; i < 3; i++)
    ((assay_pass_row *)new.passes)[i].seconds = 0.0105; // 9.5 ms longer
  const assay_pass_comparison *found = compare(*state, &base, &new, 1);
  assert_true(found->cases[0].total_differs && found->groups[0].differs);
  for (int i = 0; i < 3; i++)
    assert_int_equal(found->cases[0].rows[i].differs, 0);
  assert_non_null(strstr(print(*state, found), "\n* total "));
  ((assay_pass_row *)new.passes)[0].seconds = 0.008; // 29 ms of 3 ms
  found = compare(*state, &base, &new, 1);
  assert_false(found->cases[0].total_differs || found->groups[0].differs);
  assert_non_null(strstr(print(*state, found), "\n  total "));
}

// Whatever a record says its backends and faults are called.
static void tables_keep_to_their_width(void **state) {
  const char *name = assay_arena_format(*state, "\033[31m\n%010000d", 0);
  assay_record base = record(*state, name, name, "xy"), new = record(*state, name, name, "xy");
  ((assay_pass_row *)base.passes)[0].fault = name;
  ((assay_pass_row *)new.passes)[0].fault = assay_arena_format(*state, "another\033[0m%s", name);
  ((assay_pass_row *)new.passes)[1].fault = name;
  base.first_bad = (assay_first_bad){.n = 1, .name = name, .fault = name};
  const char *text = print(*state, compare(*state, &base, &new, 1));
  assert_null(strchr(text, '\033'));
  assert_non_null(strstr(text, "\n    fault: \\x1b[31m\\n0"));
  for (const char *line = text, *end; *line != '\0'; line = end + 1) {
    end = strchr(line, '\n');
    assert_in_range(end - line, 0, 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pipelines_align),
      cmocka_unit_test(cases_with_one_change_are_a_group),
      cmocka_unit_test(what_a_pass_does_is_compared),
      cmocka_unit_test(tables_tell_none_from_nothing),
      cmocka_unit_test(totals_are_marked_as_passes_are),
      cmocka_unit_test(tables_keep_to_their_width),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
