// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a program gives to functions that nothing defines.
#ifndef ASSAY_COMPILER_TAIL_STAND_IN_MEMORY_H
#define ASSAY_COMPILER_TAIL_STAND_IN_MEMORY_H

#include "compiler/tail/observation.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum assay_given_form {
  ASSAY_GIVEN_OTHER,
  ASSAY_GIVEN_UNRANKED,
  ASSAY_GIVEN_MEMORY, // of a rank, and left alone
  ASSAY_GIVEN_FLOATS, // of a rank; it may be written
} assay_given_form;

typedef struct assay_given {
  assay_given_form form;
  assay_element element; // of floats
  int rank;
  int64_t dim[ASSAY_OBSERVED_MAX_RANK]; // -1: dynamic
  bool is_static;
} assay_given;

// The first word of a text as in assay_snapshot's `given`; gives what is behind it, NULL at the
// end.
const char *assay_given_read(const char *text, assay_given *out_given);

// void (i64 element, i64 rank, descriptor *): takes down the elements of a memref and changes each,
// so that a program that takes the one for the other shows it.
#define ASSAY_STAND_IN_MEMORY "__assay_stand_in_memory"
void assay_stand_in_memory(int64_t element, int64_t rank, void *descriptor);

// Whether the call that is under way is taken down.
bool assay_stand_in_is_taken(void);

#endif
