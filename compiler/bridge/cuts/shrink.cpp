// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/cuts/shrink.h"

#include <llvm/ADT/StringSwitch.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

namespace assay::cuts {

using mlir::Operation;
using mlir::ShapedType;

Numbers shrink_strides(const Shrink &shrink, llvm::ArrayRef<int64_t> strides) {
  Numbers smaller(strides);
  for (size_t i = strides.size(); i-- > 0;) {
    bool is_last = i + 1 == strides.size();
    if (ShapedType::isDynamic(strides[i]))
      continue;
    int64_t next = is_last ? 1 : strides[i + 1];
    if (ShapedType::isDynamic(next) || next == 0 || strides[i] % next != 0)
      smaller[i] = shrink(strides[i]);
    else
      smaller[i] = shrink(strides[i] / next) * (is_last ? 1 : smaller[i + 1]);
  }
  return smaller;
}

namespace {

// An offset is so many rows, so many columns: each is a number of its own.
int64_t shrink_offset(const Shrink &shrink, int64_t offset, llvm::ArrayRef<int64_t> strides,
                      llvm::ArrayRef<int64_t> smaller) {
  int64_t sum = 0;
  if (ShapedType::isDynamic(offset))
    return offset;
  for (auto [stride, small] : llvm::zip(strides, smaller)) {
    if (ShapedType::isDynamic(stride) || stride <= 0)
      continue;
    sum += shrink(offset / stride) * small;
    offset %= stride;
  }
  return sum + offset;
}

} // namespace

mlir::AffineMap shrink_map(const Shrink &shrink, mlir::AffineMap map) {
  llvm::DenseMap<mlir::AffineExpr, mlir::AffineExpr> others;
  map.walkExprs([&](mlir::AffineExpr each) {
    if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(each))
      if (int64_t other = shrink(constant.getValue()); other != constant.getValue())
        others[each] = mlir::getAffineConstantExpr(other, map.getContext());
  });
  return others.empty() ? map : map.replace(others);
}

mlir::MemRefLayoutAttrInterface shrink_layout(const Shrink &shrink,
                                              mlir::MemRefLayoutAttrInterface layout) {
  if (auto strided = mlir::dyn_cast<mlir::StridedLayoutAttr>(layout)) {
    Numbers smaller = shrink_strides(shrink, strided.getStrides());
    int64_t offset = shrink_offset(shrink, strided.getOffset(), strided.getStrides(), smaller);
    return mlir::StridedLayoutAttr::get(layout.getContext(), offset, smaller);
  }
  if (auto map = mlir::dyn_cast<mlir::AffineMapAttr>(layout))
    return mlir::AffineMapAttr::get(shrink_map(shrink, map.getValue()));
  return layout;
}

namespace {

// How many elements a value has afterwards; 0 where that is not fixed.
int64_t elements(const Shrink &shrink, mlir::Value value) {
  auto type = mlir::dyn_cast<ShapedType>(value.getType());
  int64_t count = 1;
  if (!type || !type.hasStaticShape())
    return 0;
  for (int64_t size : type.getShape())
    count *= shrink(size);
  return count;
}

// Whether a slice still lies within what it is cut from.
bool fits(const Shrink &shrink, mlir::OffsetSizeAndStrideOpInterface slice) {
  bool inserts = llvm::StringSwitch<bool>(slice->getName().stripDialect())
                     .Cases({"insert_slice", "parallel_insert_slice"}, true)
                     .Default(false);
  if (slice->getNumOperands() < (inserts ? 2U : 1U))
    return true;
  auto whole = mlir::dyn_cast<ShapedType>(slice->getOperand(inserts ? 1 : 0).getType());
  if (!whole || !whole.hasRank() || slice.getStaticSizes().size() != size_t(whole.getRank()) ||
      slice->getName().stripDialect() == "reinterpret_cast")
    return true;
  for (int64_t i = 0; i < whole.getRank(); i++) {
    int64_t offset = shrink(slice.getStaticOffsets()[i]), size = shrink(slice.getStaticSizes()[i]);
    int64_t stride = slice.getStaticStrides()[i];
    bool known = !whole.isDynamicDim(i) && !ShapedType::isDynamic(offset) &&
                 !ShapedType::isDynamic(size) && !ShapedType::isDynamic(stride);
    if (known && size > 0 && offset + (size - 1) * stride >= shrink(whole.getDimSize(i)))
      return false;
  }
  return true;
}

} // namespace

bool is_consistent(mlir::ModuleOp module, const Shrink &shrink) {
  return !module
              ->walk([&](Operation *op) {
                if (auto slice = mlir::dyn_cast<mlir::OffsetSizeAndStrideOpInterface>(op))
                  return fits(shrink, slice) ? mlir::WalkResult::advance()
                                             : mlir::WalkResult::interrupt();
                bool reshapes = llvm::StringSwitch<bool>(op->getName().stripDialect())
                                    .Cases({"expand_shape", "collapse_shape", "reshape"}, true)
                                    .Cases({"shape_cast", "bitcast"}, true)
                                    .Default(false);
                if (!reshapes || op->getNumOperands() == 0 || op->getNumResults() != 1)
                  return mlir::WalkResult::advance();
                int64_t from = elements(shrink, op->getOperand(0));
                int64_t to = elements(shrink, op->getResult(0));
                return from != 0 && to != 0 && from != to ? mlir::WalkResult::interrupt()
                                                          : mlir::WalkResult::advance();
              })
              .wasInterrupted();
}

} // namespace assay::cuts
