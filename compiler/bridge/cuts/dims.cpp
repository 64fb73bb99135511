// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One static size, or one and all its multiples, smaller in all places where it stands: types,
// constants' data, attributes with shapes, numbers of type index, bounds of loops.
#include "compiler/bridge/cuts/work.h"

#include <llvm/ADT/StringSwitch.h>
#include <mlir/IR/AffineMap.h>
#include <mlir/IR/AttrTypeSubElements.h>
#include <mlir/IR/IntegerSet.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Interfaces/ViewLikeInterface.h>
#include <set>

namespace assay::cuts {

using mlir::Attribute;
using mlir::Operation;
using mlir::ShapedType;
using mlir::Type;

namespace {

using Numbers = llvm::SmallVector<int64_t>;

struct Shrink {
  int64_t from, to;
  bool with_multiples;

  int64_t operator()(int64_t size) const {
    bool hit = size == from || (with_multiples && size > from && size % from == 0);
    return hit && !ShapedType::isDynamic(size) ? size / from * to : size;
  }
  Numbers operator()(llvm::ArrayRef<int64_t> sizes) const {
    return Numbers(llvm::map_range(sizes, [&](int64_t size) { return (*this)(size); }));
  }
};

// Each stride is a size times the next smaller stride, the last of all first.
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

// Where values are reshaped at run time, a short list of whole numbers is a shape, and its length
// a rank.
bool is_shape_list(Type type) {
  auto tensor = mlir::dyn_cast<ShapedType>(type);
  enum { MOST_DIMS = 6 };
  return tensor && tensor.hasRank() && tensor.getRank() == 1 &&
         !mlir::isa<mlir::VectorType>(type) && tensor.getElementType().isIntOrIndex() &&
         !tensor.isDynamicDim(0) && tensor.getDimSize(0) <= MOST_DIMS;
}

bool is_reshape(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  return name == "tensor.reshape" || name == "memref.reshape";
}

class Shrinker {
public:
  Shrinker(Shrink shrink, bool has_reshapes) : shrink(shrink), has_reshapes(has_reshapes) {
    replacer.addReplacement(
        [this](ShapedType type) -> mlir::AttrTypeReplacer::ReplaceFnResult<Type> {
          return {{shrink_type(type), mlir::WalkResult::skip()}};
        });
    replacer.addReplacement([this](mlir::AffineMapAttr map) -> std::optional<Attribute> {
      return mlir::AffineMapAttr::get(shrink_map(this->shrink, map.getValue()));
    });
    replacer.addReplacement(
        [this](mlir::DenseElementsAttr data) -> mlir::AttrTypeReplacer::ReplaceFnResult<Attribute> {
          return {{shrink_data(data), mlir::WalkResult::skip()}};
        });
  }

  Type shrink_type(ShapedType type) {
    if (!type.hasRank() || (has_reshapes && is_shape_list(type)))
      return type;
    Numbers shape = shrink(type.getShape());
    if (auto memref = mlir::dyn_cast<mlir::MemRefType>(type))
      return mlir::MemRefType::get(shape, memref.getElementType(),
                                   shrink_layout(shrink, memref.getLayout()),
                                   memref.getMemorySpace());
    if (mlir::isa<mlir::RankedTensorType, mlir::VectorType>(type))
      return type.clone(shape);
    return type;
  }

  bool apply(Operation *module) {
    bool changed = false;
    module->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
      if (is_script(op))
        return mlir::WalkResult::skip();
      mlir::DictionaryAttr before = op->getAttrDictionary();
      llvm::SmallVector<Type> types(op->getResultTypes());
      shrink_attributes(op);
      replacer.replaceElementsIn(op, true, false, true);
      changed |=
          before != op->getAttrDictionary() || types != llvm::to_vector(op->getResultTypes());
      infer_layout(op);
      return mlir::WalkResult::advance();
    });
    return changed;
  }

private:
  // The strides of a view follow from those of what it is a view of.
  static void infer_layout(Operation *op) {
    mlir::FailureOr<mlir::MemRefType> type = mlir::failure();
    if (auto view = mlir::dyn_cast<mlir::memref::ExpandShapeOp>(op))
      type = mlir::memref::ExpandShapeOp::computeExpandedType(
          view.getSrcType(), view.getResultType().getShape(), view.getReassociationIndices());
    else if (auto view = mlir::dyn_cast<mlir::memref::SubViewOp>(op))
      type = mlir::memref::SubViewOp::inferRankReducedResultType(
          view.getType().getShape(), view.getSourceType(), view.getMixedOffsets(),
          view.getMixedSizes(), view.getMixedStrides());
    if (succeeded(type) &&
        type->getShape() == mlir::cast<ShapedType>(op->getResult(0).getType()).getShape())
      op->getResult(0).setType(*type);
  }

  Shrink shrink;
  bool has_reshapes;
  mlir::AttrTypeReplacer replacer;

  // The first rows and columns, so many as are left.
  Attribute shrink_data(mlir::DenseElementsAttr data) {
    auto type = mlir::dyn_cast<ShapedType>(shrink_type(data.getType()));
    if (type == data.getType())
      return data;
    if (data.isSplat())
      return data.resizeSplat(type);
    if (!mlir::isa<mlir::DenseIntOrFPElementsAttr>(data))
      return data;
    llvm::SmallVector<Attribute> kept;
    Numbers at(type.getRank(), 0);
    auto values = data.getValues<Attribute>();
    for (int64_t i = 0; i < type.getNumElements(); i++) {
      int64_t rest = i, flat = 0;
      for (int64_t dim = type.getRank(); dim-- > 0;) {
        at[dim] = rest % type.getDimSize(dim);
        rest /= type.getDimSize(dim);
      }
      for (int64_t dim = 0; dim < type.getRank(); dim++)
        flat = flat * data.getType().getDimSize(dim) + at[dim];
      kept.push_back(values[flat]);
    }
    return mlir::DenseElementsAttr::get(type, kept);
  }

  static bool holds_sizes(llvm::StringRef name) {
    return llvm::StringSwitch<bool>(name)
        .Cases({"static_sizes", "static_offsets", "static_output_shape", "static_inner_tiles"},
               true)
        .Cases({"mask_dim_sizes", "offsets", "sizes", "step", "new_shape"}, true)
        .Default(false);
  }

  Attribute shrink_numbers(Attribute attribute) {
    mlir::Builder builder(attribute.getContext());
    if (auto array = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(attribute))
      return builder.getDenseI64ArrayAttr(shrink(array.asArrayRef()));
    if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute))
      return number.getType().isIntOrIndex() && number.getValue().getBitWidth() <= 64
                 ? mlir::IntegerAttr::get(number.getType(), shrink(number.getInt()))
                 : number;
    if (auto array = mlir::dyn_cast<mlir::ArrayAttr>(attribute))
      return builder.getArrayAttr(llvm::to_vector(llvm::map_range(
          array, [&](Attribute each) { return each ? shrink_numbers(each) : each; })));
    return attribute;
  }

  Attribute shrink_list(mlir::DenseIntElementsAttr list) {
    llvm::SmallVector<llvm::APInt> numbers;
    for (const llvm::APInt &number : list.getValues<llvm::APInt>())
      numbers.push_back(llvm::APInt(number.getBitWidth(), shrink(number.getSExtValue()), true));
    return mlir::DenseElementsAttr::get(list.getType(), numbers);
  }

  void shrink_attributes(Operation *op) {
    bool makes_index = is_constant(op) && op->getResult(0).getType().isIndex();
    bool makes_shape = is_constant(op) && llvm::any_of(op->getUsers(), is_reshape);
    for (mlir::NamedAttribute each : op->getAttrs()) {
      Attribute value = each.getValue();
      auto list = mlir::dyn_cast<mlir::DenseIntElementsAttr>(value);
      bool is_list = list && is_constant(op) && list.getElementType().isIndex();
      if (list && (is_list || makes_shape))
        value = shrink_list(list);
      else if (holds_sizes(each.getName()) || (makes_index && each.getName() == "value"))
        value = shrink_numbers(value);
      if (each.getName() == "static_strides" &&
          op->getName().getStringRef() == "memref.reinterpret_cast")
        value = mlir::Builder(op).getDenseI64ArrayAttr(
            shrink_strides(shrink, mlir::cast<mlir::DenseI64ArrayAttr>(value).asArrayRef()));
      if (value != each.getValue())
        op->setAttr(each.getName(), value);
    }
  }
};

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

// Whether what is reshaped has as many elements as before on both sides, and slices are inside.
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

std::set<int64_t, std::greater<>> all_sizes(mlir::ModuleOp module, bool has_reshapes) {
  std::set<int64_t, std::greater<>> sizes;
  auto see = [&](Type type) {
    auto shaped = mlir::dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank() || (has_reshapes && is_shape_list(type)))
      return;
    for (int64_t size : shaped.getShape())
      if (!ShapedType::isDynamic(size) && size > 1)
        sizes.insert(size);
  };
  module->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      see(type);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (Type type : block.getArgumentTypes())
          see(type);
  });
  return sizes;
}

} // namespace

void find_dims(Work &work, Sites &sites) {
  bool has_reshapes =
      work.module
          ->walk([](Operation *op) {
            return is_reshape(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
          })
          .wasInterrupted();
  std::set<int64_t, std::greater<>> sizes = all_sizes(work.module, has_reshapes);
  for (int64_t size : sizes) {
    bool has_multiples =
        llvm::any_of(sizes, [&](int64_t other) { return other > size && other % size == 0; });
    for (int64_t to : std::set<int64_t>{1, 2, 3, size / 2})
      for (bool with_multiples : {true, false}) {
        Shrink shrink = {size, to, with_multiples};
        if (to >= size || (with_multiples && !has_multiples) || !is_consistent(work.module, shrink))
          continue;
        sites.push_back([&work, shrink, has_reshapes] {
          return is_consistent(work.module, shrink) &&
                 Shrinker(shrink, has_reshapes).apply(work.module);
        });
      }
  }
}

} // namespace assay::cuts
