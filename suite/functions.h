// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's elementwise operations, reductions and scalars by the names that keys of the
// suite's ops give them.
#ifndef ASSAY_SUITE_FUNCTIONS_H
#define ASSAY_SUITE_FUNCTIONS_H

#include "suite/op.h"

#define ASSAY_UNARY "absolute|erf|exp|log|negative|rsqrt|sqrt|tanh"
#define ASSAY_BINARY                                                                               \
  "add|subtract|multiply|divide|power|minimum|maximum|equal|not_equal|less|"                       \
  "less_equal|greater|greater_equal"
#define ASSAY_REDUCTIONS "sum|mean|max"
#define ASSAY_SCALARS "weak_bool|weak_int|weak_float|bool|i32|i64|f16|f32|f64"

typedef assay_value (*assay_unary)(assay_graph *graph, assay_value x);
typedef assay_value (*assay_binary)(assay_graph *graph, assay_value x, assay_value y);
typedef assay_value (*assay_reduction)(assay_graph *graph, assay_value x, int axis, bool keepdims);

// The operation of a name that is one of the choices above (asserted).
assay_unary assay_unary_find(const char *name);
assay_binary assay_binary_find(const char *name);
assay_reduction assay_reduction_find(const char *name);

// The constant of one of ASSAY_SCALARS: true, 3 or 0.7, by its kind, weak or strong.
assay_value assay_scalar_make(assay_graph *graph, const char *scalar);

#endif
