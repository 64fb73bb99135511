// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay bench --against: this build and another one, timed in pairs.
#ifndef ASSAY_HARNESS_CLI_AGAINST_H
#define ASSAY_HARNESS_CLI_AGAINST_H

#include "harness/cli/agenda.h"
#include "harness/cli/ticker.h"

// The records of both builds; those of one key have pairs of samples, by index.
typedef struct assay_against_records {
  assay_record *base, *new;
  size_t base_count, new_count;
} assay_against_records;

// Times every job of the agenda on both builds, a case after the other. A case or backend that one
// build does not know is in the other's records only, with a note. ASSAY_FAILED or ASSAY_INVALID
// where options->against is no program that answers as this one does.
ASSAY_MUST_USE assay_code assay_against_time(const assay_session *session,
                                             const assay_agenda *agenda, assay_ticker *ticker,
                                             assay_against_records *out_records, assay_error *err);

#endif
