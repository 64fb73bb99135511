// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For unit tests only: a graph per test, and what a broken rule looks like. Includes cmocka.
#ifndef ASSAY_COMPILER_LANGUAGE_GRAPH_TESTING_H
#define ASSAY_COMPILER_LANGUAGE_GRAPH_TESTING_H

#include "compiler/language/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct graph_fixture {
  assay_arena *arena;
  assay_graph *graph;
} graph_fixture;

static inline int graph_setup(void **state) {
  graph_fixture *fixture = malloc(sizeof *fixture);
  if (fixture == NULL)
    return 1;
  fixture->arena = assay_arena_create();
  fixture->graph = assay_graph_create(fixture->arena);
  *state = fixture;
  return 0;
}

static inline int graph_teardown(void **state) {
  graph_fixture *fixture = *state;
  assay_arena_destroy(fixture->arena);
  free(fixture);
  return 0;
}

// The value is none, and finishing the graph fails with exactly the message.
static inline void assert_rejected(assay_graph *graph, assay_value value, const char *message) {
  assert_int_equal(value.node, -1);
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 1, &value, &program, &err), ASSAY_INVALID);
  assert_string_equal(err.text, message);
  assert_string_equal(err.where, "");
  assert_null(program);
}

// The value's shape, printed.
static inline void assert_shape(const assay_graph *graph, assay_value value, const char *expected) {
  assert_true(value.node >= 0);
  assay_shape shape = assay_value_shape(graph, value);
  assert_string_equal(assay_shape_print(&shape).text, expected);
}

// An f32 argument of the graph.
static inline assay_value f32_input(assay_graph *graph, assay_shape shape) {
  return assay_input(graph, "x", ASSAY_F32, shape);
}

// An operation of two values, on f32 arguments of the given shapes, in a graph of its own.
typedef assay_value binary(assay_graph *graph, assay_value a, assay_value b);

static inline void reject_binary(void **state, binary *operation, assay_shape a, assay_shape b,
                                 const char *message) {
  assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
  assay_value value = operation(graph, f32_input(graph, a), f32_input(graph, b));
  assert_rejected(graph, value, message);
}

static inline void accept_binary(void **state, binary *operation, assay_shape a, assay_shape b,
                                 const char *shape) {
  assay_graph *graph = assay_graph_create(((graph_fixture *)*state)->arena);
  assay_value value = operation(graph, f32_input(graph, a), f32_input(graph, b));
  assert_shape(graph, value, shape);
  assert_int_equal(assay_value_dtype(graph, value), ASSAY_F32);
}

#endif
