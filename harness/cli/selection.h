// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command is about: cases by suite, line and filter; data sets by name.
#ifndef ASSAY_HARNESS_CLI_SELECTION_H
#define ASSAY_HARNESS_CLI_SELECTION_H

#include "harness/case/suite.h"
#include "harness/cli/session.h"

// Appends the cases of a suite: the extension's, or one of the project's.
ASSAY_MUST_USE assay_code assay_selection_suite(const assay_session *session, const char *name,
                                                assay_cases *cases, assay_error *err);

// The cases of --suite and --case, before any filter. preset: the suite taken where neither is
// given.
ASSAY_MUST_USE assay_code assay_selection_load(const assay_session *session, const char *preset,
                                               assay_cases *out_cases, assay_error *err);

// The command's filters, as one.
assay_filter assay_selection_filter(const assay_session *session);

// Those of the cases that the filter selects on any data set and backend. ASSAY_INVALID where an
// including pattern selects none, or names no data set or backend that there is, and where an
// excluding one cannot exclude any case, with what may have been meant.
ASSAY_MUST_USE assay_code assay_selection_cases(const assay_session *session,
                                                const assay_cases *cases, assay_cases *out_selected,
                                                assay_error *err);

// Whether --shard keeps what has this canonical line. By the line's hash: a case stays in its shard
// whatever else is selected, and whatever is added to a suite. Sizes differ as those of any random
// parts do: of 3000 cases in four parts, by some 24 cases (a standard deviation).
bool assay_selection_in_shard(const assay_session *session, const char *line);

// Whether a sample of one case in so many has this canonical line: by a hash that has nothing to do
// with that of shards, so that a case stays in or out whatever others are added.
bool assay_selection_in_sample(const char *line, int one_in);

// Leaves those of --shard.
void assay_selection_shard(const assay_session *session, assay_cases *cases);

// The data sets of --data, by default all. ASSAY_INVALID for an unknown one, naming the nearest.
ASSAY_MUST_USE assay_code assay_selection_data(const assay_session *session, assay_names *out_data,
                                               assay_error *err);

#endif
