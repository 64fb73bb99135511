// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is used of CUDA's driver API, declared here: nothing of CUDA is needed to build. Names and
// numbers are those of the "CUDA Driver API" manual; a suffix is the version of a call's ABI.
// Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_CUDA_H
#define ASSAY_GPU_DRIVER_CUDA_H

#include "compiler/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cuda_result {
  CUDA_SUCCESS = 0,
  CUDA_INVALID_VALUE = 1,
  CUDA_OUT_OF_MEMORY = 2,
  CUDA_NOT_INITIALIZED = 3,
  CUDA_DEINITIALIZED = 4,
  CUDA_DEVICE_UNAVAILABLE = 46,
  CUDA_NO_DEVICE = 100,
  CUDA_INVALID_DEVICE = 101,
  CUDA_INVALID_IMAGE = 200,
  CUDA_INVALID_CONTEXT = 201,
  CUDA_NO_BINARY_FOR_GPU = 209,
  CUDA_ECC_UNCORRECTABLE = 214,
  CUDA_INVALID_PTX = 218,
  CUDA_NVLINK_UNCORRECTABLE = 220,
  CUDA_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_CONTAINED = 226,
  CUDA_INVALID_HANDLE = 400,
  CUDA_NOT_FOUND = 500,
  CUDA_NOT_READY = 600,
  CUDA_ILLEGAL_ADDRESS = 700,
  CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_LAUNCH_TIMEOUT = 702,
  CUDA_CONTEXT_IS_DESTROYED = 709,
  CUDA_ASSERT = 710,
  CUDA_HARDWARE_STACK_ERROR = 714,
  CUDA_ILLEGAL_INSTRUCTION = 715,
  CUDA_MISALIGNED_ADDRESS = 716,
  CUDA_INVALID_ADDRESS_SPACE = 717,
  CUDA_INVALID_PC = 718,
  CUDA_LAUNCH_FAILED = 719,
  CUDA_TENSOR_MEMORY_LEAK = 721,
  CUDA_NOT_SUPPORTED = 801,
  CUDA_EXTERNAL_DEVICE = 911,
  CUDA_UNKNOWN = 999,
} cuda_result;

enum {
  CUDA_STREAM_NON_BLOCKING = 1,
  CUDA_ATTRIBUTE_MULTIPROCESSORS = 16,
  CUDA_ATTRIBUTE_CAPABILITY_MAJOR = 75,
  CUDA_ATTRIBUTE_CAPABILITY_MINOR = 76,
  CUDA_ATTRIBUTE_MEMORY_POOLS = 115,
  CUDA_JIT_INFO_LOG = 3,
  CUDA_JIT_INFO_LOG_BYTES = 4,
  CUDA_JIT_ERROR_LOG = 5,
  CUDA_JIT_ERROR_LOG_BYTES = 6,
  CUDA_POOL_RELEASE_THRESHOLD = 4,
  CUDA_EVENT_DISABLE_TIMING = 2,
  CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
};

typedef int cuda_device;
typedef uint64_t cuda_pointer;
typedef struct cuda_context cuda_context;
typedef struct cuda_module cuda_module;
typedef struct cuda_function cuda_function;
typedef struct cuda_stream cuda_stream;
typedef struct cuda_event cuda_event;
typedef struct cuda_pool cuda_pool;

// X(member, symbol, parameters), each returning a cuda_result.
#define CUDA_CALLS(X)                                                                              \
  X(init, "cuInit", (unsigned flags))                                                              \
  X(driver_version, "cuDriverGetVersion", (int *version))                                          \
  X(error_name, "cuGetErrorName", (cuda_result result, const char **name))                         \
  X(error_string, "cuGetErrorString", (cuda_result result, const char **text))                     \
  X(device_count, "cuDeviceGetCount", (int *count))                                                \
  X(device_get, "cuDeviceGet", (cuda_device * device, int ordinal))                                \
  X(device_name, "cuDeviceGetName", (char *name, int size, cuda_device device))                    \
  X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cuda_device device))     \
  X(context_retain, "cuDevicePrimaryCtxRetain", (cuda_context * *context, cuda_device device))     \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", (cuda_device device))                         \
  X(context_set, "cuCtxSetCurrent", (cuda_context * context))                                      \
  X(memory_info, "cuMemGetInfo_v2", (size_t *free_bytes, size_t *total))                           \
  X(stream_create, "cuStreamCreate", (cuda_stream * *stream, unsigned flags))                      \
  X(stream_destroy, "cuStreamDestroy_v2", (cuda_stream * stream))                                  \
  X(stream_synchronize, "cuStreamSynchronize", (cuda_stream * stream))                             \
  X(event_create, "cuEventCreate", (cuda_event * *event, unsigned flags))                          \
  X(event_destroy, "cuEventDestroy_v2", (cuda_event * event))                                      \
  X(event_record, "cuEventRecord", (cuda_event * event, cuda_stream * stream))                     \
  X(event_synchronize, "cuEventSynchronize", (cuda_event * event))                                 \
  X(event_elapsed, "cuEventElapsedTime",                                                           \
    (float *milliseconds, cuda_event *start, cuda_event *stop))                                    \
  X(alloc, "cuMemAlloc_v2", (cuda_pointer * pointer, size_t bytes))                                \
  X(release, "cuMemFree_v2", (cuda_pointer pointer))                                               \
  X(host_alloc, "cuMemAllocHost_v2", (void **pointer, size_t bytes))                               \
  X(host_release, "cuMemFreeHost", (void *pointer))                                                \
  X(upload, "cuMemcpyHtoDAsync_v2",                                                                \
    (cuda_pointer target, const void *source, size_t bytes, cuda_stream *stream))                  \
  X(download, "cuMemcpyDtoHAsync_v2",                                                              \
    (void *target, cuda_pointer source, size_t bytes, cuda_stream *stream))                        \
  X(copy, "cuMemcpyDtoDAsync_v2",                                                                  \
    (cuda_pointer target, cuda_pointer source, size_t bytes, cuda_stream *stream))                 \
  X(fill8, "cuMemsetD8Async",                                                                      \
    (cuda_pointer target, unsigned char value, size_t count, cuda_stream *stream))                 \
  X(fill16, "cuMemsetD16Async",                                                                    \
    (cuda_pointer target, unsigned short value, size_t count, cuda_stream *stream))                \
  X(fill32, "cuMemsetD32Async",                                                                    \
    (cuda_pointer target, unsigned value, size_t count, cuda_stream *stream))                      \
  X(module_load, "cuModuleLoadDataEx",                                                             \
    (cuda_module * *module, const void *image, unsigned count, int *options, void **values))       \
  X(module_unload, "cuModuleUnload", (cuda_module * module))                                       \
  X(module_function, "cuModuleGetFunction",                                                        \
    (cuda_function * *function, cuda_module * module, const char *name))                           \
  X(function_set, "cuFuncSetAttribute", (cuda_function * function, int attribute, int value))      \
  X(launch, "cuLaunchKernel",                                                                      \
    (cuda_function * function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                  \
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, cuda_stream *stream,   \
     void **parameters, void **extra))

// Those that only drivers from CUDA 11.2 on have: NULL elsewhere.
#define CUDA_POOL_CALLS(X)                                                                         \
  X(pool_default, "cuDeviceGetDefaultMemPool", (cuda_pool * *pool, cuda_device device))            \
  X(pool_set, "cuMemPoolSetAttribute", (cuda_pool * pool, int attribute, void *value))             \
  X(alloc_async, "cuMemAllocAsync", (cuda_pointer * pointer, size_t bytes, cuda_stream *stream))   \
  X(release_async, "cuMemFreeAsync", (cuda_pointer pointer, cuda_stream * stream))

// NOLINTBEGIN(bugprone-macro-parentheses): a member's name and the parameters of its type
typedef struct assay_cuda_calls {
#define CUDA_MEMBER(member, symbol, parameters) cuda_result(*member) parameters;
  CUDA_CALLS(CUDA_MEMBER)
  CUDA_POOL_CALLS(CUDA_MEMBER)
#undef CUDA_MEMBER
} assay_cuda_calls;
// NOLINTEND(bugprone-macro-parentheses)

// The names of the calls, as messages say them: "cuMemAlloc".
typedef struct assay_cuda_names {
#define CUDA_NAME(member, symbol, parameters) const char *member;
  CUDA_CALLS(CUDA_NAME)
  CUDA_POOL_CALLS(CUDA_NAME)
#undef CUDA_NAME
} assay_cuda_names;
extern const assay_cuda_names assay_cuda_name;

// Finds libcuda.so.1 and its calls. ASSAY_MISSING where there is none, or it is older than all
// that is used. The library stays loaded for the process: the driver has threads of its own.
ASSAY_MUST_USE assay_code assay_cuda_find(assay_cuda_calls *out_calls, assay_error *err);

// A function of a library, and the pointer of its own type that is to point to it.
typedef struct cuda_symbol {
  const char *name;
  void *out_function; // of a pointer to a function, NULL where there is none
  bool optional;
} cuda_symbol;
// Finds them all; the last that is needed and not there, NULL where nothing is lacking.
const char *assay_cuda_symbols(void *library, const cuda_symbol symbols[], size_t count);

// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)", or "error 1234" where the driver knows no name.
typedef struct cuda_words {
  char text[256];
} cuda_words;
cuda_words assay_cuda_describe(const assay_cuda_calls *calls, cuda_result result);
// "0.01 of 0.02 GB free" on the device of the current context; "" where the driver does not tell.
cuda_words assay_cuda_room(const assay_cuda_calls *calls);

// Whether the context is lost with this result: all later calls of the driver fail as well.
bool assay_cuda_is_sticky(cuda_result result);

#endif
