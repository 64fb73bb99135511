// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `assay opt` does besides mlir-opt: looks after each pass.
#ifndef ASSAY_COMPILER_BRIDGE_OPT_WATCH_H
#define ASSAY_COMPILER_BRIDGE_OPT_WATCH_H

#include "compiler/bridge/fingerprint.h"
#include "compiler/bridge/nan_watch.h"

#include <deque>
#include <map>
#include <mlir/Pass/PassInstrumentation.h>
#include <mlir/Pass/PassManager.h>
#include <string>

namespace assay {

// Which NaN attributes passes may make.
struct Contracts {
  assay_nan_contract others = ASSAY_NAN_OFF;
  std::deque<std::string> names; // of the rows, which point at them
  std::vector<assay_pass_contract> rows;

  // "planted", "canonicalize:error"; false where the word is unknown.
  bool add(llvm::StringRef text);
  bool look() const; // whether anything is asked for at all
};

using OpCounts = std::map<std::string, int64_t>;

struct NanRecord {
  std::string op, location, type;
  uint64_t bits;
  assay_nan_origin origin;
};

// One pass execution, numbered as --mlir-print-ir-after-all prints them.
struct PassRecord {
  std::string name, anchor, symbol, options;
  int n = 0, depth = 0;
  bool changed = false, failed = false, verifies = true;
  double seconds = 0; // processor time, without ours
  OpCounts before, after;
  std::vector<NanRecord> nans;
  const char *fault = nullptr; // "nan-attribute" against the contract, "invalid-ir"
};

// A pipeline's run over one piece of the input.
struct Piece {
  std::string pipeline;
  std::vector<PassRecord> passes;
  bool refused = false; // a contract was broken: no pass runs any more, and the pipeline fails
};

// The pass that stands at the end of a manager under a contract, for its name; before any parsing.
void register_watch_pass();

// Makes the manager look after each of its passes; call once all passes are in it. Counts,
// fingerprints and times only where they will be recorded. The piece must outlive the run.
void watch(mlir::PassManager &manager, const Contracts &contracts, bool record, bool hook_is_free,
           Piece &piece);

} // namespace assay

#endif
