// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void casts_to_the_same_dtype_are_no_nodes(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assert_int_equal(assay_cast(graph, x, ASSAY_F32).node, x.node);
  assay_value y = assay_cast(graph, x, ASSAY_I64);
  assert_shape(graph, y, "3x5");
  assert_int_equal(assay_value_dtype(graph, y), ASSAY_I64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(casts_to_the_same_dtype_are_no_nodes, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
