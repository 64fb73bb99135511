// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"
#include "results/record/record.h"

bool assay_environment_equal(const assay_environment *a, const assay_environment *b) {
  return a == b ||
         (a != NULL && b != NULL && assay_text_equal(a->cpu, b->cpu) &&
          assay_text_equal(a->llvm, b->llvm) && assay_text_equal(a->blas, b->blas) &&
          assay_text_equal(a->blas_core, b->blas_core) && assay_text_equal(a->cuda, b->cuda) &&
          assay_text_equal(a->ptxas, b->ptxas) && assay_text_equal(a->revision, b->revision) &&
          assay_text_equal(a->assay, b->assay));
}

bool assay_environment_same(const assay_environment *a, const assay_environment *b) {
  return a == b || (assay_environment_equal(a, b) && a->peak_gflops_f32 == b->peak_gflops_f32 &&
                    a->peak_gflops_f64 == b->peak_gflops_f64 && a->peak_gbs == b->peak_gbs);
}

bool assay_peak_alike(double a, double b, double limit) {
  return !(a > 0) || !(b > 0) || (a <= b * (1 + limit) && b <= a * (1 + limit));
}
