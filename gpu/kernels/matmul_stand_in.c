// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/make.h"

assay_code assay_kernel_matmul(assay_kernel_maker *maker, const assay_contraction *contraction,
                               bool accumulate, assay_error *err) {
  (void)maker, (void)contraction, (void)accumulate;
  return assay_fail(err, ASSAY_UNSUPPORTED, "no tiled kernel yet");
}
