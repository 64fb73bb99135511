// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void masks_have_a_length_and_a_floating_dtype(void **state) {
  assay_arena *arena = ((graph_fixture *)*state)->arena;
  assay_graph *graph = assay_graph_create(arena);
  assert_shape(graph, assay_causal_mask(graph, 7, ASSAY_F16), "7x7");
  assert_rejected(graph, assay_causal_mask(graph, 0, ASSAY_F32),
                  "causal_mask: 0x0xf32: the length must be at least 1, found 0");
  graph = assay_graph_create(arena);
  assert_rejected(graph, assay_causal_mask(graph, 3, ASSAY_I64),
                  "causal_mask: 3x3xi64: the dtype must be a floating one, found i64");
  graph = assay_graph_create(arena);
  assert_rejected(
      graph, assay_causal_mask(graph, INT64_C(1) << 20, ASSAY_F32),
      "causal_mask: result 1048576x1048576xf32: the count of elements must be below 2^40");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(masks_have_a_length_and_a_floating_dtype, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
