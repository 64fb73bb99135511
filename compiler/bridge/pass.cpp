// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/pass.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/CAPI/IR.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Pass/PassRegistry.h>

namespace {

// MLIR tells passes apart by a type's id. All of ours are of one C++ type, so the id is made from
// the address of the C table instead, which is as unique.
mlir::TypeID identify(const assay_pass *pass) {
  return mlir::TypeID::getFromOpaquePointer(pass);
}

class CallbackPass : public mlir::Pass {
public:
  explicit CallbackPass(const assay_pass *pass)
      : Pass(identify(pass), llvm::StringRef(pass->anchor)), pass(pass) {}

  llvm::StringRef getName() const override {
    return pass->argument;
  }
  llvm::StringRef getArgument() const override {
    return pass->argument;
  }
  llvm::StringRef getDescription() const override {
    return pass->description;
  }
  bool canScheduleOn(mlir::RegisteredOperationName name) const override {
    return name.getStringRef() == pass->anchor;
  }

protected:
  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    for (const char *const *name = pass->dialects; name != nullptr && *name != nullptr; name++)
      if (context->getOrLoadDialect(*name) == nullptr)
        return mlir::emitError(mlir::UnknownLoc::get(context))
               << "'" << pass->argument << "' needs the dialect '" << *name << "'";
    return mlir::success();
  }
  void runOnOperation() override {
    assay_error err;
    if (pass->run(wrap(getOperation()), &err) == ASSAY_OK)
      return;
    getOperation()->emitError() << err.text;
    signalPassFailure();
  }
  std::unique_ptr<mlir::Pass> clonePass() const override {
    return std::make_unique<CallbackPass>(pass);
  }

private:
  const assay_pass *pass;
};

llvm::SmallVector<const assay_pass *> &registered() {
  static llvm::SmallVector<const assay_pass *> passes;
  return passes;
}

} // namespace

void assay_pass_register(const assay_pass *pass) {
  if (!llvm::is_contained(registered(), pass))
    registered().push_back(pass);
  mlir::registerPass([pass] { return std::make_unique<CallbackPass>(pass); });
}

bool assay_pass_is_own(const char *argument) {
  return llvm::any_of(registered(), [argument](const assay_pass *pass) {
    return llvm::StringRef(pass->argument) == argument;
  });
}
