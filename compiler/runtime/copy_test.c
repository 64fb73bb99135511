// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/state.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct view {
  void *allocated;
  void *base;
  int64_t offset;
  int64_t extent[6];
} view;

static assay_unranked_memref unranked(int64_t rank, view *ranked) {
  return (assay_unranked_memref){rank, (assay_memref *)ranked};
}

static void a_transposed_slice_is_copied(void **state) {
  (void)state;
  int32_t from[20], to[6] = {0};
  for (int i = 0; i < 20; i++)
    from[i] = i;
  // rows 1 and 2, columns 1 to 3 of a 4x5 matrix, read as 3x2
  view source = {from, from, 6, {3, 2, 1, 5}}, target = {to, to, 0, {3, 2, 2, 1}};
  assay_unranked_memref s = unranked(2, &source), t = unranked(2, &target);
  assay_runtime_copy(sizeof(int32_t), &s, &t);
  const int32_t expected[] = {6, 11, 7, 12, 8, 13};
  assert_memory_equal(to, expected, sizeof expected);
}

static void rows_go_into_a_wider_buffer(void **state) {
  (void)state;
  double from[4] = {1, 2, 3, 4}, to[8] = {0};
  view source = {from, from, 0, {2, 2, 2, 1}}, target = {to, to, 1, {2, 2, 4, 1}};
  assay_unranked_memref s = unranked(2, &source), t = unranked(2, &target);
  assay_runtime_copy(sizeof(double), &s, &t);
  const double expected[] = {0, 1, 2, 0, 0, 3, 4, 0};
  assert_memory_equal(to, expected, sizeof expected);
}

static void a_scalar_is_copied(void **state) {
  (void)state;
  float from = 5, to = 0;
  view source = {&from, &from, 0, {0}}, target = {&to, &to, 0, {0}};
  assay_unranked_memref s = unranked(0, &source), t = unranked(0, &target);
  assay_runtime_copy(sizeof(float), &s, &t);
  assert_true(to == 5);
}

static void an_empty_copy_touches_nothing(void **state) {
  (void)state;
  view source = {NULL, NULL, 0, {2, 0, 1, 1}}, target = {NULL, NULL, 0, {2, 0, 1, 1}};
  assay_unranked_memref s = unranked(2, &source), t = unranked(2, &target);
  assay_runtime_copy(sizeof(float), &s, &t); // a crash would fail the test
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_transposed_slice_is_copied),
      cmocka_unit_test(rows_go_into_a_wider_buffer),
      cmocka_unit_test(a_scalar_is_copied),
      cmocka_unit_test(an_empty_copy_touches_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
