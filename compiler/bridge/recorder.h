// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass instrumentation that writes down each execution.
#ifndef ASSAY_COMPILER_BRIDGE_RECORDER_H
#define ASSAY_COMPILER_BRIDGE_RECORDER_H

#include "compiler/bridge/nan_watch.h"
#include "compiler/bridge/snapshotter.h"
#include "compiler/bridge/stepping.h"

#include <llvm/ADT/StringMap.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/Pass/PassInstrumentation.h>
#include <string>
#include <vector>

namespace assay {

// Strings in the shared memory, each once.
class SharedStrings {
public:
  explicit SharedStrings(assay_shared *shared) : shared(shared) {}
  const char *get(llvm::StringRef text); // "" where the memory is full

private:
  assay_shared *shared;
  llvm::StringMap<const char *> known;
};

class Recorder : public mlir::PassInstrumentation {
public:
  Recorder(mlir::MLIRContext *context, mlir::ModuleOp module, assay_shared *shared,
           assay_stepping *stepping);
  ~Recorder() override;

  // Publishes the module as the input. Functions named here have a C interface that the user did
  // not ask for: what runs on it later is not counted.
  void begin(std::vector<std::string> interfaces);

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

  bool is_full() const {
    return full;
  }
  // Why the pipeline failed: what the first pass to fail said, or else what was reported outside
  // of any pass.
  const std::string &message() const {
    return failure.empty() ? outside : failure;
  }

private:
  struct Frame {
    const assay_snapshot *before;
    double started, captured; // processor time
    std::string message;
  };
  struct Verdict {
    bool verifies;
    const char *message;
  };

  void finish(mlir::Pass *pass, mlir::Operation *op, bool failed);
  const char *needs_of(mlir::Pass *pass); // of an execution
  void show_running(mlir::Pass *pass, mlir::Operation *op);
  const assay_snapshot *capture();
  Verdict verify(const assay_snapshot *state);
  void find_nans(assay_execution &execution);
  bool is_hidden(mlir::Operation *op) const;
  void publish(assay_execution *execution);
  void report(mlir::Diagnostic &diagnostic);

  mlir::ModuleOp module;
  assay_shared *shared;
  assay_stepping *stepping;
  Snapshotter snapshotter;
  SharedStrings strings;
  NanWatch watch;
  llvm::DenseMap<uint64_t, Verdict> verdicts;
  std::vector<std::string> hidden;
  std::vector<Frame> frames;
  const assay_snapshot *state = nullptr;
  assay_execution *last = nullptr;
  int count = 0;
  double captured = 0; // processor time that was ours
  bool full = false;
  bool verifying = false;
  std::string preloads;
  std::string outside, failure, verifier_message;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace assay

#endif
