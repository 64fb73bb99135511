// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Children that are not left behind.
#ifndef ASSAY_COMPILER_BASE_PARENT_H
#define ASSAY_COMPILER_BASE_PARENT_H

#include <sys/types.h>

// In a child, first of all: it gets that signal when the parent dies, however that is; where it is
// dead already, the child ends here. parent: what the parent knows as getpid() before the fork.
void assay_parent_follow(pid_t parent, int signal);

#endif
