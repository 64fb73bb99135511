// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/nan_attributes.h"
#include "compiler/bridge/fingerprint.h"

#include <cstring>
#include <mlir/Dialect/Complex/IR/Complex.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <set>

namespace {

using assay::NanKey;

// Whether bits are a NaN of one type, without an APFloat for each of millions of elements.
class Test {
public:
  explicit Test(mlir::FloatType type) : semantics(type.getFloatSemantics()) {
    width = type.getWidth();
    if (type.isF16())
      infinity = 0x7c00;
    else if (type.isBF16())
      infinity = 0x7f80;
    else if (type.isF32())
      infinity = 0x7f800000;
    else if (type.isF64())
      infinity = 0x7ff0000000000000;
  }

  bool operator()(uint64_t low, uint64_t high) const {
    if (infinity != 0)
      return (low & (~UINT64_C(0) >> (65 - width))) > infinity;
    return llvm::APFloat(semantics, llvm::APInt(width, {low, high})).isNaN();
  }

private:
  const llvm::fltSemantics &semantics;
  unsigned width;
  uint64_t infinity = 0;
};

// Elements as MLIR stores them: each in whole bytes, the low one first.
template <typename Report>
void search_raw(llvm::ArrayRef<char> bytes, mlir::FloatType type, Report report) {
  size_t size = (type.getWidth() + 7) / 8;
  Test test(type);
  for (size_t i = 0; i + size <= bytes.size(); i += size) {
    uint64_t words[2] = {0, 0};
    memcpy(words, &bytes[i], size);
    if (test(words[0], words[1]))
      report(words[0]);
  }
}

mlir::FloatType float_of(mlir::Type element) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    element = complex.getElementType();
  return llvm::dyn_cast<mlir::FloatType>(element);
}

uint64_t low_bits(const llvm::APFloat &value) {
  return value.bitcastToAPInt().extractBitsAsZExtValue(
      std::min(64u, llvm::APFloat::getSizeInBits(value.getSemantics())), 0);
}

} // namespace

const assay::NanScanner::Values &assay::NanScanner::search(mlir::Attribute attribute) {
  auto found = known.find(attribute);
  if (found != known.end())
    return found->second;
  Values values;
  auto report = [&](mlir::Type whole, mlir::Type element, uint64_t bits) {
    std::pair<mlir::Type, NanKey> value{whole, {element, bits}};
    if (!llvm::is_contained(values, value))
      values.push_back(value);
  };
  auto search_elements = [&](mlir::Type whole, mlir::Type element, llvm::ArrayRef<char> bytes) {
    if (mlir::FloatType type = float_of(element))
      search_raw(bytes, type, [&](uint64_t bits) { report(whole, type, bits); });
  };
  auto search_inside = [&](mlir::Attribute inner) {
    for (const auto &[whole, key] : Values(search(inner)))
      report(whole, key.first, key.second);
  };
  if (auto value = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
    if (value.getValue().isNaN())
      report(value.getType(), value.getType(), low_bits(value.getValue()));
  } else if (auto number = llvm::dyn_cast<mlir::complex::NumberAttr>(attribute)) {
    for (const llvm::APFloat &part : {number.getReal(), number.getImag()})
      if (part.isNaN())
        report(number.getType(), float_of(number.getType()), low_bits(part));
  } else if (auto list = llvm::dyn_cast<mlir::DenseArrayAttr>(attribute)) {
    search_elements(list.getElementType(), list.getElementType(), list.getRawData());
  } else if (llvm::isa<mlir::DenseIntOrFPElementsAttr, mlir::DenseResourceElementsAttr>(
                 attribute)) {
    auto type = llvm::cast<mlir::ShapedType>(llvm::cast<mlir::TypedAttr>(attribute).getType());
    search_elements(type, type.getElementType(), raw_bytes(attribute));
  } else if (auto sparse = llvm::dyn_cast<mlir::SparseElementsAttr>(attribute)) {
    search_inside(sparse.getValues());
  } else if (auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute)) {
    for (mlir::Attribute each : array)
      search_inside(each);
  } else if (auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(attribute)) {
    for (mlir::NamedAttribute named : dictionary)
      search_inside(named.getValue());
  }
  return known[attribute] = std::move(values);
}

std::vector<assay::Nan> assay::NanScanner::scan(mlir::Operation *top) {
  std::vector<Nan> nans;
  top->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    for (mlir::NamedAttribute named : op->getAttrs())
      for (const auto &[type, key] : search(named.getValue()))
        nans.push_back({op, type, key});
  });
  return nans;
}
