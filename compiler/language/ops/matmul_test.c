// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void only_matrices_that_fit_are_multiplied(void **state) {
  accept_binary(state, assay_matmul, assay_shape_make(2, 3, 5), assay_shape_make(2, 5, 7), "3x7");
  reject_binary(state, assay_matmul, assay_shape_make(2, 3, 5), assay_shape_make(2, 6, 7),
                "matmul: 3x5xf32 @ 6x7xf32: the inner sizes must be equal, found 5 and 6");
  reject_binary(state, assay_matmul, assay_shape_make(1, 5), assay_shape_make(2, 5, 7),
                "matmul: 5xf32 @ 5x7xf32: both operands must have rank 2, found 1 and 2");
  reject_binary(state, assay_matmul, assay_shape_make(2, 3, 5), assay_shape_make(0, 0),
                "matmul: 3x5xf32 @ f32: both operands must have rank 2, found 2 and 0");
  reject_binary(state, assay_matmul, assay_shape_make(4, 1, 2, 3, 5), assay_shape_make(2, 5, 7),
                "matmul: 1x2x3x5xf32 @ 5x7xf32: both operands must have rank 2, found 4 and 2");
  reject_binary(state, assay_matmul, assay_shape_make(2, 1 << 20, 1),
                assay_shape_make(2, 1, 1 << 20),
                "matmul: 1048576x1xf32 @ 1x1048576xf32: result 1048576x1048576xf32: the count of "
                "elements must be below 2^40");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_matrices_that_fit_are_multiplied, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
