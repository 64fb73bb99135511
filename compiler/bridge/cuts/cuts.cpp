// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/cuts/cuts.h"

#include "compiler/bridge/cuts/work.h"

#include <mlir/CAPI/IR.h>
#include <mlir/IR/Diagnostics.h>

using namespace assay::cuts;

namespace {

struct Kind {
  const char *name;
  void (*find)(Work &work, Sites &sites);
};

const Kind KINDS[ASSAY_CUT_COUNT] = {
    {"symbols", find_symbols},
    {"cut after", find_after},
    {"cut before", find_before},
    {"results", find_results},
    {"operations", find_operations},
    {"to arguments", find_to_arguments},
    {"to constants", find_to_constants},
    {"regions", find_regions},
    {"dims", find_dims},
    {"constants", find_constants},
    {"attributes", find_attributes},
};

// What MLIR says of operations that are half changed is nobody's business.
mlir::LogicalResult swallow(mlir::Diagnostic &) {
  return mlir::success();
}

} // namespace

const char *assay_cut_name(assay_cut cut) {
  return KINDS[cut].name;
}

bool assay_cut_is_positional(assay_cut cut) {
  return cut == ASSAY_CUT_AFTER || cut == ASSAY_CUT_BEFORE;
}

int assay_cut_count(MlirModule module, const char *entry, assay_cut cut) {
  mlir::ScopedDiagnosticHandler quiet(unwrap(module).getContext(), swallow);
  Work work(unwrap(module), entry);
  Sites sites;
  KINDS[cut].find(work, sites);
  return static_cast<int>(sites.size());
}

bool assay_cut_apply(MlirModule module, const char *entry, assay_cut cut, int from, int to) {
  mlir::ScopedDiagnosticHandler quiet(unwrap(module).getContext(), swallow);
  Work work(unwrap(module), entry);
  llvm::DenseSet<mlir::Operation *> keep;
  if (!work.is_run)
    keep = find_dead(work);
  Sites sites;
  KINDS[cut].find(work, sites);
  if (assay_cut_is_positional(cut))
    to = from + 1;
  to = std::min(to, static_cast<int>(sites.size()));
  bool changed = false;
  for (int i = std::max(from, 0); i < to; i++)
    changed |= sites[i]();
  work.finish();
  if (changed)
    clean(work, keep);
  return changed;
}

bool assay_cut_clean(MlirModule module, const char *entry) {
  mlir::ScopedDiagnosticHandler quiet(unwrap(module).getContext(), swallow);
  Work work(unwrap(module), entry);
  return clean(work, {});
}

int assay_module_size(MlirModule module) {
  int size = 0;
  unwrap(module)->walk([&](mlir::Operation *op) {
    bool counts = !mlir::isa<mlir::ModuleOp, mlir::FunctionOpInterface>(op) &&
                  !op->hasTrait<mlir::OpTrait::IsTerminator>() && function_of(op) &&
                  !is_implied(op);
    size += counts ? 1 : 0;
  });
  return size;
}
