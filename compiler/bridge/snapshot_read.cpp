// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/snapshotter.h"

#include <mlir/CAPI/IR.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/DialectResourceBlobManager.h>
#include <mlir/IR/Verifier.h>
#include <mlir/Parser/Parser.h>

namespace {

// The attribute that Snapshotter::write has put beside the bytecode; null in *attribute where it is
// none of those.
mlir::LogicalResult read_large(mlir::DialectBytecodeReader &reader, llvm::StringRef group,
                               mlir::Attribute &attribute) {
  uint64_t kind = 0, place = 0, size = 0;
  mlir::ShapedType type;
  if (group != assay::CONSTANT_GROUP || failed(reader.readVarInt(kind)) ||
      (kind != assay::DENSE_CONSTANT && kind != assay::RESOURCE_CONSTANT))
    return mlir::success();
  if (failed(reader.readType(type)) || failed(reader.readVarInt(place)) ||
      failed(reader.readVarInt(size)))
    return mlir::failure();
  llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(place), size);
  if (kind == assay::DENSE_CONSTANT) {
    attribute = mlir::DenseElementsAttr::getFromRawBuffer(type, bytes);
    return mlir::success();
  }
  llvm::StringRef key;
  if (failed(reader.readString(key)))
    return mlir::failure();
  attribute = mlir::DenseResourceElementsAttr::get(
      type, key, mlir::UnmanagedAsmResourceBlob::allocateWithAlign(bytes, 64));
  return mlir::success();
}

// The first error that MLIR reports while this is alive.
struct FirstError {
  explicit FirstError(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && text.empty()) {
            llvm::raw_string_ostream stream(text);
            stream << diagnostic.getLocation() << ": " << diagnostic;
          }
          return mlir::success();
        }) {}

  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

// Large constants are no matter of syntax: zeros take their place before printing.
void shrink_constants(mlir::ModuleOp module) {
  module->walk([](mlir::Operation *op) {
    for (mlir::NamedAttribute named : llvm::to_vector(op->getAttrs())) {
      auto typed = llvm::dyn_cast<mlir::TypedAttr>(named.getValue());
      if (assay::raw_bytes(named.getValue()).size() < assay::LARGE_BYTES)
        continue;
      auto type = llvm::cast<mlir::ShapedType>(typed.getType());
      mlir::Builder builder(op->getContext());
      if (mlir::Attribute zero = builder.getZeroAttr(type.getElementType()))
        op->setAttr(named.getName(), mlir::DenseElementsAttr::get(type, zero));
    }
  });
}

} // namespace

assay_code assay_snapshot_read(const assay_snapshot *snapshot, MlirContext context,
                               MlirModule *out_module, assay_error *err) {
  FirstError error(unwrap(context));
  mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  config.getBytecodeReaderConfig().attachAttributeCallback(read_large);
  llvm::StringRef bytes(static_cast<const char *>(snapshot->bytes), snapshot->size);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(bytes, config, "state");
  if (!module)
    return assay_fail(err, ASSAY_INVALID, "the state cannot be read again: %s", error.text.c_str());
  *out_module = wrap(module.release());
  return ASSAY_OK;
}

assay_code assay_snapshot_roundtrip(const assay_snapshot *snapshot, MlirContext context,
                                    assay_error *err) {
  MlirModule module;
  TRY(assay_snapshot_read(snapshot, context, &module, err));
  mlir::OwningOpRef<mlir::ModuleOp> owned(unwrap(module));
  shrink_constants(*owned);
  std::string text;
  llvm::raw_string_ostream stream(text);
  owned.get()->print(stream);
  FirstError error(unwrap(context));
  mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/true);
  if (mlir::parseSourceString<mlir::ModuleOp>(text, config, "printed"))
    return ASSAY_OK;
  return assay_fail(err, ASSAY_INVALID, "%s", error.text.c_str());
}
