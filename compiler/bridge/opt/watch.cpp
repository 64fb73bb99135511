// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/opt/watch.h"
#include "compiler/bridge/pass_facts.h"

#include <llvm/ADT/StringExtras.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Pass/PassRegistry.h>

namespace {

// Ends a pipeline in which a contract was broken: an instrumentation cannot make a pass fail. It
// has a name so that reproducers of such a pipeline can be read again.
struct RefusalPass : mlir::PassWrapper<RefusalPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RefusalPass)

  explicit RefusalPass(const assay::Piece *piece = nullptr) : piece(piece) {}

  llvm::StringRef getArgument() const override {
    return "assay-nan-contract";
  }
  llvm::StringRef getDescription() const override {
    return "End of a pipeline under --nan-contract; fails where a pass broke that";
  }
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (piece != nullptr && piece->refused)
      signalPassFailure();
  }

private:
  const assay::Piece *piece;
};

bool is_ours(mlir::Pass *pass) {
  return pass->getTypeID() == mlir::TypeID::get<RefusalPass>();
}

// Whether the operation verifies, without a word.
bool verifies(mlir::Operation *op) {
  mlir::ScopedDiagnosticHandler silence(op->getContext(),
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  return mlir::succeeded(mlir::verify(op));
}

class Watcher : public mlir::PassInstrumentation {
public:
  Watcher(const assay::Contracts &contracts, bool record, assay::Piece &piece)
      : contracts(contracts), record(record), piece(piece) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (program == nullptr)
      begin(op);
    if (!record || assay::is_adaptor(pass) || is_ours(pass))
      return;
    double now = assay::processor_seconds();
    frames.push_back({fingerprinter.operation(program), 0, 0, count()});
    frames.back().started = assay::processor_seconds();
    ours += frames.back().started - now;
    frames.back().ours = ours;
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!assay::is_adaptor(pass) && !is_ours(pass))
      finish(pass, op, false);
  }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override {
    if (!assay::is_adaptor(pass) && !is_ours(pass))
      finish(pass, op, true);
  }

private:
  struct Frame {
    uint64_t hash;
    double started, ours; // processor time
    assay::OpCounts counts;
  };

  // The first pass to run does so on the whole.
  void begin(mlir::Operation *op) {
    program = op;
    if (record || contracts.look())
      nans.begin(op);
  }

  assay::OpCounts count() const {
    assay::OpCounts counts;
    program->walk([&](mlir::Operation *op) { counts[op->getName().getStringRef().str()]++; });
    return counts;
  }

  // A pass that gave up promised nothing; but here that includes those which the verifier stopped.
  void finish(mlir::Pass *pass, mlir::Operation *op, bool failed) {
    if (piece.refused)
      return;
    double ended = assay::processor_seconds();
    // Without a failure that has been asked already, but not under --verify-each=0.
    bool valid = !(failed || record) || verifies(op);
    std::vector<assay::NewNan> news;
    if ((record || contracts.look()) && !(failed && valid))
      news = look(op);
    assay_nan_contract contract = assay_nan_contract_of(assay::name_of(pass).str().c_str(),
                                                        static_cast<int>(contracts.rows.size()),
                                                        contracts.rows.data(), contracts.others);
    bool broken = false;
    for (const assay::NewNan &each : news)
      broken |= report(pass, each, contract);
    piece.refused = broken;
    if (!record)
      return;
    add(pass, op, ended, failed && valid, valid);
    for (const auto &[nan, origin] : news)
      piece.passes.back().nans.push_back({nan.op->getName().getStringRef().str(),
                                          assay::text_of(nan.op->getLoc()),
                                          assay::text_of(nan.type), nan.key.second, origin});
    if (!piece.passes.back().verifies)
      piece.passes.back().fault = "invalid-ir";
    else if (broken)
      piece.passes.back().fault = "nan-attribute";
    ours += assay::processor_seconds() - ended;
  }

  std::vector<assay::NewNan> look(mlir::Operation *op) {
    // What folding the program reports is nobody's.
    mlir::ScopedDiagnosticHandler silence(op->getContext(),
                                          [](mlir::Diagnostic &) { return mlir::success(); });
    return nans.look(op);
  }

  // What a pass folded has no place of its own: that of what is around it.
  static mlir::Location place_of(mlir::Operation *op) {
    while (op->getParentOp() != nullptr && !op->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
      op = op->getParentOp();
    return op->getLoc();
  }

  // Whether the contract forbids it.
  static bool report(mlir::Pass *pass, const assay::NewNan &found, assay_nan_contract contract) {
    bool forbidden = assay_nan_contract_forbids(contract, found.origin);
    if (!forbidden && contract != ASSAY_NAN_REPORT)
      return false;
    mlir::Location place = place_of(found.nan.op);
    mlir::InFlightDiagnostic said = forbidden ? mlir::emitError(place) : mlir::emitWarning(place);
    said << "'" << found.nan.op->getName() << "' op holds a NaN " << found.nan.type
         << " attribute (0x" << llvm::utohexstr(found.nan.key.second) << ") that pass '"
         << assay::name_of(pass) << "' made, " << assay_nan_origin_clause(found.origin);
    return forbidden;
  }

  void add(mlir::Pass *pass, mlir::Operation *op, double ended, bool gave_up, bool valid) {
    Frame frame = std::move(frames.back());
    frames.pop_back();
    assay::PassRecord made;
    made.n = static_cast<int>(piece.passes.size()) + 1;
    made.name = assay::name_of(pass).str();
    made.anchor = op->getName().getStringRef().str();
    made.symbol = assay::symbol_of(op).str();
    made.options = assay::text_of(pass);
    made.depth = static_cast<int>(frames.size());
    made.changed = fingerprinter.operation(program) != frame.hash;
    made.failed = gave_up;
    made.verifies = valid;
    made.seconds = ended - frame.started - (ours - frame.ours);
    made.before = std::move(frame.counts);
    made.after = count();
    piece.passes.push_back(std::move(made));
  }

  const assay::Contracts &contracts;
  bool record;
  assay::Piece &piece;
  mlir::Operation *program = nullptr;
  assay::NanWatch nans;
  assay::Fingerprinter fingerprinter;
  std::vector<Frame> frames;
  double ours = 0; // processor time
};

} // namespace

bool assay::Contracts::add(llvm::StringRef text) {
  auto [pass, word] = text.rsplit(':');
  assay_nan_contract contract;
  if (!assay_nan_contract_parse((word.empty() ? pass : word).str().c_str(), &contract))
    return false;
  if (word.empty()) {
    others = contract;
    return true;
  }
  names.push_back(pass.str());
  rows.push_back({names.back().c_str(), contract});
  return true;
}

bool assay::Contracts::look() const {
  return others != ASSAY_NAN_OFF || llvm::any_of(rows, [](const assay_pass_contract &row) {
           return row.contract != ASSAY_NAN_OFF;
         });
}

void assay::register_watch_pass() {
  mlir::PassRegistration<RefusalPass>();
}

void assay::watch(mlir::PassManager &manager, const Contracts &contracts, bool record,
                  bool hook_is_free, Piece &piece) {
  mlir::MLIRContext *context = manager.getContext();
  context->disableMultithreading(); // what is new depends on the order of passes
  manager.addInstrumentation(std::make_unique<Watcher>(contracts, record, piece));
  if (!contracts.look())
    return;
  manager.addPass(std::make_unique<RefusalPass>(&piece));
  if (!hook_is_free)
    return;
  context->registerActionHandler(
      [&piece](llvm::function_ref<void()> run, const mlir::tracing::Action &action) {
        const auto *execution = llvm::dyn_cast<mlir::PassExecutionAction>(&action);
        if (execution == nullptr || !piece.refused ||
            execution->getPass().getTypeID() == mlir::TypeID::get<RefusalPass>())
          run();
      });
}
