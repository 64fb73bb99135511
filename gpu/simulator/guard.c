// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that runs out of its stack meets a page that faults; here the fault becomes the launch's
// failure.
#include "gpu/simulator/state.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

enum { HANDLER_STACK = 64 * 1024 };

// What the handler must find, and nothing hands it: the launch under way in this thread of the
// system.
typedef struct guarded {
  assay_simulator *simulator;
  sigjmp_buf back;
  struct sigaction old;
} guarded;

static _Thread_local guarded *under_way;

static bool is_guard(const assay_simulator *simulator, const char *address) {
  uintptr_t offset = (uintptr_t)address - (uintptr_t)simulator->stacks;
  const size_t step = ASSAY_SIM_STACK + ASSAY_SIM_GUARD;
  return offset < step * ASSAY_SIM_THREADS && offset % step < ASSAY_SIM_GUARD;
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  guarded *launch = under_way;
  if (launch != NULL && is_guard(launch->simulator, info->si_addr))
    siglongjmp(launch->back, 1);
  // Another fault: as if nobody had looked. It comes again when this returns.
  (void)sigaction(number,
                  launch != NULL ? &launch->old : &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

assay_code assay_sim_run_guarded(assay_simulator *simulator, const int64_t grid[3],
                                 assay_error *err) {
  guarded launch = {.simulator = simulator};
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  stack_t stack = {.ss_sp = malloc(HANDLER_STACK), .ss_size = HANDLER_STACK}, old_stack;
  if (stack.ss_sp == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this process has no memory for a handler of faults: %d bytes asked for",
                      HANDLER_STACK);
  sigemptyset(&action.sa_mask);
  if (sigaltstack(&stack, &old_stack) != 0 || sigaction(SIGSEGV, &action, &launch.old) != 0)
    abort(); // both are given what they must take
  under_way = &launch;
  if (sigsetjmp(launch.back, 1) == 0)
    assay_sim_run_grid(simulator, grid);
  else
    assay_sim_report(simulator, simulator->current, ASSAY_SIM_NOWHERE,
                     "needs more than the %d bytes of stack that a thread has", ASSAY_SIM_STACK);
  under_way = NULL;
  (void)sigaction(SIGSEGV, &launch.old, NULL);
  (void)sigaltstack(&old_stack, NULL);
  free(stack.ss_sp);
  return ASSAY_OK;
}
