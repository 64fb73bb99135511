// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/listing.h"
#include "compiler/base/text.h"
#include "compiler/language/operation.h"
#include "harness/judge/window.h"

#include <inttypes.h>
#include <string.h>

enum { WINDOW_ROWS = 6, WINDOW_COLUMNS = 8, EXPECTED_ROWS = 8 };

// What an operation has besides its operands.
static void print_attribute(assay_text *text, const assay_node *node) {
  const char *kind = node->operation->name;
  if (strcmp(kind, "input") == 0)
    assay_text_print(text, " %s", node->attribute.name);
  for (int i = 0; i < node->shape.rank; i++) {
    const char *before = i == 0 ? " [" : ", ", *after = i + 1 == node->shape.rank ? "]" : "";
    if (strcmp(kind, "slice") == 0)
      assay_text_print(text, "%s%" PRId64 ":%" PRId64 "%s", before, node->attribute.range[i].start,
                       node->attribute.range[i].stop, after);
    if (strcmp(kind, "transpose") == 0)
      assay_text_print(text, "%s%d%s", before, node->attribute.permutation[i], after);
  }
}

const char *assay_listing_program(assay_arena *arena, const assay_program *program) {
  assay_text listing = {.arena = arena};
  for (int i = 0; i < program->node_count; i++) {
    const assay_node *node = &program->nodes[i];
    assay_text text = {.arena = arena};
    assay_text_print(&text, "%%%d = %s", i, node->operation->name);
    for (int k = 0; k < node->operand_count; k++)
      assay_text_print(&text, " %%%d", node->operand[k]);
    print_attribute(&text, node);
    assay_text_print(&listing, "%-40s %s %s\n", assay_text_get(&text),
                     assay_dtype_get(node->dtype)->name, assay_shape_print(&node->shape).text);
  }
  assay_text_print(&listing, "return");
  for (int i = 0; i < program->result_count; i++)
    assay_text_print(&listing, " %%%d", program->results[i]);
  assay_text_print(&listing, "\n");
  return assay_text_get(&listing);
}

static void print_element(assay_text *text, const assay_buffer *buffer, int64_t index) {
  if (assay_dtype_get(buffer->dtype)->floating)
    assay_text_print(text, " %12.6g", assay_element_real(buffer, index));
  else
    assay_text_print(text, " %12" PRId64, assay_element_whole(buffer, index));
}

const char *assay_listing_array(assay_arena *arena, const char *name, const assay_buffer *buffer) {
  assay_text text = {.arena = arena};
  const assay_shape *shape = &buffer->shape;
  int64_t columns = shape->rank > 0 ? shape->dim[shape->rank - 1] : 1;
  int64_t rows = assay_shape_count(shape) / columns;
  assay_text_print(&text, "%s %s %s\n", name, assay_dtype_get(buffer->dtype)->name,
                   assay_shape_print(shape).text);
  for (int64_t row = 0; row < rows && row < WINDOW_ROWS; row++) {
    for (int64_t column = 0; column < columns && column < WINDOW_COLUMNS; column++)
      print_element(&text, buffer, row * columns + column);
    assay_text_print(&text, "%s\n", columns > WINDOW_COLUMNS ? " ..." : "");
  }
  if (rows > WINDOW_ROWS)
    assay_text_print(&text, " ...\n");
  return assay_text_get(&text);
}

const char *assay_listing_expected(assay_arena *arena, const assay_expected *expected) {
  static const char *const parts[] = {[ASSAY_PART_ELEMENT] = "element",
                                      [ASSAY_PART_COLUMNS] = "row of C w",
                                      [ASSAY_PART_ROWS] = "column of w^T C"};
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%-26s %24s %12s\n", "", "expected", "scale");
  for (size_t i = 0; i < expected->count && i < EXPECTED_ROWS; i++) {
    const assay_expected_row *row = &expected->rows[i];
    assay_text_print(&text, "%-15s %10" PRIu32 " ", parts[row->part], row->index);
    if (expected->whole)
      assay_text_print(&text, "%24" PRId64 " %12s\n", row->want_whole, "exact");
    else
      assay_text_print(&text, "%24.17g %12.4g\n", row->want, row->scale);
  }
  if (expected->count > EXPECTED_ROWS)
    assay_text_print(&text, "... and %zu more%s\n", expected->count - EXPECTED_ROWS,
                     expected->sampled ? " (a sample, and probes that see every element)" : "");
  return assay_text_get(&text);
}
