// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plug-in with a dialect of its own, which nothing else can lower: assay-toy-raise makes
// assay_toy.sub of each arith.subf, assay-toy-lower{swapped} makes arith.subf of it again.
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Pass/PassRegistry.h>
#include <mlir/Tools/Plugins/DialectPlugin.h>
#include <mlir/Tools/Plugins/PassPlugin.h>

namespace {

constexpr llvm::StringLiteral SUB = "assay_toy.sub";

struct Toy : mlir::Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Toy)

  explicit Toy(mlir::MLIRContext *context)
      : mlir::Dialect(getDialectNamespace(), context, mlir::TypeID::get<Toy>()) {
    allowUnknownOperations();
  }
  static llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("assay_toy");
  }
};

struct Raise : mlir::PassWrapper<Raise, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Raise)

  llvm::StringRef getArgument() const override {
    return "assay-toy-raise";
  }
  llvm::StringRef getDescription() const override {
    return "takes differences to the toy dialect";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<Toy>();
  }
  void runOnOperation() override {
    getOperation()->walk([](mlir::arith::SubFOp op) {
      mlir::OpBuilder builder(op);
      mlir::OperationState state(op->getLoc(), SUB, op->getOperands(), op->getResultTypes());
      op->replaceAllUsesWith(builder.create(state));
      op->erase();
    });
  }
};

struct Lower : mlir::PassWrapper<Lower, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Lower)

  Lower() = default;
  Lower(const Lower &other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override {
    return "assay-toy-lower";
  }
  llvm::StringRef getDescription() const override {
    return "takes the toy dialect's differences back";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::arith::ArithDialect>();
  }
  void runOnOperation() override {
    getOperation()->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() != SUB)
        return;
      mlir::OpBuilder builder(op);
      mlir::Value first = op->getOperand(swapped ? 1 : 0), second = op->getOperand(swapped ? 0 : 1);
      auto made = mlir::arith::SubFOp::create(builder, op->getLoc(), first, second);
      op->replaceAllUsesWith(made.getOperation());
      op->erase();
    });
  }

  Option<bool> swapped{*this, "swapped", llvm::cl::desc("b - a for a - b"), llvm::cl::init(false)};
};

} // namespace

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "assay-toy", "1", [] {
            mlir::PassRegistration<Raise>();
            mlir::PassRegistration<Lower>();
          }};
}

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "assay-toy", "1",
          [](mlir::DialectRegistry *registry) { registry->insert<Toy>(); }};
}
