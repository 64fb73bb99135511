// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a fault looks like: the same pass, the same class and, where it is told in words, the same
// words. A smaller program with another symptom shows another fault.
#ifndef ASSAY_HARNESS_REDUCE_SYMPTOM_H
#define ASSAY_HARNESS_REDUCE_SYMPTOM_H

#include "harness/ledger/ledger.h"

// Flat, since it crosses a process boundary.
typedef struct assay_symptom {
  assay_fault fault; // NONE: no pass is accused
  char pass[96];
  // What of the reason does not hang on the program's names, places, sizes and values: the
  // verifier's message, and whether a NaN is behind it; the signal of a crash and the last words;
  // the operation that holds a NaN or is left; of wrong results whether values are wrong, or the
  // program dies, does not end, writes out of bounds, reads what nobody wrote.
  char sign[512];
  char reason[1024]; // as it was told, cut to this
} assay_symptom;

assay_symptom assay_symptom_of(const assay_ledger_answer *answer);
// From what a bundle keeps of it.
assay_symptom assay_symptom_make(assay_fault fault, const char *pass, const char *reason);

// The reason behind a "FILE:LINE:COL: " in front of it.
const char *assay_reason_without_place(const char *reason);

// Whether b shows what a shows. message: (optional) what the reason must hold instead of the sign.
bool assay_symptoms_agree(const assay_symptom *a, const assay_symptom *b, const char *message);

#endif
