// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/pass_facts.h"
#include "compiler/bridge/recorder.h"

#include <mlir/IR/Verifier.h>

const char *assay::SharedStrings::get(llvm::StringRef text) {
  if (text.empty())
    return "";
  auto [entry, added] = known.try_emplace(text, nullptr);
  if (added)
    entry->second = assay_shared_string(shared, text.str().c_str());
  return entry->second == nullptr ? "" : entry->second;
}

assay::Recorder::Recorder(mlir::MLIRContext *context, mlir::ModuleOp module, assay_shared *shared,
                          assay_stepping *stepping)
    : module(module), shared(shared), stepping(stepping), snapshotter(shared), strings(shared),
      handler(context, [this](mlir::Diagnostic &diagnostic) {
        report(diagnostic);
        return mlir::success();
      }) {}

assay::Recorder::~Recorder() = default;

// An error belongs to the innermost pass that runs, or to the verifier while that looks.
void assay::Recorder::report(mlir::Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
    return;
  std::string &message =
      verifying ? verifier_message : (frames.empty() ? outside : frames.back().message);
  if (message.empty())
    message = text_of(diagnostic.getLocation()) + ": " + diagnostic.str();
}

const assay_snapshot *assay::Recorder::capture() {
  uint64_t hash = snapshotter.fingerprinter.operation(module);
  if (state != nullptr && state->hash == hash)
    return state;
  if (const assay_snapshot *taken = full ? nullptr : snapshotter.take(module, hash))
    state = taken;
  else
    full = true;
  return state;
}

void assay::Recorder::begin(std::vector<std::string> interfaces) {
  for (std::string &name : interfaces)
    hidden.push_back("_mlir_ciface_" + std::move(name));
  stepping->input = capture();
  watch.begin(module);
  stepping->phase.store(ASSAY_STEPPING_READ);
}

bool assay::Recorder::is_hidden(mlir::Operation *op) const {
  return llvm::is_contained(hidden, symbol_of(op));
}

const char *assay::Recorder::needs_of(mlir::Pass *pass) {
  return pass->getArgument() == "transform-interpreter" ? strings.get(preloads) : "";
}

void assay::Recorder::show_running(mlir::Pass *pass, mlir::Operation *op) {
  size_t depth = frames.size() - 1;
  if (depth < sizeof stepping->running / sizeof stepping->running[0]) {
    auto &running = stepping->running[depth];
    running.name = strings.get(name_of(pass));
    running.anchor = strings.get(op->getName().getStringRef());
    running.symbol = strings.get(symbol_of(op));
    running.options = strings.get(text_of(pass));
    running.needs = needs_of(pass);
  }
  stepping->running_count.store(static_cast<int>(frames.size()));
  stepping->pulse.fetch_add(1);
}

void assay::Recorder::runBeforePass(mlir::Pass *pass, mlir::Operation *op) {
  if (is_adaptor(pass))
    return;
  double now = processor_seconds();
  // Inside another pass the module may have moved since the last execution ended.
  frames.push_back({capture(), 0, 0, {}});
  show_running(pass, op);
  frames.back().started = processor_seconds();
  captured += frames.back().started - now;
  frames.back().captured = captured;
}

void assay::Recorder::runAfterPass(mlir::Pass *pass, mlir::Operation *op) {
  finish(pass, op, false);
}

void assay::Recorder::runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) {
  finish(pass, op, true);
}

assay::Recorder::Verdict assay::Recorder::verify(const assay_snapshot *after) {
  auto [entry, added] = verdicts.try_emplace(after->hash, Verdict{true, ""});
  if (!added)
    return entry->second;
  verifying = true;
  verifier_message.clear();
  bool verifies = succeeded(mlir::verify(module));
  verifying = false;
  entry->second = {verifies, verifies ? "" : strings.get(verifier_message)};
  return entry->second;
}

void assay::Recorder::find_nans(assay_execution &execution) {
  std::vector<assay_new_nan> found;
  verifying = stepping->inside.looking = true; // what folding does and reports is nobody's
  std::vector<NewNan> news = watch.look(module);
  verifying = stepping->inside.looking = false;
  for (const auto &[nan, origin] : news)
    found.push_back({strings.get(nan.op->getName().getStringRef()),
                     strings.get(text_of(nan.op->getLoc())), strings.get(text_of(nan.type)),
                     nan.key.second, origin});
  execution.nan_count = static_cast<int>(found.size());
  execution.nans = static_cast<assay_new_nan *>(
      assay_shared_copy(shared, found.data(), found.size() * sizeof found[0]));
  if (execution.nans == nullptr) {
    full = true;
    execution.nan_count = 0;
  }
}

void assay::Recorder::publish(assay_execution *execution) {
  if (last == nullptr)
    stepping->first.store(execution);
  else
    last->next.store(execution);
  last = execution;
}

void assay::Recorder::finish(mlir::Pass *pass, mlir::Operation *op, bool failed) {
  if (is_adaptor(pass) || frames.empty())
    return;
  double ended = processor_seconds();
  Frame frame = std::move(frames.back());
  frames.pop_back();
  // A pass that fails because one inside it did has that one's message.
  if (failed && !frames.empty() && frames.back().message.empty())
    frames.back().message = frame.message;
  if (failed && failure.empty())
    failure = frame.message;
  if (pass->getArgument() == "transform-preload-library")
    preloads += (preloads.empty() ? "" : ",") + text_of(pass);
  const assay_snapshot *after = capture();
  assay_execution *execution = nullptr;
  if (!full && !is_hidden(op))
    execution = static_cast<assay_execution *>(assay_shared_take(shared, sizeof *execution));
  if (execution != nullptr) {
    execution->n = ++count;
    execution->name = strings.get(name_of(pass));
    execution->anchor = strings.get(op->getName().getStringRef());
    execution->symbol = strings.get(symbol_of(op));
    execution->options = strings.get(text_of(pass));
    execution->needs = needs_of(pass);
    execution->depth = static_cast<int>(frames.size());
    execution->changed = after != frame.before;
    execution->failed = failed;
    execution->message = strings.get(frame.message);
    execution->seconds = ended - frame.started - (captured - frame.captured);
    execution->before = frame.before;
    execution->after = after;
    Verdict verdict = verify(after);
    execution->verifies = verdict.verifies;
    execution->verifier_message = verdict.message;
    if (execution->changed)
      find_nans(*execution);
    publish(execution);
  } else if (!is_hidden(op)) {
    full = true;
  }
  stepping->running_count.store(static_cast<int>(frames.size()));
  stepping->pulse.fetch_add(1);
  captured += processor_seconds() - ended;
}
