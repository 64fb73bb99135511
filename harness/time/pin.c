// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/time/pin.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

int assay_processors(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return 1;
  return CPU_COUNT(&allowed);
}

assay_code assay_pin(int processors, assay_error *err) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot ask for this process's processors: %s",
                      strerror(errno));
  if (CPU_COUNT(&allowed) < processors)
    return assay_fail(err, ASSAY_INVALID,
                      "%d threads cannot be pinned: this process may run on %d processors",
                      processors, CPU_COUNT(&allowed));
  int left = processors;
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && left > 0; cpu--)
    if (CPU_ISSET(cpu, &allowed)) {
      CPU_SET(cpu, &chosen);
      left--;
    }
  if (sched_setaffinity(0, sizeof chosen, &chosen) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot pin this process to %d processors: %s", processors,
                      strerror(errno));
  return ASSAY_OK;
}
