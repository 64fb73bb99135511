// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ledgers of many programs: each in a child of its own, several at a time.
#ifndef ASSAY_HARNESS_LEDGER_INQUIRY_H
#define ASSAY_HARNESS_LEDGER_INQUIRY_H

#include "harness/ledger/ledger.h"
#include "results/record/record.h"

// One program and the pipeline it goes through.
typedef struct assay_inquiry {
  const char *name;     // for messages
  const char *pipeline; // "builtin.module(...)"
  const void *user;     // the caller's
} assay_inquiry;

typedef enum assay_inquiry_status {
  ASSAY_INQUIRY_CLEAN,        // no bad pass
  ASSAY_INQUIRY_ACCUSED,      // a pass is named
  ASSAY_INQUIRY_FAILED_PASS,  // a pass gave up, and none is named
  ASSAY_INQUIRY_INCONCLUSIVE, // nothing can be said
  ASSAY_INQUIRY_DIED,         // the ledger itself did not come to an answer
} assay_inquiry_status;

// Pass executions whose rows are handed over; pipelines have some thirty.
enum { ASSAY_INQUIRY_PASSES = 256 };

// A row of the ledger; its strings are beside it.
typedef struct assay_inquiry_pass {
  assay_pass_row row;
  char name[64];
  assay_fault fault;
} assay_inquiry_pass;

// What came of it. Flat, since it crosses a process boundary.
typedef struct assay_inquiry_answer {
  assay_inquiry_status status;
  assay_fault fault;              // ACCUSED
  int n;                          // of the accused or failed execution
  char pass[96];                  // its name
  char step[640], pattern[896];   // what inside it did it; "" where that was not isolated
  char sentence[256];             // "first bad pass: 3 cse (miscompile)"
  char reason[1024];              // why, or ""
  char notes[512];                // what the ledger said besides, one after the other
  int executions, changed;        // of the pipeline; those that changed the module
  int not_run;                    // of the changed ones: those whose state no tail could run
  char not_run_reason[256];       // of the first; ""
  bool changed_bits;              // some state gave other bits than the input
  int data_sets, judged;          // those that were run; those of which something was judged
  double margin[ASSAY_DATA_SETS]; // the largest of all states; NAN where there is none
  double seconds;
  int pass_count; // of the executions: the first of them
  assay_inquiry_pass passes[ASSAY_INQUIRY_PASSES];
} assay_inquiry_answer;

// Its rows as those of a record; in the arena.
assay_pass_row *assay_inquiry_pass_rows(assay_arena *arena, const assay_inquiry_answer *answer);

typedef struct assay_inquiry_work {
  void *user;
  // Child: the program's module as text, in the arena.
  assay_code (*source)(void *user, const assay_inquiry *inquiry, assay_arena *arena,
                       const char **out_text, assay_error *err);
  // (optional) Child: a pass is named; the place to write a bundle.
  assay_code (*accused)(void *user, const assay_inquiry *inquiry,
                        const assay_ledger_request *request, assay_arena *arena,
                        const assay_ledger_answer *answer, assay_error *err);
  // Parent: the answer to inquiry, in order of completion. A failure ends the whole.
  assay_code (*answered)(void *user, const assay_inquiry *inquiry,
                         const assay_inquiry_answer *answer, assay_error *err);
} assay_inquiry_work;

// Makes all inquiries, request->jobs of them at a time; the request gives everything but source,
// pipeline and shared memory. ASSAY_FAILED where the system fails.
ASSAY_MUST_USE assay_code assay_inquiries_make(const assay_ledger_request *request,
                                               const assay_inquiry inquiries[], int count,
                                               const assay_inquiry_work *work, assay_error *err);

#endif
