// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU as the runtime sees it: a table of methods, implemented by CUDA's driver (gpu/driver) and
// by the simulator (gpu/simulator). Work is done in the order in which it is asked for, as on one
// stream; what fails may be told by a later call, at the latest by synchronize.
#ifndef ASSAY_GPU_RUNTIME_GPU_H
#define ASSAY_GPU_RUNTIME_GPU_H

#include "compiler/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct assay_gpu assay_gpu;                   // an opened device
typedef struct assay_gpu_module assay_gpu_module;     // code, loaded
typedef struct assay_gpu_function assay_gpu_function; // a kernel of a module, valid as long
typedef uint64_t assay_gpu_address;                   // of device memory; 0 is none

typedef struct assay_gpu_launch {
  assay_gpu_function *function;
  int64_t grid[3], block[3]; // x, y, z
  int64_t shared;            // bytes of dynamic shared memory
  void **parameters;         // addresses of the kernel's parameters
  size_t parameter_count;
} assay_gpu_launch;

// C = A*B, or C += A*B, of row-major matrices in device memory; element: 4 (f32) or 8 (f64) bytes.
// Strides are in elements; a transposed operand holds its last two axes exchanged.
//
// A gemm method takes operands whose elements of a row stand side by side, and whose rows, as they
// are stored, do not overlap: a stride of at least a row's length, where there is more than one row
// (that of one alone means nothing). Batches may be at any distance, 0 included for A and B; those
// of C do not overlap. C shares no memory with A or B. Else ASSAY_UNSUPPORTED, where it is seen:
// the caller copies such an operand, or leaves the product to a kernel.
typedef struct assay_gpu_gemm {
  int64_t batch, m, n, k;
  assay_gpu_address a, b, c;
  int64_t a_stride, b_stride, c_stride; // from row to row
  int64_t a_batch, b_batch, c_batch;    // from matrix to matrix; 0: the same one
  bool a_transposed, b_transposed, accumulate;
  bool tf32; // (f32) operands may be rounded to tf32; who cannot computes in f32
  int element;
} assay_gpu_gemm;

// Methods fail with ASSAY_FAILED and the name of the call that failed; with ASSAY_UNSUPPORTED where
// there is no memory left for it (the text tells what is free; of alloc, the bytes asked for too),
// which any of them may find; with ASSAY_MISSING where the module has no such kernel. After a
// failure that the device does not survive every method fails with that first error.
typedef struct assay_gpu_methods {
  bool watches; // finds accesses outside of what is allocated, so that fences would hide them

  // Code as the backend embedded it: PTX, cubin, or the simulator's object. The bytes are copied.
  assay_code (*load)(assay_gpu *gpu, const void *bytes, size_t size, assay_gpu_module **out_module,
                     assay_error *err);
  void (*unload)(assay_gpu_module *module); // NULL is allowed
  assay_code (*find)(assay_gpu_module *module, const char *name, assay_gpu_function **out_function,
                     assay_error *err);

  assay_code (*alloc)(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                      assay_error *err);
  assay_code (*release)(assay_gpu *gpu, assay_gpu_address address, assay_error *err);
  assay_code (*upload)(assay_gpu *gpu, assay_gpu_address target, const void *source, int64_t bytes,
                       assay_error *err);
  // Waits for all work before it.
  assay_code (*download)(assay_gpu *gpu, void *target, assay_gpu_address source, int64_t bytes,
                         assay_error *err);
  assay_code (*copy)(assay_gpu *gpu, assay_gpu_address target, assay_gpu_address source,
                     int64_t bytes, assay_error *err);
  // count times the low `width` bytes (1, 2 or 4) of value.
  assay_code (*fill)(assay_gpu *gpu, assay_gpu_address target, uint32_t value, int width,
                     int64_t count, assay_error *err);
  assay_code (*launch)(assay_gpu *gpu, const assay_gpu_launch *launch, assay_error *err);
  // (optional) The library's matrix product; NULL: it has none.
  assay_code (*gemm)(assay_gpu *gpu, const assay_gpu_gemm *gemm, assay_error *err);
  assay_code (*synchronize)(assay_gpu *gpu, assay_error *err);

  // (optional) Time on the device, in seconds: from start to stop, work asked for in between.
  assay_code (*start)(assay_gpu *gpu, assay_error *err);
  assay_code (*stop)(assay_gpu *gpu, double *out_seconds, assay_error *err);

  void (*close)(assay_gpu *gpu); // NULL is allowed
} assay_gpu_methods;

struct assay_gpu {
  const assay_gpu_methods *methods;
};

#endif
