// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `compare` and the end of `bench --against` share: thresholds, the answer in all its forms.
#ifndef ASSAY_HARNESS_CLI_COMPARISON_H
#define ASSAY_HARNESS_CLI_COMPARISON_H

#include "harness/cli/session.h"
#include "results/compare/compare.h"

// Where the answer goes besides standard output.
typedef struct assay_comparison_output {
  const char *json; // NULL: nowhere; "-": to standard output, instead of the table
} assay_comparison_output;

// Understands --format of a comparison. ASSAY_INVALID for anything but one json=FILE, and as
// assay_places_check_reports.
ASSAY_MUST_USE assay_code assay_comparison_plan(const assay_session *session,
                                                assay_comparison_output *out_output,
                                                assay_error *err);

// Those of --thresholds, else the built-in ones.
ASSAY_MUST_USE assay_code assay_comparison_thresholds(const assay_session *session,
                                                      const assay_thresholds **out_thresholds,
                                                      assay_error *err);

// The records that a word names, as assay_source_read has it: at least one. full: with all their
// fields, else those that a comparison without passes needs.
ASSAY_MUST_USE assay_code assay_comparison_read(assay_arena *arena, const assay_session *session,
                                                const char *word, bool full,
                                                assay_record **out_records, size_t *out_count,
                                                assay_error *err);

// Notes what of the thresholds matched nothing, whatever --quiet says: it may be a gate that a typo
// keeps open.
void assay_comparison_note(assay_arena *arena, const assay_comparison_request *request);

// Compares, prints, writes what is asked for; *out_status is 1 where --gate is given and a row
// fails it, and where something was wrong and not timed. Nothing is written where the comparison
// fails.
ASSAY_MUST_USE assay_code assay_comparison_answer(const assay_session *session,
                                                  const assay_comparison_request *request,
                                                  const assay_comparison_output *output,
                                                  int *out_status, assay_error *err);

#endif
