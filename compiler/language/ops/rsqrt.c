// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two operations, and so two roundings, as 1 / np.sqrt(x) has them.
#include "compiler/language/operation.h"

assay_value assay_rsqrt(assay_graph *graph, assay_value x) {
  return assay_divide(graph, assay_weak_int(graph, 1), assay_sqrt(graph, x));
}
