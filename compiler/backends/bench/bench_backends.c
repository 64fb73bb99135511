// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench_backends: the speed of both backends beside direct calls of cblas_sgemm, one thread,
// float32.
//
// All three run in turn in this process, round by round, so that a slower moment of the machine
// meets all; a ratio is the median over the rounds of each round's own ratio. A program is called
// as the harness calls it, descriptors and counters included, without guarded allocations.
#include "compiler/backends/backend.h"
#include "compiler/base/numbers.h"
#include "compiler/base/clock.h"
#include "compiler/backends/support/cpu.h"
#include "compiler/runtime/blas.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 21 };

typedef struct problem {
  int m, k, n;
} problem;

static const problem problems[] = {
    {3, 5, 7},       {17, 33, 31},   {64, 64, 64},    {127, 127, 127}, {256, 256, 256},
    {512, 512, 512}, {64, 768, 768}, {64, 768, 2304}, {64, 3072, 768}, {1, 768, 768},
};

typedef struct contender {
  const char *name;
  assay_loaded *loaded;
  assay_object object;
} contender;

static double median(double values[ROUNDS]) {
  assay_numbers_sort(values, ROUNDS);
  return values[ROUNDS / 2];
}

static void stop_on(assay_code code, const assay_error *err) {
  if (code == ASSAY_OK)
    return;
  fprintf(stderr, "bench_backends: error: %s\n", err->text);
  exit(EXIT_FAILURE);
}

static const assay_backend *find(const char *name) {
  const assay_backend *const *at = assay_backends_get();
  while (strcmp((*at)->name, name) != 0)
    at++;
  return *at;
}

static float *take_matrix(int rows, int columns, bool fill) {
  size_t count = (size_t)rows * (size_t)columns;
  float *data = aligned_alloc(64, (count * sizeof *data + 63) / 64 * 64);
  if (data == NULL)
    abort();
  for (size_t i = 0; i < count; i++)
    data[i] = fill ? (float)(i % 17) - 8 : 0;
  return data;
}

static contender load(const assay_backend *backend, assay_device *device,
                      const assay_program *program) {
  contender result = {.name = backend->name};
  assay_load_report report;
  assay_error err;
  stop_on(backend->load(device, program, &result.object, &result.loaded, &report, &err), &err);
  return result;
}

typedef struct operands {
  assay_buffer inputs[2], result;
  problem size;
} operands;

static void run_loaded(const contender *who, const operands *data, long times) {
  assay_counters counters;
  assay_error err;
  for (long i = 0; i < times; i++)
    stop_on(assay_cpu_run(who->loaded, data->inputs, &data->result, &counters, &err), &err);
}

static void run_direct(const operands *data, long times) {
  const problem *size = &data->size;
  for (long i = 0; i < times; i++)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size->m, size->n, size->k, 1.0F,
                data->inputs[0].data, size->k, data->inputs[1].data, size->n, 0.0F,
                data->result.data, size->n);
}

// Seconds a call.
static double measure(const contender *who, const operands *data, long times) {
  double start = assay_clock_now();
  if (who != NULL)
    run_loaded(who, data, times);
  else
    run_direct(data, times);
  return (assay_clock_now() - start) / (double)times;
}

// Calls that take the BLAS 20 ms or more.
static long calibrate(const operands *data) {
  long times = 1;
  while (measure(NULL, data, times) * (double)times < 5e-3)
    times *= 2;
  return times * 4;
}

static void bench(const contender *loop, const contender *blas, const operands *data) {
  double direct[ROUNDS], loop_ratio[ROUNDS], blas_ratio[ROUNDS], overhead[ROUNDS];
  long times = calibrate(data);
  run_loaded(loop, data, 1);
  run_loaded(blas, data, 1);
  for (int round = 0; round < ROUNDS; round++) {
    direct[round] = measure(NULL, data, times);
    double by_blas = measure(blas, data, times);
    blas_ratio[round] = direct[round] / by_blas;
    overhead[round] = (by_blas - direct[round]) * 1e9;
    loop_ratio[round] = direct[round] / measure(loop, data, (times + 1) / 2);
  }
  double flop = 2.0 * data->size.m * data->size.k * data->size.n;
  char name[64];
  snprintf(name, sizeof name, "%dx%dx%d", data->size.m, data->size.k, data->size.n);
  printf("%-14s %10.2f %10.3f %10.3f %14.0f\n", name, flop / median(direct) / 1e9,
         median(loop_ratio), median(blas_ratio), median(overhead));
}

static const assay_program *build(assay_arena *arena, const problem *size) {
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, size->m, size->k));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, size->k, size->n));
  assay_value c = assay_matmul(graph, a, b);
  const assay_program *program;
  assay_error err;
  stop_on(assay_graph_finish(graph, 1, &c, &program, &err), &err);
  return program;
}

static void bench_problem(assay_device *const devices[2], const problem *size) {
  assay_arena *arena = assay_arena_create();
  const assay_program *program = build(arena, size);
  contender loop = load(find("loop"), devices[0], program);
  contender blas = load(find("blas"), devices[1], program);
  operands data = {.size = *size};
  data.inputs[0].data = take_matrix(size->m, size->k, true);
  data.inputs[1].data = take_matrix(size->k, size->n, true);
  data.result.data = take_matrix(size->m, size->n, false);
  bench(&loop, &blas, &data);
  free(data.inputs[0].data);
  free(data.inputs[1].data);
  free(data.result.data);
  assay_cpu_unload(loop.loaded);
  assay_cpu_unload(blas.loaded);
  free(loop.object.bytes);
  free(blas.object.bytes);
  assay_arena_destroy(arena);
}

int main(void) {
  assay_context *context;
  assay_device *devices[2];
  assay_blas blas;
  assay_error err;
  stop_on(assay_context_create(&context, &err), &err);
  stop_on(find("loop")->open(context, &devices[0], &err), &err);
  stop_on(find("blas")->open(context, &devices[1], &err), &err);
  stop_on(assay_blas_describe(&blas, &err), &err);
  assay_cpu_set_loading(devices[0], (assay_loading){.unguarded = true});
  assay_cpu_set_loading(devices[1], (assay_loading){.unguarded = true});
  printf("float32, one thread, %s (%s)\n%-14s %10s %10s %10s %14s\n", blas.library, blas.core,
         "MxKxN", "GFLOP/s", "loop", "blas", "blas +ns/call");
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    bench_problem(devices, &problems[i]);
  puts("GFLOP/s: cblas_sgemm called directly; loop, blas: speed relative to it; +ns: time added to "
       "a call");
  assay_cpu_close(devices[0]);
  assay_cpu_close(devices[1]);
  assay_context_destroy(context);
  return EXIT_SUCCESS;
}
