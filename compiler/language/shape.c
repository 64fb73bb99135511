// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/shape.h"

#include <inttypes.h>
#include <stdio.h>

bool assay_shape_equal(const assay_shape *a, const assay_shape *b) {
  if (a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; i++) {
    if (a->dim[i] != b->dim[i])
      return false;
  }
  return true;
}

int64_t assay_shape_count(const assay_shape *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; i++)
    count *= shape->dim[i];
  return count;
}

assay_code assay_shape_check(const assay_shape *shape, assay_error *err) {
  if (shape->rank < 0 || shape->rank > ASSAY_MAX_RANK)
    return assay_fail(err, ASSAY_INVALID, "the rank must be from 0 to %d, found %d", ASSAY_MAX_RANK,
                      shape->rank);
  for (int i = 0; i < shape->rank; i++) {
    if (shape->dim[i] < 1)
      return assay_fail(err, ASSAY_INVALID, "each size must be at least 1, found %" PRId64,
                        shape->dim[i]);
  }
  const int64_t limit = INT64_C(1) << ASSAY_COUNT_BITS;
  int64_t count = 1;
  for (int i = 0; i < shape->rank; i++) {
    if (shape->dim[i] > (limit - 1) / count)
      return assay_fail(err, ASSAY_INVALID, "the count of elements must be below 2^%d",
                        ASSAY_COUNT_BITS);
    count *= shape->dim[i];
  }
  return ASSAY_OK;
}

assay_shape_text assay_shape_print(const assay_shape *shape) {
  assay_shape_text result;
  if (shape->rank < 0 || shape->rank > ASSAY_MAX_RANK) {
    snprintf(result.text, sizeof result.text, "rank %d", shape->rank);
    return result;
  }
  if (shape->rank == 0) {
    snprintf(result.text, sizeof result.text, "scalar");
    return result;
  }
  size_t length = 0;
  for (int i = 0; i < shape->rank; i++)
    length += (size_t)snprintf(result.text + length, sizeof result.text - length, "%s%" PRId64,
                               i > 0 ? "x" : "", shape->dim[i]);
  return result;
}
