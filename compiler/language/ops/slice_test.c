// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void only_slices_within_bounds_are_taken(void **state) {
  const struct {
    int count;
    assay_range ranges[2];
    const char *message;
  } cases[] = {
      {1, {{0, 3, 1}}, "slice: 3x5xf32 [0:3]: one range for each of the 2 axes is needed, found 1"},
      {2,
       {{0, 3, 1}, {0, 6, 1}},
       "slice: 3x5xf32 [0:3, 0:6]: the stop of axis 1 must be from 0 to its size 5, found 6"},
      {2,
       {{4, 3, 1}, {0, 5, 1}},
       "slice: 3x5xf32 [4:3, 0:5]: the start of axis 0 must be from 0 to its size 3, found 4"},
      {2,
       {{2, 2, 1}, {0, 5, 1}},
       "slice: 3x5xf32 [2:2, 0:5]: the slice of axis 0 must not be empty, found 2:2"},
      {2,
       {{0, 3, 1}, {4, 1, 1}},
       "slice: 3x5xf32 [0:3, 4:1]: the slice of axis 1 must not be empty, found 4:1"},
      {2,
       {{3, 3, 1}, {0, 5, 1}},
       "slice: 3x5xf32 [3:3, 0:5]: the slice of axis 0 must not be empty, found 3:3"},
      {2,
       {{-1, 3, 1}, {0, 5, 1}},
       "slice: 3x5xf32 [-1:3, 0:5]: the start of axis 0 must be from 0 to its size 3, found -1"},
      {2,
       {{0, 3, 1}, {0, -1, 1}},
       "slice: 3x5xf32 [0:3, 0:-1]: the stop of axis 1 must be from 0 to its size 5, found -1"},
      {2,
       {{0, 3, 1}, {0, 5, 2}},
       "slice: 3x5xf32 [0:3, 0:5:2]: the step of axis 1 must be 1, found 2"},
      {2,
       {{0, 3, 0}, {0, 5, 1}},
       "slice: 3x5xf32 [0:3:0, 0:5]: the step of axis 0 must be 1, found 0"},
      {2,
       {{2, 0, -1}, {0, 5, 1}},
       "slice: 3x5xf32 [2:0:-1, 0:5]: the step of axis 0 must be 1, found -1"},
      {2,
       {{INT64_MIN, INT64_MAX, 1}, {0, 5, 1}},
       "slice: 3x5xf32 [-9223372036854775808:9223372036854775807, 0:5]: the start of axis 0 must "
       "be "
       "from 0 to its size 3, found -9223372036854775808"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
    assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
    assert_shape(graph, assay_slice(graph, x, 2, (assay_range[]){{0, 3, 1}, {2, 5, 1}}), "3x3");
    assert_rejected(graph, assay_slice(graph, x, cases[i].count, cases[i].ranges),
                    cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_slices_within_bounds_are_taken, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
