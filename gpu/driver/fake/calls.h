// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that the fake driver has, under CUDA's names. Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_FAKE_CALLS_H
#define ASSAY_GPU_DRIVER_FAKE_CALLS_H

#include "gpu/driver/fake/state.h"

cuda_result cuInit(unsigned flags);
cuda_result cuDriverGetVersion(int *version);
cuda_result cuGetErrorName(cuda_result result, const char **name);
cuda_result cuGetErrorString(cuda_result result, const char **text);
cuda_result cuDeviceGetCount(int *count);
cuda_result cuDeviceGet(cuda_device *device, int ordinal);
cuda_result cuDeviceGetName(char *name, int size, cuda_device device);
cuda_result cuDeviceGetAttribute(int *value, int attribute, cuda_device device);
cuda_result cuDevicePrimaryCtxRetain(cuda_context **context, cuda_device device);
cuda_result cuDevicePrimaryCtxRelease_v2(cuda_device device);
cuda_result cuCtxSetCurrent(cuda_context *context);
cuda_result cuStreamCreate(cuda_stream **stream, unsigned flags);
cuda_result cuStreamDestroy_v2(cuda_stream *stream);
cuda_result cuStreamSynchronize(cuda_stream *stream);
cuda_result cuEventCreate(cuda_event **event, unsigned flags);
cuda_result cuEventDestroy_v2(cuda_event *event);
cuda_result cuEventRecord(cuda_event *event, cuda_stream *stream);
cuda_result cuEventSynchronize(cuda_event *event);
cuda_result cuEventElapsedTime(float *milliseconds, cuda_event *start, cuda_event *stop);

cuda_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total);
cuda_result cuDeviceGetDefaultMemPool(cuda_pool **pool, cuda_device device);
cuda_result cuMemPoolSetAttribute(cuda_pool *pool, int attribute, void *value);
cuda_result cuMemAlloc_v2(cuda_pointer *pointer, size_t bytes);
cuda_result cuMemAllocAsync(cuda_pointer *pointer, size_t bytes, cuda_stream *stream);
cuda_result cuMemFree_v2(cuda_pointer pointer);
cuda_result cuMemFreeAsync(cuda_pointer pointer, cuda_stream *stream);
cuda_result cuMemAllocHost_v2(void **pointer, size_t bytes);
cuda_result cuMemFreeHost(void *pointer);
cuda_result cuMemcpyHtoDAsync_v2(cuda_pointer target, const void *source, size_t bytes,
                                 cuda_stream *stream);
cuda_result cuMemcpyDtoHAsync_v2(void *target, cuda_pointer source, size_t bytes,
                                 cuda_stream *stream);
cuda_result cuMemcpyDtoDAsync_v2(cuda_pointer target, cuda_pointer source, size_t bytes,
                                 cuda_stream *stream);
cuda_result cuMemsetD8Async(cuda_pointer target, unsigned char value, size_t count,
                            cuda_stream *stream);
cuda_result cuMemsetD16Async(cuda_pointer target, unsigned short value, size_t count,
                             cuda_stream *stream);
cuda_result cuMemsetD32Async(cuda_pointer target, unsigned value, size_t count,
                             cuda_stream *stream);

cuda_result cuModuleLoadDataEx(cuda_module **module, const void *image, unsigned count,
                               const int *options, void **values);
cuda_result cuModuleUnload(cuda_module *module);
cuda_result cuModuleGetFunction(cuda_function **function, cuda_module *module, const char *name);
cuda_result cuFuncSetAttribute(cuda_function *function, int attribute, int value);
cuda_result cuLaunchKernel(cuda_function *function, unsigned grid_x, unsigned grid_y,
                           unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared, cuda_stream *stream, void **parameters, void **extra);

// Begins a call: leaves it with what it must give where that is an error.
#define ENTER(call, need)                                                                          \
  do {                                                                                             \
    cuda_result enter_result = fake_enter(call, need);                                             \
    if (enter_result != CUDA_SUCCESS)                                                              \
      return enter_result;                                                                         \
  } while (0)

// Sets object to the live one of a handle, or leaves the call.
#define FIND(object, handle, kind, call)                                                           \
  do {                                                                                             \
    (object) = fake_object_find(handle, kind, call);                                               \
    if ((object) == NULL)                                                                          \
      return CUDA_INVALID_HANDLE;                                                                  \
  } while (0)

#endif
