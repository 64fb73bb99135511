// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to this folder and its tests.
#ifndef ASSAY_GPU_DRIVER_PROBE_H
#define ASSAY_GPU_DRIVER_PROBE_H

#include "gpu/driver/driver.h"

// assay_driver_probe with another limit.
ASSAY_MUST_USE assay_code assay_driver_probe_within(bool with_library, double seconds,
                                                    assay_driver_facts *out_facts,
                                                    assay_error *err);

#endif
