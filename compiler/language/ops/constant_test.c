// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"
#include "compiler/language/operation.h"

#include <math.h>

static void strong_values_are_rounded_to_their_dtypes(void **state) {
  graph_fixture *f = *state;
  const struct {
    assay_value value;
    double expected;
  } cases[] = {
      {assay_strong_float(f->graph, ASSAY_F64, 0.1), 0.1},
      {assay_strong_float(f->graph, ASSAY_F32, 0.1), 0.1F},
      {assay_strong_float(f->graph, ASSAY_F16, 0.1), 0.0999755859375},
      {assay_strong_int(f->graph, ASSAY_F32, (1 << 24) + 1), 1 << 24},
      {assay_strong_int(f->graph, ASSAY_F16, 65536), INFINITY},
  };
  const assay_program *program;
  assay_error err;
  assay_value results[5];
  for (int i = 0; i < 5; i++)
    results[i] = cases[i].value;
  assert_int_equal(assay_graph_finish(f->graph, 5, results, &program, &err), ASSAY_OK);
  for (int i = 0; i < 5; i++) {
    const assay_scalar *scalar = assay_node_scalar(&program->nodes[program->results[i]]);
    assert_non_null(scalar);
    assert_true(scalar->real == cases[i].expected);
    assert_false(scalar->weak);
  }
}

static void casts_of_constants_are_constants(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value half = assay_cast(graph, assay_weak_float(graph, 0.5), ASSAY_F32);
  assert_int_equal(half.node, assay_strong_float(graph, ASSAY_F32, 0.5).node);
  assert_int_not_equal(assay_weak_float(graph, 0.5).node,
                       assay_strong_float(graph, ASSAY_F64, 0.5).node);
  assert_int_equal(assay_cast(graph, assay_weak_int(graph, 7), ASSAY_BOOL).node,
                   assay_strong_int(graph, ASSAY_BOOL, 1).node);
}

static void what_a_dtype_cannot_hold_is_rejected(void **state) {
  assay_arena *arena = ((graph_fixture *)*state)->arena;
  assay_graph *graph = assay_graph_create(arena);
  assert_rejected(graph, assay_strong_int(graph, ASSAY_I32, INT64_C(1) << 31),
                  "constant: i32 cannot hold 2147483648");
  graph = assay_graph_create(arena);
  assert_rejected(graph, assay_strong_int(graph, ASSAY_BOOL, 2), "constant: bool cannot hold 2");
  graph = assay_graph_create(arena);
  assert_rejected(graph, assay_strong_float(graph, ASSAY_I64, 1.5),
                  "constant: a float constant needs a floating dtype, found i64");
  graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_I32, assay_shape_make(1, 3));
  assert_true(assay_divide(graph, x, assay_weak_int(graph, INT64_MAX)).node >= 0);
  assert_true(assay_less(graph, x, assay_weak_int(graph, INT64_MAX)).node >= 0);
  assert_true(assay_add(graph, x, assay_weak_int(graph, INT32_MIN)).node >= 0);
  assert_rejected(graph, assay_add(graph, assay_weak_int(graph, INT64_C(1) << 31), x),
                  "add: weak_int + 3xi32: i32 cannot hold the Python integer 2147483648");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(strong_values_are_rounded_to_their_dtypes, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(casts_of_constants_are_constants, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(what_a_dtype_cannot_hold_is_rejected, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
