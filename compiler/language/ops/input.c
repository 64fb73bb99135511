// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

static void print_name(assay_text *text, const assay_node *node) {
  assay_text_print(text, "%s", node->attribute.name);
}

// No emitter: inputs are the function's arguments. The name is not hashed: it does not show in the
// IR.
static const assay_operation input = {.name = "input", .describe = print_name};

assay_value assay_input(assay_graph *graph, const char *name, assay_dtype dtype,
                        assay_shape shape) {
  assay_error broken;
  if (assay_shape_check(&shape, &broken) != ASSAY_OK)
    return assay_graph_reject(graph, &input, "%s of %s: %s", name,
                              assay_tensor_print(dtype, &shape).text, broken.text);
  return assay_graph_append(
      graph, &(assay_node){.operation = &input,
                           .dtype = dtype,
                           .shape = shape,
                           .attribute.name = assay_arena_string(assay_graph_arena(graph), name)});
}
