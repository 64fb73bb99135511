// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peaks, on a device of these few lines whose clock tells what its rates make of what was asked
// for.
#include "gpu/backends/support/nvidia.h"
#include "gpu/backends/support/peaks.h"
#include "gpu/kernels/kernels.h"
#include "gpu/kernels/peaks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MULTIPROCESSORS = 10, ALLOCATIONS = 8 };

struct assay_gpu_function {
  const char *name;
};

// What the device is, and what was asked of it so far.
static struct {
  double gflops_f32, gflops_f64, gbs;
  double lost; // seconds that each launch costs besides
  bool stands; // its clock
  int fails;   // the call so many ahead does; 0: none
  double seconds, started;
  int64_t sizes[ALLOCATIONS], live, most;
  int modules;
} model;

static assay_gpu_extent extent;
static assay_error err;

static assay_code enter(assay_error *why) {
  if (model.fails == 0)
    return ASSAY_OK;
  model.fails--;
  return model.fails == 0 ? assay_fail(why, ASSAY_MISSING, "it broke") : ASSAY_OK;
}

static assay_code load(assay_gpu *gpu, const void *bytes, size_t size,
                       assay_gpu_module **out_module, assay_error *why) {
  (void)gpu;
  TRY(enter(why));
  assert_memory_equal(bytes, "code", size);
  *out_module = NULL;
  model.modules++;
  return ASSAY_OK;
}

static void unload(assay_gpu_module *module) {
  (void)module;
  model.modules--;
}

static assay_code find(assay_gpu_module *module, const char *name,
                       assay_gpu_function **out_function, assay_error *why) {
  static assay_gpu_function known[] = {{"fma_f32"}, {"fma_f64"}, {"triad"}};
  (void)module;
  for (size_t i = 0; i < 3; i++)
    if (strcmp(known[i].name, name) == 0)
      *out_function = &known[i];
  return enter(why);
}

static assay_code take(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                       assay_error *why) {
  (void)gpu;
  TRY(enter(why));
  int at = 0;
  while (model.sizes[at] != 0)
    at++;
  model.sizes[at] = bytes;
  model.live += bytes;
  model.most = model.live > model.most ? model.live : model.most;
  *out_address = (assay_gpu_address)at + 1;
  return ASSAY_OK;
}

static int64_t size_at(const void *parameter) {
  return model.sizes[*(const assay_gpu_address *)parameter - 1];
}

static assay_code release(assay_gpu *gpu, assay_gpu_address address, assay_error *why) {
  (void)gpu;
  model.live -= model.sizes[address - 1];
  model.sizes[address - 1] = 0;
  return enter(why);
}

static assay_code fill(assay_gpu *gpu, assay_gpu_address target, uint32_t value, int width,
                       int64_t count, assay_error *why) {
  (void)gpu;
  (void)value;
  assert_int_equal(width * count, model.sizes[target - 1]);
  return enter(why);
}

// Each block does its share of the arrays, and each thread has a place for its sum.
static assay_code launch(assay_gpu *gpu, const assay_gpu_launch *asked, assay_error *why) {
  (void)gpu;
  TRY(enter(why));
  const char *name = asked->function->name;
  int64_t threads = asked->grid[0] * asked->block[0];
  assert_int_equal(asked->block[0], ASSAY_PEAK_THREADS);
  assert_int_equal(asked->parameter_count, 4);
  model.seconds += model.lost;
  if (strcmp(name, "triad") == 0) {
    int64_t bytes = threads * ASSAY_PEAK_ACCESSES * ASSAY_PEAK_LANES * 4;
    for (int i = 0; i < 3; i++)
      assert_int_equal(size_at(asked->parameters[i]), bytes);
    model.seconds += 3.0 * (double)bytes / (model.gbs * 1e9);
    return ASSAY_OK;
  }
  bool wide = strcmp(name, "fma_f64") == 0;
  int64_t steps = *(const int64_t *)asked->parameters[1];
  assert_int_equal(size_at(asked->parameters[0]), threads * (wide ? 8 : 4));
  assert_int_equal(asked->grid[0] % extent.multiprocessors, 0);
  model.seconds += 2.0 * ASSAY_PEAK_CHAINS * ASSAY_PEAK_REPEATS * (double)(steps * threads) /
                   (wide ? model.gflops_f64 : model.gflops_f32) / 1e9;
  return ASSAY_OK;
}

static assay_code start(assay_gpu *gpu, assay_error *why) {
  (void)gpu;
  model.started = model.seconds;
  return enter(why);
}

static assay_code stop(assay_gpu *gpu, double *out_seconds, assay_error *why) {
  (void)gpu;
  *out_seconds = model.stands ? 0 : model.seconds - model.started;
  return enter(why);
}

static const assay_gpu_methods methods = {.load = load,
                                          .unload = unload,
                                          .find = find,
                                          .alloc = take,
                                          .release = release,
                                          .fill = fill,
                                          .launch = launch,
                                          .start = start,
                                          .stop = stop};

static int begin(void **state) {
  (void)state;
  memset(&model, 0, sizeof model);
  model.gflops_f32 = 2500, model.gflops_f64 = 1250, model.gbs = 300, model.lost = 3e-6;
  extent = (assay_gpu_extent){.multiprocessors = MULTIPROCESSORS, .memory_free = INT64_C(8) << 30};
  return 0;
}

static assay_code measure(assay_peaks *out_peaks) {
  assay_gpu gpu = {&methods};
  return assay_gpu_peaks_measure(&gpu, "code", 5, &extent, out_peaks, &err);
}

static void assert_near(double got, double want) {
  if (!(got > want * 0.99 && got <= want * (1 + 1e-9)))
    fail_msg("got %g, want %g", got, want);
}

static void rates_are_found(void) {
  assay_peaks peaks;
  if (measure(&peaks) != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_near(peaks.gflops_f32, model.gflops_f32);
  assert_near(peaks.gflops_f64, model.gflops_f64);
  assert_near(peaks.gbs, model.gbs);
  assert_true(model.seconds < 2);
  assert_true(model.most <= extent.memory_free / 8);
  assert_int_equal(model.live, 0);
  assert_int_equal(model.modules, 0);
}

static void a_device_is_measured_by_its_clock(void **state) {
  (void)state;
  rates_are_found();
}

// Slow in double precision as those for games are, and the fastest of those for servers.
static void devices_of_any_speed_are_kept_busy_long_enough(void **state) {
  static const double kinds[][3] = {{2500, 39, 250}, {60000, 30000, 5000}, {100, 1, 20}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    begin(state);
    extent.multiprocessors = i == 1 ? 132 : MULTIPROCESSORS;
    model.gflops_f32 = kinds[i][0], model.gflops_f64 = kinds[i][1], model.gbs = kinds[i][2];
    if (i == 2)
      extent.memory_free = INT64_C(2) << 30;
    if (i == 1)
      extent.memory_free = INT64_C(140) << 30;
    rates_are_found();
  }
}

static void too_little_memory_gives_no_number(void **state) {
  (void)state;
  extent.memory_free = INT64_C(1) << 30; // three arrays of it would fit a large cache
  assay_peaks peaks;
  assert_int_equal(measure(&peaks), ASSAY_OK);
  assert_true(peaks.gflops_f32 > 0 && peaks.gflops_f64 > 0);
  assert_true(peaks.gbs == 0);
}

static void a_clock_that_stands_is_an_error(void **state) {
  (void)state;
  assay_peaks peaks;
  model.stands = true;
  assert_int_equal(measure(&peaks), ASSAY_FAILED);
  assert_string_equal(err.text, "the device measured 0 s for its peaks");
  assert_int_equal(model.live, 0);
  assert_int_equal(model.modules, 0);
}

static void each_call_may_fail_and_nothing_is_left(void **state) {
  int failed = 0;
  for (int at = 1;; at++, failed++) {
    assay_peaks peaks = {.gbs = 7};
    begin(state);
    model.fails = at;
    assay_code code = measure(&peaks);
    assert_int_equal(model.live, 0);
    assert_int_equal(model.modules, 0);
    if (code == ASSAY_OK)
      break;
    assert_int_equal(code, ASSAY_MISSING);
    assert_string_equal(err.text, "it broke");
    assert_true(peaks.gbs == 7);
  }
  assert_true(failed > 50);
}

// The kernels go the way of all others, to the end.
static void its_code_is_ptx(void **state) {
  static const assay_gpu_kind kind = {
      .pipeline = "gpu", .assembly = true, .assemble = assay_nvidia_assemble};
  assay_context *context;
  void *bytes;
  size_t size;
  (void)state;
  assert_int_equal(assay_context_create(&context, &err), ASSAY_OK);
  assay_gpu_passes_register();
  if (assay_gpu_peaks_compile(context, &kind, &bytes, &size, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  const char *ptx = bytes;
  assert_int_equal(strlen(ptx) + 1, size);
  assert_non_null(strstr(ptx, ".entry fma_f32("));
  assert_non_null(strstr(ptx, ".entry fma_f64("));
  assert_non_null(strstr(ptx, ".entry triad("));
  assert_null(strstr(ptx, ".extern"));
  free(bytes);
  assay_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_device_is_measured_by_its_clock, begin),
      cmocka_unit_test_setup(devices_of_any_speed_are_kept_busy_long_enough, begin),
      cmocka_unit_test_setup(too_little_memory_gives_no_number, begin),
      cmocka_unit_test_setup(a_clock_that_stands_is_an_error, begin),
      cmocka_unit_test_setup(each_call_may_fail_and_nothing_is_left, begin),
      cmocka_unit_test(its_code_is_ptx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
