// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plug-in: one pass per fault, assay-fault-NAME{nth=N}, all on a module.
#include "harness/ledger/plugins/fault.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Pass/PassRegistry.h>
#include <mlir/Tools/Plugins/PassPlugin.h>
#include <mlir/Transforms/Passes.h>
#include <utility>

namespace {

void do_nothing(mlir::ModuleOp, int, mlir::Pass *) {}

constexpr assay::NamedFault FAULTS[] = {
    {"assay-fault-none", "changes nothing", do_nothing},
    {"assay-fault-dropped-fill", "leaves a fill out", assay::dropped_fill},
    {"assay-fault-swapped-operands", "a - b becomes b - a", assay::swapped_operands},
    {"assay-fault-loop-bound", "a loop ends one turn early", assay::loop_bound},
    {"assay-fault-slice-offset", "a slice begins one place aside", assay::slice_offset},
    {"assay-fault-dropped-mask", "takes a select's or a read's mask away", assay::dropped_mask},
    {"assay-fault-bf16-truncation", "rounds a result to bf16", assay::bf16_truncation},
    {"assay-fault-narrow-accumulator", "adds in f16", assay::narrow_accumulator},
    {"assay-fault-polynomial", "exp becomes a polynomial of degree 3", assay::polynomial},
    {"assay-fault-print-added", "prints a number", assay::added_print},
    {"assay-fault-garbage-printed", "prints what nobody wrote", assay::added_garbage},
    {"assay-fault-address-printed", "prints where memory lies", assay::added_address},
    {"assay-fault-endless-program", "the entry never ends", assay::endless_program},
    {"assay-fault-gone-entry", "erases the entry", assay::gone_entry},
    {"assay-fault-renamed-entry", "renames the entry", assay::renamed_entry},
    {"assay-fault-address", "differs from process to process", assay::address},
    {"assay-fault-flaky", "swaps operands for 3 of 5 ledgers", assay::flaky},
    {"assay-fault-nan-constant", "a constant becomes NaN", assay::nan_constant},
    {"assay-fault-nan-attribute", "adds an attribute that is NaN", assay::nan_attribute},
    {"assay-fault-fuse-rescale", "fuses any constants into a scale", assay::nan_scale},
    {"assay-fault-invalid-op", "makes an invalid return", assay::invalid_op},
    {"assay-fault-abort", "aborts", assay::abort_process},
    {"assay-fault-two-crashes", "dies of a quotient in two ways", assay::two_crashes},
    {"assay-fault-endless-loop", "never ends", assay::endless_loop},
    {"assay-fault-exit", "calls exit(0)", assay::exit_process},
    {"assay-fault-print", "prints to stdout and stderr", assay::print_noise},
    {"assay-fault-fork", "forks a child that stays", assay::fork_child},
    {"assay-fault-close", "closes all descriptors", assay::close_descriptors},
    {"assay-fault-signals", "installs signal handlers", assay::take_signals},
    {"assay-fault-memory", "eats all memory", assay::eat_memory},
};

// One class per fault, since MLIR tells passes apart by their class.
template <size_t N>
struct FaultPass : mlir::PassWrapper<FaultPass<N>, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FaultPass<N>)

  FaultPass() = default;
  FaultPass(const FaultPass &other)
      : mlir::PassWrapper<FaultPass<N>, mlir::OperationPass<mlir::ModuleOp>>(other) {}

  llvm::StringRef getArgument() const override {
    return FAULTS[N].argument;
  }
  llvm::StringRef getDescription() const override {
    return FAULTS[N].description;
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    mlir::vector::VectorDialect>();
  }
  void runOnOperation() override {
    FAULTS[N].run(this->getOperation(), nth, this);
  }

  mlir::Pass::Option<int> nth{*this, "nth", llvm::cl::desc("which place, from 0"),
                              llvm::cl::init(0)};
};

struct FailingPass : mlir::PassWrapper<FailingPass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailingPass)

  llvm::StringRef getArgument() const override {
    return "assay-fault-failure";
  }
  llvm::StringRef getDescription() const override {
    return "gives up with an error";
  }
  void runOnOperation() override {
    getOperation()->emitError("the planted failure");
    signalPassFailure();
  }
};

// Runs canonicalize inside itself and, if asked to, drops a fill before or after it.
struct NestingPass : mlir::PassWrapper<NestingPass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NestingPass)

  NestingPass() = default;
  NestingPass(const NestingPass &other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override {
    return "assay-fault-nested";
  }
  llvm::StringRef getDescription() const override {
    return "runs canonicalize inside itself";
  }
  void runOnOperation() override {
    if (before)
      assay::dropped_fill(getOperation(), 0, this);
    mlir::OpPassManager manager("builtin.module");
    manager.addPass(mlir::createCanonicalizerPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
    if (after)
      assay::dropped_fill(getOperation(), 0, this);
  }

  Option<bool> before{*this, "before", llvm::cl::desc("drop a fill before"), llvm::cl::init(false)};
  Option<bool> after{*this, "after", llvm::cl::desc("drop a fill after"), llvm::cl::init(false)};
};

template <size_t... N> void register_faults(std::index_sequence<N...>) {
  (mlir::PassRegistration<FaultPass<N>>(), ...);
  mlir::PassRegistration<FailingPass>();
  mlir::PassRegistration<NestingPass>();
  assay::register_patterns();
}

} // namespace

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "assay-faults", "1",
          [] { register_faults(std::make_index_sequence<sizeof FAULTS / sizeof FAULTS[0]>()); }};
}
