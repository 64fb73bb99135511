// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/exercise.h"

#include "harness/run/hidden/faulty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct bench {
  assay_arena *arena;
  assay_cases cases;
  assay_exercise exercise;
  assay_backend backend;
  assay_opened opened;
  assay_contender who;
  assay_error err;
} bench;

static bench *create(const char *backend) {
  assay_arena *arena = assay_arena_create();
  bench *it = assay_arena_take(arena, 1, sizeof *it);
  it->arena = arena;
  assert_int_equal(
      assay_cases_parse_line(arena, "--case", 0, "matmul m=3 k=5 n=7", &it->cases, &it->err),
      ASSAY_OK);
  assert_int_equal(
      assay_exercise_open(arena, &it->cases.items[0], "int", NULL, &it->exercise, &it->err),
      ASSAY_OK);
  it->backend = assay_faulty_backend(backend);
  it->opened = (assay_opened){.backend = &it->backend};
  it->who = (assay_contender){.name = backend, .opened = &it->opened};
  return it;
}

static void destroy(bench *it) {
  assay_exercise_close(&it->exercise);
  assay_arena_destroy(it->arena);
}

static assay_code open_entrant(bench *it, assay_entrant *out_entrant) {
  const assay_object none = {.bytes = NULL};
  return assay_entrant_open(&it->who, &it->exercise, &none, true, out_entrant, &it->err);
}

static void an_entrant_runs_on_memory_of_its_own(void **state) {
  (void)state;
  bench *it = create("honest");
  assay_entrant entrant;
  assert_int_equal(open_entrant(it, &entrant), ASSAY_OK);
  assert_int_equal(it->exercise.program->input_count, 2);
  for (int i = 0; i < 2; i++) {
    assert_ptr_not_equal(entrant.inputs[i].data, it->exercise.inputs[i].data);
    assert_int_equal((uintptr_t)entrant.inputs[i].data % 64, 0);
  }
  assert_memory_equal(entrant.inputs[1].data, it->exercise.inputs[1].data, 35 * sizeof(float));
  assert_true(entrant.compiled);
  assert_int_equal(entrant.counters.blas_calls, 1);
  // The warm-up has left a result.
  const float *a = entrant.inputs[0].data, *b = entrant.inputs[1].data,
              *c = entrant.results[0].data;
  float sum = 0;
  for (int k = 0; k < 5; k++)
    sum += a[2 * 5 + k] * b[k * 7 + 6];
  assert_true(c[2 * 7 + 6] == sum);
  assay_entrant_close(&entrant);
  destroy(it);
}

static void loops_run_as_often_as_they_are_told(void **state) {
  (void)state;
  bench *it = create("honest");
  assay_entrant entrant;
  assert_int_equal(open_entrant(it, &entrant), ASSAY_OK);
  assay_timed item = assay_entrant_timed(&entrant, (assay_batches){.iterations = 7, .count = 2});
  assert_string_equal(item.name, "honest");
  assert_null(item.between);
  assert_int_equal(item.iterations, 7);
  assert_int_equal(item.repetitions, 2);
  assert_int_equal(assay_time_round(&item, 1, 0, &it->err), ASSAY_OK);
  assert_false(entrant.failed);
  assay_evictor *evictor = assay_evictor_create();
  entrant.evictor = evictor;
  item = assay_entrant_timed(&entrant, (assay_batches){.iterations = 1, .count = 1});
  assert_non_null(item.between);
  assert_int_equal(assay_time_round(&item, 1, 0, &it->err), ASSAY_OK);
  assay_evictor_destroy(evictor);
  assay_entrant_close(&entrant);
  destroy(it);
}

static void a_failure_to_compile_or_to_run_is_told(void **state) {
  (void)state;
  static const char *const faults[][2] = {
      {"error", "the device was lost"},
      {"load error", "failed to legalize operation 'linalg.matmul'"},
  };
  for (int i = 0; i < 2; i++) {
    bench *it = create(faults[i][0]);
    assay_entrant entrant;
    assert_int_equal(open_entrant(it, &entrant), ASSAY_FAILED);
    assert_string_equal(it->err.text, faults[i][1]);
    destroy(it);
  }
}

static int64_t device_runs; // of the last loop

static assay_code time_on_device(assay_loaded *loaded, int64_t runs, double *out_seconds,
                                 assay_error *err) {
  (void)loaded;
  device_runs += runs;
  *out_seconds = 0.125;
  return runs < 1000 ? ASSAY_OK : assay_fail(err, ASSAY_FAILED, "the device was lost");
}

static void a_device_is_timed_by_its_own_clock(void **state) {
  (void)state;
  bench *it = create("honest");
  it->backend.time = time_on_device;
  assert_true(assay_contender_is_on_device(&it->who));
  assay_entrant entrant;
  assert_int_equal(open_entrant(it, &entrant), ASSAY_OK);
  assert_int_equal(entrant.counters.blas_calls, 1); // the warm-up is a run as any other
  device_runs = 0;
  assay_timed item = assay_entrant_timed(&entrant, (assay_batches){.iterations = 7, .count = 2});
  assert_int_equal(assay_time_round(&item, 1, 0, &it->err), ASSAY_OK);
  assert_int_equal(device_runs, 2 * 7);
  assert_true(item.seconds == 0.125);
  // How many runs take a time is found one by one.
  device_runs = 0;
  item = assay_entrant_timed(&entrant, (assay_batches){.iterations = 0, .count = 1});
  assert_int_equal(assay_time_round(&item, 1, 1, &it->err), ASSAY_OK);
  assert_true(item.iterations >= 8 && device_runs >= 8);
  assert_true(item.seconds == 0.125);
  item = assay_entrant_timed(&entrant, (assay_batches){.iterations = 1000, .count = 1});
  assert_int_equal(assay_time_round(&item, 1, 0, &it->err), ASSAY_OK);
  assert_true(entrant.failed);
  assert_string_equal(entrant.failure.text, "the device was lost");
  assay_entrant_close(&entrant);
  destroy(it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_entrant_runs_on_memory_of_its_own),
      cmocka_unit_test(loops_run_as_often_as_they_are_told),
      cmocka_unit_test(a_failure_to_compile_or_to_run_is_told),
      cmocka_unit_test(a_device_is_timed_by_its_own_clock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
