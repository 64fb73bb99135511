// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NaN in attributes, read through the attribute API.
#ifndef ASSAY_COMPILER_BRIDGE_NAN_ATTRIBUTES_H
#define ASSAY_COMPILER_BRIDGE_NAN_ATTRIBUTES_H

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Operation.h>
#include <vector>

namespace assay {

// What makes two NaNs the same: the floating-point type and the bits (the low 64 of wider types).
using NanKey = std::pair<mlir::Type, uint64_t>;

struct Nan {
  mlir::Operation *op; // that holds the attribute
  mlir::Type type;     // of the whole attribute: f32, tensor<2xf32>
  NanKey key;
};

// Finds every NaN: floats of all types, splat, dense and resource elements, dense arrays, complex
// numbers, and all of these inside arrays and dictionaries. Remembers attributes once searched;
// good for one context, as long as that lives.
class NanScanner {
public:
  std::vector<Nan> scan(mlir::Operation *top);

private:
  using Values = llvm::SmallVector<std::pair<mlir::Type, NanKey>, 1>;
  const Values &search(mlir::Attribute attribute);

  llvm::DenseMap<mlir::Attribute, Values> known;
};

// Whether the NaN that a constant holds can only serve: as the neutral element of a reduction by
// maxnum or minnum, or as a result for operands outside a domain, chosen on a condition.
bool nan_is_neutral(mlir::Operation *op);

} // namespace assay

#endif
