// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Snapshots of one module, again and again.
#ifndef ASSAY_COMPILER_BRIDGE_SNAPSHOTTER_H
#define ASSAY_COMPILER_BRIDGE_SNAPSHOTTER_H

#include "compiler/bridge/fingerprint.h"
#include "compiler/bridge/snapshot.h"

#include <mlir/IR/BuiltinOps.h>

namespace assay {

// A constant from here on stands beside the bytecode, which then only points at it: a hundred
// states of a module with 200 MB of weights hold them once.
constexpr size_t LARGE_BYTES = 64 * 1024;
// Such pointers stand among the builtin dialect's attributes, in front of them a number that it
// gives to none of its own.
constexpr llvm::StringLiteral CONSTANT_GROUP = "builtin";
enum ConstantKind : uint64_t { DENSE_CONSTANT = 0xa55a700, RESOURCE_CONSTANT };

// Large constants are copied into the shared memory once, and equal states are one snapshot.
class Snapshotter {
public:
  explicit Snapshotter(assay_shared *shared) : shared(shared) {}

  // NULL where the shared memory is full.
  const assay_snapshot *take(mlir::ModuleOp module, uint64_t hash);

  Fingerprinter fingerprinter;

private:
  bool write(mlir::ModuleOp module, assay_snapshot &snapshot);
  const void *share_constant(mlir::Attribute attribute, llvm::ArrayRef<char> bytes);

  assay_shared *shared;
  llvm::DenseMap<mlir::Attribute, const void *> constants;
  llvm::DenseMap<uint64_t, const assay_snapshot *> states;
};

} // namespace assay

#endif
