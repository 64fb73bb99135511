// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

assay_simulator *assay_simulator_of(assay_view *view) {
  uintptr_t address = (uintptr_t)view - offsetof(assay_simulator, view);
  return (assay_simulator *)address;
}

assay_sim_name assay_sim_thread_name(const assay_sim_thread *thread) {
  assay_sim_name name;
  snprintf(name.text, sizeof name.text, "(%d,%d,%d)", thread->view.id[0], thread->view.id[1],
           thread->view.id[2]);
  return name;
}

// The first fault of a launch is the one that is told.
static void keep(assay_simulator *simulator, const assay_sim_thread *thread, uint32_t site,
                 const char *format, va_list arguments) {
  if (simulator->faulted)
    return;
  simulator->faulted = true;
  const int32_t *block = simulator->view.block_id;
  char line[32] = "";
  if (site != ASSAY_SIM_NOWHERE)
    snprintf(line, sizeof line, ", line %u", assay_sim_site(simulator, site)->line);
  int length =
      snprintf(simulator->fault, sizeof simulator->fault,
               "kernel %s, block (%d,%d,%d), thread %s%s: ", simulator->function->kernel->name,
               block[0], block[1], block[2], assay_sim_thread_name(thread).text, line);
  if (length < 0 || (size_t)length >= sizeof simulator->fault)
    return;
  vsnprintf(simulator->fault + length, sizeof simulator->fault - (size_t)length, format, arguments);
}

void assay_sim_report(assay_simulator *simulator, const assay_sim_thread *thread, uint32_t site,
                      const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  keep(simulator, thread, site, format, arguments);
  va_end(arguments);
}

static _Noreturn void leave(assay_simulator *simulator) {
  assay_sim_thread *thread = simulator->current;
  assay_fiber_switch(&thread->fiber, &simulator->scheduler, true);
  abort(); // nobody switches back
}

void assay_sim_fault(assay_simulator *simulator, uint32_t site, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  keep(simulator, simulator->current, site, format, arguments);
  va_end(arguments);
  leave(simulator);
}

void assay_sim_starve(assay_simulator *simulator, uint32_t site, uint64_t bytes, const char *what) {
  if (!simulator->faulted) {
    assay_sim_report(simulator, simulator->current, site,
                     "this process has no memory for %s: %" PRIu64 " bytes asked for", what, bytes);
    simulator->starved = true;
  }
  leave(simulator);
}
