// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/fake/fake_testing.h"

static const char ptx[] = "//\n.version 7.0\n.target sm_80\n.visible .entry add(\n.entry twice()\n";

static void a_device_is_opened_and_told(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  const assay_driver_facts *facts = assay_driver_facts_get(gpu);
  assert_string_equal(facts->device, "Fake GPU 0");
  assert_int_equal(facts->driver, 13000);
  assert_int_equal(facts->architecture, 90);
  assert_int_equal(facts->multiprocessors, 2);
  assert_true(facts->memory_total == INT64_C(1) << 30);
  assert_true(facts->memory_free == INT64_C(1) << 30);
  assert_null(gpu->methods->gemm);
  assert_null(assay_driver_note(gpu));
  // The table lies in the device, and goes with it.
  const assay_gpu_methods methods = *gpu->methods;
  methods.close(gpu);
  methods.close(NULL);
}

static void what_is_missing_is_told(void **state) {
  (void)state;
  const struct {
    fake_machine machine;
    const char *visible, *said;
  } rows[] = {
      {{.devices = 0, .driver = 13000}, NULL, "finds no device"},
      {usual_machine, "", "CUDA_VISIBLE_DEVICES is empty"},
      {{.devices = 0, .driver = 13000}, "7", "CUDA_VISIBLE_DEVICES=7"},
      {{.devices = 1, .driver = 10020, .architecture = 80},
       NULL,
       "driver (CUDA 10.2) is older than the PTX"},
      {{.devices = 1, .driver = 12000, .architecture = 75},
       NULL,
       "Fake GPU 0 has compute capability 7.5, expected at least 8.0"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assay_gpu *gpu = NULL;
    fake->reset(&rows[i].machine);
    if (rows[i].visible != NULL)
      setenv("CUDA_VISIBLE_DEVICES", rows[i].visible, 1);
    must_say(assay_driver_open(false, &gpu, &err), ASSAY_MISSING, rows[i].said);
    unsetenv("CUDA_VISIBLE_DEVICES");
    end(NULL);
  }
}

// Larger than the staging buffers, and no multiple of them.
static void bytes_travel_there_and_back(void **state) {
  (void)state;
  for (int pools = 0; pools < 2; pools++) {
    fake_machine machine = usual_machine;
    machine.pools = pools != 0;
    fake->reset(&machine);
    enum { BYTES = 9 * 1000 * 1000 + 7 };
    unsigned char *sent = malloc(BYTES), *got = calloc(BYTES, 1);
    for (size_t i = 0; i < BYTES; i++)
      sent[i] = (unsigned char)(i * 2654435761U >> 24);
    assay_gpu *gpu = open_gpu(false);
    assay_gpu_address a, b;
    must(gpu->methods->alloc(gpu, BYTES, &a, &err));
    must(gpu->methods->alloc(gpu, BYTES, &b, &err));
    must(gpu->methods->upload(gpu, a, sent, BYTES, &err));
    must(gpu->methods->copy(gpu, b, a, BYTES, &err));
    must(gpu->methods->release(gpu, a, &err));
    must(gpu->methods->download(gpu, got, b, BYTES, &err));
    assert_memory_equal(sent, got, BYTES);
    must(gpu->methods->download(gpu, got, b + 5, 3, &err));
    assert_memory_equal(sent + 5, got, 3);
    must(gpu->methods->download(gpu, got, b, 0, &err));
    must(gpu->methods->copy(gpu, b, b, 0, &err));
    assert_int_equal(fake->count(pools ? "cuMemAllocAsync" : "cuMemAlloc"), 2);
    gpu->methods->close(gpu); // with b still there
    free(sent);
    free(got);
    end(NULL);
  }
}

static void memory_is_filled_by_elements(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  assay_gpu_address at;
  unsigned char got[12];
  must(gpu->methods->alloc(gpu, 12, &at, &err));
  must(gpu->methods->fill(gpu, at, 0x12345678, 4, 3, &err));
  must(gpu->methods->fill(gpu, at + 4, 0xABCD, 2, 2, &err));
  must(gpu->methods->fill(gpu, at + 11, 0x1EE, 1, 1, &err));
  must(gpu->methods->fill(gpu, at, 0, 4, 0, &err));
  must(gpu->methods->download(gpu, got, at, 12, &err));
  const unsigned char expected[] = {0x78, 0x56, 0x34, 0x12, 0xCD, 0xAB,
                                    0xCD, 0xAB, 0x78, 0x56, 0x34, 0xEE};
  assert_memory_equal(got, expected, 12);
  must_say(gpu->methods->fill(gpu, at, 0, 8, 1, &err), ASSAY_FAILED, "expected 1, 2 or 4");
  gpu->methods->close(gpu);
}

static void too_much_memory_is_missing_with_the_numbers(void **state) {
  (void)state;
  for (int pools = 0; pools < 2; pools++) {
    fake_machine machine = usual_machine;
    machine.pools = pools != 0;
    machine.memory = 20000000;
    fake->reset(&machine);
    assay_gpu *gpu = open_gpu(false);
    assay_gpu_address a, b;
    must(gpu->methods->alloc(gpu, 10000000, &a, &err));
    must_say(gpu->methods->alloc(gpu, 10004096, &b, &err), ASSAY_UNSUPPORTED,
             pools ? "cuMemAllocAsync: CUDA_ERROR_OUT_OF_MEMORY (out of memory): 10004096 bytes "
                     "asked for, 0.01 of 0.02 GB free"
                   : "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY");
    must(gpu->methods->release(gpu, a, &err));
    must_say(gpu->methods->release(gpu, a, &err), ASSAY_FAILED, "which is not allocated");
    must(gpu->methods->synchronize(gpu, &err));
    must(gpu->methods->alloc(gpu, 10004096, &b, &err));
    must_say(gpu->methods->alloc(gpu, -1, &a, &err), ASSAY_FAILED, "-1 bytes");
    must(gpu->methods->alloc(gpu, 0, &a, &err));
    must(gpu->methods->release(gpu, 0, &err));
    gpu->methods->close(gpu);
    end(NULL);
  }
}

// A module by the driver's own compiler, and a kernel of it.
static assay_gpu_function *load_kernel(assay_gpu *gpu, assay_gpu_module **out_module) {
  assay_gpu_function *function;
  static const char cubin[] = "fake cubin sm_90 add twice";
  must(gpu->methods->load(gpu, cubin, sizeof cubin, out_module, &err));
  must(gpu->methods->find(*out_module, "twice", &function, &err));
  return function;
}

static void kernels_are_found_and_launched(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  assay_gpu_module *module;
  assay_gpu_function *twice = load_kernel(gpu, &module), *again;
  must(gpu->methods->find(module, "twice", &again, &err));
  assert_ptr_equal(twice, again);
  must_say(gpu->methods->find(module, "thrice", &again, &err), ASSAY_MISSING,
           "the loaded code has no kernel 'thrice'");
  assay_gpu_launch launch = {.function = twice, .grid = {2147483647, 1, 1}, .block = {256, 1, 1}};
  must(gpu->methods->launch(gpu, &launch, &err));
  launch.shared = 100 * 1024;
  must(gpu->methods->launch(gpu, &launch, &err));
  must(gpu->methods->launch(gpu, &launch, &err));
  assert_int_equal(fake->count("cuFuncSetAttribute"), 1);
  assert_int_equal(fake->count("cuLaunchKernel"), 3);
  launch.grid[1] = 0;
  must(gpu->methods->launch(gpu, &launch, &err));
  assert_int_equal(fake->count("cuLaunchKernel"), 3);
  launch.grid[1] = INT64_C(1) << 33;
  must_say(gpu->methods->launch(gpu, &launch, &err), ASSAY_FAILED,
           "launch of twice: 8589934592 blocks");
  launch.grid[1] = 1;
  launch.block[0] = 2048;
  must_say(gpu->methods->launch(gpu, &launch, &err), ASSAY_FAILED,
           "launch of twice: cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (invalid argument)");
  gpu->methods->unload(module); // with two launches under way
  gpu->methods->unload(NULL);
  gpu->methods->close(gpu);
}

static void time_is_that_of_the_device(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  assay_gpu_module *module;
  assay_gpu_launch launch = {
      .function = load_kernel(gpu, &module), .grid = {1, 1, 1}, .block = {1, 1, 1}};
  double seconds = -1;
  must_say(gpu->methods->stop(gpu, &seconds, &err), ASSAY_FAILED, "cuEventElapsedTime: ");
  must(gpu->methods->start(gpu, &err));
  must(gpu->methods->launch(gpu, &launch, &err));
  must(gpu->methods->launch(gpu, &launch, &err));
  must(gpu->methods->stop(gpu, &seconds, &err));
  assert_true(seconds == 1.5e-3); // the fake's clock: half a millisecond for each piece of work
  gpu->methods->close(gpu);
}

static void a_kernel_that_faults_ends_the_device(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  assay_gpu_module *module;
  assay_gpu_address at;
  assay_gpu_launch launch = {
      .function = load_kernel(gpu, &module), .grid = {1, 1, 1}, .block = {1, 1, 1}};
  static const char first[] = "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory "
                              "access was encountered); the kernel launched last was twice";
  char bytes[4];
  double seconds;
  must(gpu->methods->alloc(gpu, 4, &at, &err));
  fake->inject("kernel", 2, 700, false);
  must(gpu->methods->launch(gpu, &launch, &err));
  must(gpu->methods->synchronize(gpu, &err));
  must(gpu->methods->launch(gpu, &launch, &err));
  must_say(gpu->methods->synchronize(gpu, &err), ASSAY_FAILED, first);
  assay_gpu_address other;
  assay_gpu_function *function;
  must_say(gpu->methods->alloc(gpu, 4, &other, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->release(gpu, at, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->upload(gpu, at, bytes, 4, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->download(gpu, bytes, at, 4, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->copy(gpu, at, at, 4, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->fill(gpu, at, 0, 4, 1, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->launch(gpu, &launch, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->find(module, "add", &function, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->load(gpu, ptx, sizeof ptx, &module, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->start(gpu, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->stop(gpu, &seconds, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->gemm(gpu, &(assay_gpu_gemm){.batch = 1}, &err), ASSAY_FAILED, first);
  must_say(gpu->methods->synchronize(gpu, &err), ASSAY_FAILED, first);
  gpu->methods->close(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_device_is_opened_and_told, begin, end),
      cmocka_unit_test_setup_teardown(what_is_missing_is_told, begin, end),
      cmocka_unit_test_setup_teardown(bytes_travel_there_and_back, begin, end),
      cmocka_unit_test_setup_teardown(memory_is_filled_by_elements, begin, end),
      cmocka_unit_test_setup_teardown(too_much_memory_is_missing_with_the_numbers, begin, end),
      cmocka_unit_test_setup_teardown(kernels_are_found_and_launched, begin, end),
      cmocka_unit_test_setup_teardown(time_is_that_of_the_device, begin, end),
      cmocka_unit_test_setup_teardown(a_kernel_that_faults_ends_the_device, begin, end),
  };
  return cmocka_run_group_tests(tests, load_fakes, NULL);
}
