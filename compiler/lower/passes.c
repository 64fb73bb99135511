// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/passes.h"

void assay_passes_register(void) {
  assay_pass_register(&assay_pass_fold_transposes);
  assay_pass_register(&assay_pass_separate_results);
  assay_pass_register(&assay_pass_view_transposes);
  assay_pass_register(&assay_pass_substitute_blas);
  assay_pass_register(&assay_pass_contractions_to_loops);
  assay_pass_register(&assay_pass_expand_math);
}
