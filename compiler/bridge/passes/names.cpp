// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"
#include "compiler/bridge/passes.h"
#include "compiler/bridge/passes/capture.h"

#include <deque>
#include <llvm/ADT/StringExtras.h>
#include <mlir/Pass/PassRegistry.h>
#include <unistd.h>
#include <vector>

namespace {

bool is_registered(llvm::StringRef name) {
  return mlir::PassInfo::lookup(name) != nullptr || mlir::PassPipelineInfo::lookup(name) != nullptr;
}

// MLIR lists its registry only in print, and of pipelines it lists nothing.
const char *const UPSTREAM_PIPELINES[] = {
    "buffer-deallocation-pipeline",
    "gpu-lower-to-nvvm-pipeline",
    "gpu-lower-to-xevm-pipeline",
    "sparsifier",
    "test-composite-fixed-point-pass",
    "test-lower-to-arm-sme",
    "test-lower-to-llvm",
    "test-options-pass-pipeline",
    "test-options-super-pass-pipeline",
    "test-options-super-set-ab-pipeline",
    "test-pm-nested-pipeline",
    "test-spirv-cpu-runner-pipeline",
    "test-textual-pm-nested-pipeline",
    "test-vulkan-runner-pipeline",
    "tosa-to-linalg-pipeline",
};

// Kept for the process, since callers hold on to what they are given.
std::deque<std::string> &kept_names() {
  static std::deque<std::string> names;
  return names;
}

std::vector<const char *> list_names() {
  assay::Capture capture(STDOUT_FILENO);
  mlir::printRegisteredPasses();
  std::string printed = capture.take();
  std::deque<std::string> &names = kept_names();
  names.clear();
  for (llvm::StringRef line : llvm::split(printed, '\n')) {
    llvm::StringRef word = line.trim().split(' ').first;
    if (word.consume_front("--") && is_registered(word))
      names.push_back(word.str());
  }
  for (const char *name : UPSTREAM_PIPELINES)
    if (is_registered(name))
      names.push_back(name);
  std::vector<const char *> pointers;
  for (const std::string &name : names)
    pointers.push_back(name.c_str());
  return pointers;
}

} // namespace

bool assay_pass_is_known(const char *flag) {
  llvm::StringRef name = flag;
  if (!name.consume_front("-"))
    return false;
  name.consume_front("-");
  return is_registered(name.take_until([](char c) { return c == '=' || c == '{'; }));
}

const char *assay_pass_nearest(const char *name) {
  // Plug-ins may have registered more since the last call.
  static std::deque<std::string> answers;
  std::vector<const char *> names = list_names();
  const char *nearest = assay_nearest(name, names.data(), names.size());
  if (nearest == nullptr)
    return nullptr;
  answers.emplace_back(nearest);
  return answers.back().c_str();
}
