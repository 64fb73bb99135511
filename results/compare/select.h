// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection among sums of two sorted arrays, without making the sums.
#ifndef ASSAY_RESULTS_COMPARE_SELECT_H
#define ASSAY_RESULTS_COMPARE_SELECT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_sums {
  const double *rows; // row_count, ascending
  size_t row_count;
  const double *columns; // column_count, ascending
  size_t column_count;
  bool triangular; // only sums with column >= row; the arrays are then equally long
} assay_sums;

// How many there are.
size_t assay_sums_count(const assay_sums *sums);

// The sum that is the rank-th smallest, from 1 to their number. places: scratch, 4 row_count.
// Expected time: (row_count + column_count) log(row_count column_count).
// Source: random pivots among the sums that are still open, counted along the staircase, as in
// D. B. Johnson and T. Mizoguchi, Selecting the Kth element in X + Y, SIAM J. Comput. 7, 1978.
double assay_sums_select(const assay_sums *sums, size_t rank, size_t places[]);

// Their median: of an even number the mean of the middle two.
double assay_sums_median(const assay_sums *sums, size_t places[]);

#endif
