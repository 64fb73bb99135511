// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stochastic rounding: a module of the llvm dialect changed so that each floating operation rounds
// at random in its own type, which samples the error that a correct compiler may show.
//
// Samples differ by a seed; equal exact values round the same way within one sample, so that a
// value computed twice still agrees with itself. An amplified sample adds noise of several units in
// the last place wherever a result is inexact: it finds thresholds near which rounding decides.
// Method and constants: compiler/rounding/METHOD.md.
#ifndef ASSAY_COMPILER_ROUNDING_ROUNDING_H
#define ASSAY_COMPILER_ROUNDING_ROUNDING_H

#include "compiler/base/arena.h"
#include "compiler/base/error.h"

#include <mlir-c/IR.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Globals of the instrumented module, read once at each function's entry: the executor sets them
// between linking and running. Seed 0 rounds to nearest, as the program itself does.
#define ASSAY_ROUNDING_SEED "assay_rounding_seed" // i64
#define ASSAY_ROUNDING_AMPLITUDE                                                                   \
  "assay_rounding_amplitude" // i32, units in the last place:
                             // a power of two; 0: none

typedef struct assay_rounding_report {
  int instrumented;    // operations
  int amplitude;       // for amplified samples: 16, or 4 where f16 or bf16 arithmetic occurs
  const char *missing; // the first operation that rounds and could not be instrumented, with its
                       // location; NULL where all are. In the arena.
} assay_rounding_report;

// Instruments a module wholly in the llvm dialect, in place, and adds the helpers it calls as
// functions of the module; those of libm are symbols of this process (assay_rounding_symbols).
ASSAY_MUST_USE assay_code assay_rounding_instrument(MlirModule module, assay_arena *arena,
                                                    assay_rounding_report *out_report,
                                                    assay_error *err);

// What instrumented code calls outside its module; the array ends with a NULL name.
typedef struct assay_rounding_symbol {
  const char *name;
  void (*address)(void);
} assay_rounding_symbol;
const assay_rounding_symbol *assay_rounding_symbols(void);

#ifdef __cplusplus
}
#endif

#endif
