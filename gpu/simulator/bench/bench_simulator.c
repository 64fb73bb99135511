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

static double plain_seconds(const float *a, const float *b, float *c) {
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

int main(int argc, char **argv) {
  char *text = read_text(argc > 1 ? argv[1] : ASSAY_SOURCE_DIR "/gpu/simulator/bench/matmul.mlir");
  assay_context *context;
  assay_error err;
  if (text == NULL || assay_context_create(&context, &err) != ASSAY_OK)
    return 2;
  MlirModule module = simulated_lower(assay_context_get(context), text);
  double start = seconds_now();
  simulated device = simulated_open(simulated_kernels(module));
  printf("assemble and load: %.1f ms\n", (seconds_now() - start) * 1e3);

  static float a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE], want[SIZE * SIZE];
  for (int i = 0; i < SIZE * SIZE; i++) {
    a[i] = (float)(i * 7 % 17 - 8);
    b[i] = (float)(i * 5 % 13 - 6);
  }
  double plain = plain_seconds(a, b, want);
  float *data[] = {a, b, c};
  uint64_t words[21], addresses[3];
  void *parameters[21];
  const assay_gpu_methods *methods = device.gpu->methods;
  assay_gpu_launch launch = {
      .grid = {SIZE / 64, SIZE / 64, 1}, .block = {256, 1, 1}, .parameters = parameters};
  for (int i = 0; i < 3; i++) {
    simulated_array array = {data[i], 4, 2, {SIZE, SIZE}, {0}};
    if (methods->alloc(device.gpu, sizeof a, &addresses[i], &err) != ASSAY_OK ||
        methods->upload(device.gpu, addresses[i], data[i], sizeof a, &err) != ASSAY_OK)
      return 1;
    launch.parameter_count +=
        simulated_describe(&array, addresses[i], &words[launch.parameter_count]);
  }
  for (int i = 0; i < 21; i++)
    parameters[i] = &words[i];
  if (methods->find(device.module, "sgemm", &launch.function, &err) != ASSAY_OK)
    return 1;
  for (int races = 0; races < 2; races++)
    for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
      assay_simulator_set(device.gpu, (assay_simulation){.schedule = (assay_schedule)schedule,
                                                         .races = races != 0});
      double seconds = simulated_seconds(device.gpu, &launch);
      bool right = methods->download(device.gpu, c, addresses[2], sizeof c, &err) == ASSAY_OK &&
                   memcmp(c, want, sizeof c) == 0;
      printf("%-11s races %s: %8.3f ms, %6.1f times a plain loop%s\n",
             assay_schedule_name((assay_schedule)schedule), races ? "on " : "off", seconds * 1e3,
             seconds / plain, right ? "" : "  WRONG");
    }
  simulated_close(&device);
  mlirModuleDestroy(module);
  assay_context_destroy(context);
  free(text);
  return 0;
}
