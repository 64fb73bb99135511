// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes of backends, which many processes may have the same of.
#ifndef ASSAY_HARNESS_CLI_NOTES_H
#define ASSAY_HARNESS_CLI_NOTES_H

#include "compiler/base/arena.h"

enum { ASSAY_NOTES = 8 };

typedef struct assay_notes {
  const char *told[ASSAY_NOTES];
  size_t count;
} assay_notes;

// "assay: note: TEXT", where it was not told before. After ASSAY_NOTES of them there are no more.
void assay_notes_tell(assay_notes *notes, assay_arena *arena, const char *text);

#endif
