// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each tail is made of, in order.
#ifndef ASSAY_COMPILER_TAIL_STEPS_H
#define ASSAY_COMPILER_TAIL_STEPS_H

#include "compiler/tail/tail.h"

typedef struct assay_tail_step {
  // Dialects of which one must occur, separated by spaces ("%tensor": values of tensor types,
  // "%layout": memrefs that no strides describe; "%brain": bf16, whose NaN need not stay as they
  // are); "": any. NULL ends the list.
  const char *needs;
  const char *passes; // pipeline text, or NULL
  const char *makes;  // what may occur afterwards
  void (*rewrite)(MlirModule module);
} assay_tail_step;

const assay_tail_step *assay_tail_steps(assay_tail tail);

#endif
