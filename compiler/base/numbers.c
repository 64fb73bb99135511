// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/numbers.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

void assay_numbers_sort(double numbers[], size_t count) {
  qsort(numbers, count, sizeof *numbers, by_value);
}
