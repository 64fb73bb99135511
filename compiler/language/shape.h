// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static shapes.
#ifndef ASSAY_COMPILER_LANGUAGE_SHAPE_H
#define ASSAY_COMPILER_LANGUAGE_SHAPE_H

#include "compiler/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ASSAY_MAX_RANK = 8,
  ASSAY_COUNT_BITS = 40, // a tensor holds fewer than 2^40 elements: byte counts never overflow
};

typedef struct assay_shape {
  int rank; // 0 to ASSAY_MAX_RANK
  int64_t dim[ASSAY_MAX_RANK];
} assay_shape;

// assay_shape_make(2, 3, 5) is 3x5.
#define assay_shape_make(r, ...) ((assay_shape){.rank = (r), .dim = {__VA_ARGS__}})

bool assay_shape_equal(const assay_shape *a, const assay_shape *b);
// The number of elements. The shapes a program holds were checked: their counts fit an int64_t.
int64_t assay_shape_count(const assay_shape *shape);

// Whether a tensor may have the shape: rank from 0 to ASSAY_MAX_RANK, each size from 1, fewer than
// 2^ASSAY_COUNT_BITS elements. ASSAY_INVALID with the broken rule; any values are safe to pass.
ASSAY_MUST_USE assay_code assay_shape_check(const assay_shape *shape, assay_error *err);

// "3x5", "scalar" for rank 0, or "rank 9" for a rank that cannot be, in a buffer that lives as long
// as the expression's value.
typedef struct assay_shape_text {
  char text[ASSAY_MAX_RANK * 21 + 8];
} assay_shape_text;
assay_shape_text assay_shape_print(const assay_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
