// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/gemm.h"
#include "gpu/runtime/calls.h"

// A matrix, or several of one shape, in device memory.
typedef struct matrices {
  assay_gpu_address data;
  int64_t count, rows, columns;
  int64_t batch_stride, row_stride, column_stride; // in elements
} matrices;

static matrices read(const assay_unranked_memref *memref, int element) {
  const assay_memref *descriptor = memref->descriptor;
  const int64_t *extent = descriptor->extent, *stride = extent + memref->rank;
  bool batched = memref->rank == 3;
  assay_gpu_address base = (assay_gpu_address)(uintptr_t)descriptor->base;
  return (matrices){
      .data = base + (uint64_t)(descriptor->offset * element),
      .count = batched ? extent[0] : 1,
      .rows = extent[batched],
      .columns = extent[batched + 1],
      .batch_stride = batched ? stride[0] : 0,
      .row_stride = stride[batched],
      .column_stride = stride[batched + 1],
  };
}

// As a library takes it: rows of unit stride, at least as far apart as they are long. Exchanges the
// axes where that makes it so; the stride of a single row is of no matter.
static bool make_rows(matrices *x, bool *transposed) {
  if (x->columns > 1 && x->column_stride != 1) {
    *x = (matrices){.data = x->data,
                    .count = x->count,
                    .rows = x->columns,
                    .columns = x->rows,
                    .batch_stride = x->batch_stride,
                    .row_stride = x->column_stride,
                    .column_stride = x->row_stride};
    *transposed = !*transposed;
  }
  if (x->rows <= 1)
    x->row_stride = x->columns > 0 ? x->columns : 1;
  return (x->columns <= 1 || x->column_stride == 1) && x->row_stride >= x->columns;
}

static assay_code multiply(assay_gpu_runtime *runtime, matrices a, matrices b, matrices c,
                           int32_t flags, int element, assay_error *err) {
  assay_gpu *gpu = runtime->gpu;
  bool a_transposed = (flags & ASSAY_GEMM_LHS_TRANSPOSED) != 0;
  bool b_transposed = (flags & ASSAY_GEMM_RHS_TRANSPOSED) != 0, c_transposed = false;
  int64_t k = a_transposed ? a.rows : a.columns;
  if (gpu->methods->gemm == NULL)
    return assay_fail(err, ASSAY_MISSING, "this GPU has no library of matrix products");
  int64_t m = c.rows, n = c.columns;
  if (!make_rows(&a, &a_transposed) || !make_rows(&b, &b_transposed) ||
      !make_rows(&c, &c_transposed) || c_transposed)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "a matrix product of %lld by %lld by %lld has an operand without rows of "
                      "unit stride",
                      (long long)m, (long long)k, (long long)n);
  assay_gpu_gemm gemm = {
      .batch = c.count,
      .m = m,
      .n = n,
      .k = k,
      .a = a.data,
      .b = b.data,
      .c = c.data,
      .a_stride = a.row_stride,
      .b_stride = b.row_stride,
      .c_stride = c.row_stride,
      .a_batch = a.batch_stride,
      .b_batch = b.batch_stride,
      .c_batch = c.batch_stride,
      .a_transposed = a_transposed,
      .b_transposed = b_transposed,
      .accumulate = (flags & ASSAY_GEMM_ACCUMULATE) != 0,
      .tf32 = (flags & ASSAY_GEMM_TF32) != 0,
      .element = element,
  };
  return gpu->methods->gemm(gpu, &gemm, err);
}

static void call(assay_gpu_runtime *runtime, const assay_unranked_memref *a,
                 const assay_unranked_memref *b, const assay_unranked_memref *c, int32_t flags,
                 int element) {
  if (runtime->code != ASSAY_OK)
    return;
  assay_error err;
  assay_code code =
      multiply(runtime, read(a, element), read(b, element), read(c, element), flags, element, &err);
  if (assay_gpu_runtime_note(runtime, code, &err))
    runtime->counts.library_calls++;
}

void assay_mgpu_gemm_f32(assay_gpu_runtime *runtime, const assay_unranked_memref *a,
                         const assay_unranked_memref *b, const assay_unranked_memref *c,
                         int32_t flags) {
  call(runtime, a, b, c, flags, sizeof(float));
}

void assay_mgpu_gemm_f64(assay_gpu_runtime *runtime, const assay_unranked_memref *a,
                         const assay_unranked_memref *b, const assay_unranked_memref *c,
                         int32_t flags) {
  call(runtime, a, b, c, flags, sizeof(double));
}
