// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module in the llvm dialect -> machine code of this processor, as the bytes of an object file.
#ifndef ASSAY_COMPILER_LOWER_OBJECT_H
#define ASSAY_COMPILER_LOWER_OBJECT_H

#include "compiler/bridge/costs.h"
#include "compiler/runtime/runtime.h"

#include <llvm-c/Types.h>
#include <mlir-c/IR.h>
#include <stddef.h>

// Code generation for the processor that this runs on, all its features included.
typedef struct assay_target assay_target;

// entries: what the code may call of its runtime; stays the caller's.
ASSAY_MUST_USE assay_code assay_target_create(const assay_runtime_entry *entries,
                                              assay_target **out_target, assay_error *err);
void assay_target_destroy(assay_target *target); // NULL is allowed

// The function of an object that runs the program: args[i] points to the descriptor of main's i-th
// memref, as the C interface of MLIR's llvm lowering takes it.
#define ASSAY_ENTRY "assay_entry"
typedef void assay_entry(void **args);
// Where the module has constructors or destructors: functions that call them.
#define ASSAY_LOAD "assay_load"
#define ASSAY_UNLOAD "assay_unload"

// Optimises (LLVM's default<O2>) and compiles. The module holds @main with its C interface
// (llvm-request-c-wrappers); its calls of the runtime are bound to the symbol `assay_runtime`. The
// bytes are malloc'ed and the caller's. costs: (optional) gets the seconds of its parts and the
// number of instructions.
ASSAY_MUST_USE assay_code assay_target_compile(const assay_target *target, MlirModule module,
                                               void **out_bytes, size_t *out_size,
                                               assay_costs *costs, assay_error *err);

// For what has an LLVM module of its own. Gives it this target's triple and data layout.
void assay_target_prepare(const assay_target *target, LLVMModuleRef module);
// Optimises and compiles a module that was prepared, as above, and nothing else.
ASSAY_MUST_USE assay_code assay_target_generate(const assay_target *target, LLVMModuleRef module,
                                                void **out_bytes, size_t *out_size,
                                                assay_error *err);

#endif
