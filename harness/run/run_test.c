// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each way to go wrong gives its verdict, and the run goes on.
#include "harness/run/run.h"

#include "harness/run/hidden/faulty.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_RECORDS = 128 };

// Collects what the listener is told.
typedef struct journal {
  assay_arena *arena;
  assay_record records[MAX_RECORDS];
  size_t count;
  size_t fails_at;            // the record that the listener fails on, from 1; or 0
  volatile sig_atomic_t stop; // set with the first record, as an interrupt would
} journal;

static assay_code collect(void *user, const assay_record *record, assay_error *err) {
  journal *it = user;
  if (it->count >= MAX_RECORDS)
    return assay_fail(err, ASSAY_FAILED, "more records than jobs");
  // Through the record's text, which is what a reader gets.
  const char *text = assay_record_print(it->arena, record);
  assay_record *copy = &it->records[it->count++];
  it->stop = 1;
  if (assay_record_parse(it->arena, "listener", 0, text, strlen(text), copy, err) != ASSAY_OK)
    return err->code;
  return it->count == it->fails_at ? assay_fail(err, ASSAY_FAILED, "the disk is full") : ASSAY_OK;
}

typedef struct bench {
  assay_arena *arena;
  assay_cases cases;
  const assay_case *a_case; // of the positive jobs
  const assay_reference *reference;
  assay_backend backends[40];
  assay_opened opened[40];
  int opened_count;
  assay_job jobs[MAX_RECORDS];
  size_t job_count;
  journal journal;
} bench;

static const char case_line[] = "matmul m=3 k=5 n=7";
static const char square_line[] = "matmul m=5 k=5 n=5"; // one that has properties

static const assay_case *add_case(bench *it, const char *line) {
  assay_error err;
  assert_int_equal(assay_cases_parse_line(it->arena, "--case", 0, line, &it->cases, &err),
                   ASSAY_OK);
  assay_case *copy = assay_arena_take(it->arena, 1, sizeof *copy);
  *copy = it->cases.items[it->cases.count - 1];
  return copy;
}

static bench *bench_of(const char *line) {
  assay_arena *arena = assay_arena_create();
  bench *it = assay_arena_take(arena, 1, sizeof *it);
  it->arena = arena;
  it->journal.arena = arena;
  it->a_case = add_case(it, line);
  assay_reference_need need = {.line = it->a_case->line, .op = "matmul", .result_count = 1};
  assay_error err;
  if (assay_reference_load(arena, ASSAY_SOURCE_DIR, &need, &it->reference, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  return it;
}

static bench *bench_create(void) {
  return bench_of(case_line);
}

static void bench_destroy(bench *it) {
  assay_arena_destroy(it->arena);
}

static const assay_opened *open_backend(bench *it, const char *name) {
  int i = it->opened_count++;
  it->backends[i] = assay_faulty_backend(name);
  it->opened[i].backend = &it->backends[i];
  assay_error err;
  assert_int_equal(it->backends[i].open(NULL, &it->opened[i].device, &err), ASSAY_OK);
  return &it->opened[i];
}

static assay_job *add_job(bench *it, const assay_opened *opened, const char *data) {
  assay_job *job = &it->jobs[it->job_count++];
  *job =
      (assay_job){.a_case = it->a_case, .opened = opened, .data = data, .reference = it->reference};
  return job;
}

static void add_both(bench *it, const char *backend) {
  const assay_opened *opened = open_backend(it, backend);
  add_job(it, opened, "int");
  add_job(it, opened, "real");
}

static assay_code run_bench(bench *it, int parallel, double seconds, volatile sig_atomic_t *stop) {
  const assay_run_options options = {
      .parallel = parallel, .seconds = seconds, .memory_bytes = 64000000, .stop = stop};
  const assay_run_listener listener = {.user = &it->journal, .finished = collect};
  assay_error err;
  return assay_run_jobs(it->jobs, it->job_count, &options, &listener, &err);
}

// The one record of that backend and data set.
static const assay_record *record_of(const bench *it, const char *backend, const char *data) {
  const assay_record *found = NULL;
  for (size_t i = 0; i < it->journal.count; i++) {
    const assay_record *each = &it->journal.records[i];
    if (strcmp(each->backend, backend) == 0 && strcmp(each->data, data) == 0) {
      assert_null(found);
      found = each;
    }
  }
  assert_non_null(found);
  return found;
}

static void check_record(const bench *it, const char *backend, const char *data,
                         assay_verdict verdict, const char *reason) {
  const assay_record *record = record_of(it, backend, data);
  const char *got = record->reason != NULL ? record->reason : "";
  if (record->verdict != verdict || (reason[0] == '\0') != (got[0] == '\0') ||
      strncmp(got, reason, strlen(reason)) != 0)
    fail_msg("%s, %s: %s '%s', want %s '%s'", backend, data, assay_verdict_name(record->verdict),
             got, assay_verdict_name(verdict), reason);
}

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

enum { PLENTY = 60 }; // seconds; a limit that nothing here comes near

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
      cmocka_unit_test(sees_wrong_answers),
      cmocka_unit_test(sees_what_is_just_too_imprecise),
      cmocka_unit_test(allows_the_precision_of_the_case),
      cmocka_unit_test(sees_misconduct_behind_right_answers),
      cmocka_unit_test(survives_every_death),
      cmocka_unit_test(ends_what_does_not_end),
      cmocka_unit_test(tells_refusals_apart),
      cmocka_unit_test(blames_unloading_on_the_last_job),
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
