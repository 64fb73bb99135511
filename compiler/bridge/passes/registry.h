// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that there is to register.
#ifndef ASSAY_COMPILER_BRIDGE_PASSES_REGISTRY_H
#define ASSAY_COMPILER_BRIDGE_PASSES_REGISTRY_H

namespace mlir {
class DialectRegistry;
}

namespace assay {

// All that mlir-opt knows, the test passes and dialects too, and the quant extension. Before any
// context: traits would not be found (see registry.cpp).
void register_dialects(mlir::DialectRegistry &registry);
void register_passes(); // once per process

// What stands in the archives of upstream's tests; only where they are installed.
void register_test_dialects(mlir::DialectRegistry &registry);
void register_test_passes();

} // namespace assay

#endif
