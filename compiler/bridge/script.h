// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transform script that a transform-interpreter runs, as steps that may be left out.
#ifndef ASSAY_COMPILER_BRIDGE_SCRIPT_H
#define ASSAY_COMPILER_BRIDGE_SCRIPT_H

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Operation.h>
#include <mlir/Pass/Pass.h>

namespace assay {

// The sequence that the pass is about to run on the operation: inside it, or in the library that
// was loaded before; nullptr where it is another pass or has none.
mlir::Operation *find_script(const mlir::Pass &pass, mlir::Operation *op);
// The operations of the sequence but for its end, after the sequences that it includes have taken
// the place of their includes, one level deep.
llvm::SmallVector<mlir::Operation *> list_steps(mlir::Operation *script);
// Leaves only the first so many; the sequence then returns nothing.
void cut_script(mlir::Operation *script, llvm::SmallVectorImpl<mlir::Operation *> &steps,
                size_t count);

} // namespace assay

#endif
