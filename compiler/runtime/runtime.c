// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

assay_runtime *assay_runtime_create(bool guarded) {
  assay_runtime *runtime = calloc(1, sizeof *runtime);
  if (runtime == NULL)
    abort();
  runtime->guarded = guarded;
  return runtime;
}

void assay_runtime_destroy(assay_runtime *runtime) {
  if (runtime == NULL)
    return;
  assay_runtime_release(runtime);
  free(runtime);
}

void assay_runtime_reset(assay_runtime *runtime) {
  runtime->blas_calls = 0;
  runtime->heap = (assay_heap){0};
  runtime->fault[0] = '\0';
  if (runtime->guarded)
    assay_runtime_forget(runtime);
}

assay_code assay_runtime_check(const assay_runtime *runtime, assay_error *err) {
  if (runtime->fault[0] != '\0')
    return assay_fail(err, ASSAY_FAILED, "%s", runtime->fault);
  if (runtime->live != NULL)
    return assay_fail(err, ASSAY_FAILED, "the program did not free %zu of its allocations",
                      assay_runtime_live(runtime));
  int64_t overwritten = assay_runtime_overwritten(runtime);
  if (overwritten >= 0)
    return assay_fail(err, ASSAY_FAILED,
                      "the program wrote to an allocation of %" PRId64 " bytes that it had freed",
                      overwritten);
  return ASSAY_OK;
}

int64_t assay_runtime_blas_calls(const assay_runtime *runtime) {
  return runtime->blas_calls;
}

assay_heap assay_runtime_heap(const assay_runtime *runtime) {
  return runtime->heap;
}

void assay_runtime_fault(assay_runtime *runtime, const char *format, ...) {
  if (runtime->fault[0] != '\0')
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(runtime->fault, sizeof runtime->fault, format, arguments);
  va_end(arguments);
}

// The names on the left are those that MLIR's lowering gives its calls.
static const assay_runtime_entry entries[] = {
    {.called = "_mlir_memref_to_llvm_alloc",
     .symbol = "assay_runtime_alloc",
     .address = (void (*)(void))assay_runtime_alloc,
     .bound = true,
     .allocates = true},
    {.called = "_mlir_memref_to_llvm_free",
     .symbol = "assay_runtime_free",
     .address = (void (*)(void))assay_runtime_free,
     .bound = true},
    {.called = "memrefCopy", .symbol = "memrefCopy", .address = (void (*)(void))assay_runtime_copy},
#ifdef ASSAY_HAVE_CBLAS
    {.called = "_mlir_ciface_assay_gemm_f32",
     .symbol = "assay_runtime_gemm_f32",
     .address = (void (*)(void))assay_runtime_gemm_f32,
     .bound = true},
    {.called = "_mlir_ciface_assay_gemm_f64",
     .symbol = "assay_runtime_gemm_f64",
     .address = (void (*)(void))assay_runtime_gemm_f64,
     .bound = true},
#endif
    {.called = NULL},
};

const assay_runtime_entry *assay_runtime_entries(void) {
  return entries;
}
