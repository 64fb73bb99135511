// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static assay_record record(const char *op, const char *backend, const char *key,
                           assay_verdict verdict, double margin) {
  return (assay_record){.op = op,
                        .backend = backend,
                        .key = key,
                        .verdict = verdict,
                        .margin = margin,
                        .seconds_compile = 0.25,
                        .seconds_run = 0.5};
}

static void counts_per_op_and_backend(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_record records[] = {record("matmul", "loop", "a", ASSAY_PASS, 0.25),
                                  record("matmul", "blas", "b", ASSAY_PASS, 0),
                                  record("matmul", "loop", "c", ASSAY_FAIL, INFINITY),
                                  record("linear", "loop", "d", ASSAY_CRASH, NAN),
                                  record("matmul", "loop", "e", ASSAY_PASS, 0.5)};
  const assay_summary *summary = assay_summary_make(arena, records, 5);

  assert_int_equal(summary->count, 3);
  assert_string_equal(summary->rows[0].op, "linear");
  assert_int_equal(summary->rows[0].verdicts[ASSAY_CRASH], 1);
  assert_true(isnan(summary->rows[0].largest_margin));
  assert_null(summary->rows[0].largest_case);

  assert_string_equal(summary->rows[1].backend, "blas");
  assert_true(summary->rows[1].largest_margin == 0);
  assert_string_equal(summary->rows[1].largest_case, "b");

  assert_string_equal(summary->rows[2].backend, "loop");
  assert_int_equal(summary->rows[2].verdicts[ASSAY_PASS], 2);
  assert_int_equal(summary->rows[2].verdicts[ASSAY_FAIL], 1);
  assert_true(isinf(summary->rows[2].largest_margin));
  assert_string_equal(summary->rows[2].largest_case, "c");
  assert_true(summary->rows[2].seconds == 2.25);

  assert_string_equal(summary->total.op, "total");
  assert_int_equal(summary->total.verdicts[ASSAY_PASS], 3);
  assert_string_equal(summary->total.largest_case, "c");
  assert_true(summary->total.seconds == 3.75);
  assay_arena_destroy(arena);
}

// What one record does not tell takes nothing away from the others; a benchmark's seconds are none.
static void sums_what_is_known(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_record records[3];
  for (int i = 0; i < 3; i++)
    records[i] = (assay_record){.key = "k",
                                .op = "a",
                                .backend = "b",
                                .margin = NAN,
                                .seconds_compile = NAN,
                                .seconds_run = NAN};
  assert_true(isnan(assay_summary_make(arena, records, 2)->total.seconds));
  records[1].seconds_compile = 0.5;
  assert_true(assay_summary_make(arena, records, 2)->total.seconds == 0.5);
  records[2].kind = ASSAY_RECORD_BENCH;
  records[2].seconds_run = 1;
  assert_true(isnan(assay_summary_make(arena, records, 3)->rows[0].seconds));
  assay_arena_destroy(arena);
}

static void sums_nothing_up(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_summary *summary = assay_summary_make(arena, NULL, 0);
  assert_int_equal(summary->count, 0);
  assert_true(isnan(summary->total.largest_margin));
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_per_op_and_backend),
      cmocka_unit_test(sums_what_is_known),
      cmocka_unit_test(sums_nothing_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
