// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation of the tensor language is made of; included by its file in ops/ and by those
// that walk programs. ops/NAME.c holds the operation's rule (the function graph.h declares), its
// emitter and the assay_operation that ties them.
//
// Messages of violations read "NAME: OPERANDS: the rule, found WHAT", the operands with their
// dtypes as they were given, before any promotion: "matmul: 3x5xf32 @ 6x7xf32: the inner sizes must
// be equal, found 5 and 6".
#ifndef ASSAY_COMPILER_LANGUAGE_OPERATION_H
#define ASSAY_COMPILER_LANGUAGE_OPERATION_H

#include "compiler/base/text.h"
#include "compiler/ir/builder.h"
#include "compiler/language/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// One node about to become IR.
typedef struct assay_emission {
  const assay_builder *builder;
  const assay_node *node;
  const assay_node *operand[ASSAY_MAX_OPERANDS]; // the nodes of its operands
  MlirValue value[ASSAY_MAX_OPERANDS];           // and what they became
} assay_emission;

typedef struct assay_element assay_element; // elementwise.h

struct assay_operation {
  const char *name;
  const char *symbol; // (two operands) what stands between them in messages: "+"
  bool contraction;   // emitted as a named linalg contraction, which a BLAS can take over
  // Appends the node's IR to the builder's block and returns the result, a ranked tensor. NULL for
  // inputs, which are the function's arguments.
  MlirValue (*emit)(const assay_emission *emission);
  // (elementwise) Appends the computation of one element to the loop body; emit is then
  // assay_elementwise_emit, and operands that are constants stand inside the body: emission->value
  // of those is null.
  MlirValue (*element)(const assay_element *element);
  // (optional) Continues a hash over the node's attribute; NULL where it has none that shows in the
  // IR.
  uint64_t (*hash)(uint64_t hash, const assay_node *node);
  // (optional) Prints the attribute for people to read.
  void (*describe)(assay_text *text, const assay_node *node);
};

// The node of an operand. NULL where the graph is broken, or gets broken because the value is none
// of its own. Valid as long as the graph.
const assay_node *assay_graph_operand(assay_graph *graph, const assay_operation *operation,
                                      assay_value value);

// Records a violation, its message headed by the operation's name, unless there was one before.
ASSAY_PRINTF(3, 4)
assay_value assay_graph_reject(assay_graph *graph, const assay_operation *operation,
                               const char *format, ...);

// Operands as messages name them: "3x5xf32 + 4xf32", "5xbool, 3xf32, i64" of an operation without a
// symbol; a weak scalar is "weak_int".
const char *assay_operands_print(assay_graph *graph, const assay_operation *operation, int count,
                                 const assay_node *const operands[]);
// Rejects operands with a rule that stands after them: "subtract: 3x5xbool - 5xbool: RULE".
ASSAY_PRINTF(5, 6)
assay_value assay_operands_reject(assay_graph *graph, const assay_operation *operation, int count,
                                  const assay_value values[], const char *format, ...);

// Appends a node whose operands came from assay_graph_operand, or returns the earlier node that
// computes the same. Its shape is checked.
assay_value assay_graph_append(assay_graph *graph, const assay_node *node);

// The arena the graph lives in, for what a node's attribute points to and for parts of messages.
assay_arena *assay_graph_arena(const assay_graph *graph);

// What assay_graph_allow has set.
assay_precision assay_graph_precision(const assay_graph *graph);

// The value of a constant's node; NULL for any other.
const assay_scalar *assay_node_scalar(const assay_node *node);
// The strong constant of a dtype.
assay_value assay_graph_constant(assay_graph *graph, assay_dtype dtype, assay_scalar scalar);

// The dtype that NumPy promotes two operands to (NEP 50): that of arrays and strong scalars by
// assay_dtype_promote; a weak scalar changes it only where its kind is the higher one (bool, int,
// float), to i64 or f64; two weak ones are what NumPy makes of each alone.
assay_dtype assay_node_promote(const assay_node *a, const assay_node *b);
// Casts the two operands of an operation to the dtype they promote to. Rejected where one is a weak
// int that this cannot hold; false after a violation.
bool assay_graph_promote(assay_graph *graph, const assay_operation *operation, assay_value *a,
                         assay_value *b, assay_dtype *out_dtype);

// The element type of a dtype, a number of it as an attribute (the float or, of other dtypes, the
// integer), and the ranked tensor type of a node's result.
MlirType assay_dtype_type(MlirContext context, assay_dtype dtype);
MlirAttribute assay_dtype_number(MlirContext context, assay_dtype dtype, assay_scalar scalar);
MlirType assay_node_type(MlirContext context, const assay_node *node);

#ifdef __cplusplus
}
#endif

#endif
