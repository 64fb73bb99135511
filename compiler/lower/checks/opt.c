// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with Assay's passes, for the checks in this folder.
#include "compiler/bridge/opt.h"
#include "compiler/lower/passes.h"

#include <mlir-c/RegisterEverything.h>

int main(int argc, char **argv) {
  mlirRegisterAllPasses();
  assay_passes_register();
  return assay_opt_main(argc, argv);
}
