// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu-sim: the kernels of the CUDA backends on this processor, in several schedules of threads.
#include "compiler/language/operation.h"
#include "gpu/backends/support/simulated.h"

#include <math.h>

// What the simulator can do in seconds: a conformance run repeats a program some ten times.
// Millions of operations, and the narrowest kernel's tile; millions of bytes.
enum { MOST_OPERATIONS = 100, TILE_M = 16, TILE_N = 32, TILE_K = 64, MOST_BYTES = 64 };

static double elements_of(const assay_node *node) {
  double count = 1;
  for (int i = 0; i < node->shape.rank; i++)
    count *= (double)node->shape.dim[i];
  return count;
}

static double whole_tiles(int64_t size, int tile) {
  int64_t tiles = (size + tile - 1) / tile;
  return (double)(tiles * tile);
}

// The size of the axis so many before the end of the shape; 1 where it has none.
static int64_t size_from_end(const assay_shape *shape, int back) {
  int axis = shape->rank - back;
  return axis >= 0 && axis < ASSAY_MAX_RANK ? shape->dim[axis] : 1;
}

// 2 M N K of a contraction, in whole tiles of the narrowest kernel; of others, the elements
// of the largest tensor that they read or write.
static double operations_of(const assay_program *program, const assay_node *node) {
  double most = elements_of(node);
  if (node->operation->contraction) {
    const assay_shape *lhs = &program->nodes[node->operand[0]].shape;
    int64_t m = size_from_end(&node->shape, 2), n = size_from_end(&node->shape, 1);
    double batch = most / ((double)m * (double)n);
    return 2 * batch * whole_tiles(m, TILE_M) * whole_tiles(n, TILE_N) *
           whole_tiles(size_from_end(lhs, 1), TILE_K);
  }
  for (int i = 0; i < node->operand_count; i++)
    most = fmax(most, elements_of(&program->nodes[node->operand[i]]));
  return most;
}

// What looking for races takes grows with the memory that is touched, and is dearer where elements
// share a word of 4 bytes.
static double bytes_of(const assay_node *node) {
  double size = (double)assay_dtype_get(node->dtype)->size;
  return elements_of(node) * (size < 4 ? 16 : size);
}

static assay_code supports(const assay_device *device, const assay_program *program,
                           assay_error *err) {
  (void)device;
  double operations = 0, bytes = 0;
  for (int i = 0; i < program->node_count; i++) {
    operations += operations_of(program, &program->nodes[i]);
    bytes += bytes_of(&program->nodes[i]);
  }
  if (bytes > 1e6 * MOST_BYTES)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "tensors of %.0f MB (elements below 4 bytes count as 16); at most %d MB are "
                      "simulated",
                      ceil(1e-6 * bytes), MOST_BYTES);
  if (operations > 1e6 * MOST_OPERATIONS)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "%.0f million operations; at most %d million are simulated",
                      ceil(1e-6 * operations), MOST_OPERATIONS);
  return ASSAY_OK;
}

static assay_code open_device(const assay_context *context, assay_device **out_device,
                              assay_error *err) {
  return assay_gpu_open(context, &assay_gpu_simulated, out_device, err);
}

extern const assay_backend assay_gpu_backend_gpu_sim;
const assay_backend assay_gpu_backend_gpu_sim = {
    .name = "gpu-sim",
    .summary = "the kernels of `cuda` on this processor, in four schedules of their threads",
    .pipeline = "gpu",
    .sample = 8,
    .simulated = true,
    .resident = true,
    .open = open_device,
    .supports = supports,
    .load = assay_gpu_load,
    .run = assay_gpu_run,
    .unload = assay_gpu_unload,
    .set_loading = assay_gpu_set_loading,
    .close = assay_gpu_close,
};
