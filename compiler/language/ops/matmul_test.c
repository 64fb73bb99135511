// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"
#include "compiler/language/listing.h"

#include <string.h>

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

static void tf32_is_for_f32(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_shape square = assay_shape_make(2, 3, 3);
  assay_value a = assay_input(graph, "a", ASSAY_F32, square);
  assay_value b = assay_input(graph, "b", ASSAY_F64, square);
  assay_value exact = assay_matmul(graph, a, a);
  assay_graph_allow(graph, ASSAY_PRECISION_TF32);
  assay_value rough = assay_matmul(graph, a, a);
  assert_int_not_equal(rough.node, exact.node);
  assert_int_equal(assay_matmul(graph, a, a).node, rough.node);
  assay_graph_allow(graph, ASSAY_PRECISION_EXACT);
  assert_int_equal(assay_matmul(graph, a, a).node, exact.node);
  assert_true(assay_matmul(graph, b, b).node >= 0);
  assay_graph_allow(graph, ASSAY_PRECISION_TF32);
  assert_rejected(graph, assay_matmul(graph, a, b),
                  "matmul: 3x3xf32 @ 3x3xf64: precision=tf32 is for operands of f32, found f64");
}

static void tf32_is_not_for_f16(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value a = assay_input(graph, "a", ASSAY_F16, assay_shape_make(2, 3, 3));
  assay_graph_allow(graph, ASSAY_PRECISION_TF32);
  assert_rejected(graph, assay_matmul(graph, a, a),
                  "matmul: 3x3xf16 @ 3x3xf16: precision=tf32 is for operands of f32, found f16");
}

static const assay_program *square_of(assay_arena *arena, assay_precision precision) {
  assay_graph *graph = assay_graph_create(arena);
  assay_graph_allow(graph, precision);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 3, 3));
  assay_value product = assay_matmul(graph, a, a);
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 1, &product, &program, &err), ASSAY_OK);
  return program;
}

static void the_precision_tells_programs_apart(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_program *exact = square_of(arena, ASSAY_PRECISION_EXACT);
  const assay_program *rough = square_of(arena, ASSAY_PRECISION_TF32);
  assert_int_not_equal(assay_program_fingerprint(exact), assay_program_fingerprint(rough));
  assert_non_null(strstr(assay_program_list(arena, rough), "matmul %0 %0 tf32 "));
  assert_null(strstr(assay_program_list(arena, exact), "tf32"));
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_matrices_that_fit_are_multiplied, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(tf32_is_for_f32, graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(tf32_is_not_for_f16, graph_setup, graph_teardown),
      cmocka_unit_test(the_precision_tells_programs_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
