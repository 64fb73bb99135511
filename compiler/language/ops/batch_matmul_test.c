// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void only_batches_that_fit_are_multiplied(void **state) {
  accept_binary(state, assay_batch_matmul, assay_shape_make(3, 2, 3, 5),
                assay_shape_make(3, 2, 5, 7), "2x3x7");
  reject_binary(
      state, assay_batch_matmul, assay_shape_make(3, 2, 3, 5), assay_shape_make(3, 2, 6, 7),
      "batch_matmul: 2x3x5xf32 @ 2x6x7xf32: the inner sizes must be equal, found 5 and 6");
  reject_binary(
      state, assay_batch_matmul, assay_shape_make(3, 2, 3, 5), assay_shape_make(3, 1, 5, 7),
      "batch_matmul: 2x3x5xf32 @ 1x5x7xf32: the batch sizes must be equal (unlike NumPy's, "
      "batches do not broadcast), found 2 and 1");
  reject_binary(state, assay_batch_matmul, assay_shape_make(2, 3, 5), assay_shape_make(3, 2, 5, 7),
                "batch_matmul: 3x5xf32 @ 2x5x7xf32: both operands must have rank 3, found 2 and 3");
  reject_binary(state, assay_batch_matmul, assay_shape_make(3, 2, 3, 5), assay_shape_make(1, 5),
                "batch_matmul: 2x3x5xf32 @ 5xf32: both operands must have rank 3, found 3 and 1");
  reject_binary(
      state, assay_batch_matmul, assay_shape_make(4, 1, 2, 3, 5), assay_shape_make(4, 1, 2, 5, 7),
      "batch_matmul: 1x2x3x5xf32 @ 1x2x5x7xf32: both operands must have rank 3, found 4 and 4");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_batches_that_fit_are_multiplied, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
