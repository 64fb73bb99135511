// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backends that compute one plain f32 matmul; another program is ASSAY_UNSUPPORTED, which is a
// SKIP.
#ifndef MINE_NAIVE_H
#define MINE_NAIVE_H

#include "compiler/backends/backend.h"

extern const assay_backend naive_backend;
extern const assay_backend crooked_backend; // leaves out the last step of each sum

// What they share.
assay_code naive_open(const assay_context *context, assay_device **out_device, assay_error *err);
assay_code naive_supports(const assay_device *device, const assay_program *program,
                          assay_error *err);
assay_code naive_load(assay_device *device, const assay_program *program, assay_object *object,
                      assay_loaded **out_loaded, assay_load_report *out_report, assay_error *err);
void naive_unload(assay_loaded *loaded);
void naive_close(assay_device *device);
// result = lhs[:, :k] @ rhs[:k, :]
void naive_multiply(const assay_buffer inputs[], const assay_buffer *result, int64_t k);

#endif
