// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/support/descriptor.h"

void assay_descriptor_describe(assay_descriptor *descriptor, const assay_shape *shape) {
  *descriptor = (assay_descriptor){.offset = 0};
  int64_t stride = 1;
  for (int axis = shape->rank - 1; axis >= 0; axis--) {
    descriptor->extent[axis] = shape->dim[axis];
    descriptor->extent[shape->rank + axis] = stride;
    stride *= shape->dim[axis];
  }
}

void assay_descriptor_point(assay_descriptor *descriptor, void *data) {
  descriptor->allocated = data;
  descriptor->aligned = data;
}
