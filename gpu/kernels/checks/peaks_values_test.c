// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the peaks: that they compute what their formulas say, on the simulator, and that
// the instructions of the loop are those which its operations are counted by.
#include "gpu/driver/cubin.h"
#include "gpu/kernels/kernels_testing.h"
#include "gpu/kernels/peaks.h"
#include "gpu/simulator/testing.h"

#include <stdio.h>

enum { BLOCKS = 3, STEPS = 5, THREADS = BLOCKS * ASSAY_PEAK_THREADS };

static MlirModule lower(fixture *f) {
  MlirModule module = parse_module(f, assay_peak_kernels(f->arena));
  run_stages(f, "nvvm", "nvvm", module);
  return module;
}

static simulated open_kernels(fixture *f) {
  MlirModule module = lower(f);
  simulated device = simulated_open(simulated_kernels(module));
  mlirModuleDestroy(module);
  return device;
}

// Runs a kernel with an array's address in the place of each pointer.
static void launch(simulated *device, const char *kernel, size_t arrays, void *data[],
                   int64_t bytes, size_t count, void *parameters[]) {
  const assay_gpu_methods *methods = device->gpu->methods;
  assay_gpu_address addresses[3];
  assay_error err = {.text = ""};
  for (size_t i = 0; i < arrays; i++) {
    assert_int_equal(methods->alloc(device->gpu, bytes, &addresses[i], &err), ASSAY_OK);
    assert_int_equal(methods->upload(device->gpu, addresses[i], data[i], bytes, &err), ASSAY_OK);
    parameters[i] = &addresses[i];
  }
  assay_gpu_launch it = {.grid = {BLOCKS, 1, 1},
                         .block = {ASSAY_PEAK_THREADS, 1, 1},
                         .parameters = parameters,
                         .parameter_count = count};
  if (methods->find(device->module, kernel, &it.function, &err) != ASSAY_OK ||
      methods->launch(device->gpu, &it, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  for (size_t i = 0; i < arrays; i++) {
    assert_int_equal(methods->download(device->gpu, data[i], addresses[i], bytes, &err), ASSAY_OK);
    assert_int_equal(methods->release(device->gpu, addresses[i], &err), ASSAY_OK);
  }
}

// With factor 1 and term 1 each multiply-add adds 1: the sum tells how many there were.
static double expected_sum(int thread) {
  double sum = 0;
  for (int i = 0; i < ASSAY_PEAK_CHAINS; i++)
    sum += thread % ASSAY_PEAK_THREADS + i + STEPS * ASSAY_PEAK_REPEATS;
  return sum;
}

static void each_multiply_add_is_done(void **state) {
  simulated device = open_kernels(*state);
  static float narrow[THREADS];
  static double wide[THREADS];
  int64_t steps = STEPS;
  float one = 1;
  double wide_one = 1;
  launch(&device, "fma_f32", 1, (void *[]){narrow}, sizeof narrow, 4,
         (void *[]){NULL, &steps, &one, &one});
  launch(&device, "fma_f64", 1, (void *[]){wide}, sizeof wide, 4,
         (void *[]){NULL, &steps, &wide_one, &wide_one});
  for (int t = 0; t < THREADS; t++) {
    assert_true((double)narrow[t] == expected_sum(t));
    assert_true(wide[t] == expected_sum(t));
  }
  simulated_close(&device);
}

static void the_triad_writes_each_element(void **state) {
  enum { COUNT = THREADS * ASSAY_PEAK_ACCESSES * ASSAY_PEAK_LANES };
  simulated device = open_kernels(*state);
  static float a[COUNT], b[COUNT], c[COUNT];
  float factor = 3;
  for (int i = 0; i < COUNT; i++) {
    b[i] = (float)i;
    c[i] = (float)(i % 7);
  }
  launch(&device, "triad", 3, (void *[]){a, b, c}, sizeof a, 4,
         (void *[]){NULL, NULL, NULL, &factor});
  for (int i = 0; i < COUNT; i++)
    assert_true(a[i] == (float)(i + 3 * (i % 7)));
  simulated_close(&device);
}

static int count_in(const char *begin, const char *end, const char *word) {
  int count = 0;
  for (const char *at = strstr(begin, word); at != NULL && at < end; at = strstr(at + 1, word))
    count++;
  return count;
}

// Of a kernel's text in the PTX.
static int count_word(const char *ptx, const char *kernel, const char *word) {
  char entry[64];
  snprintf(entry, sizeof entry, ".entry %s(", kernel);
  const char *begin = strstr(ptx, entry);
  assert_non_null(begin);
  const char *end = strstr(begin, "\n}");
  assert_non_null(end);
  return count_in(begin, end, word);
}

static const char *make_ptx(fixture *f) {
  MlirModule module = lower(f);
  const char *ptx;
  assay_error err = {.text = ""};
  if (assay_ptx_make(f->arena, simulated_kernels(module), &ptx, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  mlirModuleDestroy(module);
  return ptx;
}

// One loop, whose multiply-adds are those of a step: none was removed, none unrolled besides.
static void the_loop_is_what_is_counted(void **state) {
  const char *ptx = make_ptx(*state);
  int step = ASSAY_PEAK_CHAINS * ASSAY_PEAK_REPEATS;
  assert_int_equal(count_word(ptx, "fma_f32", "fma.rn.f32"), step);
  assert_int_equal(count_word(ptx, "fma_f64", "fma.rn.f64"), step);
  assert_int_equal(count_word(ptx, "fma_f32", "st.global"), 1);
  assert_int_equal(count_word(ptx, "triad", "ld.global.v4"), 2 * ASSAY_PEAK_ACCESSES);
  assert_int_equal(count_word(ptx, "triad", "st.global.v4"), ASSAY_PEAK_ACCESSES);
}

// With so few registers at least four blocks are on a multiprocessor, enough to hide that a product
// waits for the one before; what spills would wait for memory.
static void the_chains_stay_in_registers(void **state) {
  enum { MOST_REGISTERS = 64 };
  static const int architectures[] = {80, 90, 100, 120};
  fixture *f = *state;
  assay_toolkit toolkit = assay_toolkit_find(f->arena);
  if (toolkit.ptxas == NULL) {
    print_message("no ptxas here: nothing is known about registers\n");
    skip();
  }
  const char *ptx = make_ptx(f);
  for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++) {
    assay_ptxas_output output;
    assay_error err = {.text = ""};
    if (assay_ptxas_run(f->arena, toolkit.ptxas, ptx, architectures[i], &output, &err) != ASSAY_OK)
      fail_msg("%s", err.text);
    size_t count;
    const assay_kernel_figures *figures;
    if (assay_ptxas_figures(f->arena, output.log, ptx, &figures, &count, &err) != ASSAY_OK)
      fail_msg("%s", err.text);
    assert_int_equal(count, 3);
    for (size_t j = 0; j < count; j++)
      if (figures[j].registers > MOST_REGISTERS || figures[j].spill_loads != 0 ||
          figures[j].stack != 0)
        fail_msg("%s on sm_%d: %d registers, %lld bytes of spills", figures[j].name,
                 architectures[i], figures[j].registers, (long long)figures[j].spill_loads);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_multiply_add_is_done),
      cmocka_unit_test(the_triad_writes_each_element),
      cmocka_unit_test(the_loop_is_what_is_counted),
      cmocka_unit_test(the_chains_stay_in_registers),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
