// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/listing.h"

#include "compiler/language/graph_testing.h"

// A slice, transposed, scaled, summed and masked, beside one of its inputs.
static const assay_program *example(assay_graph *graph) {
  assay_value x = assay_input(graph, "x \"1\"", ASSAY_F32, assay_shape_make(2, 4, 3));
  assay_value s = assay_slice(graph, x, 2, (assay_range[]){{1, 4, 1}, {0, 2, 1}});
  assay_value t = assay_transpose(graph, s, 2, (int[]){1, 0});
  assay_value y = assay_multiply(graph, t, assay_weak_float(graph, 0.5));
  const assay_value results[] = {assay_sum(graph, y, -1, false), x};
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 2, results, &program, &err), ASSAY_OK);
  return program;
}

static void programs_are_listed_line_by_line(void **state) {
  graph_fixture *f = *state;
  assert_string_equal(assay_program_list(f->arena, example(f->graph)),
                      "%0 = input x \"1\"                         f32 4x3\n"
                      "%1 = slice %0 [1:4, 0:2]                 f32 3x2\n"
                      "%2 = transpose %1 (1, 0)                 f32 2x3\n"
                      "%3 = constant 0.5                        f32 scalar\n"
                      "%4 = multiply %2 %3                      f32 2x3\n"
                      "%5 = sum %4 axis 1                       f32 2\n"
                      "return %5 %0\n");
}

static void programs_are_graphs(void **state) {
  graph_fixture *f = *state;
  assert_string_equal(assay_program_dot(f->arena, example(f->graph)),
                      "digraph program {\n"
                      "  n0 [shape=ellipse, label=\"input x \\\"1\\\"\\nf32 4x3\"];\n"
                      "  n1 [shape=box, label=\"slice [1:4, 0:2]\\nf32 3x2\"];\n"
                      "  n0 -> n1;\n"
                      "  n2 [shape=box, label=\"transpose (1, 0)\\nf32 2x3\"];\n"
                      "  n1 -> n2;\n"
                      "  n3 [shape=ellipse, label=\"constant 0.5\\nf32 scalar\"];\n"
                      "  n4 [shape=box, label=\"multiply\\nf32 2x3\"];\n"
                      "  n2 -> n4 [label=\"0\"];\n"
                      "  n3 -> n4 [label=\"1\"];\n"
                      "  n5 [shape=box, label=\"sum axis 1\\nf32 2\"];\n"
                      "  n4 -> n5;\n"
                      "  r0 [shape=plaintext, label=\"result 0\"];\n"
                      "  n5 -> r0;\n"
                      "  r1 [shape=plaintext, label=\"result 1\"];\n"
                      "  n0 -> r1;\n"
                      "}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(programs_are_listed_line_by_line, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(programs_are_graphs, graph_setup, graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
