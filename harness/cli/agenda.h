// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run is to do: the selected verdicts, as jobs with their references.
#ifndef ASSAY_HARNESS_CLI_AGENDA_H
#define ASSAY_HARNESS_CLI_AGENDA_H

#include "harness/case/gaps.h"
#include "harness/cli/machine.h"
#include "harness/cli/selection.h"

typedef struct assay_agenda {
  assay_cases cases; // selected; the jobs point into it
  assay_job *jobs;
  const char **keys;      // of the jobs
  const assay_gap **gaps; // of the jobs: the known gap, or NULL; a lasting one is not to be run
  size_t count;
} assay_agenda;

// Cases x backends x data sets after suites, filters and shard, with known gaps, without
// references. ASSAY_INVALID where an including filter pattern selects nothing.
ASSAY_MUST_USE assay_code assay_agenda_make(const assay_session *session,
                                            const assay_machine *machine, assay_agenda *out_agenda,
                                            assay_error *err);

// Whether both are of one case and data set: their timings are compared.
bool assay_agenda_together(const assay_job *a, const assay_job *b);
// Whether no earlier job is of the same case and data set.
bool assay_agenda_begins(const assay_agenda *agenda, size_t job);

// Takes the jobs that have a record out of the agenda, and returns those of the records that belong
// to it, in *out_kept.
void assay_agenda_resume(assay_arena *arena, assay_agenda *agenda, const assay_record records[],
                         size_t count, assay_record *out_kept[], size_t *out_kept_count);

// Gives each job its reference: the stored one, or for a case that has none and stands in no suite
// of the project a computed one. Cases for which the oracle has no answer are told on stderr, each
// by its line, and leave the agenda: *out_unanswered, how many. ASSAY_MISSING or ASSAY_INVALID with
// the file and the remedy; ASSAY_INVALID as well where no case has an answer.
ASSAY_MUST_USE assay_code assay_agenda_load(const assay_session *session, assay_agenda *agenda,
                                            size_t *out_unanswered, assay_error *err);

// What a case's reference is to be of. ASSAY_INVALID where the case's program breaks a rule.
ASSAY_MUST_USE assay_code assay_agenda_need(const assay_case *a_case,
                                            assay_reference_need *out_need, assay_error *err);

// One case's reference: the stored one, or where there is none a computed one (out_live).
ASSAY_MUST_USE assay_code assay_agenda_reference(const assay_session *session,
                                                 const assay_case *a_case,
                                                 const assay_reference **out_reference,
                                                 bool *out_live, assay_error *err);

#endif
