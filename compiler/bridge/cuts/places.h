// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function can be cut in two.
#ifndef ASSAY_COMPILER_BRIDGE_CUTS_PLACES_H
#define ASSAY_COMPILER_BRIDGE_CUTS_PLACES_H

#include "compiler/bridge/cuts/work.h"

#include <memory>

namespace assay::cuts {

// A place behind an operation of a block that every run comes through once; behind nothing for
// null, at the block's begin.
struct Place {
  mlir::FunctionOpInterface function;
  mlir::Block *block;
  mlir::Operation *last;
  std::shared_ptr<const llvm::DenseSet<mlir::Block *>> later; // the blocks that run after it

  // Whether an operation somewhere in the body runs behind it.
  bool is_behind(mlir::Operation *op) const;
  // The others of the body's own, up to one of which something holds.
  bool any_earlier(llvm::function_ref<bool(mlir::Operation &)> holds) const;
};

// All of the functions that are cut in, in the order of a run, without those behind constants and
// the like, where nothing new lives.
llvm::SmallVector<Place> all_places(Work &work, bool with_begins);

// The block with the only return; null where there are several.
mlir::Block *exit_of(mlir::FunctionOpInterface function);
mlir::Operation *any_return_of(mlir::FunctionOpInterface function);

void erase_blocks(mlir::Region &region, llvm::function_ref<bool(mlir::Block &)> goes);
// Those that nothing uses any more, the last first.
void erase_operations(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace assay::cuts

#endif
