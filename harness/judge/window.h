// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a buffer by number: read, named by their index, and shown with their neighbours.
#ifndef ASSAY_HARNESS_JUDGE_WINDOW_H
#define ASSAY_HARNESS_JUDGE_WINDOW_H

#include "compiler/backends/backend.h"

// A tensor seen as a matrix: the product of all axes but the last, times the last (1 x 1 for a
// scalar).
typedef struct assay_matrix {
  int64_t rows, columns;
} assay_matrix;
assay_matrix assay_matrix_of(const assay_shape *shape);

// Element number `element` (row-major) of a float buffer; exact.
double assay_element_real(const assay_buffer *buffer, int64_t element);
// The same of an integer buffer, sign-extended; of bool the byte as it is, 0 or 1.
int64_t assay_element_whole(const assay_buffer *buffer, int64_t element);

// The element's index along each axis; returns the rank.
int assay_index_unravel(const assay_shape *shape, int64_t element, int64_t out_index[]);
// "[2,3]", or "[]" for a scalar, cut to size bytes.
void assay_index_print(int rank, const int64_t index[], size_t size, char out_text[]);

// The element with as many digits as give its bits back, cut to size bytes; returns the length.
int assay_element_print(const assay_buffer *buffer, int64_t element, size_t size, char out_text[]);
// The element and its neighbours along the last axis, as many digits as the dtype holds, cut to
// size bytes: "; along the last axis: 1 [2] 3". Nothing where it has no neighbour.
void assay_window_print(const assay_buffer *buffer, int64_t element, size_t size, char out_text[]);

#endif
