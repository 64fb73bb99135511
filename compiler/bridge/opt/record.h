// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of an invocation, in the words of `assay ledger --json`.
#ifndef ASSAY_COMPILER_BRIDGE_OPT_RECORD_H
#define ASSAY_COMPILER_BRIDGE_OPT_RECORD_H

#include "compiler/bridge/opt/watch.h"

namespace assay {

// Appends one line to the file; false, with a message on standard error, where that fails.
bool append_record(llvm::StringRef file, llvm::StringRef input, const std::deque<Piece> &pieces,
                   bool succeeded);

} // namespace assay

#endif
