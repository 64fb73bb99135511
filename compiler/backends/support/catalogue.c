// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/backend.h"

// Generated from the file names in compiler/backends/.
extern const assay_backend *const assay_backend_table[];

const assay_backend *const *assay_backends_get(void) {
  return assay_backend_table;
}
