// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of control within a thread of the system: each has its own stack, and runs until it
// switches to another.
#ifndef ASSAY_GPU_SIMULATOR_FIBER_H
#define ASSAY_GPU_SIMULATOR_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__) && !defined(ASSAY_FIBER_UCONTEXT)
#define ASSAY_FIBER_OWN 1
#else
#define ASSAY_FIBER_OWN 0
#include <ucontext.h>
#endif

typedef struct assay_fiber {
#if ASSAY_FIBER_OWN
  void *stack_pointer;
#else
  ucontext_t context;
#endif
  void *fake_stack;   // AddressSanitizer's
  const void *bottom; // of the stack; NULL for the thread of the system until it is left
  size_t size;
} assay_fiber;

// Makes a fiber that will run body(data) on the given stack when it is first switched to; body must
// not return. One that was left may be started anew without further ado.
void assay_fiber_start(assay_fiber *fiber, void *bottom, size_t size, void (*body)(void *),
                       void *data);
// Goes on with another fiber, until somebody switches back. from: the one that runs; last: it will
// never be gone on with.
void assay_fiber_switch(assay_fiber *from, assay_fiber *to, bool last);
// Must be the first call of a body: `from` is who switched to it.
void assay_fiber_arrived(assay_fiber *from);

#endif
