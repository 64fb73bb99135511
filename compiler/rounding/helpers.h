// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers: functions of the instrumented module, one for each operation and type that occurs, which
// compute a result and round it at random. They are inlined always, and carry no target features,
// so that loops around them are still vectorised.
#ifndef ASSAY_COMPILER_ROUNDING_HELPERS_H
#define ASSAY_COMPILER_ROUNDING_HELPERS_H

#include "compiler/rounding/round.h"

typedef enum assay_rounded_kind {
  ASSAY_ROUNDED_ADD,
  ASSAY_ROUNDED_SUBTRACT,
  ASSAY_ROUNDED_MULTIPLY,
  ASSAY_ROUNDED_DIVIDE,
  ASSAY_ROUNDED_SQRT,
  ASSAY_ROUNDED_FMA,
  ASSAY_ROUNDED_MULTIPLY_ADD, // rounds the product too
  ASSAY_ROUNDED_TRUNCATE,     // to a narrower floating type
  ASSAY_ROUNDED_FROM_SIGNED,  // integers of at most 64 bits
  ASSAY_ROUNDED_FROM_UNSIGNED,
  ASSAY_ROUNDED_LIBM,
  ASSAY_ROUNDED_POWI,
} assay_rounded_kind;

enum { ASSAY_ROUNDED_OPERANDS = 3 };

// An operation that rounds.
typedef struct assay_rounded {
  assay_rounded_kind kind;
  const char *name; // part of the helper's: "add", "exp"
  int operand_count;
  bool hard; // LIBM: see libm.h
} assay_rounded;

typedef struct assay_helpers {
  MlirModule module;
  MlirSymbolTable symbols;
  bool called; // not inlined: code generation takes more than linear time for a block
} assay_helpers;

// Whether a helper must be given the operation's own result, which it returns where no sample is
// taken, because computing in a wider type may round differently.
bool assay_helpers_want_plain(const assay_rounded *operation, MlirType result);

// Builds the call of operation's helper, which is made where it is new. plain is null where it is
// not wanted; seed and spread are those of assay_round.
MlirValue assay_helpers_call(assay_helpers *helpers, const assay_builder *builder,
                             const assay_rounded *operation, MlirType result, MlirValue plain,
                             const MlirValue operands[], MlirValue seed, MlirValue spread);

#endif
