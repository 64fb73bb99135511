// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in the archives of upstream's tests; nothing where they are not installed.
#ifndef ASSAY_COMPILER_BRIDGE_PASSES_REGISTRY_H
#define ASSAY_COMPILER_BRIDGE_PASSES_REGISTRY_H

namespace mlir {
class DialectRegistry;
}

namespace assay {

void register_test_dialects(mlir::DialectRegistry &registry);
void register_test_passes();

} // namespace assay

#endif
