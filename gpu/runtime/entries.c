// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/runtime/calls.h"

#define BOUND(name, function)                                                                      \
  {.called = (name), .symbol = #function, .address = (void (*)(void))(function), .bound = true}

// The names on the left are those that MLIR's lowering gives its calls.
static const assay_runtime_entry entries[] = {
    BOUND("mgpuModuleLoad", assay_mgpu_module_load),
    BOUND("mgpuModuleLoadJIT", assay_mgpu_module_load_jit),
    BOUND("mgpuModuleUnload", assay_mgpu_module_unload),
    BOUND("mgpuModuleGetFunction", assay_mgpu_module_get_function),
    BOUND("mgpuLaunchKernel", assay_mgpu_launch_kernel),
    BOUND("mgpuStreamCreate", assay_mgpu_stream_create),
    BOUND("mgpuStreamDestroy", assay_mgpu_stream_destroy),
    BOUND("mgpuStreamSynchronize", assay_mgpu_stream_synchronize),
    BOUND("mgpuStreamWaitEvent", assay_mgpu_stream_wait_event),
    BOUND("mgpuEventCreate", assay_mgpu_event_create),
    BOUND("mgpuEventDestroy", assay_mgpu_event_destroy),
    BOUND("mgpuEventSynchronize", assay_mgpu_event_synchronize),
    BOUND("mgpuEventRecord", assay_mgpu_event_record),
    BOUND("mgpuMemAlloc", assay_mgpu_mem_alloc),
    BOUND("mgpuMemFree", assay_mgpu_mem_free),
    BOUND("mgpuMemcpy", assay_mgpu_memcpy),
    BOUND("mgpuMemset32", assay_mgpu_memset32),
    BOUND("mgpuMemset16", assay_mgpu_memset16),
    BOUND("_mlir_memref_to_llvm_alloc", assay_mgpu_memref_alloc),
    BOUND("_mlir_memref_to_llvm_free", assay_mgpu_memref_free),
    BOUND("_mlir_ciface_assay_gemm_f32", assay_mgpu_gemm_f32),
    BOUND("_mlir_ciface_assay_gemm_f64", assay_mgpu_gemm_f64),
    {.called = NULL},
};

const assay_runtime_entry *assay_gpu_runtime_entries(void) {
  return entries;
}
