// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

typedef assay_value reduce(assay_graph *graph, assay_value x, int axis, bool keepdims);

static void an_axis_goes_or_stays_with_size_one(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(3, 2, 3, 5));
  reduce *const all[] = {assay_sum, assay_mean, assay_max};
  for (int i = 0; i < 3; i++) {
    assert_shape(graph, all[i](graph, x, 0, false), "3x5");
    assert_shape(graph, all[i](graph, x, -2, false), "2x5");
    assert_shape(graph, all[i](graph, x, -1, true), "2x3x1");
    assert_int_equal(all[i](graph, x, -1, false).node, all[i](graph, x, 2, false).node);
    assert_int_not_equal(all[i](graph, x, 1, false).node, all[i](graph, x, 2, false).node);
  }
}

static void axes_out_of_range_are_rejected(void **state) {
  const struct {
    reduce *operation;
    assay_shape shape;
    int axis;
    const char *message;
  } cases[] = {
      {assay_sum,
       {2, {3, 5}},
       2,
       "sum: 3x5xf32: the axis must be from -rank to rank - 1, found 2 of rank 2"},
      {assay_max,
       {2, {3, 5}},
       -3,
       "max: 3x5xf32: the axis must be from -rank to rank - 1, found -3 of rank 2"},
      {assay_mean,
       {0, {0}},
       0,
       "mean: f32: the axis must be from -rank to rank - 1, found 0 of rank 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
    assay_value x = f32_input(graph, cases[i].shape);
    assert_rejected(graph, cases[i].operation(graph, x, cases[i].axis, true), cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_axis_goes_or_stays_with_size_one, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(axes_out_of_range_are_rejected, graph_setup, graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
