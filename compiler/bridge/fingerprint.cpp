// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/fingerprint.h"
#include "compiler/bridge/snapshot.h"

#include <llvm/Support/xxhash.h>
#include <mlir/CAPI/IR.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/DialectResourceBlobManager.h>

namespace {

// One step of splitmix64 over the two; the order matters.
uint64_t mix(uint64_t hash, uint64_t value) {
  uint64_t x = hash * 0x9e3779b97f4a7c15 + value + 0x632be59bd9b4e019;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <typename T> uint64_t hash_printed(T value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return llvm::xxh3_64bits(text);
}

uint64_t hash_bytes(llvm::ArrayRef<char> bytes) {
  return llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size()));
}

} // namespace

llvm::ArrayRef<char> assay::raw_bytes(mlir::Attribute attribute) {
  if (auto dense = llvm::dyn_cast<mlir::DenseIntOrFPElementsAttr>(attribute))
    return dense.getRawData();
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(attribute))
    if (mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}

struct assay::Fingerprinter::Numbering {
  llvm::DenseMap<const void *, uint64_t> numbers;
  uint64_t hash = 0;

  void add(uint64_t value) {
    hash = mix(hash, value);
  }
  void add_reference(const void *what) {
    add(numbers.try_emplace(what, numbers.size()).first->second);
  }
};

uint64_t assay::Fingerprinter::attribute(mlir::Attribute attribute) {
  if (!attribute)
    return 0;
  auto found = known.find(attribute.getAsOpaquePointer());
  if (found != known.end())
    return found->second;
  uint64_t hash = 1;
  if (auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(attribute)) {
    for (mlir::NamedAttribute named : dictionary)
      hash = mix(mix(hash, this->attribute(named.getName())), this->attribute(named.getValue()));
  } else if (auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute)) {
    for (mlir::Attribute each : array)
      hash = mix(hash, this->attribute(each));
    hash = mix(hash, 2);
  } else if (llvm::isa<mlir::DenseIntOrFPElementsAttr, mlir::DenseResourceElementsAttr>(
                 attribute)) {
    bool resource = llvm::isa<mlir::DenseResourceElementsAttr>(attribute);
    mlir::Type its_type = llvm::cast<mlir::TypedAttr>(attribute).getType();
    hash = mix(mix(mix(hash, type(its_type)), hash_bytes(raw_bytes(attribute))), resource ? 3 : 4);
  } else {
    hash = hash_printed(attribute);
  }
  return known[attribute.getAsOpaquePointer()] = hash;
}

uint64_t assay::Fingerprinter::type(mlir::Type type) {
  auto [entry, added] = known.try_emplace(type.getAsOpaquePointer(), 0);
  if (added)
    entry->second = hash_printed(type);
  return entry->second;
}

uint64_t assay::Fingerprinter::name(mlir::OperationName name) {
  auto [entry, added] = known.try_emplace(name.getAsOpaquePointer(), 0);
  if (added)
    entry->second = llvm::xxh3_64bits(name.getStringRef());
  return entry->second;
}

void assay::Fingerprinter::add(mlir::Region &region, Numbering &numbering) {
  numbering.add(5);
  for (mlir::Block &block : region) {
    numbering.add_reference(&block);
    for (mlir::BlockArgument argument : block.getArguments()) {
      numbering.add_reference(argument.getAsOpaquePointer());
      numbering.add(type(argument.getType()));
    }
    for (mlir::Operation &op : block)
      add(&op, numbering);
  }
}

void assay::Fingerprinter::add(mlir::Operation *op, Numbering &numbering) {
  numbering.add(name(op->getName()));
  numbering.add(attribute(op->getAttrDictionary()));
  for (mlir::Value operand : op->getOperands())
    numbering.add_reference(operand.getAsOpaquePointer());
  for (mlir::Block *successor : op->getSuccessors())
    numbering.add_reference(successor);
  numbering.add(6);
  for (mlir::Value result : op->getResults()) {
    numbering.add_reference(result.getAsOpaquePointer());
    numbering.add(type(result.getType()));
  }
  for (mlir::Region &region : op->getRegions())
    add(region, numbering);
  numbering.add(7);
}

uint64_t assay::Fingerprinter::operation(mlir::Operation *top) {
  Numbering numbering;
  add(top, numbering);
  return numbering.hash;
}

uint64_t assay_fingerprint(MlirOperation operation) {
  return assay::Fingerprinter().operation(unwrap(operation));
}
