// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/own_calls.h"

#include "compiler/runtime/gemm.h"
#include "compiler/runtime/state.h"
#include "compiler/tail/heap.h"

#include <stdbool.h>
#include <string.h>

static void *allocate(int64_t size) {
  return assay_heap_aligned_alloc(64, (size_t)size);
}

// A matrix of a batch: its first element, and steps in elements.
typedef struct matrix {
  char *first;
  int64_t rows, columns, row_step, column_step;
} matrix;

// Member b of what a memref holds in its last two axes, which may be exchanged.
static matrix member(const assay_unranked_memref *of, int64_t b, bool transposed, size_t bytes) {
  const assay_memref *memref = of->descriptor;
  const int64_t *size = memref->extent, *step = memref->extent + of->rank;
  int row = (int)of->rank - 2, column = row + 1;
  int64_t start = memref->offset + (of->rank == 3 ? b * step[0] : 0);
  matrix made = {.first = memref->base + start * (int64_t)bytes,
                 .rows = size[row],
                 .columns = size[column],
                 .row_step = step[row],
                 .column_step = step[column]};
  if (transposed)
    made = (matrix){made.first, made.columns, made.rows, made.column_step, made.row_step};
  return made;
}

// Each sum in its order, in the type of its elements: what the operation says, not what a library
// makes of it. The type of a declaration takes no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define DEFINE_CONTRACT(name, type)                                                                \
  static void name(const assay_unranked_memref *a, const assay_unranked_memref *b,                 \
                   const assay_unranked_memref *c, int32_t flags) {                                \
    int64_t batch = c->rank == 3 ? c->descriptor->extent[0] : 1;                                   \
    for (int64_t i = 0; i < batch; i++) {                                                          \
      matrix x = member(a, i, (flags & ASSAY_GEMM_LHS_TRANSPOSED) != 0, sizeof(type));             \
      matrix y = member(b, i, (flags & ASSAY_GEMM_RHS_TRANSPOSED) != 0, sizeof(type));             \
      matrix z = member(c, i, false, sizeof(type));                                                \
      const type *left = (const type *)x.first, *right = (const type *)y.first;                    \
      type *out = (type *)z.first;                                                                 \
      for (int64_t m = 0; m < z.rows; m++)                                                         \
        for (int64_t n = 0; n < z.columns; n++) {                                                  \
          type *at = out + m * z.row_step + n * z.column_step;                                     \
          type sum = (flags & ASSAY_GEMM_ACCUMULATE) != 0 ? *at : 0;                               \
          for (int64_t k = 0; k < x.columns; k++)                                                  \
            sum += left[m * x.row_step + k * x.column_step] *                                      \
                   right[k * y.row_step + n * y.column_step];                                      \
          *at = sum;                                                                               \
        }                                                                                          \
    }                                                                                              \
  }

DEFINE_CONTRACT(contract_f32, float)
DEFINE_CONTRACT(contract_f64, double)
// NOLINTEND(bugprone-macro-parentheses)

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_record_symbol *assay_own_call_symbols(void) {
  static const assay_record_symbol symbols[] = {
      {"_mlir_memref_to_llvm_alloc", (void (*)(void))allocate},
      {"_mlir_memref_to_llvm_aligned_alloc", (void (*)(void))assay_heap_aligned_alloc},
      {"_mlir_memref_to_llvm_free", (void (*)(void))assay_heap_free},
      {"_mlir_ciface_assay_gemm_f32", (void (*)(void))contract_f32},
      {"_mlir_ciface_assay_gemm_f64", (void (*)(void))contract_f64},
      {NULL, NULL},
  };
  return symbols;
}
