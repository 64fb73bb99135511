// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ledgers in a run: of every selected case (--passes), or of random programs (--random), through
// the built-in pipeline of each backend. What is right is what a program computes before any pass.
#ifndef ASSAY_HARNESS_CLI_PROGRAMS_H
#define ASSAY_HARNESS_CLI_PROGRAMS_H

#include "harness/cli/agenda.h"
#include "harness/cli/out.h"

// A program on a backend.
typedef struct assay_program_entry {
  const assay_case *a_case; // NULL: random
  int number;               // random: of the seed's programs, from 1
  const char *line;         // the case's, or "random seed=1 n=12"
  const assay_backend *backend;
} assay_program_entry;

typedef struct assay_program_list {
  const assay_program_entry *items;
  size_t count;
} assay_program_list;

// Whether the options go together: ASSAY_INVALID where --random stands beside what selects cases.
ASSAY_MUST_USE assay_code assay_programs_check(const assay_options *options, assay_error *err);
// The programs that the command asks for; none where it has neither option. agenda: of the cases
// selected, empty with --random. ASSAY_INVALID where the filters leave no random program.
ASSAY_MUST_USE assay_code assay_programs_select(const assay_session *session,
                                                const assay_machine *machine,
                                                const assay_agenda *agenda,
                                                assay_program_list *out_programs, assay_error *err);

// Makes the ledgers, some at a time, and hands a record to keep as each comes: key "LINE data=none
// backend=B", check "ledger"; PASS, FAIL with first_bad, WARN where states were not run or nothing
// could be judged, ERROR where a pass gave up or the ledger is inconclusive. The repro folder of a
// FAIL gets the module and the bundle.
ASSAY_MUST_USE assay_code
assay_programs_run(const assay_session *session, const assay_machine *machine, const assay_out *out,
                   const assay_program_list *programs, const assay_environment *environment,
                   volatile sig_atomic_t *stop,
                   assay_code (*keep)(void *user, const assay_record *record, assay_error *err),
                   void *user, assay_error *err);

#endif
