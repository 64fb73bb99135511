// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ASSAY_GPU_KERNELS_POWER_H
#define ASSAY_GPU_KERNELS_POWER_H

#include "compiler/ir/builder.h"

// base to the exponent, both of one type of signless integers, modulo 2 to its bits. Of exponents
// below 0: what the quotient 1 / base^-exponent is, cut to a whole number; 0 where base is 0.
MlirValue assay_power_whole(const assay_builder *at, MlirValue base, MlirValue exponent);

#endif
