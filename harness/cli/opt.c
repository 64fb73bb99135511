// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay opt: mlir-opt with Assay's passes.
#include "compiler/bridge/opt/opt.h"
#include "compiler/lower/passes.h"
#include "harness/cli/session.h"

static int opt_main(int argc, char **argv) {
  static char program[] = "assay opt"; // what usage and messages say
  argv[0] = program;
  assay_passes_register();
  return assay_opt_main(argc, argv);
}

const assay_verb assay_verb_opt = {
    .name = "opt",
    .summary = "mlir-opt with Assay's passes and operations, and contracts on NaN attributes",
    .main = opt_main,
};
