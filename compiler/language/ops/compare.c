// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The six comparisons: one rule, one emitter, and the predicates that tell them apart. Ordered, so
// false where either side is NaN; but not_equal, which is true there.
#include "compiler/language/elementwise.h"

enum comparison { EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, COMPARISONS };

// Of arith.cmpf (oeq, une, olt, ole, ogt, oge), and of arith.cmpi on signed integers and on bools.
static const struct {
  int floating, integer, boolean;
} predicates[COMPARISONS] = {
    [EQUAL] = {1, 0, 0},      [NOT_EQUAL] = {13, 1, 1}, [LESS] = {4, 2, 6},
    [LESS_EQUAL] = {5, 3, 7}, [GREATER] = {2, 4, 8},    [GREATER_EQUAL] = {3, 5, 9},
};

static MlirValue element(const assay_element *it);

static const assay_operation comparisons[COMPARISONS] = {
    [EQUAL] = {.name = "equal", .symbol = "==", .emit = assay_elementwise_emit, .element = element},
    [NOT_EQUAL] =
        {.name = "not_equal", .symbol = "!=", .emit = assay_elementwise_emit, .element = element},
    [LESS] = {.name = "less", .symbol = "<", .emit = assay_elementwise_emit, .element = element},
    [LESS_EQUAL] =
        {.name = "less_equal", .symbol = "<=", .emit = assay_elementwise_emit, .element = element},
    [GREATER] = {.name = "greater",
                 .symbol = ">",
                 .emit = assay_elementwise_emit,
                 .element = element},
    [GREATER_EQUAL] = {.name = "greater_equal",
                       .symbol = ">=",
                       .emit = assay_elementwise_emit,
                       .element = element},
};

static MlirValue element(const assay_element *it) {
  enum comparison which = (enum comparison)(it->node->operation - comparisons);
  int predicate = predicates[which].integer;
  if (assay_dtype_get(it->dtype)->floating)
    predicate = predicates[which].floating;
  else if (it->dtype == ASSAY_BOOL)
    predicate = predicates[which].boolean;
  return assay_builder_compare(it->builder, predicate, it->x[0], it->x[1]);
}

// A Python integer is compared by its value, whether or not the other's dtype could hold it.
static bool is_beyond(const assay_node *node, assay_dtype dtype) {
  const assay_scalar *scalar = assay_node_scalar(node);
  return scalar != NULL && scalar->weak && node->dtype == ASSAY_I64 && dtype == ASSAY_I32 &&
         !assay_integer_fits(scalar->integer, dtype);
}

static assay_value compare(assay_graph *graph, enum comparison which, assay_value a,
                           assay_value b) {
  const assay_operation *operation = &comparisons[which];
  const assay_node *lhs = assay_graph_operand(graph, operation, a);
  const assay_node *rhs = assay_graph_operand(graph, operation, b);
  if (lhs == NULL || rhs == NULL)
    return ASSAY_NO_VALUE;
  if (!assay_elementwise_fit(graph, operation, 2, (assay_value[]){a, b}))
    return ASSAY_NO_VALUE;
  assay_dtype dtype = assay_node_promote(lhs, rhs);
  if (is_beyond(lhs, dtype) || is_beyond(rhs, dtype))
    dtype = ASSAY_I64;
  const assay_value operands[] = {assay_cast(graph, a, dtype), assay_cast(graph, b, dtype)};
  return assay_elementwise(graph, operation, ASSAY_BOOL, 2, operands);
}

assay_value assay_equal(assay_graph *graph, assay_value a, assay_value b) {
  return compare(graph, EQUAL, a, b);
}

assay_value assay_not_equal(assay_graph *graph, assay_value a, assay_value b) {
  return compare(graph, NOT_EQUAL, a, b);
}

assay_value assay_less(assay_graph *graph, assay_value a, assay_value b) {
  return compare(graph, LESS, a, b);
}

assay_value assay_less_equal(assay_graph *graph, assay_value a, assay_value b) {
  return compare(graph, LESS_EQUAL, a, b);
}

assay_value assay_greater(assay_graph *graph, assay_value a, assay_value b) {
  return compare(graph, GREATER, a, b);
}

assay_value assay_greater_equal(assay_graph *graph, assay_value a, assay_value b) {
  return compare(graph, GREATER_EQUAL, a, b);
}
