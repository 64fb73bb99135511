// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/select.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

// Of each row, the columns between which its sums are open, and where its sums stop being below a
// pivot and not above it.
typedef struct windows {
  size_t *left, *right, *below, *through;
} windows;

static windows windows_of(const assay_sums *sums, size_t places[]) {
  size_t rows = sums->row_count;
  return (windows){places, places + rows, places + 2 * rows, places + 3 * rows};
}

static size_t first_column(const assay_sums *sums, size_t row) {
  return sums->triangular ? row : 0;
}

size_t assay_sums_count(const assay_sums *sums) {
  size_t rows = sums->row_count;
  return sums->triangular ? rows * (rows + 1) / 2 : rows * sums->column_count;
}

// Fills below and through, and counts them. Rounding keeps sums in order, so that from row to row
// the borders only move left.
static void part(const assay_sums *sums, double pivot, const windows *at, size_t *out_below,
                 size_t *out_through) {
  const double *columns = sums->columns;
  size_t below = sums->column_count, through = below, all_below = 0, all_through = 0;
  for (size_t row = 0; row < sums->row_count; row++) {
    double value = sums->rows[row];
    size_t first = first_column(sums, row);
    while (through > 0 && value + columns[through - 1] > pivot)
      through--;
    if (below > through)
      below = through;
    while (below > 0 && value + columns[below - 1] >= pivot)
      below--;
    at->below[row] = below > first ? below : first;
    at->through[row] = through > first ? through : first;
    all_below += at->below[row] - first;
    all_through += at->through[row] - first;
  }
  *out_below = all_below;
  *out_through = all_through;
}

static double pick(const assay_sums *sums, const windows *at, size_t open, uint64_t *state) {
  assert(open > 0);
  // Knuth's MMIX generator; any will do, and the answer does not depend on it.
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  size_t chosen = (size_t)(*state >> 33) % open, row = 0;
  while (row + 1 < sums->row_count && chosen >= at->right[row] - at->left[row]) {
    chosen -= at->right[row] - at->left[row];
    row++;
  }
  return sums->rows[row] + sums->columns[at->left[row] + chosen];
}

// Closes the sums that are not below the pivot, or those that are not above it; returns how many
// are still open.
static size_t narrow(const assay_sums *sums, const windows *at, bool to_below) {
  size_t open = 0;
  for (size_t row = 0; row < sums->row_count; row++) {
    if (to_below && at->right[row] > at->below[row])
      at->right[row] = at->below[row] > at->left[row] ? at->below[row] : at->left[row];
    if (!to_below && at->left[row] < at->through[row])
      at->left[row] = at->through[row] < at->right[row] ? at->through[row] : at->right[row];
    open += at->right[row] - at->left[row];
  }
  return open;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

// Opens the sums that may be the rank-th: above and left of one stand (row + 1) (column + 1) sums,
// it among them, that are not larger, so that there may not be more than the rank; and the same
// from the other end. Returns how many are open.
static size_t open_windows(const assay_sums *sums, size_t rank, const windows *at) {
  size_t rows = sums->row_count, columns = sums->column_count, open = 0, row = 0;
  size_t from_end = assay_sums_count(sums) + 1 - rank;
  do {
    at->left[row] = row;
    at->right[row] = columns;
    if (!sums->triangular) {
      at->right[row] = least(columns, rank / (row + 1));
      at->left[row] = columns - least(columns, from_end / (rows - row));
      at->left[row] = least(at->left[row], at->right[row]);
    }
    open += at->right[row] - at->left[row];
  } while (++row < rows); // there is one, as there is a rank
  return open;
}

double assay_sums_select(const assay_sums *sums, size_t rank, size_t places[]) {
  uint64_t state = 1;
  windows at = windows_of(sums, places);
  size_t open = open_windows(sums, rank, &at), below, through;
  for (;;) {
    double pivot = pick(sums, &at, open, &state);
    part(sums, pivot, &at, &below, &through);
    if (rank > below && rank <= through)
      return pivot;
    open = narrow(sums, &at, rank <= below);
  }
}

double assay_sums_median(const assay_sums *sums, size_t places[]) {
  windows at = windows_of(sums, places);
  size_t count = assay_sums_count(sums), below, through;
  double lower = assay_sums_select(sums, (count + 1) / 2, places), upper = INFINITY;
  part(sums, lower, &at, &below, &through);
  if (count % 2 == 1 || through > count / 2)
    return lower;
  for (size_t row = 0; row < sums->row_count; row++)
    if (at.through[row] < sums->column_count)
      upper = fmin(upper, sums->rows[row] + sums->columns[at.through[row]]);
  return (lower + upper) / 2;
}
