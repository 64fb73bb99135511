// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int create(void **state) {
  *state = assay_runtime_create(true);
  return 0;
}

static int destroy(void **state) {
  assay_runtime_destroy(*state);
  return 0;
}

static void expect_fault(const assay_runtime *runtime, const char *text) {
  assay_error err;
  assert_int_equal(assay_runtime_check(runtime, &err), ASSAY_FAILED);
  assert_string_equal(err.text, text);
}

static void expect_no_fault(const assay_runtime *runtime) {
  assay_error err;
  assert_int_equal(assay_runtime_check(runtime, &err), ASSAY_OK);
}

static void fresh_memory_is_nan_and_aligned(void **state) {
  for (int64_t size = 4; size < 300; size += 36) {
    float *data = assay_runtime_alloc(*state, size);
    assert_int_equal((uintptr_t)data % 64, 0);
    for (int64_t i = 0; i < size / 4; i++)
      assert_true(isnan(data[i]));
    assay_runtime_free(*state, data);
  }
  expect_no_fault(*state);
}

static void a_byte_past_the_end_is_found(void **state) {
  char *data = assay_runtime_alloc(*state, 12);
  data[12] = 0;
  assay_runtime_free(*state, data);
  expect_fault(*state, "the program wrote past an allocation of 12 bytes");
}

static void a_byte_before_the_start_is_found(void **state) {
  char *data = assay_runtime_alloc(*state, 12);
  data[-1] = 0;
  assay_runtime_free(*state, data);
  expect_fault(*state, "the program wrote before an allocation of 12 bytes");
}

static void what_was_not_freed_is_counted(void **state) {
  void *first = assay_runtime_alloc(*state, 8);
  void *second = assay_runtime_alloc(*state, 0);
  expect_fault(*state, "the program did not free 2 of its allocations");
  assay_runtime_free(*state, first);
  expect_fault(*state, "the program did not free 1 of its allocations");
  assay_runtime_free(*state, second);
  expect_no_fault(*state);
}

static void a_second_free_is_found(void **state) {
  void *data = assay_runtime_alloc(*state, 8);
  assay_runtime_free(*state, data);
  assay_runtime_free(*state, data);
  expect_fault(*state, "the program freed an address that it had not allocated");
}

static void what_was_freed_is_poison_and_stays_so(void **state) {
  float *data = assay_runtime_alloc(*state, 12);
  data[1] = 1;
  assay_runtime_free(*state, data);
  assert_true(isnan(data[1]));
  expect_no_fault(*state);
  data[2] = 1;
  expect_fault(*state, "the program wrote to an allocation of 12 bytes that it had freed");
  assay_runtime_reset(*state);
  expect_no_fault(*state);
}

static void the_first_fault_is_kept_until_reset(void **state) {
  assay_runtime_fault(*state, "first of %d", 2);
  assay_runtime_fault(*state, "second");
  expect_fault(*state, "first of 2");
  assay_runtime_reset(*state);
  expect_no_fault(*state);
}

static void freeing_null_is_allowed(void **state) {
  assay_runtime_free(*state, NULL);
  expect_no_fault(*state);
}

static void what_is_asked_for_is_counted(void **state) {
  (void)state;
  for (int guarded = 0; guarded < 2; guarded++) {
    assay_runtime *runtime = assay_runtime_create(guarded);
    void *first = assay_runtime_alloc(runtime, 100);
    assay_runtime_free(runtime, first);
    void *second = assay_runtime_alloc(runtime, 60), *third = assay_runtime_alloc(runtime, 60);
    assay_runtime_free(runtime, third);
    assay_heap heap = assay_runtime_heap(runtime);
    assert_int_equal(heap.allocations, 3);
    assert_int_equal(heap.bytes, 220);
    assert_int_equal(heap.live, 60);
    assert_int_equal(heap.peak, 120);
    assay_runtime_free(runtime, second);
    assay_runtime_reset(runtime);
    assert_int_equal(assay_runtime_heap(runtime).peak, 0);
    assay_runtime_destroy(runtime);
  }
}

static void unguarded_memory_is_given_out_again(void **state) {
  (void)state;
  assay_runtime *runtime = assay_runtime_create(false);
  char *data = assay_runtime_alloc(runtime, 100);
  memset(data, 1, 100);
  assert_int_equal((uintptr_t)data % 64, 0);
  char *other = assay_runtime_alloc(runtime, 100);
  assert_ptr_not_equal(other, data);
  assay_runtime_free(runtime, data);
  char *larger = assay_runtime_alloc(runtime, 101);
  assert_ptr_not_equal(larger, data);
  assert_ptr_equal(assay_runtime_alloc(runtime, 100), data);
  assay_runtime_free(runtime, data);
  assay_runtime_free(runtime, other);
  assay_runtime_free(runtime, larger);
  expect_no_fault(runtime);
  assay_runtime_destroy(runtime);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(fresh_memory_is_nan_and_aligned, create, destroy),
      cmocka_unit_test_setup_teardown(a_byte_past_the_end_is_found, create, destroy),
      cmocka_unit_test_setup_teardown(a_byte_before_the_start_is_found, create, destroy),
      cmocka_unit_test_setup_teardown(what_was_not_freed_is_counted, create, destroy),
      cmocka_unit_test_setup_teardown(a_second_free_is_found, create, destroy),
      cmocka_unit_test_setup_teardown(what_was_freed_is_poison_and_stays_so, create, destroy),
      cmocka_unit_test_setup_teardown(the_first_fault_is_kept_until_reset, create, destroy),
      cmocka_unit_test_setup_teardown(freeing_null_is_allowed, create, destroy),
      cmocka_unit_test(what_is_asked_for_is_counted),
      cmocka_unit_test(unguarded_memory_is_given_out_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
