// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt, as a function, with Assay's operations and passes, NaN contracts and a record.
#ifndef ASSAY_COMPILER_BRIDGE_OPT_OPT_H
#define ASSAY_COMPILER_BRIDGE_OPT_OPT_H

#ifdef __cplusplus
extern "C" {
#endif

// Takes mlir-opt's arguments behind argv[0], which messages call the program by, and returns its
// exit status; like mlir-opt it ends the process itself after --help and bad usage. It knows all
// dialects and passes that mlir-opt knows, the test passes too where they are installed, and the
// passes that this process has registered before. Besides:
//
//   --nan-contract=WORD, --nan-contract=PASS:WORD
//       error, planted, report, off (the default). A new NaN attribute that its pass may not make
//       is an error at the operation that holds it, and the pipeline fails; under `report` each
//       is a warning.
//   --ledger=FILE
//       appends one JSON object, on a line of its own.
int assay_opt_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
