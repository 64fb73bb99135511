// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/work.h"

#include "harness/case/case.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct row {
  const char *line;
  double flop;
  bool wide;
  double bytes;
} row;

static void check(const row *want) {
  assay_arena *arena = assay_arena_create();
  assay_cases cases = {0};
  const assay_program *program;
  assay_error err;
  assert_int_equal(assay_cases_parse_line(arena, "--case", 0, want->line, &cases, &err), ASSAY_OK);
  assert_int_equal(assay_case_build(arena, &cases.items[0], &program, &err), ASSAY_OK);
  assay_work got = assay_work_of(program);
  if (got.flop != want->flop || got.wide != want->wide || got.bytes != want->bytes)
    fail_msg("%s: %.17g flop%s, %.17g bytes, want %.17g%s, %.17g", want->line, got.flop,
             got.wide ? " wide" : "", got.bytes, want->flop, want->wide ? " wide" : "",
             want->bytes);
  assay_arena_destroy(arena);
}

static void products_count_their_sums_and_their_memory(void **state) {
  (void)state;
  const row rows[] = {
      {"matmul m=3 k=5 n=7", 2 * 3 * 5 * 7, false, 4 * (3 * 5 + 5 * 7 + 3 * 7)},
      {"matmul m=3 k=5 n=7 dtype=f64", 2 * 3 * 5 * 7, true, 8 * (3 * 5 + 5 * 7 + 3 * 7)},
      // f32 @ f64 is computed in f64, its arguments lie there as they are.
      {"matmul m=3 k=5 n=7 rhs_dtype=f64", 2 * 3 * 5 * 7, true, 4 * 15 + 8 * (35 + 21)},
      {"matmul m=3 k=5 n=7 rhs=transposed", 2 * 3 * 5 * 7, false, 4 * (3 * 5 + 5 * 7 + 3 * 7)},
      {"batch_matmul b=2 m=3 k=5 n=7", 2 * 2 * 3 * 5 * 7, false, 4 * 2 * (3 * 5 + 5 * 7 + 3 * 7)},
      {"linear m=3 k=5 n=7", 2 * 3 * 5 * 7, false, 4 * (3 * 5 + 5 * 7 + 7 + 3 * 7)},
      {"matmul m=3 k=5 n=7 dtype=f16", 2 * 3 * 5 * 7, false, 2 * (3 * 5 + 5 * 7 + 3 * 7)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check(&rows[i]);
}

// No rate is defined: its operations are not floating, or it has no contraction.
static void what_has_no_floating_product_has_no_rate(void **state) {
  (void)state;
  const row rows[] = {
      {"matmul m=3 k=5 n=7 dtype=i32", 0, false, 4 * (3 * 5 + 5 * 7 + 3 * 7)},
      {"softmax m=3 n=5", 0, false, 4 * (3 * 5 + 3 * 5)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check(&rows[i]);
}

// T tokens of C channels: products with weights of 12 C^2 elements, the scores and their use, T x T
// x C each; with the biases and what layer_norm scales by.
static void a_block_counts_all_its_products(void **state) {
  (void)state;
  enum { T = 5, C = 12 };
  const double products = 2.0 * T * 12 * C * C + 2.0 * 2 * T * T * C;
  const double weights = 12.0 * C * C + (3 + 1 + 4 + 1) * C + 2 * 2 * C, tokens = T * C;
  check(&(row){"gpt2_block t=5 c=12 heads=2 scores=f32", products, false,
               4 * (weights + 2 * tokens)});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_count_their_sums_and_their_memory),
      cmocka_unit_test(what_has_no_floating_product_has_no_rate),
      cmocka_unit_test(a_block_counts_all_its_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
