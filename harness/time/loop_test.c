// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/time/loop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct tally {
  int64_t runs, between;
} tally;

static void count_run(void *user) {
  ((tally *)user)->runs++;
}

static void count_between(void *user) {
  ((tally *)user)->between++;
}

static double answer_elsewhere(void *user) {
  ((tally *)user)->runs++;
  return 0.125;
}

static void each_item_runs_as_often_as_it_is_told(void **state) {
  (void)state;
  tally first = {0}, second = {0};
  assay_timed items[] = {
      {.name = "same name", .user = &first, .run = count_run, .iterations = 7},
      {.name = "same name",
       .user = &second,
       .run = count_run,
       .between = count_between,
       .iterations = 3},
  };
  assay_error err;
  for (int round = 1; round <= 2; round++) {
    assert_int_equal(assay_time_round(items, 2, 0, &err), ASSAY_OK);
    assert_int_equal(first.runs, 7 * round);
    assert_int_equal(second.runs, 3 * round);
    assert_int_equal(second.between, 3 * round);
    assert_int_equal(items[0].iterations, 7);
    assert_true(items[0].seconds >= 0 && items[1].seconds >= 0);
  }
}

static void time_of_another_process_is_taken_as_told(void **state) {
  (void)state;
  tally runs = {0};
  assay_timed item = {
      .name = "x", .user = &runs, .run_elsewhere = answer_elsewhere, .iterations = 4};
  assay_error err;
  assert_int_equal(assay_time_round(&item, 1, 0, &err), ASSAY_OK);
  assert_int_equal(runs.runs, 4);
  assert_true(fabs(item.seconds - 0.125) < 1e-9);
}

static void iterations_are_found_for_a_time(void **state) {
  (void)state;
  tally runs = {0};
  assay_timed item = {.name = "x", .user = &runs, .run_elsewhere = answer_elsewhere};
  assay_error err;
  assert_int_equal(assay_time_round(&item, 1, 1.0, &err), ASSAY_OK);
  assert_true(item.iterations >= 8); // a second of an eighth each
}

static void a_sample_is_the_first_decile_of_its_loops(void **state) {
  (void)state;
  double numbers[] = {9, 3, 5, 1, 7, 2, 8, 4, 6, 10, 11};
  assert_true(assay_time_decile(numbers, 11) == 2);
  assert_true(assay_time_decile(numbers, 1) == 1);
  tally runs = {0};
  assay_timed item = {
      .name = "x", .user = &runs, .run = count_run, .iterations = 5, .repetitions = 4};
  assay_error err;
  assert_int_equal(assay_time_round(&item, 1, 0, &err), ASSAY_OK);
  assert_int_equal(runs.runs, 20);
  assert_int_equal(item.iterations, 5);
}

static void loops_last_some_milliseconds_or_one_run(void **state) {
  (void)state;
  assay_batches few = assay_batches_plan(0.5, 0.05), some = assay_batches_plan(0.01, 0.05);
  assay_batches many = assay_batches_plan(1e-6, 0.05);
  assert_int_equal(few.iterations, 1);
  assert_int_equal(few.count, 1);
  assert_int_equal(some.count, 8);
  assert_int_equal(many.iterations, 2500);
  assert_int_equal(many.count, 20);
  assert_true(assay_batches_plan(0, 1).count >= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_item_runs_as_often_as_it_is_told),
      cmocka_unit_test(time_of_another_process_is_taken_as_told),
      cmocka_unit_test(iterations_are_found_for_a_time),
      cmocka_unit_test(a_sample_is_the_first_decile_of_its_loops),
      cmocka_unit_test(loops_last_some_milliseconds_or_one_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
