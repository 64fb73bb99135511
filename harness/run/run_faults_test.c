// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each way to go wrong gives its verdict, and the run goes on.
#include "harness/run/run_testing.h"

typedef struct row {
  const char *backend;
  assay_verdict verdict;
  const char *reason; // how it starts
} row;

static void check_faults(const row rows[], size_t count, double seconds) {
  bench *it = bench_create();
  for (size_t i = 0; i < count; i++)
    add_both(it, rows[i].backend);
  assert_int_equal(run_bench(it, 4, seconds, NULL), ASSAY_OK);
  assert_int_equal(it->journal.count, 2 * count);
  for (size_t i = 0; i < count; i++) {
    check_record(it, rows[i].backend, "int", rows[i].verdict, rows[i].reason);
    check_record(it, rows[i].backend, "real", rows[i].verdict, rows[i].reason);
  }
  bench_destroy(it);
}

static void sees_wrong_answers(void **state) {
  (void)state;
  static const row rows[] = {
      {"wrong element", ASSAY_FAIL, "element [1,1] of result 0: got "},
      {"last k dropped", ASSAY_FAIL, "element ["},
      {"nan", ASSAY_FAIL, "element [0,3] of result 0: got "},
      {"honest", ASSAY_PASS, ""},
  };
  check_faults(rows, sizeof rows / sizeof rows[0], PLENTY);
}

// The margin alone decides: more than 1 and less than 2 is already too much.
static void sees_what_is_just_too_imprecise(void **state) {
  (void)state;
  bench *it = bench_create();
  add_job(it, open_backend(it, "imprecise"), "real");
  assert_int_equal(run_bench(it, 1, PLENTY, NULL), ASSAY_OK);
  check_record(it, "imprecise", "real", ASSAY_FAIL, "element [1,1] of result 0: got ");
  double margin = record_of(it, "imprecise", "real")->margin;
  assert_true(margin > 1 && margin < 2);
  bench_destroy(it);
}

static void check_precisions(const char *line, assay_verdict of_tf32, assay_verdict of_bf16) {
  static const char *const names[] = {"honest", "tf32", "bf16"};
  const assay_verdict wanted[] = {ASSAY_PASS, of_tf32, of_bf16};
  bench *it = bench_of(line);
  for (int i = 0; i < 3; i++)
    add_both(it, names[i]);
  assert_int_equal(run_bench(it, 2, PLENTY, NULL), ASSAY_OK);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(record_of(it, names[i], "int")->verdict, ASSAY_PASS);
    assert_int_equal(record_of(it, names[i], "real")->verdict, wanted[i]);
  }
  bench_destroy(it);
}

// Small whole numbers come out to the bit; what loses more bits than the case allows does not pass.
static void allows_the_precision_of_the_case(void **state) {
  (void)state;
  check_precisions("matmul m=37 k=65 n=43 precision=tf32", ASSAY_PASS, ASSAY_FAIL);
  check_precisions("matmul m=17 k=9 n=7 precision=tf32", ASSAY_PASS, ASSAY_FAIL);
  check_precisions("matmul m=17 k=33 n=31", ASSAY_FAIL, ASSAY_FAIL);
}

static void sees_misconduct_behind_right_answers(void **state) {
  (void)state;
  static const row rows[] = {
      {"past the end", ASSAY_FAIL, "wrote outside result 0: byte 1 past its end"},
      {"later past the end", ASSAY_FAIL, "wrote outside result 0: byte 1 past its end"},
      {"before the start", ASSAY_FAIL, "wrote outside argument 1: byte 1 before its start"},
      {"changed input", ASSAY_FAIL, "changed its input 'lhs' at [1,1]"},
      {"changed last input", ASSAY_FAIL, "changed its input 'rhs' at [4,6]"},
      {"nondeterministic", ASSAY_FAIL, "nondeterministic: element [2,6] of result 0 was "},
      {"unwritten", ASSAY_FAIL, "element [1,3] of result 0 still holds the poison: "},
      {"unfilled", ASSAY_FAIL, "element [0,0] of result 0 still holds the poison: "},
      {"fallback", ASSAY_FAIL, "named-op: 0 of 1 floating contractions were handed over"},
      {"below zero", ASSAY_ERROR, "the backend counted -3 launches: expected 0 or more"},
      {"unnamed", ASSAY_FAIL, "named-op: 0 of 1 contractions were still there by name"},
      {"honest", ASSAY_PASS, ""},
  };
  check_faults(rows, sizeof rows / sizeof rows[0], PLENTY);
}

static void survives_every_death(void **state) {
  (void)state;
  static const row rows[] = {
      {"segfault", ASSAY_CRASH, "killed by SIGSEGV"},
      {"abort", ASSAY_CRASH,
       "killed by SIGABRT (Aborted); it printed: Assertion `rank == 2' failed."},
      {"exit 0", ASSAY_CRASH, "exited with status 0 before finishing"},
      {"exit 3", ASSAY_CRASH, "exited with status 3 before finishing"},
      {"hungry", ASSAY_CRASH, "exceeded the memory limit of 64 MB"},
      {"load segfault", ASSAY_CRASH, "killed by SIGSEGV"},
      {"honest", ASSAY_PASS, ""},
  };
  check_faults(rows, sizeof rows / sizeof rows[0], PLENTY);
}

static void ends_what_does_not_end(void **state) {
  (void)state;
  static const row rows[] = {
      {"endless", ASSAY_TIMEOUT, "exceeded the time limit of 0.3 s"},
      {"load endless", ASSAY_TIMEOUT, "exceeded the time limit of 0.3 s"},
  };
  check_faults(rows, sizeof rows / sizeof rows[0], 0.3);
}

static void tells_refusals_apart(void **state) {
  (void)state;
  static const row rows[] = {
      {"error", ASSAY_ERROR, "the device was lost"},
      {"load error", ASSAY_ERROR, "failed to legalize operation 'linalg.matmul'"},
      {"unsupported", ASSAY_SKIP, "it is Sunday"},
      {"talkative", ASSAY_PASS, ""},
      {"forking", ASSAY_PASS, ""},
  };
  check_faults(rows, sizeof rows / sizeof rows[0], PLENTY);
}

// A crash while the program is unloaded is one of its last job; the others were well.
static void blames_unloading_on_the_last_job(void **state) {
  (void)state;
  bench *it = bench_create();
  add_both(it, "unload segfault");
  assert_int_equal(run_bench(it, 1, PLENTY, NULL), ASSAY_OK);
  check_record(it, "unload segfault", "int", ASSAY_PASS, "");
  check_record(it, "unload segfault", "real", ASSAY_CRASH, "killed by SIGSEGV");
  bench_destroy(it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sees_wrong_answers),
      cmocka_unit_test(sees_what_is_just_too_imprecise),
      cmocka_unit_test(allows_the_precision_of_the_case),
      cmocka_unit_test(sees_misconduct_behind_right_answers),
      cmocka_unit_test(survives_every_death),
      cmocka_unit_test(ends_what_does_not_end),
      cmocka_unit_test(tells_refusals_apart),
      cmocka_unit_test(blames_unloading_on_the_last_job),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
