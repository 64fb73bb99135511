// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plug-in that dies while it is loaded.
#include <stdlib.h>

__attribute__((constructor)) static void die(void) {
  abort();
}
