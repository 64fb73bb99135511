// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Isolation: work in forked children, each in its own process group, with a time and a memory
// limit.
//
// A child runs one task's body and streams messages of one fixed size to the parent. Whatever else
// it does (dies, exits, loops, eats memory, prints, leaves processes behind) is an ending with a
// reason, and never harms the parent or another child. This file knows no case and no verdict.
#ifndef ASSAY_HARNESS_RUN_ISOLATE_H
#define ASSAY_HARNESS_RUN_ISOLATE_H

#include "compiler/base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum assay_ending {
  ASSAY_ENDED_WELL, // the body returned
  ASSAY_ENDED_DEAD, // by a signal, an exit, or its memory
  ASSAY_ENDED_LATE, // by its time limit
} assay_ending;

typedef struct assay_isolation {
  int parallel;   // children at a time, from 1
  double seconds; // that a child may take up to its first sign of life, and between two; time in
                  // which all processors were taken by others does not count
  int64_t memory_bytes;        // private memory a child may add to what it inherited
  size_t message_size;         // bytes
  volatile sig_atomic_t *stop; // once not 0 all children are killed and no ending is told; or NULL
} assay_isolation;

// The child's end of its message stream.
typedef struct assay_channel {
  int descriptor;
  size_t message_size;
} assay_channel;

// Sends one message; called in a child's body only. A parent that is gone ends the child.
void assay_channel_send(const assay_channel *channel, const void *message);

typedef struct assay_isolated_work {
  void *user;
  // Parent: the next task, or NULL where there is none now. Asked again after each ending.
  void *(*next)(void *user);
  // Child: does the task. Standard output and error are captured, standard input is empty.
  void (*body)(void *user, void *task, const assay_channel *channel);
  // Parent: a message of the task's child. A failure kills all children and is passed on.
  assay_code (*message)(void *user, void *task, const void *message, assay_error *err);
  // (optional) Parent: a number that the task's child moves as it gets on; each change is a sign of
  // life, as a message is.
  int64_t (*pulse)(void *user, void *task);
  // Parent: the task's child has ended, after its last message. reason is "" where it ended well,
  // else one sentence: the signal, exit status or limit, and the end of what it had printed.
  assay_code (*ended)(void *user, void *task, assay_ending ending, const char *reason,
                      assay_error *err);
} assay_isolated_work;

// Runs tasks until next has no more and all children have ended. ASSAY_FAILED where no child can be
// made, or there is no memory for so many. On Linux memory is watched through /proc and capped by
// RLIMIT_DATA.
ASSAY_MUST_USE assay_code assay_isolate(const assay_isolation *isolation,
                                        const assay_isolated_work *work, assay_error *err);

#endif
