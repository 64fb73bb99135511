// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/select.h"

#include <assert.h>
#include <stdint.h>

static size_t first_column(const assay_sums *sums, size_t row) {
  return sums->triangular ? row : 0;
}

// The column at which a row's sums stop being below the pivot (or not above it, where `through`),
// given that of the row before. Rounding keeps sums in order, so the border never turns back.
static size_t step(const assay_sums *sums, size_t row, size_t column, double pivot, bool through) {
  while (column > 0 && (through ? sums->rows[row] + sums->columns[column - 1] > pivot
                                : sums->rows[row] + sums->columns[column - 1] >= pivot))
    column--;
  return column;
}

static size_t count(const assay_sums *sums, double pivot, bool through) {
  size_t column = sums->column_count, total = 0;
  for (size_t row = 0; row < sums->row_count; row++) {
    column = step(sums, row, column, pivot, through);
    size_t first = first_column(sums, row);
    total += column > first ? column - first : 0;
  }
  return total;
}

static double pick(const assay_sums *sums, const size_t left[], const size_t right[],
                   uint64_t *state) {
  size_t open = 0;
  for (size_t row = 0; row < sums->row_count; row++)
    open += right[row] - left[row];
  assert(open > 0);
  // Knuth's MMIX generator; any will do, and the answer does not depend on it.
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  size_t chosen = (size_t)(*state >> 33) % open, row = 0;
  while (chosen >= right[row] - left[row]) {
    chosen -= right[row] - left[row];
    row++;
  }
  return sums->rows[row] + sums->columns[left[row] + chosen];
}

// Closes all sums that are not below the pivot.
static void close_from(const assay_sums *sums, double pivot, const size_t left[], size_t right[]) {
  size_t column = sums->column_count;
  for (size_t row = 0; row < sums->row_count; row++) {
    column = step(sums, row, column, pivot, false);
    if (right[row] > column)
      right[row] = column > left[row] ? column : left[row];
  }
}

// Closes all sums that are not above it.
static void close_through(const assay_sums *sums, double pivot, size_t left[],
                          const size_t right[]) {
  size_t column = sums->column_count;
  for (size_t row = 0; row < sums->row_count; row++) {
    column = step(sums, row, column, pivot, true);
    if (left[row] < column)
      left[row] = column < right[row] ? column : right[row];
  }
}

double assay_sums_select(const assay_sums *sums, size_t rank, size_t left[], size_t right[]) {
  uint64_t state = 1;
  for (size_t row = 0; row < sums->row_count; row++) {
    left[row] = first_column(sums, row);
    right[row] = sums->column_count;
  }
  for (;;) {
    double pivot = pick(sums, left, right, &state);
    if (rank <= count(sums, pivot, false))
      close_from(sums, pivot, left, right);
    else if (rank > count(sums, pivot, true))
      close_through(sums, pivot, left, right);
    else
      return pivot;
  }
}
