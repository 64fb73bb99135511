// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/opt/record.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

// Names come from files, whose bytes may be anything.
std::string text(llvm::StringRef bytes) {
  return llvm::json::fixUTF8(bytes);
}

Object counts(const assay::OpCounts &ops) {
  Object made;
  for (const auto &[name, count] : ops)
    made[text(name)] = count;
  return made;
}

Object nan(const assay::NanRecord &each) {
  return Object{{"op", text(each.op)},
                {"location", text(each.location)},
                {"type", text(each.type)},
                {"bits", "0x" + llvm::utohexstr(each.bits)},
                {"origin", each.origin == ASSAY_NAN_FOLDED ? "folded" : "planted"}};
}

Object pass(const assay::PassRecord &each) {
  Array nans;
  for (const assay::NanRecord &found : each.nans)
    nans.push_back(nan(found));
  return Object{{"n", each.n},
                {"name", text(each.name)},
                {"anchor", text(each.anchor)},
                {"symbol", text(each.symbol)},
                {"options", text(each.options)},
                {"depth", each.depth},
                {"changed", each.changed},
                {"failed", each.failed},
                {"seconds", each.seconds},
                {"ops_before", counts(each.before)},
                {"ops_after", counts(each.after)},
                {"verifies", each.verifies},
                {"nan_added", std::move(nans)},
                {"class", each.fault == nullptr ? Value(nullptr) : Value(each.fault)}};
}

Value first(const assay::Piece &piece, bool (*is_it)(const assay::PassRecord &)) {
  for (const assay::PassRecord &each : piece.passes)
    if (is_it(each)) {
      Object made{{"n", each.n}, {"name", text(each.name)}};
      if (each.fault != nullptr)
        made["class"] = each.fault;
      return made;
    }
  return nullptr;
}

Value first_bad(const assay::Piece &piece) {
  return first(piece, [](const assay::PassRecord &each) { return each.fault != nullptr; });
}

Object run(const assay::Piece &piece, llvm::StringRef input) {
  Array passes;
  for (const assay::PassRecord &each : piece.passes)
    passes.push_back(pass(each));
  return Object{
      {"input", text(input)},
      {"pipeline", text(piece.pipeline)},
      {"passes", std::move(passes)},
      {"first_bad", first_bad(piece)},
      {"failed", first(piece, [](const assay::PassRecord &each) { return each.failed; })}};
}

// One piece is the whole; several stand side by side.
Object whole(llvm::StringRef input, const std::deque<assay::Piece> &pieces) {
  if (pieces.size() == 1)
    return run(pieces.front(), input);
  Object made{{"input", text(input)}, {"first_bad", nullptr}};
  Array all;
  for (const assay::Piece &piece : pieces) {
    all.push_back(run(piece, input));
    if (made["first_bad"].kind() == Value::Null)
      made["first_bad"] = first_bad(piece);
  }
  made["pieces"] = std::move(all);
  return made;
}

bool write_all(int descriptor, llvm::StringRef line) {
  while (!line.empty()) {
    ssize_t written = write(descriptor, line.data(), line.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    line = line.drop_front(static_cast<size_t>(written));
  }
  return true;
}

} // namespace

bool assay::append_record(llvm::StringRef file, llvm::StringRef input,
                          const std::deque<Piece> &pieces, bool succeeded) {
  Object made = whole(input, pieces);
  made["succeeded"] = succeeded;
  std::string line;
  llvm::raw_string_ostream(line) << Value(std::move(made)) << "\n";
  // In one write, so that the lines of invocations side by side do not mix.
  int descriptor = open(file.str().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  bool done = descriptor >= 0 && write_all(descriptor, line);
  int reason = errno;
  if (descriptor >= 0 && close(descriptor) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (!done)
    llvm::errs() << "assay: error: cannot write '" << file << "': " << strerror(reason) << "\n";
  return done;
}
