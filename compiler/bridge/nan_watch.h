// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New NaN attributes, state after state.
#ifndef ASSAY_COMPILER_BRIDGE_NAN_WATCH_H
#define ASSAY_COMPILER_BRIDGE_NAN_WATCH_H

#include "compiler/bridge/nan_attributes.h"
#include "compiler/bridge/nan_contract.h"

#include <llvm/ADT/DenseSet.h>
#include <mlir/IR/OwningOpRef.h>

namespace assay {

struct NewNan {
  Nan nan;
  assay_nan_origin origin;
};

// Good for one program in one context, while that lives.
class NanWatch {
public:
  // The program as it is before any pass; keeps a copy of it.
  void begin(mlir::Operation *program);

  // Those whose type and bits neither the program nor an earlier look had, and that are fit for no
  // neutral use. Looks at the operation and all inside it. What folding the program alone gives,
  // as it is and with its calls inlined, is found out once, and only where a NaN asks for it; its
  // diagnostics are the caller's to silence.
  std::vector<NewNan> look(mlir::Operation *top);

private:
  assay_nan_origin origin(const NanKey &key);
  void fold(mlir::Operation *program);

  NanScanner scanner;
  mlir::OwningOpRef<mlir::Operation *> original; // folded once a NaN must be explained
  bool folded = false;
  llvm::DenseSet<NanKey> held, folded_nans;
};

} // namespace assay

#endif
