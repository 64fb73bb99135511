// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph.h"
#include "compiler/language/graph_testing.h"
#include "compiler/language/operation.h"

static const assay_program *finish(assay_graph *graph, assay_value result) {
  const assay_program *program = NULL;
  assay_error err = {.text = ""};
  assay_code code = assay_graph_finish(graph, 1, &result, &program, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  return program;
}

static void a_program_lists_inputs_nodes_and_results_in_order(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assay_value w = assay_input(graph, "w", ASSAY_F32, assay_shape_make(2, 5, 7));
  assay_value y = assay_matmul(graph, x, w);
  assay_value bias = assay_input(graph, "bias", ASSAY_F32, assay_shape_make(1, 7));
  const assay_program *program = finish(graph, assay_add(graph, y, bias));
  assert_int_equal(program->node_count, 5);
  assert_int_equal(program->input_count, 3);
  assert_int_equal(program->inputs[2], bias.node);
  assert_string_equal(program->nodes[bias.node].attribute.name, "bias");
  assert_int_equal(program->result_count, 1);
  const assay_node *result = &program->nodes[program->results[0]];
  assert_string_equal(result->operation->name, "add");
  assert_int_equal(result->operand[0], y.node);
}

static void the_first_violation_wins_and_later_operations_do_nothing(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assay_value bad = assay_matmul(graph, x, x);
  assert_int_equal(bad.node, -1);
  assay_value later[] = {
      assay_add(graph, bad, x),
      assay_cast(graph, x, ASSAY_F64),
      assay_matmul(graph, x, bad),
      assay_batch_matmul(graph, x, x),
      assay_reshape(graph, x, assay_shape_make(1, 15)),
      assay_slice(graph, x, 0, NULL),
      assay_transpose(graph, x, 2, (int[]){1, 0}),
      f32_input(graph, assay_shape_make(1, 0)),
      f32_input(graph, assay_shape_make(1, 1)),
  };
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    assert_rejected(graph, later[i],
                    "matmul: 3x5xf32 @ 3x5xf32: the inner sizes must be equal, found 5 and 3");
  assert_int_equal(assay_value_shape(graph, x).rank, 0);
  assert_int_equal(assay_value_dtype(graph, x), ASSAY_F64);
}

static void values_of_no_graph_are_rejected(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assert_rejected(graph, assay_add(graph, x, (assay_value){7}),
                  "add: an operand is no value of this graph");
}

static void results_are_checked(void **state) {
  assay_arena *arena = ((graph_fixture *)*state)->arena;
  const struct {
    int count;
    int node;
    const char *message;
  } cases[] = {
      {0, 0, "program: from 1 to 64 results must be named, found 0"},
      {65, 0, "program: from 1 to 64 results must be named, found 65"},
      {2, 3, "program: result 0 is no value of this graph"},
      {2, -1, "program: result 0 is no value of this graph"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assay_graph *graph = assay_graph_create(arena);
    (void)f32_input(graph, assay_shape_make(1, 2));
    assay_value results[65] = {{cases[i].node}};
    const assay_program *program = NULL;
    assay_error err;
    assert_int_equal(assay_graph_finish(graph, cases[i].count, results, &program, &err),
                     ASSAY_INVALID);
    assert_string_equal(err.text, cases[i].message);
  }
}

static void inputs_are_limited(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = {-1};
  for (int i = 0; i < ASSAY_MAX_ARGUMENTS; i++)
    x = f32_input(graph, assay_shape_make(1, 2));
  assert_int_equal(finish(graph, x)->input_count, 64);
  x = f32_input(graph, assay_shape_make(1, 2));
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 1, &x, &program, &err), ASSAY_INVALID);
  assert_string_equal(err.text, "program: at most 64 inputs are possible, found 65");
}

// Dead nodes would make contractions that no backend ever sees; unused arguments stay arguments.
static void nodes_that_no_result_needs_are_dropped_but_inputs_stay(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value unused = assay_input(graph, "unused", ASSAY_I32, assay_shape_make(1, 4));
  assay_value x = f32_input(graph, assay_shape_make(2, 5, 5));
  (void)assay_add(graph, assay_matmul(graph, x, x), x);
  assay_value moved = assay_transpose(graph, x, 2, (int[]){1, 0});
  const assay_program *program = finish(graph, assay_matmul(graph, moved, x));
  assert_int_equal(program->node_count, 4);
  assert_int_equal(program->input_count, 2);
  assert_int_equal(program->inputs[0], unused.node);
  assert_string_equal(program->nodes[2].operation->name, "transpose");
  assert_int_equal(program->nodes[3].operand[0], 2);
  assert_int_equal(program->nodes[3].operand[1], x.node);
  assert_int_equal(program->results[0], 3);
  assert_int_equal(assay_program_contractions(program).all, 1);
}

static void equal_operations_are_one_node_and_inputs_never(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_shape shape = assay_shape_make(2, 3, 3);
  assay_value x = assay_input(graph, "x", ASSAY_F32, shape);
  assay_value y = assay_input(graph, "x", ASSAY_F32, shape);
  assert_int_not_equal(x.node, y.node);
  assert_int_equal(assay_matmul(graph, x, y).node, assay_matmul(graph, x, y).node);
  assert_int_not_equal(assay_matmul(graph, x, y).node, assay_matmul(graph, y, x).node);
  assert_int_not_equal(assay_matmul(graph, x, y).node, assay_add(graph, x, y).node);
  const assay_range first[] = {{0, 2, 1}, {0, 2, 1}}, second[] = {{1, 3, 1}, {0, 2, 1}};
  assert_int_equal(assay_slice(graph, x, 2, first).node, assay_slice(graph, x, 2, first).node);
  assert_int_not_equal(assay_slice(graph, x, 2, first).node, assay_slice(graph, x, 2, second).node);
  const int same[] = {0, 1}, exchanged[] = {1, 0};
  assert_int_not_equal(assay_transpose(graph, x, 2, same).node,
                       assay_transpose(graph, x, 2, exchanged).node);
  assert_int_not_equal(assay_cast(graph, x, ASSAY_F64).node, assay_cast(graph, x, ASSAY_I64).node);
}

static void casts_that_promotion_asks_for_are_nodes(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assay_value w = assay_input(graph, "w", ASSAY_I32, assay_shape_make(2, 5, 7));
  const assay_program *program = finish(graph, assay_matmul(graph, x, w));
  assert_int_equal(program->node_count, 5);
  const assay_node *matmul = &program->nodes[4];
  assert_int_equal(matmul->dtype, ASSAY_F64);
  for (int i = 0; i < 2; i++) {
    const assay_node *cast = &program->nodes[matmul->operand[i]];
    assert_string_equal(cast->operation->name, "cast");
    assert_int_equal(cast->dtype, ASSAY_F64);
    assert_int_equal(cast->operand[0], i);
  }
}

static void compositions_head_the_message(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assay_graph_enter(graph, "block");
  assay_graph_enter(graph, "inner");
  assay_value kept = assay_graph_leave(graph, assay_exp(graph, x));
  assert_shape(graph, kept, "3x5");
  assay_graph_enter(graph, "linear");
  assay_value broken = assay_matmul(graph, x, x);
  assay_graph_object(graph, "never said");
  broken = assay_graph_leave(graph, assay_graph_leave(graph, broken));
  assert_rejected(graph, broken,
                  "block: linear: matmul: 3x5xf32 @ 3x5xf32: the inner sizes must be equal, found "
                  "5 and 3");
}

static void a_composition_has_rules_of_its_own(void **state) {
  assay_graph *graph = ((graph_fixture *)*state)->graph;
  assay_value x = f32_input(graph, assay_shape_make(2, 3, 5));
  assay_graph_enter(graph, "block");
  assay_graph_object(graph, "%d is no number of heads", 4);
  x = assay_exp(graph, assay_graph_leave(graph, x));
  assert_rejected(graph, x, "block: 4 is no number of heads");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_program_lists_inputs_nodes_and_results_in_order,
                                      graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(the_first_violation_wins_and_later_operations_do_nothing,
                                      graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(values_of_no_graph_are_rejected, graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(results_are_checked, graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(inputs_are_limited, graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(nodes_that_no_result_needs_are_dropped_but_inputs_stay,
                                      graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(equal_operations_are_one_node_and_inputs_never, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(casts_that_promotion_asks_for_are_nodes, graph_setup,
                                      graph_teardown),
      cmocka_unit_test_setup_teardown(compositions_head_the_message, graph_setup, graph_teardown),
      cmocka_unit_test_setup_teardown(a_composition_has_rules_of_its_own, graph_setup,
                                      graph_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
