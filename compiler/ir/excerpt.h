// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR prints, as a string of fixed room for messages.
#ifndef ASSAY_COMPILER_IR_EXCERPT_H
#define ASSAY_COMPILER_IR_EXCERPT_H

#include <mlir-c/Support.h>
#include <stddef.h>

// Start with {.length = 0}. What does not fit is cut.
typedef struct assay_excerpt {
  size_t length;
  char text[1024]; // '\0'-terminated
} assay_excerpt;

// An MlirStringCallback whose data is an assay_excerpt.
void assay_excerpt_append(MlirStringRef piece, void *excerpt);

#endif
