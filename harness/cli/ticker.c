// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/ticker.h"

#include "harness/cli/color.h"
#include "compiler/base/clock.h"

#include <stdarg.h>
#include <stdio.h>

static const double LIVE_INTERVAL = 0.1, LOG_INTERVAL = 2;

assay_ticker assay_ticker_start(const assay_options *options) {
  double now = assay_clock_now();
  return (assay_ticker){.started = now,
                        .shown = now,
                        .live = assay_terminal_is_live(stderr),
                        .quiet = options->quiet};
}

void assay_ticker_show(assay_ticker *ticker, const char *format, ...) {
  double now = assay_clock_now();
  if (ticker->quiet || now - ticker->shown < (ticker->live ? LIVE_INTERVAL : LOG_INTERVAL))
    return;
  ticker->shown = now;
  ticker->dirty = ticker->live;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%sassay: %s, %.1f s%s", ticker->live ? "\r" : "", text, now - ticker->started,
          ticker->live ? "\033[K" : "\n");
}

void assay_ticker_clear(assay_ticker *ticker) {
  if (ticker->dirty)
    fputs("\r\033[K", stderr);
  ticker->dirty = false;
}
