// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/inside.h"
#include "compiler/bridge/pass_facts.h"
#include "compiler/bridge/script.h"

#include <ctime>
#include <mlir/IR/Action.h>
#include <mlir/Rewrite/PatternApplicator.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

namespace {

// The class is private to the driver.
constexpr llvm::StringLiteral GREEDY = "GreedyPatternRewriteIteration";

struct FoldPass : mlir::PassWrapper<FoldPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldPass)

  void runOnOperation() override {
    mlir::GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
    (void)mlir::applyPatternsGreedily(getOperation(), mlir::FrozenRewritePatternSet(), config);
  }
};

template <size_t N> void copy(llvm::StringRef text, char (&room)[N]) {
  size_t length = std::min(text.size(), N - 1);
  std::copy_n(text.data(), length, room);
  room[length] = '\0';
}

int64_t monotonic_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

} // namespace

assay::Inside::Inside(mlir::MLIRContext *context, const assay_within &within, assay_inside &seen)
    : context(context), within(within), seen(seen) {
  context->registerActionHandler(
      [this](llvm::function_ref<void()> transform, const mlir::tracing::Action &action) {
        run(transform, action);
      });
}

assay::Inside::~Inside() {
  context->registerActionHandler(nullptr);
}

void assay::Inside::run(llvm::function_ref<void()> transform, const mlir::tracing::Action &action) {
  if (seen.looking) {
    transform();
    return;
  }
  if (action.getTag() == mlir::ApplyPatternAction::tag) {
    apply(transform, action);
    return;
  }
  seen.is_greedy |= action.getTag() == GREEDY;
  if (action.getTag() == mlir::PassExecutionAction::tag) {
    const auto &execution = static_cast<const mlir::PassExecutionAction &>(action);
    if (mlir::Operation *script = find_script(execution.getPass(), execution.getOp()))
      cut(script);
  }
  transform();
}

// A script may run more than once; it is cut when it first does.
void assay::Inside::cut(mlir::Operation *script) {
  if (seen.script_steps > 0)
    return;
  llvm::SmallVector<mlir::Operation *> steps = list_steps(script);
  seen.script_steps = static_cast<int64_t>(steps.size());
  if (within.script_steps >= 0)
    cut_script(script, steps, static_cast<size_t>(within.script_steps));
  if (steps.empty())
    return;
  copy(steps.back()->getName().getStringRef(), seen.step.name);
  copy(text_of(steps.back()->getLoc()), seen.step.location);
}

void assay::Inside::apply(llvm::function_ref<void()> transform,
                          const mlir::tracing::Action &action) {
  if (within.applications >= 0 && seen.applications.load() >= within.applications)
    return;
  int nesting = seen.applying.load();
  int slot = std::min<int>(nesting, ASSAY_NESTED_APPLICATIONS - 1);
  assay_inner_part &part = seen.application[slot];
  std::string text;
  llvm::raw_string_ostream stream(text);
  action.print(stream);
  copy(llvm::StringRef(text).split("pattern: ").second, part.name);
  mlir::IRUnit unit = action.getContextIRUnits().front();
  if (auto *op = llvm::dyn_cast_if_present<mlir::Operation *>(unit)) {
    copy(op->getName().getStringRef(), part.op);
    copy(text_of(op->getLoc()), part.location);
  }
  seen.last = slot;
  seen.began.store(monotonic_ms());
  seen.applications.fetch_add(1);
  seen.applying.store(nesting + 1);
  transform();
  seen.applying.store(nesting);
}

std::unique_ptr<mlir::Pass> assay::make_fold_pass() {
  return std::make_unique<FoldPass>();
}
