// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/listing.h"

#include "compiler/language/operation.h"

// The operation and what it has besides its operands: "transpose [1, 0]". The operands, if any,
// stand between the two.
static void print_node(assay_text *text, const assay_node *node, const char *operands) {
  assay_text_print(text, "%s%s", node->operation->name, operands);
  assay_text attribute = {.arena = text->arena};
  if (node->operation->describe != NULL)
    node->operation->describe(&attribute, node);
  if (attribute.length > 0)
    assay_text_print(text, " %s", assay_text_get(&attribute));
}

const char *assay_program_list(assay_arena *arena, const assay_program *program) {
  assay_text listing = {.arena = arena};
  for (int i = 0; i < program->node_count; i++) {
    const assay_node *node = &program->nodes[i];
    assay_text line = {.arena = arena}, operands = {.arena = arena};
    for (int k = 0; k < node->operand_count; k++)
      assay_text_print(&operands, " %%%d", node->operand[k]);
    assay_text_print(&line, "%%%d = ", i);
    print_node(&line, node, assay_text_get(&operands));
    assay_text_print(&listing, "%-40s %s %s\n", assay_text_get(&line),
                     assay_dtype_get(node->dtype)->name, assay_shape_print(&node->shape).text);
  }
  assay_text_print(&listing, "return");
  for (int i = 0; i < program->result_count; i++)
    assay_text_print(&listing, " %%%d", program->results[i]);
  assay_text_print(&listing, "\n");
  return assay_text_get(&listing);
}

// As it may stand between double quotes.
static void print_quoted(assay_text *text, const char *string) {
  for (; *string != '\0'; string++)
    assay_text_print(text, "%s%c", *string == '"' || *string == '\\' ? "\\" : "", *string);
}

static void print_vertex(assay_text *text, const assay_node *node, int number) {
  assay_text label = {.arena = text->arena};
  print_node(&label, node, "");
  assay_text_print(text, "  n%d [shape=%s, label=\"", number,
                   node->operand_count > 0 ? "box" : "ellipse");
  print_quoted(text, assay_text_get(&label));
  assay_text_print(text, "\\n%s %s\"];\n", assay_dtype_get(node->dtype)->name,
                   assay_shape_print(&node->shape).text);
}

const char *assay_program_dot(assay_arena *arena, const assay_program *program) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "digraph program {\n");
  for (int i = 0; i < program->node_count; i++) {
    const assay_node *node = &program->nodes[i];
    print_vertex(&text, node, i);
    for (int k = 0; k < node->operand_count; k++) {
      assay_text_print(&text, "  n%d -> n%d", node->operand[k], i);
      if (node->operand_count > 1)
        assay_text_print(&text, " [label=\"%d\"]", k);
      assay_text_print(&text, ";\n");
    }
  }
  for (int i = 0; i < program->result_count; i++)
    assay_text_print(&text, "  r%d [shape=plaintext, label=\"result %d\"];\n  n%d -> r%d;\n", i, i,
                     program->results[i], i);
  assay_text_print(&text, "}\n");
  return assay_text_get(&text);
}
