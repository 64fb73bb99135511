// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One static size, or one and all its multiples, smaller in all places where it stands: types,
// constants' data, attributes with shapes, numbers of type index, bounds of loops.
#include "compiler/bridge/cuts/shrink.h"
#include "compiler/bridge/cuts/work.h"

#include <llvm/ADT/StringSwitch.h>
#include <mlir/IR/AttrTypeSubElements.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <set>

namespace assay::cuts {

using mlir::Attribute;
using mlir::Operation;
using mlir::ShapedType;
using mlir::Type;

namespace {

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

// The places of the first rows and columns, as many as are left, among the elements of before.
Numbers kept_places(ShapedType before, ShapedType after) {
  Numbers places;
  for (int64_t i = 0; i < after.getNumElements(); i++) {
    int64_t rest = i, place = 0, stride = 1;
    for (int64_t dim = after.getRank(); dim-- > 0;) {
      place += rest % after.getDimSize(dim) * stride;
      stride *= before.getDimSize(dim);
      rest /= after.getDimSize(dim);
    }
    places.push_back(place);
  }
  return places;
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
      if (op->getName().stripDialect() == "from_elements" && types[0] != op->getResult(0).getType())
        drop_elements(op, mlir::cast<ShapedType>(types[0]));
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

  Attribute shrink_data(mlir::DenseElementsAttr data) {
    auto type = mlir::dyn_cast<ShapedType>(shrink_type(data.getType()));
    if (type == data.getType())
      return data;
    if (data.isSplat())
      return data.resizeSplat(type);
    if (!mlir::isa<mlir::DenseIntOrFPElementsAttr>(data))
      return data;
    llvm::SmallVector<Attribute> kept;
    auto values = data.getValues<Attribute>();
    for (int64_t place : kept_places(data.getType(), type))
      kept.push_back(values[place]);
    return mlir::DenseElementsAttr::get(type, kept);
  }

  static void drop_elements(Operation *op, ShapedType before) {
    auto type = mlir::cast<ShapedType>(op->getResult(0).getType());
    llvm::SmallVector<mlir::Value> kept;
    for (int64_t place : kept_places(before, type))
      kept.push_back(op->getOperand(static_cast<unsigned>(place)));
    op->setOperands(kept);
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
