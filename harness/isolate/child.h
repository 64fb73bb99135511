// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One forked child as its parent sees it. Internal to isolate.c.
#ifndef ASSAY_HARNESS_RUN_CHILD_H
#define ASSAY_HARNESS_RUN_CHILD_H

#include "harness/isolate/isolate.h"

#include <sys/types.h>

enum { ASSAY_CHILD_OUTPUT = 4096 };

typedef struct assay_child {
  void *task;                       // NULL: the slot is free
  pid_t pid;                        // and process group
  int channel;                      // messages from the child; -1 once it is closed
  int output;                       // what it prints; -1 once it is closed
  double since;                     // assay_clock_now() at the start or the last sign of life
  double waited;                    // seconds for a processor, up to then
  int64_t pulse;                    // the last one seen
  int64_t base_bytes;               // private memory it inherited
  bool done;                        // the body has returned
  unsigned char *frame;             // 1 + message_size bytes: the frame being received
  size_t frame_length;              // bytes of it that are there
  char printed[ASSAY_CHILD_OUTPUT]; // the end of what it printed
  size_t printed_length;
} assay_child;

// Forks a child that runs the task's body. The slot must be free; frame must be allocated.
ASSAY_MUST_USE assay_code assay_child_start(assay_child *child, const assay_isolation *isolation,
                                            const assay_isolated_work *work, void *task,
                                            assay_error *err);
// Reads what there is to read without waiting: output, and messages, which are handed on.
ASSAY_MUST_USE assay_code assay_child_read(assay_child *child, const assay_isolation *isolation,
                                           const assay_isolated_work *work, assay_error *err);
// Whether the child's process has ended (it is not yet reaped).
bool assay_child_has_ended(const assay_child *child);
// The private memory that the child added to what it inherited, bytes; 0 where that cannot be
// known.
int64_t assay_child_memory(const assay_child *child);
// A sign of life: the child's time begins anew.
void assay_child_lives(assay_child *child);
// Seconds since the last sign of life, without those in which the child could have run but all
// processors were taken (as far as the system tells).
double assay_child_silence(const assay_child *child);
// Kills the child's process group, waits for the child and returns its wait status.
int assay_child_kill(assay_child *child);
// Closes the pipes and frees the slot.
void assay_child_release(assay_child *child);

#endif
