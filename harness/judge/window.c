// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/judge/window.h"

#include "compiler/base/half.h"

#include <inttypes.h>
#include <stdio.h>

assay_matrix assay_matrix_of(const assay_shape *shape) {
  assay_matrix matrix = {.rows = 1, .columns = 1};
  for (int i = 0; i + 1 < shape->rank; i++)
    matrix.rows *= shape->dim[i];
  if (shape->rank > 0)
    matrix.columns = shape->dim[shape->rank - 1];
  return matrix;
}

double assay_element_real(const assay_buffer *buffer, int64_t element) {
  switch (buffer->dtype) {
  case ASSAY_F16:
    return assay_half_number(((const uint16_t *)buffer->data)[element]);
  case ASSAY_F32:
    return (double)((const float *)buffer->data)[element];
  default:
    return ((const double *)buffer->data)[element];
  }
}

int64_t assay_element_whole(const assay_buffer *buffer, int64_t element) {
  switch (buffer->dtype) {
  case ASSAY_BOOL:
    return ((const uint8_t *)buffer->data)[element];
  case ASSAY_I32:
    return ((const int32_t *)buffer->data)[element];
  default:
    return ((const int64_t *)buffer->data)[element];
  }
}

int assay_index_unravel(const assay_shape *shape, int64_t element, int64_t out_index[]) {
  for (int i = shape->rank - 1; i >= 0; i--) {
    out_index[i] = element % shape->dim[i];
    element /= shape->dim[i];
  }
  return shape->rank;
}

void assay_index_print(int rank, const int64_t index[], size_t size, char out_text[]) {
  int length = snprintf(out_text, size, "[");
  for (int i = 0; i < rank && (size_t)length < size; i++)
    length += snprintf(out_text + length, size - (size_t)length, "%s%" PRId64, i > 0 ? "," : "",
                       index[i]);
  if ((size_t)length < size)
    snprintf(out_text + length, size - (size_t)length, "]");
}

int assay_element_print(const assay_buffer *buffer, int64_t element, size_t size, char out_text[]) {
  switch (buffer->dtype) { // 5, 9 and 17 digits give the bits of f16, f32 and f64 back
  case ASSAY_F16:
    return snprintf(out_text, size, "%.5g", assay_element_real(buffer, element));
  case ASSAY_F32:
    return snprintf(out_text, size, "%.9g", assay_element_real(buffer, element));
  case ASSAY_F64:
    return snprintf(out_text, size, "%.17g", assay_element_real(buffer, element));
  default:
    return snprintf(out_text, size, "%" PRId64, assay_element_whole(buffer, element));
  }
}

void assay_window_print(const assay_buffer *buffer, int64_t element, size_t size, char out_text[]) {
  enum { REACH = 2 };
  out_text[0] = '\0';
  int64_t columns = assay_matrix_of(&buffer->shape).columns;
  if (columns < 2)
    return;
  int64_t row_start = element / columns * columns, row_end = row_start + columns;
  int64_t start = element - REACH > row_start ? element - REACH : row_start;
  int64_t end = element + REACH + 1 < row_end ? element + REACH + 1 : row_end;
  int length = snprintf(out_text, size, "; along the last axis:");
  for (int64_t i = start; i < end; i++) {
    char number[40];
    assay_element_print(buffer, i, sizeof number, number);
    if ((size_t)length < size)
      length += snprintf(out_text + length, size - (size_t)length, i == element ? " [%s]" : " %s",
                         number);
  }
}
