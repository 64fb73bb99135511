// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gpu-sim is made of: the simulator as assembler and as device.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_SIMULATED_H
#define ASSAY_GPU_BACKENDS_SUPPORT_SIMULATED_H

#include "gpu/backends/support/kind.h"

// A guarded program is run in each schedule, and looked at for races in the first.
extern const assay_gpu_kind assay_gpu_simulated;

#endif
