// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A benchmark being carried out: every backend checked, then case by case timed, printed and kept.
#ifndef ASSAY_HARNESS_CLI_BENCHMARK_H
#define ASSAY_HARNESS_CLI_BENCHMARK_H

#include "harness/cli/agenda.h"
#include "harness/cli/contenders.h"

// The agenda: of the contenders' stations, with references. All files of the answer are opened
// before anything runs. started: assay_clock_now when the command began. ASSAY_UNSUPPORTED where
// all was skipped.
ASSAY_MUST_USE assay_code assay_benchmark_run(const assay_session *session,
                                              const assay_contenders *contenders,
                                              const assay_agenda *agenda, double started,
                                              int *out_status, assay_error *err);

#endif
