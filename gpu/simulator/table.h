// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels and variables of a module: where the variables are to be, and the table that tells
// the simulator of both.
#ifndef ASSAY_GPU_SIMULATOR_TABLE_H
#define ASSAY_GPU_SIMULATOR_TABLE_H

#include "gpu/simulator/rewrite.h"

#include <stdbool.h>

typedef struct assay_kernel {
  LLVMValueRef function;
  const char *name;
  uint64_t shared; // bytes of static shared memory
  bool synchronises;
} assay_kernel;

typedef struct assay_variable {
  const char *name;
  bool is_shared, constant;
  uint64_t offset, size;
  bool *kernels; // which kernels use it, by their number
} assay_variable;

typedef struct assay_table {
  size_t kernel_count, variable_count;
  assay_kernel *kernels;
  assay_variable *variables;
  uint64_t data_bytes;
} assay_table;

// Collects the kernels, which become ordinary functions, and puts the variables into their places:
// `assay_shared` and `assay_data` plus an offset. Initial values stay as "sim.init.NUMBER", of the
// variable's number. ASSAY_FAILED where a variable is only declared.
ASSAY_MUST_USE assay_code assay_table_make(assay_rewrite *rewrite, assay_table *out_table,
                                           assay_error *err);
// To be called after the calls were rewritten: finds which kernels synchronise.
void assay_table_find_barriers(const assay_rewrite *rewrite, assay_table *table);
// IR of the table and of each kernel's entry.
void assay_table_print(const assay_rewrite *rewrite, const assay_table *table, assay_text *text);

#endif
