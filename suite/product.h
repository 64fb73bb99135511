// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the properties of square products share: matrices for which mathematics says that a product
// must change, whatever a case's own are (A B may be zero, or B A).
#ifndef ASSAY_SUITE_PRODUCT_H
#define ASSAY_SUITE_PRODUCT_H

#include "suite/property.h"

// Whether the product of two matrices of ones, all n, is another than that of two of zeros.
ASSAY_MUST_USE assay_code assay_product_sees_ones(assay_examination *it, bool *out_sees,
                                                  assay_error *err);
// Whether the product of P, 1 in the upper right corner and else 0, with its transpose Q is another
// than Q P: 1 in one corner of the diagonal and in the other. n > 1.
ASSAY_MUST_USE assay_code assay_product_sees_order(assay_examination *it, bool *out_sees,
                                                   assay_error *err);

#endif
