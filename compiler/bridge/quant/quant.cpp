// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/quant/quant.h"

#include <mlir/Dialect/Quant/IR/Quant.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OpImplementation.h>

#define GET_OP_CLASSES
#include "rescale_fuse.cpp.inc"

// A range check would let NaN through, which compares with nothing.
bool assay::is_scale(const llvm::APFloat &value) {
  return value.isFinite() && !value.isZero() && !value.isNegative();
}

mlir::LogicalResult mlir::quant::RescaleFuseOp::verify() {
  if (!assay::is_scale(getScale()))
    return emitOpError("scale attribute must be a finite, positive value");
  return success();
}

void assay::register_quant(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *, mlir::quant::QuantDialect *dialect) {
    mlir::RegisteredOperationName::insert<mlir::quant::RescaleFuseOp>(*dialect);
  });
}
