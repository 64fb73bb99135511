// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/passes/registry.h"
#include "compiler/bridge/passes.h"

#include <mlir/CAPI/IR.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/InitAllDialects.h>
#include <mlir/InitAllExtensions.h>
#include <mlir/InitAllPasses.h>
#include <mlir/Target/LLVMIR/Dialect/All.h>

namespace {

void register_passes_once() {
  static const bool done = [] {
    mlir::registerAllPasses();
#ifdef ASSAY_HAVE_TEST_PASSES
    assay::register_test_passes();
#endif
    return true;
  }();
  (void)done;
}

} // namespace

MlirContext assay_passes_context(void) {
  register_passes_once();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
#ifdef ASSAY_HAVE_TEST_PASSES
  assay::register_test_dialects(registry);
#endif
  return wrap(new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED));
}
