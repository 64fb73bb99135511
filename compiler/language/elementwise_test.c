// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dtype rules that elementwise operations break, and their messages. Values are tested on the
// backends, result dtypes against NumPy.
#include "compiler/language/graph_testing.h"

static assay_value bools(assay_graph *graph) {
  return assay_input(graph, "b", ASSAY_BOOL, assay_shape_make(2, 3, 5));
}

static void bools_have_no_differences_negatives_and_powers(void **state) {
  assay_arena *arena = ((graph_fixture *)*state)->arena;
  assay_graph *graph = assay_graph_create(arena);
  assert_rejected(graph, assay_subtract(graph, bools(graph), assay_weak_bool(graph, true)),
                  "subtract: 3x5xbool - weak_bool: NumPy has no bool - bool");
  graph = assay_graph_create(arena);
  assert_rejected(graph, assay_negative(graph, bools(graph)),
                  "negative: 3x5xbool: NumPy has no -bool");
  graph = assay_graph_create(arena);
  assert_rejected(
      graph, assay_power(graph, bools(graph), bools(graph)),
      "power: 3x5xbool ** 3x5xbool: bool ** bool is int8 in NumPy, which the language lacks");
}

static void integers_have_no_negative_powers(void **state) {
  assay_arena *arena = ((graph_fixture *)*state)->arena;
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_I32, assay_shape_make(1, 4));
  assert_shape(graph, assay_power(graph, x, assay_weak_int(graph, 0)), "4");
  assert_shape(graph, assay_power(graph, x, assay_weak_float(graph, -1)), "4");
  assert_rejected(graph, assay_power(graph, x, assay_strong_int(graph, ASSAY_I64, -1)),
                  "power: 4xi32 ** i64: integers have no negative integer powers, found -1");
}

static void conditions_are_bool(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = assay_input(graph, "x", ASSAY_I32, assay_shape_make(1, 5));
  assay_value y = assay_input(graph, "y", ASSAY_F32, assay_shape_make(2, 7, 1));
  assert_shape(graph, assay_where(graph, bools(graph), x, assay_weak_int(graph, 0)), "3x5");
  assert_rejected(graph, assay_where(graph, x, x, y),
                  "where: 5xi32, 5xi32, 7x1xf32: the condition must be bool, found i32");
}

static void three_shapes_broadcast_or_are_rejected(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 1));
  assay_value y = f32_input(graph, assay_shape_make(2, 7, 5));
  assert_rejected(
      graph, assay_where(graph, bools(graph), x, y),
      "where: 3x5xbool, 3x1xf32, 7x5xf32: sizes must be equal or 1 to broadcast, found 3 and 7 on "
      "axis 0 of the result");
}

static void weak_scalars_become_strong_results(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = assay_absolute(graph, assay_weak_int(graph, -3));
  assay_value y = assay_input(graph, "y", ASSAY_I32, assay_shape_make(1, 5));
  assert_int_equal(assay_value_dtype(graph, assay_add(graph, x, y)), ASSAY_I64);
  x = assay_absolute(graph, assay_weak_bool(graph, true));
  assert_int_equal(assay_value_dtype(graph, assay_add(graph, x, y)), ASSAY_I32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(bools_have_no_differences_negatives_and_powers, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(integers_have_no_negative_powers, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(conditions_are_bool, graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(three_shapes_broadcast_or_are_rejected, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(weak_scalars_become_strong_results, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
