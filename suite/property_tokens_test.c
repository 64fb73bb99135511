// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of many tokens a few are changed.
#include "suite/property_testing.h"

// A program on many tokens of two channels, f16: each row the sum of its token and those before it
// (from the other end where it is backwards).
enum { TOKENS = 33, CHANNELS = 2 };

typedef struct long_sum {
  bool backwards;
  int *runs;
} long_sum;

static assay_code run_long_sum(const void *user, const assay_buffer inputs[],
                               const assay_buffer *result, assay_error *err) {
  (void)err;
  const long_sum *of = user;
  double sum[CHANNELS] = {0};
  for (int i = 0; i < TOKENS * CHANNELS; i++) {
    int at = of->backwards ? TOKENS * CHANNELS - 1 - i : i;
    sum[at % CHANNELS] += assay_examine_get(&inputs[0], at);
    assay_examine_set(result, at, sum[at % CHANNELS]);
  }
  ++*of->runs;
  return ASSAY_OK;
}

static void check_many_tokens(bool backwards, int want_runs, const char *reason) {
  assay_arena *arena = assay_arena_create();
  uint16_t elements[TOKENS * CHANNELS], result[TOKENS * CHANNELS];
  assay_shape shape = assay_shape_make(2, TOKENS, CHANNELS);
  assay_buffer input = {elements, ASSAY_F16, shape}, computed = {result, ASSAY_F16, shape};
  for (int i = 0; i < TOKENS * CHANNELS; i++)
    assay_examine_set(&input, i, i * 5 % 17 / 8.0 - 1);
  assay_params params = make_params("attend");
  int runs = 0;
  long_sum of = {backwards, &runs};
  assay_examination it = {.arena = arena,
                          .params = &params,
                          .data = "real",
                          .input_count = 1,
                          .inputs = &input,
                          .result = &computed,
                          .run = run_long_sum,
                          .user = &of};
  assay_error err;
  assert_int_equal(run_long_sum(&of, &input, &computed, &err), ASSAY_OK);
  runs = 0;
  assert_int_equal(find("causality")->check(&it, &err), ASSAY_OK);
  assert_string_equal(it.reason, reason);
  assert_int_equal(runs, want_runs);
  assay_arena_destroy(arena);
}

// The first, the middle and the last one, and the last two at once.
static void of_many_tokens_a_few_are_changed(void **state) {
  (void)state;
  check_many_tokens(false, 4, "");
  check_many_tokens(true, 12, // other inputs were tried for two tokens
                    "no row after token 0 changed with it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_many_tokens_a_few_are_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
