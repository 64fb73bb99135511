// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation costs, pass by pass.
#ifndef ASSAY_COMPILER_BRIDGE_COSTS_H
#define ASSAY_COMPILER_BRIDGE_COSTS_H

#include "compiler/base/error.h"

#include <mlir-c/Pass.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ASSAY_COSTS_PASSES = 128, ASSAY_COSTS_NAME = 56 };

// One pass execution.
typedef struct assay_pass_cost {
  char name[ASSAY_COSTS_NAME];   // its argument, cut where it is longer
  double seconds;                // wall clock, without what watching costs
  int64_t ops_before, ops_after; // operations in the whole module
  bool changed;                  // the module
} assay_pass_cost;

// Flat, so that it can cross a process boundary.
typedef struct assay_costs {
  int pass_count; // all executions; of those beyond ASSAY_COSTS_PASSES nothing else is known
  assay_pass_cost passes[ASSAY_COSTS_PASSES];
  double seconds_translate;  // llvm dialect to LLVM IR
  double seconds_optimise;   // LLVM's passes
  double seconds_generate;   // machine code
  int64_t llvm_instructions; // behind LLVM's passes
} assay_costs;

// Makes the manager write down the costs of each of its passes, in order, behind those that are
// there. Numbered as --mlir-print-ir-after-all prints them. costs must outlive the manager's run;
// the context must be single-threaded.
void assay_costs_watch(MlirPassManager manager, assay_costs *costs);

#ifdef __cplusplus
}
#endif

#endif
