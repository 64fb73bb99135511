// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void only_the_shape_may_change(void **state) {
  const struct {
    assay_shape to;
    const char *message;
  } cases[] = {
      {assay_shape_make(2, 4, 4),
       "reshape: 3x5xf32 to 4x4: the count of elements must stay the same, found 15 and 16"},
      {assay_shape_make(2, -1, 5),
       "reshape: 3x5xf32 to -1x5: each size must be at least 1, found -1"},
      {assay_shape_make(2, 0, 15),
       "reshape: 3x5xf32 to 0x15: each size must be at least 1, found 0"},
      {assay_shape_make(3, INT64_C(1) << 32, INT64_C(1) << 32, 15),
       "reshape: 3x5xf32 to 4294967296x4294967296x15: the count of elements must be below 2^40"},
      {{.rank = 9}, "reshape: 3x5xf32 to rank 9: the rank must be from 0 to 8, found 9"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
    assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
    assert_shape(graph, assay_reshape(graph, x, assay_shape_make(3, 5, 3, 1)), "5x3x1");
    assert_rejected(graph, assay_reshape(graph, x, cases[i].to), cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_the_shape_may_change, graph_setup, graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
