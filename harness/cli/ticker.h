// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a long command is doing, on standard error: one live line on a terminal, a line now and then
// in a log.
#ifndef ASSAY_HARNESS_CLI_TICKER_H
#define ASSAY_HARNESS_CLI_TICKER_H

#include "harness/cli/options.h"

typedef struct assay_ticker {
  double started, shown;   // assay_clock_now
  bool live, quiet, dirty; // dirty: a live line stands there
} assay_ticker;

assay_ticker assay_ticker_start(const assay_options *options);
// "assay: TEXT, N s", where the last one was shown long enough ago.
ASSAY_PRINTF(2, 3) void assay_ticker_show(assay_ticker *ticker, const char *format, ...);
// Makes room for what is not progress.
void assay_ticker_clear(assay_ticker *ticker);

#endif
