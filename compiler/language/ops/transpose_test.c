// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph_testing.h"

static void only_permutations_transpose(void **state) {
  const struct {
    int count, permutation[3];
    const char *message;
  } cases[] = {
      {2,
       {1, 0},
       "transpose: 3x5x7xf32 by (1, 0): the permutation must hold each of the 3 axes once, found 2 "
       "axes"},
      {0,
       {0},
       "transpose: 3x5x7xf32 by (): the permutation must hold each of the 3 axes once, found 0 "
       "axes"},
      {3,
       {0, 2, 0},
       "transpose: 3x5x7xf32 by (0, 2, 0): the permutation must hold each axis once, found 0 "
       "twice"},
      {3, {0, 3, 1}, "transpose: 3x5x7xf32 by (0, 3, 1): each axis must be from 0 to 2, found 3"},
      {3,
       {0, -1, 1},
       "transpose: 3x5x7xf32 by (0, -1, 1): each axis must be from 0 to 2, found -1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
    assay_value x = f32_input(graph, assay_shape_make(3, 3, 5, 7));
    assert_shape(graph, assay_transpose(graph, x, 3, (int[]){2, 0, 1}), "7x3x5");
    assert_rejected(graph, assay_transpose(graph, x, cases[i].count, cases[i].permutation),
                    cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_permutations_transpose, graph_setup, graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
