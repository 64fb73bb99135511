// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors that this process may run on.
#ifndef ASSAY_HARNESS_TIME_PIN_H
#define ASSAY_HARNESS_TIME_PIN_H

#include "compiler/base/error.h"

// How many this process may run on at present.
int assay_processors(void);

// Leaves this process, and those it starts from now on, so many of the processors it may run on:
// the last ones, since the first serves most interrupts. ASSAY_INVALID where there are fewer;
// ASSAY_FAILED where the system refuses.
ASSAY_MUST_USE assay_code assay_pin(int processors, assay_error *err);

#endif
