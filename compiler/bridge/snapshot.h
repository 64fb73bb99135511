// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module as it stands at one moment, kept where other processes can read it.
#ifndef ASSAY_COMPILER_BRIDGE_SNAPSHOT_H
#define ASSAY_COMPILER_BRIDGE_SNAPSHOT_H

#include "compiler/base/shared.h"

#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_function_kind {
  ASSAY_FUNCTION_FUNC, // a func.func with a body
  ASSAY_FUNCTION_LLVM, // an llvm.func with a body
} assay_function_kind;

// A function with a body at the top of the module.
typedef struct assay_function_state {
  const char *name;
  assay_function_kind kind;
  bool is_public;
  const char *type; // the function type as text: "(tensor<3x5xf32>, index) -> f32"
  uint64_t hash;    // assay_fingerprint of the function
  int use_count;
  const char *const *uses; // the symbols that it names, each once
} assay_function_state;

typedef struct assay_op_count {
  const char *name; // "linalg.matmul"
  int64_t count;
} assay_op_count;

// All in shared memory. Bytes are MLIR bytecode; the generic textual form where bytecode cannot be
// written. Constants from 64 KB on stand beside it, once for all states of one stepping, and the
// bytecode points at them: only assay_snapshot_read can read it, while the shared memory stands.
typedef struct assay_snapshot {
  const void *bytes;
  size_t size;
  uint64_t hash; // assay_fingerprint of the module
  uint64_t rest; // of what is no function with a body
  int function_count;
  const assay_function_state *functions;
  int op_count;
  const assay_op_count *ops; // sorted by name
  int declared_count;
  const char *const *declared; // functions without a body at the top of the module
  // What each of those is given, a word for each parameter: "m f32 4x?" a memref or tensor of
  // floats that it may write, "r f32 4x?" one that it may not, or of other elements, "u" an
  // unranked one,
  // "." anything else. "" where it is no func.func.
  const char *const *given;
} assay_snapshot;

// The structural hash of an operation and all inside it: names, attributes, types and the flow of
// values, no locations, no addresses. Equal in all processes that run the same program.
uint64_t assay_fingerprint(MlirOperation operation);

// The hash of what a function of the module may reach: itself, the functions it names, those they
// name, and all that is no function. The whole module's where it has no such function.
uint64_t assay_snapshot_reach(const assay_snapshot *snapshot, const char *function);

// ASSAY_FAILED where the shared memory is full.
ASSAY_MUST_USE assay_code assay_snapshot_take(MlirModule module, assay_shared *shared,
                                              const assay_snapshot **out_snapshot,
                                              assay_error *err);
// The module again, not verified; ASSAY_INVALID with MLIR's message where it cannot be read.
ASSAY_MUST_USE assay_code assay_snapshot_read(const assay_snapshot *snapshot, MlirContext context,
                                              MlirModule *out_module, assay_error *err);
// Whether the pretty form of the state, printed, parses and verifies again. err says why not
// (ASSAY_INVALID). Constants from 64 KB on are zeros in that text.
ASSAY_MUST_USE assay_code assay_snapshot_roundtrip(const assay_snapshot *snapshot,
                                                   MlirContext context, assay_error *err);

#ifdef __cplusplus
}
#endif

#endif
