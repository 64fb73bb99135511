// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/assay.h"

int main(int argc, char *argv[]) {
  return assay_main(argc, argv, NULL);
}
