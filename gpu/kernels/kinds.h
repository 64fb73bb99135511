// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of kernels that operations become. Each makes the kernel and its launch, and removes
// the operation; none of the extents is 0.
#ifndef ASSAY_GPU_KERNELS_KINDS_H
#define ASSAY_GPU_KERNELS_KINDS_H

#include "gpu/kernels/make.h"
#include "gpu/kernels/structured.h"

enum { ASSAY_GPU_BLOCK = 256 }; // threads, of kernels that have no need of more or fewer

// One thread for each step of the parallel loops, which runs the others in their order.
ASSAY_MUST_USE assay_code assay_kernel_each(assay_kernel_maker *maker, const assay_structured *of,
                                            assay_error *err);
// One block for each step of the parallel loops: its threads share the steps of the others and
// combine what they have.
ASSAY_MUST_USE assay_code assay_kernel_rows(assay_kernel_maker *maker, const assay_structured *of,
                                            assay_error *err);
// Whether that is allowed, the results being combined by operations that may be regrouped, and
// sensible.
bool assay_kernel_rows_fit(const assay_structured *of);

// "transpose" for linalg.transpose; the given word for linalg.generic and matrix products.
const char *assay_kernel_kind(const assay_structured *of, const char *generic);

#endif
