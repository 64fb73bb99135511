// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/small_floats.h"

#include <llvm/ADT/APFloat.h>
#include <mlir/CAPI/IR.h>
#include <mlir/IR/BuiltinTypes.h>

namespace {

const llvm::fltSemantics &semantics_of(assay_small_float format) {
  switch (format) {
  case ASSAY_F8E5M2:
    return llvm::APFloat::Float8E5M2();
  case ASSAY_F8E4M3:
    return llvm::APFloat::Float8E4M3();
  case ASSAY_F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case ASSAY_F8E5M2FNUZ:
    return llvm::APFloat::Float8E5M2FNUZ();
  case ASSAY_F8E4M3FNUZ:
    return llvm::APFloat::Float8E4M3FNUZ();
  case ASSAY_F8E4M3B11FNUZ:
    return llvm::APFloat::Float8E4M3B11FNUZ();
  default:
    return llvm::APFloat::Float8E3M4();
  }
}

} // namespace

assay_small_float assay_small_float_of(MlirType type) {
  auto held = mlir::dyn_cast<mlir::FloatType>(unwrap(type));
  for (int i = 0; held && i < ASSAY_SMALL_FLOAT_COUNT; i++)
    if (&held.getFloatSemantics() == &semantics_of(static_cast<assay_small_float>(i)))
      return static_cast<assay_small_float>(i);
  return ASSAY_SMALL_FLOAT_COUNT;
}

unsigned char assay_small_float_bits(assay_small_float format, double value) {
  llvm::APFloat number(value);
  bool inexact;
  number.convert(semantics_of(format), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return static_cast<unsigned char>(number.bitcastToAPInt().getZExtValue());
}

double assay_small_float_value(assay_small_float format, unsigned char bits) {
  llvm::APFloat number(semantics_of(format), llvm::APInt(8, bits));
  bool inexact;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}
