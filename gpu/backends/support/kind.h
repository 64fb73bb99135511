// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the GPU backends share: all of it but who makes code of the kernels, and which device runs
// it.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_KIND_H
#define ASSAY_GPU_BACKENDS_SUPPORT_KIND_H

#include "compiler/backends/backend.h"
#include "gpu/runtime/runtime.h"

// How large a device is, which decides how it is kept busy.
typedef struct assay_gpu_extent {
  int multiprocessors;
  int64_t memory_free; // bytes
} assay_gpu_extent;

typedef struct assay_gpu_kind {
  const char *pipeline;
  bool assembly; // the code is text (PTX), ended with a NUL
  // The code of a gpu.module of NVVM: malloc'ed bytes, the caller's.
  assay_code (*assemble)(MlirOperation gpu_module, void **out_bytes, size_t *out_size,
                         assay_error *err);
  // (optional) What is known of the code without running it. Does not fail: it says why not.
  void (*examine)(MlirOperation gpu_module, assay_device_figures *out_figures);
  // The device, in the process that runs the program: processes that fork must not have one.
  assay_code (*open)(assay_gpu **out_gpu, assay_error *err);
  // (optional) What there is to tell of the code that was loaded last; NULL for nothing.
  const char *(*note)(const assay_gpu *gpu);
  // (optional) Of an opened device with a clock; NULL: it has no peaks.
  assay_gpu_extent (*extent)(const assay_gpu *gpu);
  // How often a guarded program is run, each time set up by prepare (NULL: once, with nothing to
  // set up), and must give the same bits. repetition -1: of an unguarded one.
  int repetitions;
  void (*prepare)(assay_gpu *gpu, int repetition);
  const char *(*describe)(int repetition); // "schedule reverse"
} assay_gpu_kind;

// The methods of assay_backend, but for open. ASSAY_INVALID where MLIR does not know one of the
// pipeline's passes; kind must live as long as the device.
ASSAY_MUST_USE assay_code assay_gpu_open(const assay_context *context, const assay_gpu_kind *kind,
                                         assay_device **out_device, assay_error *err);
assay_code assay_gpu_supports(const assay_device *device, const assay_program *program,
                              assay_error *err);
assay_code assay_gpu_load(assay_device *device, const assay_program *program, assay_object *object,
                          assay_loaded **out_loaded, assay_load_report *out_report,
                          assay_error *err);
assay_code assay_gpu_run(assay_loaded *loaded, const assay_buffer inputs[],
                         const assay_buffer results[], assay_counters *out_counters,
                         assay_error *err);
assay_code assay_gpu_time(assay_loaded *loaded, int64_t runs, double *out_seconds,
                          assay_error *err);
void assay_gpu_unload(assay_loaded *loaded);
void assay_gpu_set_loading(assay_device *device, assay_loading loading);
// What assay_gpu_hardware tells from then on; copied.
enum { ASSAY_GPU_HARDWARE = 320 }; // bytes of it at most
void assay_gpu_set_hardware(assay_device *device, const char *text);
const char *assay_gpu_hardware(const assay_device *device);
assay_code assay_gpu_measure_peaks(assay_device *device, assay_peaks *out_peaks, assay_error *err);
void assay_gpu_close(assay_device *device);

#endif
