// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation was given, in messages.
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static const char *kind_of(const assay_node *weak) {
  if (weak->dtype == ASSAY_BOOL)
    return "weak_bool";
  return weak->dtype == ASSAY_I64 ? "weak_int" : "weak_float";
}

const char *assay_operands_print(assay_graph *graph, const assay_operation *operation, int count,
                                 const assay_node *const operands[]) {
  assay_text text = {.arena = assay_graph_arena(graph)};
  for (int i = 0; i < count; i++) {
    if (i > 0 && operation->symbol != NULL)
      assay_text_print(&text, " %s ", operation->symbol);
    else if (i > 0)
      assay_text_print(&text, ", ");
    const assay_scalar *scalar = assay_node_scalar(operands[i]);
    assay_text_print(&text, "%s",
                     scalar != NULL && scalar->weak
                         ? kind_of(operands[i])
                         : assay_tensor_print(operands[i]->dtype, &operands[i]->shape).text);
  }
  return assay_text_get(&text);
}

assay_value assay_operands_reject(assay_graph *graph, const assay_operation *operation, int count,
                                  const assay_value values[], const char *format, ...) {
  const assay_node *operands[ASSAY_MAX_OPERANDS];
  assert(count <= ASSAY_MAX_OPERANDS);
  for (int i = 0; i < count; i++) {
    operands[i] = assay_graph_operand(graph, operation, values[i]);
    if (operands[i] == NULL)
      return ASSAY_NO_VALUE;
  }
  char rule[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(rule, sizeof rule, format, arguments);
  va_end(arguments);
  return assay_graph_reject(graph, operation, "%s: %s",
                            assay_operands_print(graph, operation, count, operands), rule);
}
