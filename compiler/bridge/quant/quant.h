// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension of upstream's quant dialect: quant.rescale_fuse.
#ifndef ASSAY_COMPILER_BRIDGE_QUANT_QUANT_H
#define ASSAY_COMPILER_BRIDGE_QUANT_QUANT_H

#include <mlir/Bytecode/BytecodeOpInterface.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/DialectRegistry.h>
#include <mlir/IR/OpDefinition.h>
#include <mlir/Interfaces/InferTypeOpInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#define GET_OP_CLASSES
#include "rescale_fuse.h.inc"

namespace assay {

// Contexts with this registry know the operation as soon as they load the quant dialect.
void register_quant(mlir::DialectRegistry &registry);

// quant-fuse-rescale: chains of the operation as one, and of arith.mulf by a constant (the same for
// all elements) beside it. Never where the product is not finite and positive. By default only
// where the product is exact and the result has the same bits for every input, but for the last
// bit of a subnormal one: where a factor is 1; where the inner one is a power of two and both are
// above 1; where one is a power of two and both are below 1.
void register_quant_passes();

// Whether a scale may stand in the operation: finite and positive.
bool is_scale(const llvm::APFloat &value);

} // namespace assay

#endif
