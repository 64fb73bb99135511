// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/stop.h"

#include <stddef.h>

// Signal handlers can reach nothing but globals.
volatile sig_atomic_t assay_stop_signal;

static void on_stop(int signal_number) {
  assay_stop_signal = signal_number;
}

void assay_stop_heed(void) {
  struct sigaction action = {.sa_handler = on_stop}, before;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  // Under nohup the command outlives its terminal.
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
}

const char *assay_stop_name(void) {
  if (assay_stop_signal == SIGINT)
    return "SIGINT";
  return assay_stop_signal == SIGHUP ? "SIGHUP" : "SIGTERM";
}
