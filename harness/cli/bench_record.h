// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a benchmark leaves: records, and lines of a table.
#ifndef ASSAY_HARNESS_CLI_BENCH_RECORD_H
#define ASSAY_HARNESS_CLI_BENCH_RECORD_H

#include "harness/bench/bench.h"
#include "harness/cli/session.h"

// The record of a contender's timings; in the arena. check: its conformance record, or NULL of a
// peer. started: UTC, ISO 8601.
const assay_record *assay_bench_record(const assay_session *session, const assay_exercise *exercise,
                                       const assay_contender *who, const assay_record *check,
                                       const assay_bench_result *result, const char *started,
                                       const assay_environment *environment);

// Gives a record these samples, in the order taken, and their medians; they are not copied.
void assay_bench_add_samples(assay_arena *arena, const double run[], size_t run_count,
                             const double compile[], size_t compile_count, assay_record *record);

// The table of a case's records, which are those of its contenders in one order of rounds.
void assay_bench_print(FILE *stream, assay_arena *arena, const assay_record *const records[],
                       size_t count);

#endif
