// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/passes.h"

#include <dlfcn.h>
#include <mlir/CAPI/IR.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/Tools/Plugins/DialectPlugin.h>
#include <mlir/Tools/Plugins/PassPlugin.h>

namespace {

// What the system's loader says is worth more than LLVM's summary of it: a missing symbol or
// library is the usual sign of a plug-in for another LLVM.
assay_code try_open(const char *file, assay_error *err) {
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr)
    return ASSAY_OK; // stays open: a plug-in is never unloaded
  const char *reason = dlerror();
  return assay_fail_at(err, ASSAY_INVALID, file, 0, 0, "cannot load the plug-in: %s",
                       reason == nullptr ? "no reason given" : reason);
}

template <typename Plugin>
assay_code load(const char *file, assay_error *err, llvm::function_ref<void(const Plugin &)> use) {
  TRY(try_open(file, err));
  llvm::Expected<Plugin> plugin = Plugin::load(file);
  if (!plugin)
    return assay_fail_at(err, ASSAY_INVALID, file, 0, 0, "is no plug-in for this LLVM: %s",
                         llvm::toString(plugin.takeError()).c_str());
  use(*plugin);
  return ASSAY_OK;
}

} // namespace

assay_code assay_passes_load_plugin(const char *file, assay_error *err) {
  return load<mlir::PassPlugin>(
      file, err, [](const mlir::PassPlugin &plugin) { plugin.registerPassRegistryCallbacks(); });
}

assay_code assay_dialects_load_plugin(const char *file, MlirContext context, assay_error *err) {
  return load<mlir::DialectPlugin>(file, err, [&](const mlir::DialectPlugin &plugin) {
    mlir::DialectRegistry registry;
    plugin.registerDialectRegistryCallbacks(registry);
    unwrap(context)->appendDialectRegistry(registry);
  });
}
