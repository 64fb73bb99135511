// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void shapes_broadcast_or_are_rejected(void **state) {
  accept_binary(state, assay_add, assay_shape_make(2, 3, 5), assay_shape_make(1, 5), "3x5");
  accept_binary(state, assay_add, assay_shape_make(2, 3, 1), assay_shape_make(3, 2, 1, 5), "2x3x5");
  accept_binary(state, assay_add, assay_shape_make(0, 0), assay_shape_make(0, 0), "scalar");
  reject_binary(
      state, assay_add, assay_shape_make(2, 3, 5), assay_shape_make(2, 4, 5),
      "add: 3x5xf32 + 4x5xf32: sizes must be equal or 1 to broadcast, found 3 and 4 on axis 0 of "
      "the result");
  reject_binary(
      state, assay_add, assay_shape_make(2, 3, 5), assay_shape_make(1, 3),
      "add: 3x5xf32 + 3xf32: sizes must be equal or 1 to broadcast, found 5 and 3 on axis 1 of "
      "the result");
  reject_binary(state, assay_add, assay_shape_make(1, 1 << 20), assay_shape_make(2, 1 << 20, 1),
                "add: 1048576xf32 + 1048576x1xf32: result 1048576x1048576xf32: the count of "
                "elements must be below 2^40");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(shapes_broadcast_or_are_rejected, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
