// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "naive.h"

#include "compiler/language/operation.h"

#include <stdlib.h>
#include <string.h>

// A compiler would keep its code here; there is nothing to compile.
struct assay_loaded {
  char nothing;
};

assay_code naive_open(const assay_context *context, assay_device **out_device, assay_error *err) {
  (void)context;
  (void)err;
  *out_device = NULL; // it needs no machine of its own
  return ASSAY_OK;
}

assay_code naive_supports(const assay_device *device, const assay_program *program,
                          assay_error *err) {
  (void)device;
  const assay_node *last = &program->nodes[program->results[0]];
  if (program->input_count != 2 || program->result_count != 1 || program->node_count != 3 ||
      strcmp(last->operation->name, "matmul") != 0 || last->dtype != ASSAY_F32 ||
      last->shape.rank != 2 || last->operand[0] != program->inputs[0] ||
      last->operand[1] != program->inputs[1] ||
      program->nodes[program->inputs[0]].dtype != ASSAY_F32 ||
      program->nodes[program->inputs[1]].dtype != ASSAY_F32)
    return assay_fail(err, ASSAY_UNSUPPORTED, "it knows nothing but one plain f32 matmul");
  return ASSAY_OK;
}

assay_code naive_load(assay_device *device, const assay_program *program, assay_object *object,
                      assay_loaded **out_loaded, assay_load_report *out_report, assay_error *err) {
  (void)device;
  (void)program;
  (void)err;
  object->bytes = calloc(1, 1); // the code, for a backend that has any
  object->size = 1;
  *out_report = (assay_load_report){.contractions_named = 1};
  *out_loaded = calloc(1, sizeof **out_loaded);
  return ASSAY_OK;
}

void naive_unload(assay_loaded *loaded) {
  free(loaded);
}

void naive_close(assay_device *device) {
  (void)device;
}

void naive_multiply(const assay_buffer inputs[], const assay_buffer *result, int64_t k) {
  const float *lhs = inputs[0].data, *rhs = inputs[1].data;
  float *out = result->data;
  int64_t rows = result->shape.dim[0], columns = result->shape.dim[1];
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) {
      float sum = 0;
      for (int64_t l = 0; l < k; l++)
        sum += lhs[i * inputs[0].shape.dim[1] + l] * rhs[l * columns + j];
      out[i * columns + j] = sum;
    }
}

static assay_code run(assay_loaded *loaded, const assay_buffer inputs[],
                      const assay_buffer results[], assay_counters *out_counters,
                      assay_error *err) {
  (void)loaded;
  (void)err;
  *out_counters = (assay_counters){0};
  naive_multiply(inputs, &results[0], inputs[0].shape.dim[1]);
  return ASSAY_OK;
}

const assay_backend naive_backend = {
    .name = "naive",
    .summary = "three loops",
    .open = naive_open,
    .supports = naive_supports,
    .load = naive_load,
    .run = run,
    .unload = naive_unload,
    .close = naive_close,
};
