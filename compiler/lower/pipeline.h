// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in pipelines: one text file each in compiler/pipelines/, embedded at build time.
//
// A pipeline lowers a module from the tensor stage to the llvm dialect in stages with fixed names:
// "tensor" (what was emitted), then each "stage NAME" section of the file in its order
// ("bufferized", "llvm"). Within a section stand passes in mlir-opt's textual syntax, '#' starts a
// comment. In front of the first section a line "nan-contract PASS = WORD" says which new NaN
// attributes that pass may make (compiler/bridge/nan_contract.h).
#ifndef ASSAY_COMPILER_LOWER_PIPELINE_H
#define ASSAY_COMPILER_LOWER_PIPELINE_H

#include "compiler/bridge/costs.h"
#include "compiler/bridge/nan_contract.h"
#include "compiler/lower/context.h"

#include <stddef.h>

enum { ASSAY_MAX_STAGES = 8, ASSAY_MAX_CONTRACTS = 16 };

typedef struct assay_pipeline {
  const char *name; // file name without ".pipeline"
  int contract_count;
  assay_pass_contract contract[ASSAY_MAX_CONTRACTS];
  int stage_count;
  struct {
    const char *name;   // "bufferized", "llvm"
    const char *passes; // "builtin.module(...)", over several lines
    int line;           // of "stage NAME" in the file, from 1: passes' second line is the next one
  } stage[ASSAY_MAX_STAGES];
} assay_pipeline;

// All of them, sorted by name; the array ends with NULL.
const assay_pipeline *const *assay_pipelines_get(void);
// NULL where there is none of that name.
const assay_pipeline *assay_pipeline_find(const char *name);

// Whether MLIR knows all passes of all stages and their options; else ASSAY_INVALID with file and
// line.
ASSAY_MUST_USE assay_code assay_pipeline_check(const assay_context *context,
                                               const assay_pipeline *pipeline, assay_error *err);

// Runs one stage on the module, in place. On failure err holds MLIR's own diagnostics. costs:
// (optional) gets those of its passes added.
ASSAY_MUST_USE assay_code assay_pipeline_run_stage(const assay_context *context,
                                                   const assay_pipeline *pipeline, int stage,
                                                   MlirModule module, assay_costs *costs,
                                                   assay_error *err);

#endif
