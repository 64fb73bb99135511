// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void impossible_shapes_are_rejected(void **state) {
  const struct {
    assay_shape shape;
    const char *message;
  } cases[] = {
      {assay_shape_make(2, 0, 5), "input: x of 0x5xf32: each size must be at least 1, found 0"},
      {assay_shape_make(2, 3, -1), "input: x of 3x-1xf32: each size must be at least 1, found -1"},
      {assay_shape_make(2, 1 << 20, 1 << 20),
       "input: x of 1048576x1048576xf32: the count of elements must be below 2^40"},
      {assay_shape_make(2, INT64_MAX, 2),
       "input: x of 9223372036854775807x2xf32: the count of elements must be below 2^40"},
      {{.rank = 9}, "input: x of rank 9 f32: the rank must be from 0 to 8, found 9"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
    assert_rejected(graph, f32_input(graph, cases[i].shape), cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(impossible_shapes_are_rejected, graph_setup, graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
