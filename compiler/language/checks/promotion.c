// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what the language makes of every operation on every pair of kinds of operands, a line
// each, "add f32[] weak_int -> f32" or "-> rejected", for promotion_test.py to compare with NumPy.
#include "compiler/language/graph.h"

#include <stdio.h>
#include <stdlib.h>

enum kind { WEAK_BOOL = 2 * ASSAY_DTYPE_COUNT, WEAK_INT, WEAK_FLOAT, KINDS };

// Arrays of each dtype, then strong scalars of each, then the weak ones.
static assay_value operand(assay_graph *graph, int kind, assay_shape shape) {
  if (kind < ASSAY_DTYPE_COUNT)
    return assay_input(graph, "x", (assay_dtype)kind, shape);
  assay_dtype dtype = (assay_dtype)(kind - ASSAY_DTYPE_COUNT);
  switch (kind) {
  case WEAK_BOOL:
    return assay_weak_bool(graph, true);
  case WEAK_INT:
    return assay_weak_int(graph, 3);
  case WEAK_FLOAT:
    return assay_weak_float(graph, 3);
  default:
    return assay_strong_int(graph, dtype, dtype == ASSAY_BOOL ? 1 : 3);
  }
}

static void print_kind(int kind) {
  static const char *const weak[] = {"weak_bool", "weak_int", "weak_float"};
  if (kind >= WEAK_BOOL)
    printf(" %s", weak[kind - WEAK_BOOL]);
  else
    printf(" %s%s", assay_dtype_get((assay_dtype)(kind % ASSAY_DTYPE_COUNT))->name,
           kind < ASSAY_DTYPE_COUNT ? "[]" : "");
}

static void print_result(assay_graph *graph, assay_value value) {
  const assay_program *program;
  assay_error err;
  if (assay_graph_finish(graph, 1, &value, &program, &err) == ASSAY_OK)
    printf(" -> %s\n", assay_dtype_get(program->nodes[program->results[0]].dtype)->name);
  else
    printf(" -> rejected\n");
}

static assay_value choose(assay_graph *graph, assay_value a, assay_value b) {
  return assay_where(graph, assay_input(graph, "condition", ASSAY_BOOL, assay_shape_make(1, 2)), a,
                     b);
}

typedef struct binary {
  const char *name;
  assay_value (*operation)(assay_graph *graph, assay_value a, assay_value b);
  assay_shape shape; // of arrays
  int kinds;         // of operands that it takes, the first so many
} binary;

static const binary binaries[] = {
    {"add", assay_add, {1, {2}}, KINDS},
    {"subtract", assay_subtract, {1, {2}}, KINDS},
    {"multiply", assay_multiply, {1, {2}}, KINDS},
    {"divide", assay_divide, {1, {2}}, KINDS},
    {"power", assay_power, {1, {2}}, KINDS},
    {"minimum", assay_minimum, {1, {2}}, KINDS},
    {"maximum", assay_maximum, {1, {2}}, KINDS},
    {"equal", assay_equal, {1, {2}}, KINDS},
    {"not_equal", assay_not_equal, {1, {2}}, KINDS},
    {"less", assay_less, {1, {2}}, KINDS},
    {"less_equal", assay_less_equal, {1, {2}}, KINDS},
    {"greater", assay_greater, {1, {2}}, KINDS},
    {"greater_equal", assay_greater_equal, {1, {2}}, KINDS},
    {"where", choose, {1, {2}}, KINDS},
    {"matmul", assay_matmul, {2, {2, 2}}, ASSAY_DTYPE_COUNT},
    {"batch_matmul", assay_batch_matmul, {3, {2, 2, 2}}, ASSAY_DTYPE_COUNT},
};

typedef struct unary {
  const char *name;
  assay_value (*operation)(assay_graph *graph, assay_value x);
} unary;

static const unary unaries[] = {
    {"negative", assay_negative}, {"absolute", assay_absolute}, {"exp", assay_exp},
    {"log", assay_log},           {"tanh", assay_tanh},         {"sqrt", assay_sqrt},
    {"rsqrt", assay_rsqrt},       {"erf", assay_erf},
};

typedef struct reduction {
  const char *name;
  assay_value (*operation)(assay_graph *graph, assay_value x, int axis, bool keepdims);
} reduction;

static const reduction reductions[] = {
    {"sum", assay_sum}, {"mean", assay_mean}, {"max", assay_max}};

static void print_binary(assay_arena *arena, const binary *it) {
  for (int a = 0; a < it->kinds; a++) {
    for (int b = 0; b < it->kinds; b++) {
      assay_graph *graph = assay_graph_create(arena);
      printf("%s", it->name);
      print_kind(a);
      print_kind(b);
      assay_value x = operand(graph, a, it->shape), y = operand(graph, b, it->shape);
      print_result(graph, it->operation(graph, x, y));
    }
  }
}

static void print_unary(assay_arena *arena, const unary *it) {
  for (int kind = 0; kind < KINDS; kind++) {
    assay_graph *graph = assay_graph_create(arena);
    printf("%s", it->name);
    print_kind(kind);
    print_result(graph, it->operation(graph, operand(graph, kind, assay_shape_make(1, 2))));
  }
}

static void print_reduction(assay_arena *arena, const reduction *it) {
  for (int dtype = 0; dtype < ASSAY_DTYPE_COUNT; dtype++) {
    assay_graph *graph = assay_graph_create(arena);
    printf("%s", it->name);
    print_kind(dtype);
    assay_value x = operand(graph, dtype, assay_shape_make(1, 2));
    print_result(graph, it->operation(graph, x, 0, false));
  }
}

int main(void) {
  assay_arena *arena = assay_arena_create();
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    print_binary(arena, &binaries[i]);
  for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++)
    print_unary(arena, &unaries[i]);
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    print_reduction(arena, &reductions[i]);
  assay_arena_destroy(arena);
  return EXIT_SUCCESS;
}
