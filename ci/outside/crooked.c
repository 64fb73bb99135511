// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "naive.h"

static assay_code run(assay_loaded *loaded, const assay_buffer inputs[],
                      const assay_buffer results[], assay_counters *out_counters,
                      assay_error *err) {
  (void)loaded;
  (void)err;
  *out_counters = (assay_counters){0};
  naive_multiply(inputs, &results[0], inputs[0].shape.dim[1] - 1);
  return ASSAY_OK;
}

const assay_backend crooked_backend = {
    .name = "crooked",
    .summary = "three loops, the last one step too short: what a failure looks like",
    .open = naive_open,
    .supports = naive_supports,
    .load = naive_load,
    .run = run,
    .unload = naive_unload,
    .close = naive_close,
};
