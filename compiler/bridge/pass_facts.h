// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumentations say of a pass and of where it runs.
#ifndef ASSAY_COMPILER_BRIDGE_PASS_FACTS_H
#define ASSAY_COMPILER_BRIDGE_PASS_FACTS_H

#include <mlir/IR/Operation.h>
#include <mlir/Pass/Pass.h>
#include <string>

namespace assay {

// MLIR's own pass that runs a nested pass manager; --mlir-print-ir-after-all does not count it
// either.
bool is_adaptor(mlir::Pass *pass);
llvm::StringRef name_of(mlir::Pass *pass);      // its argument; the class's name where it has none
std::string text_of(mlir::Pass *pass);          // "canonicalize{top-down=true}"; "" for none
llvm::StringRef symbol_of(mlir::Operation *op); // "" where it has none
std::string text_of(mlir::Location location);   // "file.mlir:3:8", "file.mlir", "unknown"
std::string text_of(mlir::Type type);
double processor_seconds(); // of this process

} // namespace assay

#endif
