// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/opt/opt.h"
#include "compiler/bridge/passes.h"
#include "compiler/bridge/opt/record.h"
#include "compiler/bridge/passes/registry.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/ToolOutputFile.h>
#include <mlir/IR/DialectRegistry.h>
#include <mlir/Pass/PassRegistry.h>
#include <mlir/Support/FileUtilities.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

namespace {

namespace cl = llvm::cl;

struct Options {
  cl::OptionCategory category{"Assay's options"};
  cl::list<std::string> contracts{
      "nan-contract", cl::value_desc("[PASS:]WORD"), cl::cat(category),
      cl::desc(
          "Which new NaN attributes a pass may not make: error (any), planted (what the "
          "program's own arithmetic does not give), report (warn of each), off (the default)")};
  cl::opt<std::string> ledger{"ledger", cl::value_desc("FILE"), cl::cat(category),
                              cl::desc("Append what each pass did, as one JSON object")};
};

mlir::LogicalResult read_contracts(const Options &options, assay::Contracts &contracts) {
  for (const std::string &text : options.contracts)
    if (!contracts.add(text)) {
      llvm::errs() << "assay: error: --nan-contract: unknown word in '" << text
                   << "'; known: error, planted, report, off\n";
      return mlir::failure();
    }
  for (const assay_pass_contract &row : contracts.rows)
    if (mlir::PassInfo::lookup(row.pass) == nullptr) {
      const char *nearest = assay_pass_nearest(row.pass);
      llvm::errs() << "assay: error: --nan-contract: unknown pass '" << row.pass << "'"
                   << (nearest != nullptr ? "; did you mean '" + std::string(nearest) + "'?" : "")
                   << "\n";
      return mlir::failure();
    }
  return mlir::success();
}

// Whether MLIR itself wants no handler of actions: a context has but one.
bool hook_is_free(const mlir::MlirOptMainConfig &config) {
  const mlir::tracing::DebugConfig &debug = config.getDebugConfig();
  return !debug.isDebuggerActionHookEnabled() && debug.getLogActionsTo().empty() &&
         debug.getProfileActionsTo().empty();
}

// Looks after each pass of each piece's pipeline.
void look_after_passes(mlir::MlirOptMainConfig &config, const assay::Contracts &contracts,
                       bool record, std::deque<assay::Piece> &pieces) {
  config.setPassPipelineSetupFn(
      [plain = config, &contracts, record, &pieces](mlir::PassManager &manager) {
        if (mlir::failed(plain.setupPassPipeline(manager)))
          return mlir::failure();
        assay::Piece &piece = pieces.emplace_back();
        llvm::raw_string_ostream stream(piece.pipeline);
        manager.printAsTextualPipeline(stream);
        assay::watch(manager, contracts, record, hook_is_free(plain), piece);
        return mlir::success();
      });
}

// What mlir::MlirOptMain does with the command line's options, which takes no configuration.
mlir::LogicalResult run(llvm::StringRef input, llvm::StringRef output,
                        mlir::DialectRegistry &registry, const mlir::MlirOptMainConfig &config) {
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << "\n";
    return mlir::success();
  }
  if (config.shouldListPasses()) {
    mlir::printRegisteredPasses();
    return mlir::success();
  }
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)\n";
  std::string message;
  auto file = mlir::openInputFile(input, &message);
  auto stream = file ? mlir::openOutputFile(output, &message) : nullptr;
  if (!stream) {
    llvm::errs() << message << "\n";
    return mlir::failure();
  }
  if (mlir::failed(mlir::MlirOptMain(stream->os(), std::move(file), registry, config)))
    return mlir::failure();
  stream->keep();
  return mlir::success();
}

} // namespace

int assay_opt_main(int argc, char **argv) {
  static Options options; // LLVM's command line keeps pointing at them
  mlir::DialectRegistry registry;
  assay::register_passes();
  assay::register_watch_pass();
  assay::register_dialects(registry);
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "MLIR modular optimizer driver\n", registry);
  llvm::InitLLVM guard(argc, argv);
  assay::Contracts contracts;
  if (mlir::failed(read_contracts(options, contracts)))
    return EXIT_FAILURE;
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  std::deque<assay::Piece> pieces;
  bool record = !options.ledger.empty();
  if (record || contracts.look())
    look_after_passes(config, contracts, record, pieces);
  mlir::LogicalResult done = run(input, output, registry, config);
  if (record && !assay::append_record(options.ledger, input, pieces, mlir::succeeded(done)))
    return EXIT_FAILURE;
  return mlir::asMainReturnCode(done);
}
