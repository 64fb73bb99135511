// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way of a program through the driver to kernels that run: on a gpu of these few lines,
// whose addresses no host code can follow, attached to the fake driver.
#include "gpu/driver/fake/fake_testing.h"

#define BIAS (UINT64_C(1) << 60)

struct assay_gpu_module {
  char code[16];
};

struct assay_gpu_function {
  float factor;
};

static assay_code load(assay_gpu *gpu, const void *bytes, size_t size,
                       assay_gpu_module **out_module, assay_error *why) {
  (void)gpu;
  if (size > sizeof(assay_gpu_module))
    return assay_fail(why, ASSAY_FAILED, "%zu bytes", size);
  *out_module = calloc(1, sizeof **out_module);
  memcpy((*out_module)->code, bytes, size);
  return ASSAY_OK;
}

static void unload(assay_gpu_module *module) {
  free(module);
}

static assay_code find(assay_gpu_module *module, const char *name,
                       assay_gpu_function **out_function, assay_error *why) {
  static assay_gpu_function twice = {2};
  (void)module;
  if (strcmp(name, "twice") != 0)
    return assay_fail(why, ASSAY_MISSING, "no %s", name);
  *out_function = &twice;
  return ASSAY_OK;
}

static void *host(assay_gpu_address address) {
  return (void *)(uintptr_t)(address - BIAS);
}

static assay_code alloc(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                        assay_error *why) {
  (void)gpu;
  (void)why;
  *out_address = (uint64_t)(uintptr_t)calloc(1, (size_t)bytes) + BIAS;
  return ASSAY_OK;
}

static assay_code release(assay_gpu *gpu, assay_gpu_address address, assay_error *why) {
  (void)gpu;
  (void)why;
  free(host(address));
  return ASSAY_OK;
}

static assay_code upload(assay_gpu *gpu, assay_gpu_address target, const void *source,
                         int64_t bytes, assay_error *why) {
  (void)gpu;
  (void)why;
  memcpy(host(target), source, (size_t)bytes);
  return ASSAY_OK;
}

static assay_code download(assay_gpu *gpu, void *target, assay_gpu_address source, int64_t bytes,
                           assay_error *why) {
  (void)gpu;
  (void)why;
  memcpy(target, host(source), (size_t)bytes);
  return ASSAY_OK;
}

// One thread for each number; the block must be of four.
static assay_code launch(assay_gpu *gpu, const assay_gpu_launch *asked, assay_error *why) {
  (void)gpu;
  if (asked->block[0] != 4 || asked->parameter_count != 1)
    return assay_fail(why, ASSAY_FAILED, "blocks of %lld", (long long)asked->block[0]);
  float *numbers = host(*(uint64_t *)asked->parameters[0]);
  for (int64_t i = 0; i < asked->grid[0] * asked->block[0]; i++)
    numbers[i] *= asked->function->factor;
  return ASSAY_OK;
}

static const assay_gpu_methods methods = {.load = load,
                                          .unload = unload,
                                          .find = find,
                                          .alloc = alloc,
                                          .release = release,
                                          .upload = upload,
                                          .download = download,
                                          .launch = launch};
static assay_gpu plain = {&methods};
static const char code[16] = "@code";

static int attach(void **state) {
  begin(state);
  fake->attach(&plain, sizeof code);
  return 0;
}

static int detach(void **state) {
  int result = end(state);
  fake->reset(&usual_machine);
  return result;
}

static void a_program_computes(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  assay_gpu_module *module;
  assay_gpu_function *function;
  assay_gpu_address x, y;
  float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8}, got[8];
  must(gpu->methods->load(gpu, code, sizeof code, &module, &err));
  must_say(gpu->methods->find(module, "thrice", &function, &err), ASSAY_MISSING, "'thrice'");
  must(gpu->methods->find(module, "twice", &function, &err));
  must(gpu->methods->alloc(gpu, sizeof numbers, &x, &err));
  must(gpu->methods->alloc(gpu, sizeof numbers, &y, &err));
  must(gpu->methods->upload(gpu, x, numbers, sizeof numbers, &err));
  memset(numbers, 0, sizeof numbers); // it is the caller's again
  void *parameters[] = {&x};
  assay_gpu_launch twice = {.function = function,
                            .grid = {2, 1, 1},
                            .block = {4, 1, 1},
                            .parameters = parameters,
                            .parameter_count = 1};
  must(gpu->methods->launch(gpu, &twice, &err));
  must(gpu->methods->launch(gpu, &twice, &err));
  must(gpu->methods->copy(gpu, y, x, sizeof numbers, &err));
  must(gpu->methods->download(gpu, got, y, sizeof got, &err));
  for (int i = 0; i < 8; i++)
    assert_true(got[i] == 4.0F * (float)(i + 1));
  gpu->methods->close(gpu);
}

static void a_kernel_that_fails_is_told_by_the_wait(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  assay_gpu_module *module;
  assay_gpu_function *function;
  must(gpu->methods->load(gpu, code, sizeof code, &module, &err));
  must(gpu->methods->find(module, "twice", &function, &err));
  assay_gpu_launch wrong = {.function = function, .grid = {1, 1, 1}, .block = {8, 1, 1}};
  must(gpu->methods->launch(gpu, &wrong, &err));
  must_say(gpu->methods->synchronize(gpu, &err), ASSAY_FAILED,
           "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure); the kernel launched last was "
           "twice");
  assert_string_equal(fake->fault(), "blocks of 8");
  gpu->methods->close(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_program_computes, attach, detach),
      cmocka_unit_test_setup_teardown(a_kernel_that_fails_is_told_by_the_wait, attach, detach),
  };
  return cmocka_run_group_tests(tests, load_fakes, NULL);
}
