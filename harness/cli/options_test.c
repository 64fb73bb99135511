// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const accepted[] = {"suite", "filter", "backend", "jobs", "timeout",
                                       "shard", "quiet",  "color",   "out",  NULL};

enum { MAX_WORDS = 8 };

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

// Parses words joined by '|'.
static assay_code parse(const char *line, assay_options *options, assay_error *err) {
  char *words[MAX_WORDS];
  int count = 0;
  char *copy = assay_arena_string(arena, line);
  for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|"))
    words[count++] = word;
  return assay_options_parse(arena, "run", count, words, accepted, options, err);
}

static void assert_rejected(const char *line, const char *message) {
  assay_options options;
  assay_error err;
  assert_int_equal(parse(line, &options, &err), ASSAY_INVALID);
  assert_string_equal(err.text, message);
}

static void presets_hold_where_nothing_is_given(void **state) {
  (void)state;
  assay_options options;
  assay_error err;
  assert_int_equal(parse("", &options, &err), ASSAY_OK);
  assert_true(options.timeout == 60);
  assert_int_equal(options.memory, 4096);
  assert_int_equal(options.jobs, 0);
  assert_int_equal(options.shard.index, 1);
  assert_int_equal(options.shard.count, 1);
  assert_string_equal(options.color, "auto");
  assert_string_equal(options.out, "assay-out/latest");
  assert_int_equal(options.suites.count + options.filters.count + options.backends.count, 0);
  assert_false(options.quiet || options.help || options.resume);
}

static void values_stand_after_a_blank_or_an_equals_sign(void **state) {
  (void)state;
  assay_options options;
  assay_error err;
  assert_int_equal(parse("--jobs|3|--timeout=0.5|--shard=2/5|--color=never", &options, &err),
                   ASSAY_OK);
  assert_int_equal(options.jobs, 3);
  assert_true(options.timeout == 0.5);
  assert_int_equal(options.shard.index, 2);
  assert_int_equal(options.shard.count, 5);
  assert_string_equal(options.color, "never");
  assert_int_equal(parse("--filter=a=b|--out|--quiet", &options, &err), ASSAY_OK);
  assert_string_equal(options.filters.items[0], "a=b");
  assert_string_equal(options.out, "--quiet");
  assert_false(options.quiet);
}

static void repeated_options_and_lists_add_up(void **state) {
  (void)state;
  assay_options options;
  assay_error err;
  assert_int_equal(parse("--suite|a|--suite=b,c|--backend|loop,blas|--backend=x", &options, &err),
                   ASSAY_OK);
  assert_int_equal(options.suites.count, 2);
  assert_string_equal(options.suites.items[1], "b,c");
  assert_int_equal(options.backends.count, 3);
  assert_string_equal(options.backends.items[1], "blas");
  assert_string_equal(options.backends.items[2], "x");
}

static void arguments_and_options_mix_until_two_dashes(void **state) {
  (void)state;
  assay_options options;
  assay_error err;
  assert_int_equal(parse("one|--quiet|-|--|--help|--", &options, &err), ASSAY_OK);
  assert_true(options.quiet);
  assert_false(options.help);
  assert_int_equal(options.arguments.count, 4);
  assert_string_equal(options.arguments.items[1], "-");
  assert_string_equal(options.arguments.items[2], "--help");
  assert_string_equal(options.arguments.items[3], "--");
}

static void mistakes_are_named(void **state) {
  (void)state;
  assert_rejected("--fliter=x", "unknown option '--fliter' of run; did you mean '--filter'?");
  assert_rejected("--hlep", "unknown option '--hlep' of run; did you mean '--help'?");
  assert_rejected("--memory=1", "unknown option '--memory' of run; see `assay run --help`");
  assert_rejected("-jobs", "unknown option '-jobs' of run; did you mean '--jobs'?");
  assert_rejected("--jobs", "--jobs needs a value: --jobs N");
  assert_rejected("--quiet=yes", "--quiet takes no value");
  assert_rejected("--out=", "--out: empty value");
  assert_rejected("--backend=loop,,blas", "--backend: empty name in 'loop,,blas'");
  assert_rejected("--backend=", "--backend: empty name in ''");
  assert_rejected("--color=allways", "--color: unknown word 'allways'; did you mean 'always'?");
}

static void numbers_are_checked(void **state) {
  (void)state;
  static const char *const counts[] = {"0", "-1", "1x",         "",
                                       "x", " 1", "2147483648", "99999999999999999999"};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    assert_rejected(assay_arena_format(arena, "--jobs=%s", counts[i]),
                    assay_arena_format(
                        arena, "--jobs: '%s' is no whole number from 1 to 2147483647", counts[i]));
  static const char *const seconds[] = {"0", "-1", "nan", "inf", "1s", "", "1e999"};
  for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
    assert_rejected(
        assay_arena_format(arena, "--timeout=%s", seconds[i]),
        assay_arena_format(arena, "--timeout: '%s' is no number of seconds above 0", seconds[i]));
  static const char *const shards[] = {"0/2", "3/2", "1", "1/", "/2", "1/2/3", "a/b", "-1/2"};
  for (size_t i = 0; i < sizeof shards / sizeof shards[0]; i++)
    assert_rejected(assay_arena_format(arena, "--shard=%s", shards[i]),
                    assay_arena_format(
                        arena, "--shard: '%s' is not I/N with whole numbers 1 <= I <= N, as in 1/4",
                        shards[i]));
}

static void hints_name_the_nearest_or_all(void **state) {
  (void)state;
  static const char *const names[] = {"loop", "blas"};
  assert_string_equal(assay_hint(arena, "lop", names, 2), "; did you mean 'loop'?");
  assert_string_equal(assay_hint(arena, "xyzzy", names, 2), "; known: loop, blas");
  assert_string_equal(assay_hint(arena, "xyzzy", names, 0), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(presets_hold_where_nothing_is_given, set_up, tear_down),
      cmocka_unit_test_setup_teardown(values_stand_after_a_blank_or_an_equals_sign, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(repeated_options_and_lists_add_up, set_up, tear_down),
      cmocka_unit_test_setup_teardown(arguments_and_options_mix_until_two_dashes, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(mistakes_are_named, set_up, tear_down),
      cmocka_unit_test_setup_teardown(numbers_are_checked, set_up, tear_down),
      cmocka_unit_test_setup_teardown(hints_name_the_nearest_or_all, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
