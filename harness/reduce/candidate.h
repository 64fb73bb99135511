// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smaller programs tried: each made and asked about in a child of its own, several at a time.
#ifndef ASSAY_HARNESS_REDUCE_CANDIDATE_H
#define ASSAY_HARNESS_REDUCE_CANDIDATE_H

#include "compiler/bridge/cuts/cuts.h"
#include "harness/reduce/symptom.h"

// A cut of the program that is the best so far; of kind ASSAY_CUT_COUNT, or with a text: no cut.
typedef struct assay_candidate {
  assay_cut cut;
  int from, to;     // sites
  const char *text; // (optional) this module instead, as another tool made it
} assay_candidate;

typedef enum assay_candidate_status {
  ASSAY_CANDIDATE_DIED,      // the ledger did not come to an answer on it
  ASSAY_CANDIDATE_UNREAD,    // no module, or not valid before the pass
  ASSAY_CANDIDATE_UNCHANGED, // the cut does nothing, or what it gives was tried already
  ASSAY_CANDIDATE_DULL,      // another symptom, or none
  ASSAY_CANDIDATE_SHOWS,     // the symptom
} assay_candidate_status;

// Flat, since it crosses a process boundary; the text is in the request's shared memory.
typedef struct assay_tried {
  uint64_t hash;    // of the text
  const char *text; // of what SHOWS
  assay_candidate_status status;
  int size; // assay_module_size
  assay_symptom symptom;
  bool given;         // it was run on the arguments that were handed in
  char sentence[256]; // the ledger's: "first bad pass: 3 cse (miscompile)"
  char type[1024];    // of the entry, where it is known
  char reason[1024];  // why DIED or UNREAD: "FILE:LINE:COL: TEXT"
} assay_tried;

// What all candidates are tried by.
typedef struct assay_question {
  const assay_ledger_request *ledger; // all but source, pipeline and jobs; shared: for texts
  const char *pipeline;               // "builtin.module(...)"
  const char *entry;                  // NULL where nothing is run
  const assay_symptom *symptom;       // NULL: whatever is found SHOWS
  bool brief;                         // as in assay_ledger_request
  const char *message;                // (optional) as in assay_symptoms_agree
  const char *text;                   // the best so far
  int size;                           // its; what is larger is not asked about
  const char *input_type;             // (optional) inputs are given to an entry of this type only
  double deadline;                    // of assay_clock_now; 0: none
  int hash_count;
  const uint64_t *hashes; // of texts that are not to be tried again
} assay_question;

// Tries candidates in their order, ledger->jobs at a time, until one SHOWS; *out_shown is its
// number, -1 where none does. all: tries all of them. tried[i] is zero where one was not tried to
// its end.
ASSAY_MUST_USE assay_code assay_candidates_try(const assay_question *question,
                                               const assay_candidate candidates[], int count,
                                               bool all, assay_tried tried[], int *out_shown,
                                               assay_error *err);

#endif
