// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/snapshotter.h"

#include <algorithm>
#include <cstring>
#include <llvm/ADT/SetVector.h>
#include <mlir/Bytecode/BytecodeWriter.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/IR/DialectResourceBlobManager.h>
#include <vector>

namespace {

// Keeps what is small; of what is large it only learns the size.
class ShortStream : public llvm::raw_ostream {
public:
  ShortStream() : raw_ostream(/*unbuffered=*/true) {}

  std::string text;
  size_t size = 0;

private:
  void write_impl(const char *bytes, size_t count) override {
    size += count;
    if (size <= assay::LARGE_BYTES)
      text.append(bytes, count);
  }
  uint64_t current_pos() const override {
    return size;
  }
};

// Into memory that is there already; what is too much is dropped.
class FixedStream : public llvm::raw_ostream {
public:
  FixedStream(char *memory, size_t room) : raw_ostream(true), memory(memory), room(room) {}

  size_t size = 0;

private:
  void write_impl(const char *bytes, size_t count) override {
    if (size + count <= room)
      memcpy(memory + size, bytes, count);
    size += count;
  }
  uint64_t current_pos() const override {
    return size;
  }

  char *memory;
  size_t room;
};

// Writes twice rather than holding a large text a second time.
bool write_shared(assay_shared *shared, assay_snapshot &snapshot,
                  llvm::function_ref<bool(llvm::raw_ostream &)> print) {
  ShortStream first;
  if (!print(first))
    return false;
  char *memory = static_cast<char *>(assay_shared_take(shared, first.size + 1));
  if (memory == nullptr)
    return false;
  snapshot.bytes = memory;
  snapshot.size = first.size;
  if (first.size <= assay::LARGE_BYTES) {
    memcpy(memory, first.text.data(), first.size);
    return true;
  }
  FixedStream second(memory, first.size);
  return print(second) && second.size == first.size;
}

const char *const *list_uses(mlir::Operation &op, assay_shared *shared, int &count) {
  llvm::SetVector<mlir::StringAttr> names;
  if (auto uses = mlir::SymbolTable::getSymbolUses(&op))
    for (const mlir::SymbolTable::SymbolUse &use : *uses)
      names.insert(use.getSymbolRef().getRootReference());
  std::vector<const char *> texts;
  for (mlir::StringAttr name : names)
    texts.push_back(assay_shared_string(shared, name.str().c_str()));
  count = static_cast<int>(texts.size());
  if (llvm::is_contained(texts, nullptr))
    return nullptr;
  return static_cast<const char **>(
      assay_shared_copy(shared, texts.data(), texts.size() * sizeof texts[0]));
}

assay_function_state describe(mlir::Operation &op, mlir::Type type, assay_function_kind kind,
                              assay_shared *shared) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  llvm::StringRef name = mlir::SymbolTable::getSymbolName(&op).getValue();
  assay_function_state made = {};
  made.name = assay_shared_string(shared, name.str().c_str());
  made.kind = kind;
  made.is_public =
      mlir::SymbolTable::getSymbolVisibility(&op) == mlir::SymbolTable::Visibility::Public;
  made.type = assay_shared_string(shared, text.c_str());
  made.uses = list_uses(op, shared, made.use_count);
  return made;
}

// Memory that the function says it only reads is not its own to change.
bool may_write(mlir::func::FuncOp function, unsigned argument) {
  auto access = function.getArgAttrOfType<mlir::StringAttr>(argument, "bufferization.access");
  return (!access || (access.getValue() != "read" && access.getValue() != "none")) &&
         !function.getArgAttr(argument, "llvm.readonly") &&
         !function.getArgAttr(argument, "llvm.readnone");
}

std::string describe_given(mlir::Operation &op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto function = llvm::dyn_cast<mlir::func::FuncOp>(op);
  if (!function)
    return text;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    if (!shaped || mlir::isa<mlir::VectorType>(type)) {
      stream << ". ";
    } else if (!shaped.hasRank()) {
      stream << "u ";
    } else {
      mlir::Type element = shaped.getElementType();
      bool known = element.isF16() || element.isBF16() || element.isF32() || element.isF64();
      stream << (known && may_write(function, i) ? "m" : "r") << ' ' << element << ' ';
      for (auto [k, size] : llvm::enumerate(shaped.getShape()))
        stream << (k > 0 ? "x" : "")
               << (mlir::ShapedType::isDynamic(size) ? "?" : std::to_string(size));
      stream << (shaped.getRank() == 0 ? "- " : " ");
    }
  }
  return text;
}

bool list_functions(mlir::ModuleOp module, assay::Fingerprinter &fingerprinter,
                    assay_shared *shared, assay_snapshot &snapshot) {
  std::vector<assay_function_state> functions;
  std::vector<const char *> declared, given;
  for (mlir::Operation &op : *module.getBody()) {
    bool is_function = llvm::isa<mlir::func::FuncOp, mlir::LLVM::LLVMFuncOp>(op);
    if (is_function && op.getRegion(0).empty()) {
      llvm::StringRef name = mlir::SymbolTable::getSymbolName(&op).getValue();
      declared.push_back(assay_shared_string(shared, name.str().c_str()));
      given.push_back(assay_shared_string(shared, describe_given(op).c_str()));
      if (declared.back() == nullptr || given.back() == nullptr)
        return false;
    }
    if (!is_function || op.getRegion(0).empty()) {
      snapshot.rest = 31 * snapshot.rest + fingerprinter.operation(&op);
      continue;
    }
    if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op))
      functions.push_back(describe(op, function.getFunctionType(), ASSAY_FUNCTION_FUNC, shared));
    else if (auto function = llvm::dyn_cast<mlir::LLVM::LLVMFuncOp>(op))
      functions.push_back(describe(op, function.getFunctionType(), ASSAY_FUNCTION_LLVM, shared));
    functions.back().hash = fingerprinter.operation(&op);
    if (functions.back().name == nullptr || functions.back().type == nullptr ||
        functions.back().uses == nullptr)
      return false;
  }
  snapshot.function_count = static_cast<int>(functions.size());
  snapshot.functions = static_cast<assay_function_state *>(
      assay_shared_copy(shared, functions.data(), functions.size() * sizeof functions[0]));
  snapshot.declared_count = static_cast<int>(declared.size());
  snapshot.declared = static_cast<const char **>(
      assay_shared_copy(shared, declared.data(), declared.size() * sizeof declared[0]));
  snapshot.given = static_cast<const char **>(
      assay_shared_copy(shared, given.data(), given.size() * sizeof given[0]));
  return snapshot.functions != nullptr && snapshot.declared != nullptr && snapshot.given != nullptr;
}

bool count_ops(mlir::ModuleOp module, assay_shared *shared, assay_snapshot &snapshot) {
  llvm::DenseMap<mlir::OperationName, int64_t> counts;
  module->walk([&](mlir::Operation *op) {
    if (op != module.getOperation())
      counts[op->getName()]++;
  });
  std::vector<assay_op_count> ops;
  for (auto [name, count] : counts) {
    const char *text = assay_shared_string(shared, name.getStringRef().str().c_str());
    if (text == nullptr)
      return false;
    ops.push_back({text, count});
  }
  std::sort(ops.begin(), ops.end(), [](const assay_op_count &a, const assay_op_count &b) {
    return strcmp(a.name, b.name) < 0;
  });
  snapshot.op_count = static_cast<int>(ops.size());
  snapshot.ops = static_cast<assay_op_count *>(
      assay_shared_copy(shared, ops.data(), ops.size() * sizeof ops[0]));
  return snapshot.ops != nullptr;
}

} // namespace

const void *assay::Snapshotter::share_constant(mlir::Attribute attribute,
                                               llvm::ArrayRef<char> bytes) {
  auto [entry, added] = constants.try_emplace(attribute, nullptr);
  if (added)
    entry->second = assay_shared_copy(shared, bytes.data(), bytes.size());
  return entry->second;
}

bool assay::Snapshotter::write(mlir::ModuleOp module, assay_snapshot &snapshot) {
  bool full = false;
  auto write_large = [&](mlir::Attribute attribute, std::optional<llvm::StringRef> &group,
                         mlir::DialectBytecodeWriter &writer) {
    llvm::ArrayRef<char> bytes = raw_bytes(attribute);
    if (bytes.size() < LARGE_BYTES)
      return mlir::failure(); // left to MLIR
    const void *place = share_constant(attribute, bytes);
    full = full || place == nullptr;
    auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(attribute);
    group = CONSTANT_GROUP;
    writer.writeVarInt(resource ? RESOURCE_CONSTANT : DENSE_CONSTANT);
    writer.writeType(llvm::cast<mlir::TypedAttr>(attribute).getType());
    writer.writeVarInt(reinterpret_cast<uintptr_t>(place));
    writer.writeVarInt(bytes.size());
    if (resource)
      writer.writeOwnedString(resource.getRawHandle().getKey());
    return mlir::success();
  };
  bool written = write_shared(shared, snapshot, [&](llvm::raw_ostream &stream) {
    mlir::BytecodeWriterConfig config("assay");
    config.attachAttributeCallback(write_large);
    return succeeded(mlir::writeBytecodeToFile(module, stream, config));
  });
  if (written || full)
    return written && !full;
  return write_shared(shared, snapshot, [&](llvm::raw_ostream &stream) {
    module->print(stream, mlir::OpPrintingFlags().printGenericOpForm());
    return true;
  });
}

const assay_snapshot *assay::Snapshotter::take(mlir::ModuleOp module, uint64_t hash) {
  auto [entry, added] = states.try_emplace(hash, nullptr);
  if (entry->second != nullptr)
    return entry->second;
  auto *snapshot = static_cast<assay_snapshot *>(assay_shared_take(shared, sizeof(assay_snapshot)));
  if (snapshot == nullptr)
    return nullptr;
  snapshot->hash = hash;
  if (!write(module, *snapshot) || !list_functions(module, fingerprinter, shared, *snapshot) ||
      !count_ops(module, shared, *snapshot))
    return nullptr;
  return entry->second = snapshot;
}

assay_code assay_snapshot_take(MlirModule module, assay_shared *shared,
                               const assay_snapshot **out_snapshot, assay_error *err) {
  assay::Snapshotter snapshotter(shared);
  uint64_t hash = snapshotter.fingerprinter.operation(unwrap(module));
  *out_snapshot = snapshotter.take(unwrap(module), hash);
  if (*out_snapshot == nullptr)
    return assay_fail(err, ASSAY_FAILED, "no room for another state of the module");
  return ASSAY_OK;
}
