// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/backends.h"

// Generated from the file names in gpu/backends/.
extern const assay_backend *const assay_gpu_backend_table[];

const assay_backend *const *assay_gpu_backends_get(void) {
  return assay_gpu_backend_table;
}
