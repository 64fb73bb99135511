// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt, as a function.
#ifndef ASSAY_COMPILER_BRIDGE_OPT_H
#define ASSAY_COMPILER_BRIDGE_OPT_H

#ifdef __cplusplus
extern "C" {
#endif

// Takes mlir-opt's arguments and returns its exit status. It knows all upstream dialects, and the
// passes that this process has registered before.
int assay_opt_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
