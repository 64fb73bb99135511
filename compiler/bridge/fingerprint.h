// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of operations by their contents.
#ifndef ASSAY_COMPILER_BRIDGE_FINGERPRINT_H
#define ASSAY_COMPILER_BRIDGE_FINGERPRINT_H

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/Operation.h>

namespace assay {

// What an attribute that holds elements or a resource keeps as raw bytes; empty for others.
llvm::ArrayRef<char> raw_bytes(mlir::Attribute attribute);

// Remembers what it has hashed, since attributes and types are unique in a context and large ones
// stand in state after state. Good for one context, as long as that lives.
class Fingerprinter {
public:
  // Names, attributes, types and the flow of values; no locations, no addresses.
  uint64_t operation(mlir::Operation *top);

private:
  uint64_t attribute(mlir::Attribute attribute);
  uint64_t type(mlir::Type type);
  uint64_t name(mlir::OperationName name);

  struct Numbering;
  void add(mlir::Operation *op, Numbering &numbering);
  void add(mlir::Region &region, Numbering &numbering);

  llvm::DenseMap<const void *, uint64_t> known;
};

} // namespace assay

#endif
