// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds of honest and faulty backends.
#include "harness/bench/bench.h"

#include "compiler/base/shared.h"
#include "harness/run/hidden/faulty.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4, ROUNDS = 4 };

typedef struct bench {
  assay_arena *arena;
  assay_cases cases;
  const assay_reference *reference;
  assay_exercise exercise;
  assay_backend backends[MOST];
  assay_opened opened[MOST];
  assay_contender contenders[MOST];
  size_t count;
  volatile sig_atomic_t stop;
  assay_bench_result results[MOST];
} bench;

static bench *create(void) {
  assay_arena *arena = assay_arena_create();
  bench *it = assay_arena_take(arena, 1, sizeof *it);
  assay_error err;
  it->arena = arena;
  assert_int_equal(
      assay_cases_parse_line(arena, "--case", 0, "matmul m=3 k=5 n=7", &it->cases, &err), ASSAY_OK);
  const assay_case *a_case = &it->cases.items[0];
  assay_reference_need need = {.line = a_case->line, .op = "matmul", .result_count = 1};
  if (assay_reference_load(arena, ASSAY_SOURCE_DIR, &need, &it->reference, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  assert_int_equal(assay_exercise_open(arena, a_case, "real", it->reference, &it->exercise, &err),
                   ASSAY_OK);
  return it;
}

static void destroy(bench *it) {
  assay_exercise_close(&it->exercise);
  assay_arena_destroy(it->arena);
}

static assay_backend *add(bench *it, const char *name) {
  size_t i = it->count++;
  it->backends[i] = assay_faulty_backend(name);
  it->opened[i] = (assay_opened){.backend = &it->backends[i]};
  it->contenders[i] = (assay_contender){.name = name, .opened = &it->opened[i]};
  return &it->backends[i];
}

static void time_for(bench *it, double min_seconds, double timeout) {
  const assay_bench_options options = {.repetitions = ROUNDS,
                                       .min_seconds = min_seconds,
                                       .threads = 1,
                                       .timeout = timeout,
                                       .memory_bytes = 64000000,
                                       .stop = &it->stop};
  assay_error err;
  if (assay_bench_case(it->arena, &it->exercise, it->contenders, it->count, &options, it->results,
                       &err) != ASSAY_OK)
    fail_msg("%s", err.text);
}

static void time_all(bench *it, double timeout) {
  time_for(it, 0.0005, timeout);
}

static void check(const bench *it, size_t contender, assay_verdict verdict, const char *reason,
                  size_t samples) {
  const assay_bench_result *result = &it->results[contender];
  if (result->verdict != verdict || strstr(result->reason, reason) == NULL ||
      result->run_count != samples)
    fail_msg("%s: %s '%s' with %zu samples, want %s '%s' with %zu", it->contenders[contender].name,
             assay_verdict_name(result->verdict), result->reason, result->run_count,
             assay_verdict_name(verdict), reason, samples);
}

static void each_round_gives_each_a_sample(void **state) {
  (void)state;
  bench *it = create();
  add(it, "honest");
  add(it, "talkative"); // prints what looks like a record
  assay_counters counters[MOST];
  for (int times = 0; times < 2; times++) {
    time_all(it, 20);
    for (size_t i = 0; i < it->count; i++) {
      const assay_bench_result *result = &it->results[i];
      check(it, i, ASSAY_PASS, "", ROUNDS);
      assert_int_equal(result->compile_count, ROUNDS); // it keeps no object
      assert_true(result->compile_samples[0] == 0.25);
      assert_true(result->margin >= 0 && result->margin <= 1);
      for (int r = 0; r < ROUNDS; r++)
        assert_true(result->run_samples[r] > 0);
      if (times == 0)
        counters[i] = result->counters;
      assert_memory_equal(&counters[i], &result->counters, sizeof counters[i]);
      assert_int_equal(result->counters.blas_calls, 1);
    }
  }
  destroy(it);
}

typedef struct fault {
  const char *name;
  assay_verdict verdict;
  const char *reason;
} fault;

// A death, an endless loop or a wrong answer is that contender's alone, whoever comes first.
static void only_the_guilty_one_goes(void **state) {
  (void)state;
  const fault faults[] = {
      {"wrong element", ASSAY_FAIL, "want"},
      {"imprecise", ASSAY_FAIL, "want"},
      {"nan", ASSAY_FAIL, "nan"},
      {"segfault", ASSAY_CRASH, "SIGSEGV"},
      {"abort", ASSAY_CRASH, "Assertion `rank == 2' failed."},
      {"exit 0", ASSAY_CRASH, ""},
      {"error", ASSAY_ERROR, "the device was lost"},
      {"load segfault", ASSAY_CRASH, "SIGSEGV"},
      {"load error", ASSAY_ERROR, "failed to legalize"},
      {"hungry", ASSAY_CRASH, "memory"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    bench *it = create();
    size_t guilty = i % 2;
    add(it, guilty == 0 ? faults[i].name : "honest");
    add(it, guilty == 1 ? faults[i].name : "honest");
    time_all(it, 20);
    check(it, guilty, faults[i].verdict, faults[i].reason, 0);
    check(it, 1 - guilty, ASSAY_PASS, "", ROUNDS);
    if (faults[i].verdict == ASSAY_FAIL)
      assert_true(!(it->results[guilty].margin <= 1));
    destroy(it);
  }
}

static void an_endless_one_meets_the_time_limit(void **state) {
  (void)state;
  bench *it = create();
  add(it, "honest");
  add(it, "endless");
  time_all(it, 0.3);
  check(it, 1, ASSAY_TIMEOUT, "", 0);
  check(it, 0, ASSAY_PASS, "", ROUNDS);
  destroy(it);
}

// The limit is a run's, not the loop's.
static void a_loop_may_last_longer_than_the_time_limit(void **state) {
  (void)state;
  bench *it = create();
  add(it, "honest");
  time_for(it, 0.25, 0.2);
  check(it, 0, ASSAY_PASS, "", ROUNDS);
  destroy(it);
}

// It has been timed, and what it was timed at stays.
static void a_death_while_unloading_is_its_own(void **state) {
  (void)state;
  bench *it = create();
  add(it, "honest");
  add(it, "unload segfault");
  time_all(it, 20);
  check(it, 1, ASSAY_CRASH, "SIGSEGV", 0); // the first round's loop only finds out how long it is
  check(it, 0, ASSAY_PASS, "", ROUNDS);
  destroy(it);
}

// How often programs were loaded in all processes: shared with them.
static int *loads;

static assay_code crash_at_the_third(assay_device *device, const assay_program *program,
                                     assay_object *object, assay_loaded **out_loaded,
                                     assay_load_report *out_report, assay_error *err) {
  if (++*loads == 3)
    (void)raise(SIGSEGV);
  return assay_faulty_backend("honest").load(device, program, object, out_loaded, out_report, err);
}

static void a_death_in_a_later_round_keeps_earlier_samples(void **state) {
  (void)state;
  assay_shared *shared;
  assay_error err;
  assert_int_equal(assay_shared_create(1 << 20, &shared, &err), ASSAY_OK);
  loads = assay_shared_take(shared, sizeof *loads);
  bench *it = create();
  add(it, "honest");
  add(it, "honest")->load = crash_at_the_third;
  time_all(it, 20);
  check(it, 1, ASSAY_CRASH, "SIGSEGV", 1); // of the rounds 0, 1 and 2 the first does not count
  // The other was not reached in the round that died, where it came later.
  assert_int_equal(it->results[0].verdict, ASSAY_PASS);
  assert_true(it->results[0].run_count >= ROUNDS - 1);
  destroy(it);
  assay_shared_destroy(shared);
}

static void stopped_before_it_begins_it_has_no_samples(void **state) {
  (void)state;
  bench *it = create();
  add(it, "honest");
  it->stop = SIGINT;
  time_all(it, 20);
  check(it, 0, ASSAY_PASS, "", 0);
  destroy(it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_round_gives_each_a_sample),
      cmocka_unit_test(only_the_guilty_one_goes),
      cmocka_unit_test(an_endless_one_meets_the_time_limit),
      cmocka_unit_test(a_loop_may_last_longer_than_the_time_limit),
      cmocka_unit_test(a_death_while_unloading_is_its_own),
      cmocka_unit_test(a_death_in_a_later_round_keeps_earlier_samples),
      cmocka_unit_test(stopped_before_it_begins_it_has_no_samples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
