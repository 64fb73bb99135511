// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the simulator runs the tiled f32 matmul of 128 x 128 x 128 in matmul.mlir, against a
// plain loop of this processor, and what each detector and schedule costs.
#include "gpu/simulator/testing.h"

#include <stdio.h>
#include <time.h>

enum { SIZE = 128, REPEATS = 20 };

// Time that this process had a processor for, so that others on the machine do not count.
static double seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return NULL;
  char *text = calloc(1, 1 << 20);
  if (text != NULL && fread(text, 1, (1 << 20) - 1, file) == 0)
    text[0] = '\0';
  fclose(file);
  return text;
}

static double plain_seconds(const float *restrict a, const float *restrict b, float *restrict c) {
  double best = 1e9;
  for (int r = 0; r < REPEATS; r++) {
    double start = seconds_now();
    memset(c, 0, sizeof(float) * SIZE * SIZE);
    for (int i = 0; i < SIZE; i++)
      for (int k = 0; k < SIZE; k++)
        for (int j = 0; j < SIZE; j++)
          c[i * SIZE + j] += a[i * SIZE + k] * b[k * SIZE + j];
    double seconds = seconds_now() - start;
    best = seconds < best ? seconds : best;
  }
  return best;
}

static double simulated_seconds(assay_gpu *gpu, const assay_gpu_launch *launch) {
  double best = 1e9;
  assay_error err;
  for (int r = 0; r < REPEATS; r++) {
    double start = seconds_now();
    if (gpu->methods->launch(gpu, launch, &err) != ASSAY_OK) {
      fprintf(stderr, "%s\n", err.text);
      exit(1);
    }
    double seconds = seconds_now() - start;
    best = seconds < best ? seconds : best;
  }
  return best;
}

enum { ARRAYS = 3, WORDS = 7 * ARRAYS }; // a memref of rank 2 is 7 parameters

typedef struct matrices {
  float data[ARRAYS][SIZE * SIZE]; // A, B and C
  float want[SIZE * SIZE];
  uint64_t addresses[ARRAYS];
  uint64_t words[WORDS];
  void *parameters[WORDS];
} matrices;

// Uploads them and describes the launch; whether all went well.
static bool prepare(const simulated *device, matrices *of, assay_gpu_launch *launch) {
  const assay_gpu_methods *gpu = device->gpu->methods;
  assay_error err;
  *launch = (assay_gpu_launch){
      .grid = {SIZE / 64, SIZE / 64, 1}, .block = {256, 1, 1}, .parameters = of->parameters};
  for (int i = 0; i < ARRAYS; i++) {
    simulated_array array = {of->data[i], 4, 2, {SIZE, SIZE}, {0}};
    int64_t bytes = simulated_bytes(&array);
    if (gpu->alloc(device->gpu, bytes, &of->addresses[i], &err) != ASSAY_OK ||
        gpu->upload(device->gpu, of->addresses[i], of->data[i], bytes, &err) != ASSAY_OK)
      return false;
    launch->parameter_count +=
        simulated_describe(&array, of->addresses[i], &of->words[launch->parameter_count]);
  }
  for (int i = 0; i < WORDS; i++)
    of->parameters[i] = &of->words[i];
  return gpu->find(device->module, "sgemm", &launch->function, &err) == ASSAY_OK;
}

// What the last launch computed; whole numbers, which are exact.
static bool is_right(const simulated *device, matrices *of) {
  assay_error err;
  if (device->gpu->methods->download(device->gpu, of->data[2], of->addresses[2], sizeof of->data[2],
                                     &err) != ASSAY_OK)
    return false;
  for (int i = 0; i < SIZE * SIZE; i++)
    if (of->data[2][i] != of->want[i])
      return false;
  return true;
}

static int measure(const simulated *device, matrices *of) {
  assay_gpu_launch launch;
  double plain = plain_seconds(of->data[0], of->data[1], of->want);
  if (!prepare(device, of, &launch))
    return 1;
  for (int races = 0; races < 2; races++)
    for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
      assay_simulator_set(device->gpu, (assay_simulation){.schedule = (assay_schedule)schedule,
                                                          .races = races != 0});
      double seconds = simulated_seconds(device->gpu, &launch);
      printf("%-11s races %s: %8.3f ms, %6.1f times a plain loop%s\n",
             assay_schedule_name((assay_schedule)schedule), races ? "on " : "off", seconds * 1e3,
             seconds / plain, is_right(device, of) ? "" : "  WRONG");
    }
  return 0;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : ASSAY_SOURCE_DIR "/gpu/simulator/bench/matmul.mlir";
  char *text = read_text(path);
  assay_context *context;
  assay_error err;
  if (text == NULL || assay_context_create(&context, &err) != ASSAY_OK) {
    fprintf(stderr, "cannot read %s\n", path);
    free(text);
    return 2;
  }
  MlirModule module = simulated_lower(assay_context_get(context), text);
  double start = seconds_now();
  simulated device = simulated_open(simulated_kernels(module));
  printf("assemble and load: %.1f ms\n", (seconds_now() - start) * 1e3);
  static matrices of; // too large for a stack
  for (int i = 0; i < SIZE * SIZE; i++) {
    of.data[0][i] = (float)(i * 7 % 17 - 8);
    of.data[1][i] = (float)(i * 5 % 13 - 6);
  }
  int code = measure(&device, &of);
  simulated_close(&device);
  mlirModuleDestroy(module);
  assay_context_destroy(context);
  free(text);
  return code;
}
