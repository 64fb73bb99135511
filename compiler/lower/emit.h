// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program -> MLIR module at the tensor stage: one public func.func @main whose arguments are the
// inputs as ranked tensors, in upstream dialects only, so that plain mlir-opt reads
// what is printed.
#ifndef ASSAY_COMPILER_LOWER_EMIT_H
#define ASSAY_COMPILER_LOWER_EMIT_H

#include "compiler/language/graph.h"
#include "compiler/lower/context.h"

// The module is verified. The caller owns it (mlirModuleDestroy).
ASSAY_MUST_USE assay_code assay_module_emit(const assay_context *context,
                                            const assay_program *program, MlirModule *out_module,
                                            assay_error *err);

// The module's text, in the arena.
const char *assay_module_print(assay_arena *arena, MlirModule module);
// The same without aliases (#map), so that several modules can stand in one file.
const char *assay_module_print_unaliased(assay_arena *arena, MlirModule module);

#endif
