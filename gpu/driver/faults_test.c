// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call of the driver and of cuBLAS fails in turn, each time with several codes.
#include "gpu/driver/fake/fake_testing.h"

#include "gpu/driver/cuda.h"

enum { CUBLAS_ALLOC_FAILED = 3 };

// What a backend does with a device: all methods. *out_gpu stays open.
static assay_code use(assay_gpu **out_gpu) {
  static const char code[] = "fake cubin sm_90 add";
  static const float numbers[] = {1, 2, 3, 4};
  float got[4];
  double seconds;
  TRY(assay_driver_open(true, out_gpu, &err));
  assay_gpu *gpu = *out_gpu;
  const assay_gpu_methods *methods = gpu->methods;
  assay_gpu_module *module;
  assay_gpu_function *function;
  assay_gpu_address a, b, c;
  TRY(methods->load(gpu, code, sizeof code, &module, &err));
  TRY(methods->find(module, "add", &function, &err));
  TRY(methods->alloc(gpu, 16, &a, &err));
  TRY(methods->alloc(gpu, 16, &b, &err));
  TRY(methods->alloc(gpu, 16, &c, &err));
  TRY(methods->upload(gpu, a, numbers, 16, &err));
  TRY(methods->upload(gpu, b, numbers, 16, &err));
  TRY(methods->upload(gpu, b, numbers, 16, &err));
  TRY(methods->fill(gpu, c, 1, 1, 4, &err));
  TRY(methods->fill(gpu, c, 1, 2, 4, &err));
  TRY(methods->fill(gpu, c, 1, 4, 4, &err));
  TRY(methods->start(gpu, &err));
  void *parameters[] = {&a};
  TRY(methods->launch(gpu,
                      &(assay_gpu_launch){.function = function,
                                          .grid = {1, 1, 1},
                                          .block = {32, 1, 1},
                                          .shared = 64 * 1024,
                                          .parameters = parameters,
                                          .parameter_count = 1},
                      &err));
  assay_gpu_gemm gemm = {.batch = 1,
                         .m = 2,
                         .n = 2,
                         .k = 2,
                         .a = a,
                         .b = b,
                         .c = c,
                         .a_stride = 2,
                         .b_stride = 2,
                         .c_stride = 2,
                         .element = 4};
  TRY(methods->gemm(gpu, &gemm, &err));
  gemm = (assay_gpu_gemm){.batch = 2,
                          .m = 1,
                          .n = 1,
                          .k = 1,
                          .a = a,
                          .b = b,
                          .c = c,
                          .a_stride = 1,
                          .b_stride = 1,
                          .c_stride = 1,
                          .c_batch = 1,
                          .element = 8};
  TRY(methods->gemm(gpu, &gemm, &err));
  TRY(methods->stop(gpu, &seconds, &err));
  TRY(methods->copy(gpu, a, c, 16, &err));
  TRY(methods->download(gpu, got, a, 16, &err));
  TRY(methods->release(gpu, b, &err));
  TRY(methods->synchronize(gpu, &err));
  methods->unload(module);
  return methods->synchronize(gpu, &err);
}

// Calls whose failure costs nothing, or is seen only as all is given back.
static bool is_quiet(const char *call) {
  static const char *const names[] = {"cuStreamDestroy", "cuEventDestroy",
                                      "cuMemFreeHost",   "cuModuleUnload",
                                      "cublasDestroy",   "cuDevicePrimaryCtxRelease"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], call) == 0)
      return true;
  return false;
}

// Within unload, the last but one in use that makes the context current and waits.
static bool is_in_unload(const char *call, int nth, int in_use) {
  return nth == in_use - 1 &&
         (strcmp(call, "cuCtxSetCurrent") == 0 || strcmp(call, "cuStreamSynchronize") == 0);
}

// Calls before the device has told how much memory it has.
static bool is_early(const char *call, int nth) {
  static const char *const names[] = {
      "cuInit",          "cuDriverGetVersion",   "cuDeviceGetCount",         "cuDeviceGet",
      "cuDeviceGetName", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain", "cuMemGetInfo"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], call) == 0)
      return true;
  return nth == 1 && strcmp(call, "cuCtxSetCurrent") == 0;
}

static bool is_of_library(const char *call) {
  return strncmp(call, "cublas", 6) == 0;
}

// Whatever call finds no memory left, it is what the device cannot do, with what is free.
static void check_memory(assay_code result, const char *call, int nth) {
  bool told = strstr(err.text, is_of_library(call) ? "CUBLAS_STATUS_ALLOC_FAILED: "
                                                   : "CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
  bool counted = strstr(err.text, " of 1.074 GB free") != NULL;
  if (result != ASSAY_UNSUPPORTED || !told || counted == is_early(call, nth))
    fail_msg("%s, call %d, without memory: code %d, '%s'", call, nth, (int)result, err.text);
}

static void fail_once(const fake_machine *machine, const char *call, int nth, int code,
                      int in_use) {
  fake->reset(machine);
  fake->inject(call, nth, code, false);
  assay_gpu *gpu = NULL;
  memset(&err, 0, sizeof err);
  assay_code result = use(&gpu);
  bool sticky = assay_cuda_is_sticky((cuda_result)code);
  bool told = nth <= in_use && !is_quiet(call) && (sticky || !is_in_unload(call, nth, in_use)) &&
              !(strcmp(call, "cuDeviceGetAttribute") == 0 && nth == 4); // no pools, and on it goes
  if (told && (result == ASSAY_OK || strstr(err.text, call) == NULL))
    fail_msg("%s, call %d, code %d: told as '%s'", call, nth, code, err.text);
  if (told && code == (is_of_library(call) ? CUBLAS_ALLOC_FAILED : CUDA_OUT_OF_MEMORY))
    check_memory(result, call, nth);
  if (told && gpu != NULL && sticky) {
    assay_error again;
    assert_int_equal(gpu->methods->synchronize(gpu, &again), result);
    assert_string_equal(again.text, err.text);
  }
  // A context that has died cannot be told by what is not asked.
  if (gpu != NULL)
    gpu->methods->close(gpu);
  if (fake->misuse()[0] != '\0' || fake->leaks()[0] != '\0')
    fail_msg("%s, call %d, code %d: misuse '%s', left '%s'", call, nth, code, fake->misuse(),
             fake->leaks());
}

typedef struct call_counts {
  char name[80][48];
  int in_use[80], in_all[80]; // before close, and with it
  int count;
} call_counts;

static call_counts count_calls(const fake_machine *machine) {
  call_counts counts = {.count = 0};
  assay_gpu *gpu = NULL;
  fake->reset(machine);
  must(use(&gpu));
  for (int i = 0; fake->name(i) != NULL; i++)
    counts.in_use[i] = fake->count(fake->name(i));
  gpu->methods->close(gpu);
  for (; fake->name(counts.count) != NULL; counts.count++) {
    snprintf(counts.name[counts.count], 48, "%s", fake->name(counts.count));
    counts.in_all[counts.count] = fake->count(fake->name(counts.count));
  }
  return counts;
}

static void each_call_may_fail(void **state) {
  (void)state;
  static const int codes[] = {1, 2, 3, 100, 214, 700, 702, 719, 999};
  int tried = 0;
  for (int pools = 0; pools < 2; pools++) {
    fake_machine machine = usual_machine;
    machine.pools = pools != 0;
    call_counts counts = count_calls(&machine);
    assert_true(counts.count > 35);
    for (int i = 0; i < counts.count; i++)
      for (int nth = 1; nth <= counts.in_all[i]; nth++)
        for (size_t code = 0; code < sizeof codes / sizeof codes[0]; code++) {
          if (is_of_library(counts.name[i]) && codes[code] > 99)
            continue; // it has numbers of its own
          // "no device" is told in other words where it is said of all
          if (strcmp(counts.name[i], "cuInit") == 0 && codes[code] == 100)
            continue;
          fail_once(&machine, counts.name[i], nth, codes[code], counts.in_use[i]);
          tried++;
        }
  }
  assert_true(tried > 1000);
}

// What was asked for is told where it is known, and what there is of the device's memory.
static void out_of_memory_is_told_with_the_numbers(void **state) {
  (void)state;
  const struct {
    const char *call;
    int nth, code;
    const char *said;
  } rows[] = {
      {"cuMemAllocAsync", 2, 2,
       "cuMemAllocAsync: CUDA_ERROR_OUT_OF_MEMORY (out of memory): 16 bytes asked for, 1.074 of "
       "1.074 GB free"},
      {"cuMemAllocHost", 1, 2, "(out of memory): 4194304 bytes asked for, 1.074 of 1.074 GB free"},
      {"cuModuleGetFunction", 1, 2,
       "cuModuleGetFunction: CUDA_ERROR_OUT_OF_MEMORY (out of memory): 1.074 of 1.074 GB free"},
      {"cublasCreate", 1, 3, "cublasCreate: CUBLAS_STATUS_ALLOC_FAILED: 1.074 of 1.074 GB free"},
      {"cublasSgemm", 1, 3, "cublasSgemm: CUBLAS_STATUS_ALLOC_FAILED: 1.074 of 1.074 GB free"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assay_gpu *gpu = NULL;
    fake->reset(&usual_machine);
    fake->inject(rows[i].call, rows[i].nth, rows[i].code, false);
    must_say(use(&gpu), ASSAY_UNSUPPORTED, rows[i].said);
    if (gpu != NULL)
      gpu->methods->close(gpu);
    end(NULL);
  }
}

// What the library's call breaks ends the device, as a kernel's fault does.
static void a_product_that_faults_ends_the_device(void **state) {
  (void)state;
  assay_gpu *gpu = NULL;
  fake->inject("cublasSgemm", 1, 13, false);
  must_say(use(&gpu), ASSAY_FAILED, "cublasSgemm: CUBLAS_STATUS_EXECUTION_FAILED");
  must_say(gpu->methods->synchronize(gpu, &err), ASSAY_FAILED,
           "cublasSgemm: CUBLAS_STATUS_EXECUTION_FAILED");
  gpu->methods->close(gpu);
}

static void each_form_of_a_product_has_its_name(void **state) {
  (void)state;
  static const char *const calls[] = {"cublasSgemm",    "cublasSgemmStridedBatched",
                                      "cublasDgemm",    "cublasDgemmStridedBatched",
                                      "cublasSgemm_64", "cublasSgemmStridedBatched_64",
                                      "cublasDgemm_64", "cublasDgemmStridedBatched_64"};
  enum { INVALID_VALUE = 7 };
  assay_gpu *gpu = open_gpu(true);
  for (int i = 0; i < 8; i++) {
    assay_gpu_gemm gemm = {.m = 2,
                           .n = 2,
                           .k = 2,
                           .batch = 1 + i % 2,
                           .element = i / 2 % 2 ? 8 : 4,
                           .a_stride = i < 4 ? 2 : INT64_C(1) << 32,
                           .b_stride = 2,
                           .c_stride = 2,
                           .c_batch = 4};
    fake->inject(calls[i], 1, INVALID_VALUE, false);
    char words[80];
    snprintf(words, sizeof words, "%s: CUBLAS_STATUS_INVALID_VALUE", calls[i]);
    must_say(gpu->methods->gemm(gpu, &gemm, &err), ASSAY_FAILED, words);
  }
  gpu->methods->close(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(each_call_may_fail, begin, end),
      cmocka_unit_test_setup_teardown(out_of_memory_is_told_with_the_numbers, begin, end),
      cmocka_unit_test_setup_teardown(a_product_that_faults_ends_the_device, begin, end),
      cmocka_unit_test_setup_teardown(each_form_of_a_product_has_its_name, begin, end),
  };
  return cmocka_run_group_tests(tests, load_fakes, NULL);
}
