// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/peaks.h"

#include "compiler/ir/diagnostics.h"
#include "compiler/lower/pipeline.h"
#include "gpu/kernels/peaks.h"

#include <string.h>

enum {
  BLOCKS = 120,      // for each multiprocessor: whole waves of 1 to 6 and of 8 at a time
  TRIES = 10,        // the first ones find a device whose clock is still low
  LEAST_TRIES = 3,   // even where each takes long
  MOST_STEPS = 4096, // of a thread
  GROWTH = 4,        // of the steps, until a launch takes long enough
  RUNS = 4,          // of the triad in a try, since one is over soon
  ARRAYS = 3,        // of the triad
  SHARE = 8,         // of what is free the part that is taken at most
};

// Bytes of an array of the triad: those of all three are some times those of any cache.
static const int64_t LEAST_BYTES = INT64_C(64) << 20, MOST_BYTES = INT64_C(1) << 30;

// Seconds that a launch lasts at least, so that asking for it does not count.
static const double LONG = 0.004;
// Seconds after which there is no further try of one rate.
static const double ENOUGH = 0.2;

typedef struct work {
  assay_gpu *gpu;
  const assay_gpu_methods *methods;
  const assay_gpu_extent *extent;
  assay_gpu_module *module;
} work;

assay_code assay_gpu_peaks_compile(const assay_context *context, const assay_gpu_kind *kind,
                                   void **out_bytes, size_t *out_size, assay_error *err) {
  const assay_pipeline *pipeline = assay_pipeline_find(kind->pipeline);
  assay_arena *arena = assay_arena_create();
  MlirModule module = mlirModuleCreateParse(
      assay_context_get(context), mlirStringRefCreateFromCString(assay_peak_kernels(arena)));
  assay_arena_destroy(arena);
  if (mlirModuleIsNull(module))
    return assay_fail(err, ASSAY_FAILED, "MLIR does not read the kernels of the peaks");
  assay_code code = ASSAY_OK;
  for (int i = 0; i < pipeline->stage_count && code == ASSAY_OK; i++)
    if (strcmp(pipeline->stage[i].name, "nvvm") == 0)
      code = assay_pipeline_run_stage(context, pipeline, i, module, NULL, err);
  if (code == ASSAY_OK)
    code = kind->assemble(mlirBlockGetFirstOperation(mlirModuleGetBody(module)), out_bytes,
                          out_size, err);
  mlirModuleDestroy(module);
  return code;
}

static assay_code time_launches(const work *it, const assay_gpu_launch *launch, int count,
                                double *out_seconds, assay_error *err) {
  TRY(it->methods->start(it->gpu, err));
  for (int i = 0; i < count; i++)
    TRY(it->methods->launch(it->gpu, launch, err));
  TRY(it->methods->stop(it->gpu, out_seconds, err));
  if (!(*out_seconds > 0))
    return assay_fail(err, ASSAY_FAILED, "the device measured %g s for its peaks", *out_seconds);
  return ASSAY_OK;
}

static assay_code find_best(const work *it, const assay_gpu_launch *launch, int count,
                            double *out_seconds, assay_error *err) {
  double spent = 0;
  for (int i = 0; i < TRIES && (i < LEAST_TRIES || spent < ENOUGH); i++) {
    double seconds;
    TRY(time_launches(it, launch, count, &seconds, err));
    spent += seconds;
    if (i == 0 || seconds < *out_seconds)
      *out_seconds = seconds;
  }
  return ASSAY_OK;
}

// *steps: as the launch has it; grows until a launch takes its time, on a device of any speed.
static assay_code time_products(const work *it, const assay_gpu_launch *launch, int64_t *steps,
                                double *out_gflops, assay_error *err) {
  double seconds = 0, each = 2.0 * ASSAY_PEAK_CHAINS * ASSAY_PEAK_REPEATS * ASSAY_PEAK_THREADS;
  for (*steps = 1; *steps <= MOST_STEPS; *steps *= GROWTH) {
    TRY(time_launches(it, launch, 1, &seconds, err));
    if (seconds >= LONG || *steps == MOST_STEPS)
      break;
  }
  TRY(find_best(it, launch, 1, &seconds, err));
  *out_gflops = each * (double)*steps * (double)launch->grid[0] / seconds / 1e9;
  return ASSAY_OK;
}

static assay_code measure_products(const work *it, int bytes, double *out_gflops,
                                   assay_error *err) {
  static const float half = 0.5F, one = 1; // x goes to 2, and is never subnormal or infinite
  static const double wide_half = 0.5, wide_one = 1;
  float narrow[] = {half, one};
  double wide[] = {wide_half, wide_one};
  bool is_wide = bytes == (int)sizeof(double);
  assay_gpu_address out;
  int64_t steps = 1, blocks = (int64_t)BLOCKS * it->extent->multiprocessors;
  void *parameters[] = {&out, &steps, is_wide ? (void *)&wide[0] : (void *)&narrow[0],
                        is_wide ? (void *)&wide[1] : (void *)&narrow[1]};
  assay_gpu_launch launch = {.grid = {blocks, 1, 1},
                             .block = {ASSAY_PEAK_THREADS, 1, 1},
                             .parameters = parameters,
                             .parameter_count = 4};
  TRY(it->methods->find(it->module, is_wide ? "fma_f64" : "fma_f32", &launch.function, err));
  TRY(it->methods->alloc(it->gpu, blocks * ASSAY_PEAK_THREADS * bytes, &out, err));
  assay_code code = time_products(it, &launch, &steps, out_gflops, err);
  assay_error later;
  assay_code released = it->methods->release(it->gpu, out, &later);
  if (code == ASSAY_OK && released != ASSAY_OK)
    *err = later;
  return code != ASSAY_OK ? code : released;
}

// Of whole blocks; 0 where the share is too small.
static int64_t array_bytes(const assay_gpu_extent *extent) {
  static const int64_t block =
      (int64_t)sizeof(float) * ASSAY_PEAK_THREADS * ASSAY_PEAK_ACCESSES * ASSAY_PEAK_LANES;
  int64_t bytes = extent->memory_free / SHARE / ARRAYS;
  bytes = bytes < MOST_BYTES ? bytes : MOST_BYTES;
  return bytes < LEAST_BYTES ? 0 : bytes / block * block;
}

static assay_code time_triad(const work *it, assay_gpu_address arrays[ARRAYS], int64_t bytes,
                             double *out_gbs, assay_error *err) {
  enum { BITS_OF_1 = 0x3f800000 };
  float factor = 3;
  void *parameters[] = {&arrays[0], &arrays[1], &arrays[2], &factor};
  int64_t elements = bytes / (int64_t)sizeof(float);
  assay_gpu_launch launch = {
      .grid = {elements / (ASSAY_PEAK_THREADS * ASSAY_PEAK_ACCESSES * ASSAY_PEAK_LANES), 1, 1},
      .block = {ASSAY_PEAK_THREADS, 1, 1},
      .parameters = parameters,
      .parameter_count = 4};
  TRY(it->methods->find(it->module, "triad", &launch.function, err));
  for (int i = 1; i < ARRAYS; i++)
    TRY(it->methods->fill(it->gpu, arrays[i], BITS_OF_1, sizeof(float), elements, err));
  double seconds;
  TRY(find_best(it, &launch, RUNS, &seconds, err));
  *out_gbs = (double)RUNS * ARRAYS * (double)bytes / seconds / 1e9;
  return ASSAY_OK;
}

static assay_code measure_memory(const work *it, double *out_gbs, assay_error *err) {
  int64_t bytes = array_bytes(it->extent);
  assay_gpu_address arrays[ARRAYS];
  assay_code code = ASSAY_OK;
  int taken = 0;
  *out_gbs = 0;
  if (bytes == 0)
    return ASSAY_OK;
  for (; taken < ARRAYS && code == ASSAY_OK; taken += code == ASSAY_OK)
    code = it->methods->alloc(it->gpu, bytes, &arrays[taken], err);
  if (code == ASSAY_OK)
    code = time_triad(it, arrays, bytes, out_gbs, err);
  while (taken-- > 0) {
    assay_error later;
    if (it->methods->release(it->gpu, arrays[taken], &later) == ASSAY_OK || code != ASSAY_OK)
      continue;
    *err = later;
    code = later.code;
  }
  return code;
}

assay_code assay_gpu_peaks_measure(assay_gpu *gpu, const void *code, size_t size,
                                   const assay_gpu_extent *extent, assay_peaks *out_peaks,
                                   assay_error *err) {
  work it = {.gpu = gpu, .methods = gpu->methods, .extent = extent};
  assay_peaks found = {0};
  if (it.methods->start == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED, "the device has no clock");
  TRY(it.methods->load(gpu, code, size, &it.module, err));
  assay_code done = measure_products(&it, sizeof(float), &found.gflops_f32, err);
  if (done == ASSAY_OK)
    done = measure_products(&it, sizeof(double), &found.gflops_f64, err);
  if (done == ASSAY_OK)
    done = measure_memory(&it, &found.gbs, err);
  it.methods->unload(it.module);
  if (done == ASSAY_OK)
    *out_peaks = found;
  return done;
}
