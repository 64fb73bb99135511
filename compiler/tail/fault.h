// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What killed a program, said from inside it.
#ifndef ASSAY_COMPILER_TAIL_FAULT_H
#define ASSAY_COMPILER_TAIL_FAULT_H

#include <signal.h>
#include <stddef.h>

typedef struct assay_fault {
  volatile int is_set;
  char text[240];      // "SIGSEGV at address 0x..., instruction 0x..."
  char violation[160]; // "heap write out of bounds: block of 64 bytes, at byte 64"; "" if no block
} assay_fault;

// The signal stack that a thread had.
typedef struct assay_fault_stack_before {
  stack_t stack;
} assay_fault_stack_before;

// Handlers for the process; they write to *fault (shared memory) and end it. Each thread that may
// fault takes a stack for them first, and puts the one that it had back before it ends.
void assay_fault_watch(assay_fault *fault);
void assay_fault_stack(assay_fault_stack_before *out_before);
void assay_fault_unstack(const assay_fault_stack_before *before);
// What the program says before it aborts; NULL: nothing.
void assay_fault_say(const char *text);

#endif
