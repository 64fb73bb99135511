// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/passes/registry.h"
#include "compiler/bridge/passes.h"
#include "compiler/bridge/quant/quant.h"

#include <mlir-c/IR.h>
#include <mlir-c/Support.h>
#include <mlir/CAPI/IR.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/InitAllDialects.h>
#include <mlir/InitAllExtensions.h>
#include <mlir/InitAllPasses.h>
#include <mlir/Target/LLVMIR/Dialect/All.h>

namespace {

// MLIR finds a trait by a type's name as the compiler writes it, and GCC and Clang write those of
// traits differently. Within libMLIR.so whoever asks first decides for all. But the archives of the
// C API, with their hidden symbols, give the program its own copy of three of them: had code of
// ours asked first, where that is compiled by GCC and MLIR by Clang, no operation would have these
// traits any more, not for upstream's test passes either. So the C API asks first.
void settle_traits_in(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreateFromCString(
                   "\"builtin.module\"() ({ %0 = \"builtin.unrealized_conversion_cast\"() : () -> "
                   "i1 }) : () -> ()"));
  MlirBlock body = mlirModuleGetBody(module);
  MlirOperation first = mlirBlockGetFirstOperation(body);
  (void)mlirBlockGetTerminator(body);                                            // IsTerminator
  MlirSymbolTable table = mlirSymbolTableCreate(mlirModuleGetOperation(module)); // SymbolTable
  mlirSymbolTableDestroy(table);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirAsmStateDestroy( // IsIsolatedFromAbove
      mlirAsmStateCreateForValue(mlirOperationGetResult(first, 0), flags));
  mlirOpPrintingFlagsDestroy(flags);
  mlirModuleDestroy(module);
}

void settle_traits() {
  static const bool done = [] {
    MlirContext context = wrap(new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED));
    settle_traits_in(context);
    mlirContextDestroy(context);
    return true;
  }();
  (void)done;
}

} // namespace

void assay::register_passes() {
  static const bool done = [] {
    mlir::registerAllPasses();
    register_quant_passes();
#ifdef ASSAY_HAVE_TEST_PASSES
    register_test_passes();
#endif
    return true;
  }();
  (void)done;
}

void assay::register_dialects(mlir::DialectRegistry &registry) {
  settle_traits();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  register_quant(registry);
#ifdef ASSAY_HAVE_TEST_PASSES
  register_test_dialects(registry);
#endif
}

MlirContext assay_passes_context(void) {
  assay::register_passes();
  mlir::DialectRegistry registry;
  assay::register_dialects(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  return wrap(new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED));
}
