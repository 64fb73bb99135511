// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas says of a program's kernels, for each architecture of note.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_FIGURES_H
#define ASSAY_GPU_BACKENDS_SUPPORT_FIGURES_H

#include "gpu/backends/support/kind.h"

// Of sm_80, sm_90, sm_100 and sm_120. Where there is no ptxas, no PTX can be made, or ptxas does
// not know an architecture, `missing` says so. Kernels are counted all the same.
void assay_figures_examine(MlirOperation gpu_module, assay_device_figures *out_figures);

#endif
