// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/listing.h"
#include "compiler/base/text.h"
#include "harness/judge/window.h"

#include <inttypes.h>
#include <string.h>

enum { WINDOW_ROWS = 6, WINDOW_COLUMNS = 8, EXPECTED_ROWS = 8 };

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
