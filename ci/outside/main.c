// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "naive.h"

#include "harness/cli/assay.h"

int main(int argc, char *argv[]) {
#ifdef MINE_CROOKED
  static const assay_backend *const backends[] = {&naive_backend, &crooked_backend, NULL};
#else
  static const assay_backend *const backends[] = {&naive_backend, NULL};
#endif
  static const char *const folders[] = {MINE_CASES, NULL};
  static const assay_extension mine = {.backends = backends, .case_folders = folders};
  return assay_main(argc, argv, &mine);
}
