// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run tells its listener of each job, and how it ends.
#include "harness/run/run_testing.h"

#include <math.h>

static void fills_in_the_record(void **state) {
  (void)state;
  bench *it = bench_create();
  add_both(it, "honest");
  assert_int_equal(run_bench(it, 1, PLENTY, NULL), ASSAY_OK);
  const assay_record *exact = record_of(it, "honest", "int");
  assert_string_equal(exact->key, assay_case_key(it->arena, it->a_case, "int", "honest"));
  assert_string_equal(exact->op, "matmul");
  assert_string_equal(exact->reference, "stored");
  assert_int_equal(exact->check_count, 2);
  assert_string_equal(exact->checks[0], "exact");
  assert_string_equal(exact->checks[1], "named-op");
  assert_true(exact->margin == 0);
  assert_int_equal(exact->blas_calls, 1);
  assert_int_equal(exact->compiles, 1);
  assert_true(exact->seconds_compile == 0.25);
  assert_true(exact->seconds_run > 0);
  assert_string_equal(exact->repro,
                      assay_arena_format(it->arena,
                                         "assay run --case '%s' --data int --backend honest",
                                         it->a_case->line));
  assert_int_equal(strlen(exact->started), strlen("2026-01-02T03:04:05.678901234Z"));

  const assay_record *real = record_of(it, "honest", "real");
  assert_string_equal(real->checks[0], "compare");
  assert_true(real->margin > 0 && real->margin < 0.5);
  assert_int_equal(real->compiles, 0); // it shared the compilation
  assert_true(real->seconds_compile == 0);
  bench_destroy(it);
}

// A program that is right on the case's data and wrong afterwards is found by its properties, and
// those that were checked are told.
static void checks_properties(void **state) {
  (void)state;
  bench *it = bench_of(square_line);
  add_both(it, "honest");
  add_both(it, "wears out");
  assert_int_equal(run_bench(it, 2, PLENTY, NULL), ASSAY_OK);
  check_record(it, "honest", "int", ASSAY_PASS, "");
  check_record(it, "honest", "real", ASSAY_PASS, "");
  const assay_record *record = record_of(it, "honest", "int");
  assert_int_equal(record->check_count, 8);
  assert_string_equal(record->checks[2], "property:matmul_associativity");
  assert_string_equal(record->checks[7], "property:repetition");
  check_record(it, "wears out", "int", ASSAY_FAIL, "property:matmul_associativity: element ");
  check_record(it, "wears out", "real", ASSAY_FAIL, "property:matmul_identity: with an identity ");
  record = record_of(it, "wears out", "real");
  assert_int_equal(record->check_count, 3); // no more after the first that does not hold
  bench_destroy(it);
}

static void names_the_worst_element(void **state) {
  (void)state;
  bench *it = bench_create();
  add_both(it, "wrong element");
  assert_int_equal(run_bench(it, 1, PLENTY, NULL), ASSAY_OK);
  const assay_record *record = record_of(it, "wrong element", "real");
  assert_true(record->margin > 1);
  assert_true(record->worst.present);
  assert_string_equal(record->worst.part, "element");
  assert_int_equal(record->worst.rank, 2);
  assert_int_equal(record->worst.index[0], 1);
  assert_int_equal(record->worst.index[1], 1);
  bench_destroy(it);
}

static void turns_known_gaps_into_their_verdicts(void **state) {
  (void)state;
  bench *it = bench_create();
  add_job(it, open_backend(it, "nan"), "int")->gap = "no NaN yet";
  add_job(it, open_backend(it, "exit 0"), "int")->gap = "leaves early";
  add_job(it, open_backend(it, "honest"), "int")->gap = "was mended";
  add_job(it, open_backend(it, "unsupported"), "int")->gap = "whatever";
  assert_int_equal(run_bench(it, 2, PLENTY, NULL), ASSAY_OK);
  check_record(it, "nan", "int", ASSAY_XFAIL, "known gap: no NaN yet (FAIL: element [0,3]");
  check_record(it, "exit 0", "int", ASSAY_XFAIL,
               "known gap: leaves early (CRASH: exited with status 0 before finishing)");
  check_record(it, "honest", "int", ASSAY_XPASS, "passed, but is a known gap: was mended");
  check_record(it, "unsupported", "int", ASSAY_SKIP, "it is Sunday");
  bench_destroy(it);
}

// A negative case: what the language says against what the case expects.
static void check_rejection(const char *line, const char *expected, assay_verdict verdict,
                            const char *reason) {
  bench *it = bench_create();
  assay_case the_case = *add_case(it, line);
  the_case.rejects = expected;
  the_case.standard = true;
  it->jobs[it->job_count++] = (assay_job){.a_case = &the_case};
  assert_int_equal(run_bench(it, 1, PLENTY, NULL), ASSAY_OK);
  assert_int_equal(it->journal.count, 1);
  const assay_record *record = &it->journal.records[0];
  check_record(it, "none", "none", verdict, reason);
  assert_int_equal(record->check_count, 1);
  assert_string_equal(record->checks[0], "diagnostic");
  assert_true(isnan(record->margin));
  assert_null(record->reference);
  assert_string_equal(record->repro,
                      assay_arena_format(it->arena, "assay run --filter '%s'", record->key));
  bench_destroy(it);
}

static void checks_diagnostics(void **state) {
  (void)state;
  bench *it = bench_create();
  const assay_case *rejected = add_case(it, "reject_matmul x=3x5 y=4x7");
  const assay_program *program;
  assay_error err;
  assert_int_equal(assay_case_build(it->arena, rejected, &program, &err), ASSAY_INVALID);
  check_rejection("reject_matmul x=3x5 y=4x7", err.text, ASSAY_PASS, "");
  check_rejection(
      "reject_matmul x=3x5 y=4x7", "another message", ASSAY_FAIL,
      assay_arena_format(it->arena, "rejected with '%s', want 'another message'", err.text));
  check_rejection(
      "reject_matmul x=3x5 y=4x7", NULL, ASSAY_FAIL,
      "rejected, and the case does not say how: add rejects=\"matmul: 3x5xf32 @ 4x7xf32");
  check_rejection("reject_matmul x=3x5 y=5x7", err.text, ASSAY_FAIL,
                  "the tensor language accepted the program");
  bench_destroy(it);
}

// An interrupt keeps what was finished; what is running then has no record.
static void stops_when_told_to(void **state) {
  (void)state;
  bench *it = bench_create();
  add_job(it, open_backend(it, "endless"), "int");
  add_job(it, open_backend(it, "honest"), "int");
  assert_int_equal(run_bench(it, 2, PLENTY, &it->journal.stop), ASSAY_OK);
  assert_int_equal(it->journal.count, 1);
  check_record(it, "honest", "int", ASSAY_PASS, "");
  bench_destroy(it);
}

static void ends_with_a_failing_listener(void **state) {
  (void)state;
  bench *it = bench_create();
  add_both(it, "honest");
  add_both(it, "nan");
  it->journal.fails_at = 2;
  assert_int_equal(run_bench(it, 1, PLENTY, NULL), ASSAY_FAILED);
  assert_int_equal(it->journal.count, 2);
  bench_destroy(it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fills_in_the_record),
      cmocka_unit_test(checks_properties),
      cmocka_unit_test(names_the_worst_element),
      cmocka_unit_test(turns_known_gaps_into_their_verdicts),
      cmocka_unit_test(checks_diagnostics),
      cmocka_unit_test(stops_when_told_to),
      cmocka_unit_test(ends_with_a_failing_listener),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
