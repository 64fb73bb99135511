// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/parent.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

void assay_parent_follow(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent)
    _exit(EXIT_FAILURE); // it died before the line above
}
