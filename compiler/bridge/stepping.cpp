// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/stepping.h"
#include "compiler/bridge/inside.h"
#include "compiler/bridge/pipeline.h"
#include "compiler/bridge/recorder.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Parser/Parser.h>

namespace {

constexpr llvm::StringLiteral INTERFACE = "llvm.emit_c_interface";

// The first error of the parser or the verifier, as an assay_error and as the stepping's message.
struct InputError {
  explicit InputError(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && text.empty()) {
            text = diagnostic.str();
            place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
          }
          return mlir::success();
        }) {}

  assay_code fail(const assay_stepping_request *request, assay_error *err) const {
    const char *message = text.empty() ? "cannot be read" : text.c_str();
    if (!place)
      return assay_fail_at(err, ASSAY_INVALID, request->file, 0, 0, "%s", message);
    return assay_fail_at(err, ASSAY_INVALID, place.getFilename().str().c_str(),
                         static_cast<int>(place.getLine()), static_cast<int>(place.getColumn()),
                         "%s", message);
  }

  std::string text;
  mlir::FileLineColLoc place;
  mlir::ScopedDiagnosticHandler handler;
};

assay_code read_input(mlir::MLIRContext *context, const assay_stepping_request *request,
                      mlir::OwningOpRef<mlir::ModuleOp> &module, assay_error *err) {
  if (request->state != nullptr) {
    MlirModule read;
    TRY(assay_snapshot_read(request->state, wrap(context), &read, err));
    module = mlir::OwningOpRef<mlir::ModuleOp>(unwrap(read));
    return ASSAY_OK;
  }
  InputError error(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(
                                 llvm::StringRef(request->source, request->size), request->file),
                             llvm::SMLoc());
  module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, mlir::ParserConfig(context, request->verify));
  return module ? ASSAY_OK : error.fail(request, err);
}

bool is_buffer(mlir::Type type) {
  return llvm::isa<mlir::BaseMemRefType, mlir::TensorType>(type);
}

// Asks for the C interface by which a lowered function with buffers can be called; returns whose.
std::vector<std::string> request_interfaces(mlir::ModuleOp module) {
  std::vector<std::string> names;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal() || function->hasAttr(INTERFACE))
      continue;
    if (!llvm::any_of(function.getArgumentTypes(), is_buffer) &&
        !llvm::any_of(function.getResultTypes(), is_buffer))
      continue;
    function->setAttr(INTERFACE, mlir::UnitAttr::get(module->getContext()));
    names.push_back(function.getName().str());
  }
  return names;
}

mlir::Operation *find_target(mlir::ModuleOp module, const assay_stepping_request *request) {
  if (request->anchor == nullptr)
    return module;
  llvm::StringRef symbol = request->symbol == nullptr ? "" : request->symbol;
  mlir::Operation *found = nullptr;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto name = op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName());
    if (op->getName().getStringRef() != request->anchor || (name ? name.getValue() : "") != symbol)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

const char *share_message(const std::string &message, assay_shared *shared) {
  const char *copy = assay_shared_string(shared, message.c_str());
  return copy == nullptr ? "" : copy;
}

assay_code run_pipeline(mlir::ModuleOp module, const assay_stepping_request *request,
                        assay_shared *shared, assay_stepping *stepping, assay_error *err) {
  mlir::MLIRContext *context = module->getContext();
  mlir::Operation *target = find_target(module, request);
  if (target == nullptr)
    return assay_fail(err, ASSAY_INVALID, "the module has no '%s' named '%s'", request->anchor,
                      request->symbol == nullptr ? "" : request->symbol);
  std::vector<std::string> interfaces;
  if (request->anchor == nullptr)
    interfaces = request_interfaces(module);
  const mlir::OpPassManager &passes = request->pipeline->manager;
  mlir::PassManager manager(context, passes.getOpAnchorName(),
                            mlir::OpPassManager::Nesting::Implicit);
  std::optional<assay::Inside> inside;
  if (request->within != nullptr)
    inside.emplace(context, *request->within, stepping->inside);
  if (inside && request->within->only_fold)
    manager.addPass(assay::make_fold_pass());
  else
    static_cast<mlir::OpPassManager &>(manager) = passes;
  manager.enableVerifier(false);
  auto owned = std::make_unique<assay::Recorder>(context, module, shared, stepping);
  assay::Recorder *recorder = owned.get();
  manager.addInstrumentation(std::move(owned));
  recorder->begin(std::move(interfaces));
  bool succeeded = !recorder->is_full() && mlir::succeeded(manager.run(target));
  if (recorder->is_full())
    return assay_fail(err, ASSAY_FAILED, "the memory for the states of the pipeline is full");
  stepping->succeeded = succeeded;
  stepping->message = succeeded ? "" : share_message(recorder->message(), shared);
  return ASSAY_OK;
}

} // namespace

assay_code assay_step(MlirContext context, const assay_stepping_request *request,
                      assay_shared *shared, assay_stepping *stepping, assay_error *err) {
  stepping->message = "";
  mlir::OwningOpRef<mlir::ModuleOp> module;
  assay_code code = read_input(unwrap(context), request, module, err);
  if (code == ASSAY_OK)
    code = run_pipeline(*module, request, shared, stepping, err);
  if (code == ASSAY_OK)
    stepping->phase.store(ASSAY_STEPPING_DONE);
  else
    stepping->message =
        share_message(err->where[0] == '\0' ? std::string(err->text)
                                            : std::string(err->where) + ": error: " + err->text,
                      shared);
  return code;
}
