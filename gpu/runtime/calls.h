// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that compiled code calls. Their signatures are an ABI: of MLIR's gpu-to-llvm and of
// its translation of gpu.binary and gpu.launch_func, with the runtime before them.
#ifndef ASSAY_GPU_RUNTIME_CALLS_H
#define ASSAY_GPU_RUNTIME_CALLS_H

#include "compiler/runtime/state.h"
#include "gpu/runtime/state.h"

void *assay_mgpu_module_load(assay_gpu_runtime *runtime, const void *bytes, int64_t size);
// PTX, ended with a NUL.
void *assay_mgpu_module_load_jit(assay_gpu_runtime *runtime, const char *ptx, int32_t level);
void assay_mgpu_module_unload(assay_gpu_runtime *runtime, void *module);
void *assay_mgpu_module_get_function(assay_gpu_runtime *runtime, void *module, const char *name);
void assay_gpu_runtime_forget_functions(assay_gpu_runtime *runtime);

void assay_mgpu_launch_kernel(assay_gpu_runtime *runtime, void *function, int64_t grid_x,
                              int64_t grid_y, int64_t grid_z, int64_t block_x, int64_t block_y,
                              int64_t block_z, int32_t shared, void *stream, void **parameters,
                              void **extra, int64_t parameter_count);

// There is one stream, and no work beside it: waiting is for the end of a run.
void *assay_mgpu_stream_create(assay_gpu_runtime *runtime);
void assay_mgpu_stream_destroy(assay_gpu_runtime *runtime, void *stream);
void assay_mgpu_stream_synchronize(assay_gpu_runtime *runtime, void *stream);
void assay_mgpu_stream_wait_event(assay_gpu_runtime *runtime, void *stream, void *event);
void *assay_mgpu_event_create(assay_gpu_runtime *runtime);
void assay_mgpu_event_destroy(assay_gpu_runtime *runtime, void *event);
void assay_mgpu_event_synchronize(assay_gpu_runtime *runtime, void *event);
void assay_mgpu_event_record(assay_gpu_runtime *runtime, void *event, void *stream);

void *assay_mgpu_mem_alloc(assay_gpu_runtime *runtime, int64_t bytes, void *stream, int8_t shared);
void assay_mgpu_mem_free(assay_gpu_runtime *runtime, void *address, void *stream);
void assay_mgpu_memcpy(assay_gpu_runtime *runtime, void *target, void *source, int64_t bytes,
                       void *stream);
void assay_mgpu_memset32(assay_gpu_runtime *runtime, void *target, int32_t value, int64_t count,
                         void *stream);
void assay_mgpu_memset16(assay_gpu_runtime *runtime, void *target, int16_t value, int64_t count,
                         void *stream);

// memref.alloc and memref.dealloc of host code are of device memory.
void *assay_mgpu_memref_alloc(assay_gpu_runtime *runtime, int64_t bytes);
void assay_mgpu_memref_free(assay_gpu_runtime *runtime, void *address);

// As assay_runtime_gemm_f32, of device memory, by the device's library.
void assay_mgpu_gemm_f32(assay_gpu_runtime *runtime, const assay_unranked_memref *a,
                         const assay_unranked_memref *b, const assay_unranked_memref *c,
                         int32_t flags);
void assay_mgpu_gemm_f64(assay_gpu_runtime *runtime, const assay_unranked_memref *a,
                         const assay_unranked_memref *b, const assay_unranked_memref *c,
                         int32_t flags);

#endif
