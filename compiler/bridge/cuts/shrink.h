// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One size, or one and all its multiples, made smaller: what becomes of numbers, strides, layouts.
#ifndef ASSAY_COMPILER_BRIDGE_CUTS_SHRINK_H
#define ASSAY_COMPILER_BRIDGE_CUTS_SHRINK_H

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/AffineMap.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinOps.h>

namespace assay::cuts {

using Numbers = llvm::SmallVector<int64_t>;

struct Shrink {
  int64_t from, to;
  bool with_multiples;

  int64_t operator()(int64_t size) const {
    bool hit = size == from || (with_multiples && size > from && size % from == 0);
    return hit && !mlir::ShapedType::isDynamic(size) ? size / from * to : size;
  }
  Numbers operator()(llvm::ArrayRef<int64_t> sizes) const {
    return Numbers(llvm::map_range(sizes, [&](int64_t size) { return (*this)(size); }));
  }
};

// Each stride is a size times the next smaller stride, the last of all first.
Numbers shrink_strides(const Shrink &shrink, llvm::ArrayRef<int64_t> strides);
mlir::AffineMap shrink_map(const Shrink &shrink, mlir::AffineMap map);
mlir::MemRefLayoutAttrInterface shrink_layout(const Shrink &shrink,
                                              mlir::MemRefLayoutAttrInterface layout);
// Whether what is reshaped has as many elements as before on both sides, and slices are inside.
bool is_consistent(mlir::ModuleOp module, const Shrink &shrink);

} // namespace assay::cuts

#endif
