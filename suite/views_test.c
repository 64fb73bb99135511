// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each view against the table of OPS.md, element by element: the program's slices, transposes and
// reshapes are followed from an operand's element back to its argument's.
#include "compiler/language/operation.h"
#include "suite/views.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 6, COLUMNS = 15, BATCHES = 4 };

// The row-major number of the node's element in the node it comes from.
static int64_t source_of(const assay_node *node, const assay_node *source, int64_t number) {
  if (strcmp(node->operation->name, "reshape") == 0)
    return number;
  int64_t index[ASSAY_MAX_RANK] = {0};
  const int rank = node->shape.rank;
  assert(rank >= 1 && rank <= ASSAY_MAX_RANK);
  for (int i = rank - 1; i >= 0; i--) {
    int axis = i;
    int64_t start = 0;
    if (strcmp(node->operation->name, "transpose") == 0)
      axis = node->attribute.permutation[i];
    else
      start = node->attribute.range[i].start;
    index[axis] = start + number % node->shape.dim[i];
    number /= node->shape.dim[i];
  }
  int64_t at = 0;
  for (int i = 0; i < source->shape.rank; i++)
    at = at * source->shape.dim[i] + index[i];
  return at;
}

// The argument's element that the result's element is.
static int64_t trace(const assay_program *program, int64_t number) {
  int at = program->results[0];
  while (at != program->inputs[0]) {
    int source = program->nodes[at].operand[0];
    number = source_of(&program->nodes[at], &program->nodes[source], number);
    at = source;
  }
  return number;
}

typedef struct view_case {
  const char *view, *shape; // of the argument, or of the result's view
  int64_t offset;           // the argument's element that the first of the view is
  int64_t step[3];          // and how far it moves along each axis of the view
} view_case;

static void check(const assay_program *program, const view_case *expected) {
  const assay_shape *shape = &program->nodes[program->results[0]].shape;
  for (int64_t number = 0; number < assay_shape_count(shape); number++) {
    int64_t want = expected->offset, rest = number;
    for (int i = shape->rank - 1; i >= 0; i--) {
      want += rest % shape->dim[i] * expected->step[i];
      rest /= shape->dim[i];
    }
    assert_int_equal(trace(program, number), want);
  }
}

static const assay_program *finish(assay_graph *graph, assay_value value) {
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 1, &value, &program, &err), ASSAY_OK);
  return program;
}

static void check_operand(const view_case *expected, assay_shape operand) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  const assay_program *program =
      finish(graph, assay_view_operand(graph, expected->view, "lhs", ASSAY_I32, operand));
  const assay_node *argument = &program->nodes[program->inputs[0]];
  assert_string_equal(argument->attribute.name, "lhs");
  assert_int_equal(argument->dtype, ASSAY_I32);
  assert_string_equal(assay_shape_print(&argument->shape).text, expected->shape);
  assert_true(assay_shape_equal(&program->nodes[program->results[0]].shape, &operand));
  check(program, expected);
  assay_arena_destroy(arena);
}

static void check_result(const view_case *expected, assay_shape contraction) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value c = assay_input(graph, "c", ASSAY_F32, contraction);
  const assay_program *program = finish(graph, assay_view_result(graph, expected->view, c));
  const assay_node *result = &program->nodes[program->results[0]];
  assert_string_equal(assay_shape_print(&result->shape).text, expected->shape);
  check(program, expected);
  assay_arena_destroy(arena);
}

static void matrix_operands(void **state) {
  (void)state;
  const view_case expected[] = {
      {"plain", "6x15", 0, {15, 1}},      {"sliced", "9x20", 20 + 2, {20, 1}},
      {"transposed", "15x6", 0, {1, 6}},  {"sliced_transposed", "20x9", 2 * 9 + 1, {1, 9}},
      {"reshaped", "2x3x15", 0, {15, 1}},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    check_operand(&expected[i], assay_shape_make(2, ROWS, COLUMNS));
  check_operand(&(view_case){"reshaped", "1x1x4", 0, {4, 1}}, assay_shape_make(2, 1, 4));
  check_operand(&(view_case){"reshaped", "7x1x4", 0, {4, 1}}, assay_shape_make(2, 7, 4));
  check_operand(&(view_case){"reshaped", "5x5x1", 0, {1, 1}}, assay_shape_make(2, 25, 1));
}

static void batch_operands(void **state) {
  (void)state;
  const view_case expected[] = {
      {"plain", "4x6x15", 0, {90, 15, 1}},
      {"sliced", "5x9x20", 180 + 20 + 2, {180, 20, 1}},
      {"transposed", "4x15x6", 0, {90, 1, 6}},
      {"sliced_transposed", "5x20x9", 180 + 2 * 9 + 1, {180, 1, 9}},
      {"reshaped", "24x15", 0, {90, 15, 1}},
      {"heads", "6x4x15", 0, {15, 60, 1}},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    check_operand(&expected[i], assay_shape_make(3, BATCHES, ROWS, COLUMNS));
}

static void matrix_results(void **state) {
  (void)state;
  const view_case expected[] = {
      {"plain", "6x15", 0, {15, 1}},        {"sliced", "5x13", 15 + 2, {15, 1}},
      {"transposed", "15x6", 0, {1, 15}},   {"sliced_transposed", "13x5", 15 + 2, {1, 15}},
      {"reshaped", "6x3x5", 0, {15, 5, 1}},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    check_result(&expected[i], assay_shape_make(2, ROWS, COLUMNS));
  check_result(&(view_case){"sliced", "1x1", 0, {1, 1}}, assay_shape_make(2, 1, 1));
  check_result(&(view_case){"sliced", "1x1", 3, {2, 1}}, assay_shape_make(2, 2, 2));
  check_result(&(view_case){"reshaped", "2x1x1", 0, {1, 1, 1}}, assay_shape_make(2, 2, 1));
}

static void batch_results(void **state) {
  (void)state;
  const view_case expected[] = {
      {"plain", "4x6x15", 0, {90, 15, 1}},
      {"sliced", "3x5x13", 90 + 15 + 2, {90, 15, 1}},
      {"transposed", "4x15x6", 0, {90, 1, 15}},
      {"sliced_transposed", "3x13x5", 90 + 15 + 2, {90, 1, 15}},
      {"reshaped", "24x15", 0, {15, 1}},
      {"heads", "6x4x15", 0, {15, 90, 1}},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    check_result(&expected[i], assay_shape_make(3, BATCHES, ROWS, COLUMNS));
  check_result(&(view_case){"sliced", "1x1x1", 0, {1, 1, 1}}, assay_shape_make(3, 1, 1, 1));
}

// A contraction that the language rejected goes through every view without harm.
static void views_of_a_violation_keep_it(void **state) {
  (void)state;
  const char *const names[] = {"plain",    "sliced", "transposed", "sliced_transposed",
                               "reshaped", "heads"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    assay_value c = assay_input(graph, "c", ASSAY_F32, assay_shape_make(2, 0, 5));
    assay_value view = assay_view_result(graph, names[i], c);
    const assay_program *program;
    assay_error err;
    assert_int_equal(assay_graph_finish(graph, 1, &view, &program, &err), ASSAY_INVALID);
    assert_string_equal(err.text, "input: c of 0x5xf32: each size must be at least 1, found 0");
    assay_arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrix_operands),
      cmocka_unit_test(batch_operands),
      cmocka_unit_test(matrix_results),
      cmocka_unit_test(batch_results),
      cmocka_unit_test(views_of_a_violation_keep_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
