// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/costs.h"
#include "compiler/base/clock.h"
#include "compiler/bridge/fingerprint.h"
#include "compiler/bridge/pass_facts.h"

#include <mlir/CAPI/Pass.h>
#include <mlir/Pass/PassInstrumentation.h>
#include <mlir/Pass/PassManager.h>

namespace {

class CostWatcher : public mlir::PassInstrumentation {
public:
  explicit CostWatcher(assay_costs *costs) : costs(costs) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (program == nullptr)
      program = op; // the first pass to run does so on the whole
    if (assay::is_adaptor(pass))
      return;
    double began = assay_clock_now();
    Frame frame = {count(), fingerprinter.operation(program), 0, 0};
    frame.started = assay_clock_now();
    ours += frame.started - began;
    frame.ours = ours;
    frames.push_back(frame);
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    if (!assay::is_adaptor(pass))
      finish(pass);
  }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override {
    if (!assay::is_adaptor(pass))
      finish(pass);
  }

private:
  struct Frame {
    int64_t count;
    uint64_t hash;
    double started, ours;
  };

  int64_t count() const {
    int64_t count = 0;
    program->walk([&](mlir::Operation *) { count++; });
    return count;
  }

  void finish(mlir::Pass *pass) {
    double ended = assay_clock_now();
    Frame frame = frames.pop_back_val();
    int number = costs->pass_count++;
    if (number < ASSAY_COSTS_PASSES) {
      assay_pass_cost &cost = costs->passes[number];
      llvm::StringRef name = assay::name_of(pass).take_front(ASSAY_COSTS_NAME - 1);
      cost = {};
      llvm::copy(name, cost.name);
      cost.seconds = ended - frame.started - (ours - frame.ours);
      cost.ops_before = frame.count;
      cost.ops_after = count();
      cost.changed = fingerprinter.operation(program) != frame.hash;
    }
    ours += assay_clock_now() - ended;
  }

  assay_costs *costs;
  mlir::Operation *program = nullptr;
  assay::Fingerprinter fingerprinter;
  llvm::SmallVector<Frame> frames; // passes run inside passes
  double ours = 0;                 // seconds spent here
};

} // namespace

void assay_costs_watch(MlirPassManager manager, assay_costs *costs) {
  unwrap(manager)->addInstrumentation(std::make_unique<CostWatcher>(costs));
}
