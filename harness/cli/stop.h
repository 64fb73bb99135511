// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signals that ask a command to stop: SIGINT, SIGTERM and, but under nohup, SIGHUP.
#ifndef ASSAY_HARNESS_CLI_STOP_H
#define ASSAY_HARNESS_CLI_STOP_H

#include <signal.h>

// The signal that came, 0 where none did. Isolated work takes its address (assay_isolation).
extern volatile sig_atomic_t assay_stop_signal;

// From now on they set assay_stop_signal instead of ending the process.
void assay_stop_heed(void);
const char *assay_stop_name(void); // "SIGINT", of the one that came

#endif
