// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"
#include "results/record/record.h"

bool assay_environment_equal(const assay_environment *a, const assay_environment *b) {
  return a == b ||
         (a != NULL && b != NULL && assay_text_equal(a->cpu, b->cpu) &&
          assay_text_equal(a->llvm, b->llvm) && assay_text_equal(a->blas, b->blas) &&
          assay_text_equal(a->blas_core, b->blas_core) && assay_text_equal(a->cuda, b->cuda) &&
          assay_text_equal(a->revision, b->revision) && assay_text_equal(a->assay, b->assay));
}
