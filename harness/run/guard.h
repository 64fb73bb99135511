// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded tensors: poisoned, with canaries on both sides, so that what a program writes where it
// must not, or does not write where it must, is seen afterwards.
#ifndef ASSAY_HARNESS_RUN_GUARD_H
#define ASSAY_HARNESS_RUN_GUARD_H

#include "compiler/backends/backend.h"

// One tensor in memory of its own: canary, elements (aligned to 64 bytes), canary.
// Poison and canaries are quiet NaNs for floats, so that reading them shows as well (0xA5-like
// bytes are tiny floats and would vanish in a sum), and large odd numbers for integers.
typedef struct assay_guarded {
  assay_buffer buffer;
  void *block; // the whole allocation
  void *copy;  // what the elements were when sealed; NULL before
  size_t size; // bytes of the elements
  int round;   // of the last poisoning
} assay_guarded;

// Elements are poisoned with round 0. ASSAY_FAILED where memory runs out.
ASSAY_MUST_USE assay_code assay_guarded_create(assay_dtype dtype, const assay_shape *shape,
                                               assay_guarded *out_guarded, assay_error *err);
void assay_guarded_destroy(assay_guarded *guarded);

// Overwrites every element with the poison of round 0 or 1; the two differ in every element, so
// that one that still holds its own round's poison in both was never written.
void assay_guarded_poison(assay_guarded *guarded, int round);
// Remembers the elements as they are: they must not change from here on.
// ASSAY_FAILED where memory runs out.
ASSAY_MUST_USE assay_code assay_guarded_seal(assay_guarded *guarded, assay_error *err);

// The first byte outside the elements that was written: its distance from the nearest end of the
// tensor, negative before the first element; 0 where none was.
int64_t assay_guarded_overrun(const assay_guarded *guarded);
// The first element that changed since the tensor was sealed, or -1.
int64_t assay_guarded_changed(const assay_guarded *guarded);
// The first element that holds the poison of its round in both tensors, which are two runs' results
// of the same dtype and shape, or -1.
int64_t assay_guarded_unwritten(const assay_guarded *first, const assay_guarded *second);
// The first element whose bits differ between two tensors of the same dtype and shape, or -1.
int64_t assay_guarded_differs(const assay_guarded *first, const assay_guarded *second);

#endif
