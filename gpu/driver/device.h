// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An opened device. Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_DEVICE_H
#define ASSAY_GPU_DRIVER_DEVICE_H

#include "gpu/driver/cublas.h"
#include "gpu/driver/cuda.h"
#include "gpu/driver/driver.h"

enum { ASSAY_STAGING_BUFFERS = 2 };

// Pinned host memory that copies go through: the device reads and writes it while the host works.
typedef struct assay_staging {
  void *bytes;      // NULL until it is first needed
  cuda_event *done; // after the copy that uses it
  bool busy;        // done was recorded and not yet waited for
} assay_staging;

typedef struct assay_device_memory {
  cuda_pointer address;
  int64_t bytes;
} assay_device_memory;

typedef struct assay_device {
  assay_gpu gpu;             // first, so that one can be taken for the other
  assay_gpu_methods methods; // its own
  assay_cuda_calls cuda;
  assay_driver_facts facts;
  cuda_device number;
  cuda_context *context; // NULL: not retained
  cuda_stream *stream;
  cuda_event *start, *stop;
  bool pools; // memory is allocated in the order of the stream
  assay_staging staging[ASSAY_STAGING_BUFFERS];
  int next_staging;
  assay_device_memory *memory; // what is allocated
  size_t memory_count, memory_capacity;
  assay_gpu_module *modules; // those loaded
  assay_cublas *library;     // NULL: none
  void **parameters;         // room for a launch's and a NULL after them
  size_t parameter_capacity;
  char launched[128]; // the kernel launched last, "" before
  char note[1024];    // see assay_driver_note
  bool lost;
  assay_error fault; // the first that the device did not survive
} assay_device;

// First in each method: fails with the fault where the device is lost, makes the context current.
ASSAY_MUST_USE assay_code assay_device_enter(assay_device *device, assay_error *err);
// A call's result as an error: "cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED (...)". What the
// device does not survive is kept. ASSAY_UNSUPPORTED where memory ran out, with what is free.
ASSAY_MUST_USE assay_code assay_device_judge(assay_device *device, cuda_result result,
                                             const char *call, assay_error *err);
// The same of a call that was to take so many bytes, which the message tells; -1: not known.
ASSAY_MUST_USE assay_code assay_device_judge_alloc(assay_device *device, cuda_result result,
                                                   const char *call, int64_t bytes,
                                                   assay_error *err);
// Keeps the error as the device's fault; returns its code.
assay_code assay_device_lose(assay_device *device, const assay_error *fault);

// A call of the driver by its member's name, as an assay_code.
#define CUDA_CALL(device, member, arguments, err)                                                  \
  assay_device_judge(device, (device)->cuda.member arguments, assay_cuda_name.member, err)
#define CUDA_ALLOC(device, member, arguments, bytes, err)                                          \
  assay_device_judge_alloc(device, (device)->cuda.member arguments, assay_cuda_name.member, bytes, \
                           err)

// The methods, in memory.c and module.c.
assay_code assay_device_alloc(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                              assay_error *err);
assay_code assay_device_release(assay_gpu *gpu, assay_gpu_address address, assay_error *err);
assay_code assay_device_upload(assay_gpu *gpu, assay_gpu_address target, const void *source,
                               int64_t bytes, assay_error *err);
assay_code assay_device_download(assay_gpu *gpu, void *target, assay_gpu_address source,
                                 int64_t bytes, assay_error *err);
assay_code assay_device_copy(assay_gpu *gpu, assay_gpu_address target, assay_gpu_address source,
                             int64_t bytes, assay_error *err);
assay_code assay_device_fill(assay_gpu *gpu, assay_gpu_address target, uint32_t value, int width,
                             int64_t count, assay_error *err);
// Gives back all memory, of the host too, whatever the calls say.
void assay_device_release_all(assay_device *device);

assay_code assay_device_load(assay_gpu *gpu, const void *bytes, size_t size,
                             assay_gpu_module **out_module, assay_error *err);
void assay_device_unload(assay_gpu_module *module);
assay_code assay_device_find(assay_gpu_module *module, const char *name,
                             assay_gpu_function **out_function, assay_error *err);
assay_code assay_device_launch(assay_gpu *gpu, const assay_gpu_launch *launch, assay_error *err);

#endif
