// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 16 };

struct assay_graph {
  assay_arena *arena;
  assay_node *nodes;
  int node_count, node_capacity;
  assay_code code;                    // ASSAY_OK until a rule is broken
  assay_error violation;              // the first one
  const char *composition[MAX_DEPTH]; // those being built, the outermost first
  int depth;
  assay_precision precision; // of contractions from here on
};

assay_graph *assay_graph_create(assay_arena *arena) {
  assay_graph *graph = assay_arena_take(arena, 1, sizeof *graph);
  graph->arena = arena;
  return graph;
}

assay_arena *assay_graph_arena(const assay_graph *graph) {
  return graph->arena;
}

void assay_graph_allow(assay_graph *graph, assay_precision precision) {
  graph->precision = precision;
}

assay_precision assay_graph_precision(const assay_graph *graph) {
  return graph->precision;
}

static const assay_node *find_node(const assay_graph *graph, assay_value value) {
  bool known = graph->code == ASSAY_OK && value.node >= 0 && value.node < graph->node_count;
  return known ? &graph->nodes[value.node] : NULL;
}

const assay_node *assay_graph_operand(assay_graph *graph, const assay_operation *operation,
                                      assay_value value) {
  const assay_node *node = find_node(graph, value);
  if (node == NULL)
    (void)assay_graph_reject(graph, operation, "an operand is no value of this graph");
  return node;
}

// Records the first violation only, headed by the compositions it is in and a name, which may be
// NULL.
static void reject(assay_graph *graph, const char *name, const char *rule) {
  if (graph->code != ASSAY_OK)
    return;
  assay_text head = {.arena = graph->arena};
  for (int i = 0; i < graph->depth; i++)
    assay_text_print(&head, "%s: ", graph->composition[i]);
  if (name != NULL)
    assay_text_print(&head, "%s: ", name);
  graph->code = assay_fail(&graph->violation, ASSAY_INVALID, "%s%s", assay_text_get(&head), rule);
}

void assay_graph_enter(assay_graph *graph, const char *name) {
  assert(graph->depth < MAX_DEPTH);
  graph->composition[graph->depth++] = name;
}

assay_value assay_graph_leave(assay_graph *graph, assay_value value) {
  assert(graph->depth > 0);
  graph->depth--;
  return value;
}

void assay_graph_object(assay_graph *graph, const char *format, ...) {
  char rule[sizeof graph->violation.text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(rule, sizeof rule, format, arguments);
  va_end(arguments);
  reject(graph, NULL, rule);
}

assay_value assay_graph_reject(assay_graph *graph, const assay_operation *operation,
                               const char *format, ...) {
  char rule[sizeof graph->violation.text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(rule, sizeof rule, format, arguments);
  va_end(arguments);
  reject(graph, operation->name, rule);
  return ASSAY_NO_VALUE;
}

// Grown nodes are copied, never moved: the pointers that operations hold stay valid.
static void reserve_node(assay_graph *graph) {
  if (graph->node_count < graph->node_capacity)
    return;
  int capacity = graph->node_capacity == 0 ? 16 : graph->node_capacity * 2;
  assay_node *nodes = assay_arena_take(graph->arena, (size_t)capacity, sizeof *nodes);
  if (graph->node_count > 0)
    memcpy(nodes, graph->nodes, (size_t)graph->node_count * sizeof *nodes);
  graph->nodes = nodes;
  graph->node_capacity = capacity;
}

static uint64_t hash_attribute(const assay_node *node) {
  return node->operation->hash != NULL ? node->operation->hash(ASSAY_HASH_START, node) : 0;
}

// Whether both compute the same. Attributes are compared by their 64-bit hashes.
static bool is_same(const assay_node *a, const assay_node *b) {
  return a->operation == b->operation && a->operand_count == b->operand_count &&
         memcmp(a->operand, b->operand, (size_t)a->operand_count * sizeof *a->operand) == 0 &&
         a->dtype == b->dtype && assay_shape_equal(&a->shape, &b->shape) &&
         hash_attribute(a) == hash_attribute(b);
}

static bool is_input(const assay_node *node) {
  return node->operation->emit == NULL;
}

static assay_value reject_result(assay_graph *graph, const assay_node *node, const char *rule) {
  const assay_node *operands[ASSAY_MAX_OPERANDS];
  for (int i = 0; i < node->operand_count; i++)
    operands[i] = &graph->nodes[node->operand[i]];
  const char *given = assay_operands_print(graph, node->operation, node->operand_count, operands);
  return assay_graph_reject(graph, node->operation, "%s%sresult %s: %s", given,
                            given[0] != '\0' ? ": " : "",
                            assay_tensor_print(node->dtype, &node->shape).text, rule);
}

assay_value assay_graph_append(assay_graph *graph, const assay_node *node) {
  assert(node->operand_count <= ASSAY_MAX_OPERANDS);
  if (graph->code != ASSAY_OK)
    return ASSAY_NO_VALUE;
  assay_error broken;
  if (assay_shape_check(&node->shape, &broken) != ASSAY_OK)
    return reject_result(graph, node, broken.text);
  // Compilers merge equal computations; a program that has none counts its contractions as they do.
  for (int i = 0; i < graph->node_count && !is_input(node); i++)
    if (is_same(&graph->nodes[i], node))
      return (assay_value){i};
  reserve_node(graph);
  graph->nodes[graph->node_count] = *node;
  return (assay_value){graph->node_count++};
}

assay_shape assay_value_shape(const assay_graph *graph, assay_value value) {
  const assay_node *node = find_node(graph, value);
  return node != NULL ? node->shape : (assay_shape){.rank = 0};
}

assay_dtype assay_value_dtype(const assay_graph *graph, assay_value value) {
  const assay_node *node = find_node(graph, value);
  return node != NULL ? node->dtype : ASSAY_F64;
}

static void check_arguments(assay_graph *graph, int count, const assay_value results[]) {
  char rule[128];
  int input_count = 0;
  for (int i = 0; i < graph->node_count; i++)
    input_count += is_input(&graph->nodes[i]);
  if (input_count > ASSAY_MAX_ARGUMENTS) {
    snprintf(rule, sizeof rule, "at most %d inputs are possible, found %d", ASSAY_MAX_ARGUMENTS,
             input_count);
    reject(graph, "program", rule);
  }
  if (count < 1 || count > ASSAY_MAX_ARGUMENTS) {
    snprintf(rule, sizeof rule, "from 1 to %d results must be named, found %d", ASSAY_MAX_ARGUMENTS,
             count);
    reject(graph, "program", rule);
    return;
  }
  for (int i = 0; i < count; i++) {
    if (find_node(graph, results[i]) == NULL) {
      snprintf(rule, sizeof rule, "result %d is no value of this graph", i);
      reject(graph, "program", rule);
    }
  }
}

// Numbers the nodes that the program keeps: number[i] is node i's new number, or -1. Returns how
// many.
static int number_nodes(const assay_graph *graph, int result_count, const assay_value results[],
                        int number[]) {
  enum { DROPPED = -1, KEPT = 0 };
  for (int i = 0; i < graph->node_count; i++)
    number[i] = is_input(&graph->nodes[i]) ? KEPT : DROPPED;
  for (int i = 0; i < result_count; i++)
    number[results[i].node] = KEPT;
  for (int i = graph->node_count - 1; i >= 0; i--) {
    for (int j = 0; number[i] == KEPT && j < graph->nodes[i].operand_count; j++)
      number[graph->nodes[i].operand[j]] = KEPT;
  }
  int count = 0;
  for (int i = 0; i < graph->node_count; i++) {
    if (number[i] == KEPT)
      number[i] = count++;
  }
  return count;
}

assay_code assay_graph_finish(assay_graph *graph, int result_count, const assay_value results[],
                              const assay_program **out_program, assay_error *err) {
  check_arguments(graph, result_count, results);
  if (graph->code != ASSAY_OK) {
    *err = graph->violation;
    return graph->code;
  }
  assay_arena *arena = graph->arena;
  int *number = assay_arena_take(arena, (size_t)graph->node_count, sizeof *number);
  int node_count = number_nodes(graph, result_count, results, number);
  assay_node *nodes = assay_arena_take(arena, (size_t)node_count, sizeof *nodes);
  int *inputs = assay_arena_take(arena, (size_t)node_count, sizeof *inputs);
  int *outputs = assay_arena_take(arena, (size_t)result_count, sizeof *outputs);
  int input_count = 0;
  for (int i = 0; i < graph->node_count; i++) {
    if (number[i] < 0)
      continue;
    assay_node *node = &nodes[number[i]];
    *node = graph->nodes[i];
    for (int j = 0; j < node->operand_count; j++)
      node->operand[j] = number[node->operand[j]];
    if (is_input(node))
      inputs[input_count++] = number[i];
  }
  for (int i = 0; i < result_count; i++)
    outputs[i] = number[results[i].node];
  assay_program *program = assay_arena_take(arena, 1, sizeof *program);
  *program = (assay_program){nodes, node_count, inputs, input_count, outputs, result_count};
  *out_program = program;
  return ASSAY_OK;
}
