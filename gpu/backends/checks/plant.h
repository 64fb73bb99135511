// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes planted at one operation of a kernel. Internal to this folder.
#ifndef ASSAY_GPU_BACKENDS_CHECKS_PLANT_H
#define ASSAY_GPU_BACKENDS_CHECKS_PLANT_H

#include "compiler/ir/builder.h"
#include "compiler/ir/walk.h"
#include "gpu/backends/checks/mutate.h"

// A kernel under way.
typedef struct planter {
  const char *kernel;
  assay_operations operations; // of the kernel as it was
  const char *text;            // of the operation at hand, as it was
  MlirValue selected;          // i32
  MlirValue marks, own;        // memref, and the index in it of this thread
} planter;

// Plants all that are possible at an operation, which is one of the kernel's own.
void plant_all(const planter *it, MlirOperation at);

// Notes a new mutant: its number.
int mutate_add(const planter *of, mutation kind);

typedef struct plant_text {
  char text[MUTANT_TEXT];
} plant_text;
// An operation by its name and where its operands come from, two steps back: constants by their
// value, arguments of the kernel by their number, loops' as "iv" and "carried".
plant_text plant_describe(MlirOperation operation);

// ---- what both files build with ----

MlirAttribute plant_attribute(MlirOperation operation, const char *name); // null: it has none
MlirValue plant_number(const assay_builder *at, MlirType type, int64_t value);
// An operation of two operands of one type, which is its result's too.
MlirValue plant_combine(const assay_builder *at, const char *name, MlirValue a, MlirValue b);
// gpu.thread_id, gpu.block_id or gpu.block_dim, of x.
MlirValue plant_thread_id(const assay_builder *at, const char *name);

#endif
