// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that has no memory left: each allocation of the simulator fails in turn, and the call
// that wanted it says so. The linker hands those of this program's own code to what is below.
#include "gpu/simulator/testing.h"

#include "compiler/lower/object.h"

#include <stdbool.h>

// NOLINTBEGIN(bugprone-reserved-identifier,misc-use-internal-linkage): the linker's (--wrap)
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

// Allocations since begin_counting, and which of them fails; 0: none.
static int taken, failing;

static bool is_refused(void) {
  return ++taken == failing;
}

void *__wrap_malloc(size_t size) {
  return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  return is_refused() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size) {
  return is_refused() ? NULL : __real_aligned_alloc(align, size);
}
// NOLINTEND(bugprone-reserved-identifier,misc-use-internal-linkage)

static void fail_at(int nth) {
  taken = 0;
  failing = nth;
}

static void expect(assay_code code, const assay_error *err, int nth, const char *words) {
  if (code != ASSAY_UNSUPPORTED || strstr(err->text, words) == NULL ||
      strstr(err->text, " bytes asked for") == NULL)
    fail_msg("allocation %d: code %d, '%s'; expected '%s'", nth, (int)code, err->text, words);
}

static void opening(void **state) {
  (void)state;
  assay_target *target;
  assay_error err = {.text = ""};
  fail_at(0);
  assert_int_equal(assay_target_create(NULL, &target, &err), ASSAY_OK);
  int before = taken; // the compiler's own, with which opening begins
  assay_target_destroy(target);
  for (int nth = 1;; nth++) {
    assay_gpu *gpu = NULL;
    fail_at(before + nth);
    assay_code code = assay_simulator_open(1 << 20, &gpu, &err);
    fail_at(0);
    if (code == ASSAY_OK) {
      gpu->methods->close(gpu);
      assert_true(nth > 5); // the simulator, its threads, shared memory, two grounds
      return;
    }
    assert_null(gpu);
    expect(code, &err, nth, "this process has no memory for ");
  }
}

// Bytes in memory of both kinds, so that words are split; and a variable.
static const char kernels[] =
    "gpu.module @m {\n"
    "  memref.global \"private\" constant @c : memref<4xi32> = dense<[1, 2, 3, 4]>\n"
    "  gpu.func @k(%out: memref<64xi8>) workgroup(%s: memref<64xi8, "
    "#gpu.address_space<workgroup>>) kernel {\n"
    "    %t = gpu.thread_id x\n    %c63 = arith.constant 63 : index\n"
    "    %u = arith.subi %c63, %t : index\n    %v = arith.index_cast %t : index to i8\n"
    "    memref.store %v, %s[%t] : memref<64xi8, #gpu.address_space<workgroup>>\n"
    "    gpu.barrier\n"
    "    %w = memref.load %s[%u] : memref<64xi8, #gpu.address_space<workgroup>>\n"
    "    memref.store %w, %out[%t] : memref<64xi8>\n    gpu.return\n  }\n"
    "  gpu.func @d(%out: memref<4xi32>) kernel {\n"
    "    %t = gpu.thread_id x\n    %c = memref.get_global @c : memref<4xi32>\n"
    "    %v = memref.load %c[%t] : memref<4xi32>\n"
    "    memref.store %v, %out[%t] : memref<4xi32>\n    gpu.return\n  }\n}\n";

static void loading(void **state) {
  MlirModule module = simulated_lower(assay_context_get(*state), kernels);
  assay_error err = {.text = ""};
  void *bytes;
  size_t size;
  fail_at(0);
  assert_int_equal(assay_simulator_assemble(simulated_kernels(module), &bytes, &size, &err),
                   ASSAY_OK);
  mlirModuleDestroy(module);
  int all = 0;
  // The whole, then the first and the last two: what is between is the linker's.
  const int from_end[] = {0, 0, 1};
  for (int i = 0; i < 4; i++) {
    assay_gpu *gpu;
    assay_gpu_module *loaded = NULL;
    assert_int_equal(assay_simulator_open(1 << 20, &gpu, &err), ASSAY_OK);
    int nth = i == 0 ? 0 : i == 1 ? 1 : all - from_end[i - 1];
    fail_at(nth);
    assay_code code = gpu->methods->load(gpu, bytes, size, &loaded, &err);
    if (i == 0)
      all = taken;
    fail_at(0);
    if (i == 0)
      assert_int_equal(code, ASSAY_OK);
    else
      expect(code, &err, nth, "this process has no memory for ");
    if (i > 0) // and there is nothing wrong with it afterwards
      assert_int_equal(gpu->methods->load(gpu, bytes, size, &loaded, &err), ASSAY_OK);
    gpu->methods->unload(loaded);
    gpu->methods->close(gpu);
  }
  free(bytes);
}

static void launching(void **state) {
  char out[64];
  simulated_array array = {out, 1, 1, {64}, {0}};
  for (int nth = 1;; nth++) {
    simulated device = simulated_text(*state, kernels);
    const assay_gpu_methods *methods = device.gpu->methods;
    assay_error err = {.text = ""};
    assay_gpu_launch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}, .parameter_count = 5};
    uint64_t words[5];
    void *parameters[] = {&words[0], &words[1], &words[2], &words[3], &words[4]};
    assay_gpu_address address;
    launch.parameters = parameters;
    fail_at(0);
    assert_int_equal(methods->find(device.module, "k", &launch.function, &err), ASSAY_OK);
    assert_int_equal(methods->alloc(device.gpu, 64, &address, &err), ASSAY_OK);
    assert_int_equal(simulated_describe(&array, address, words), 5);
    fail_at(nth);
    assay_code code = methods->launch(device.gpu, &launch, &err);
    fail_at(0);
    if (code != ASSAY_OK)
      expect(code, &err, nth, nth == 1 ? "a handler of faults" : "the check for races: ");
    assert_int_equal(methods->launch(device.gpu, &launch, &err), ASSAY_OK);
    assert_int_equal(methods->download(device.gpu, out, address, 64, &err), ASSAY_OK);
    for (int i = 0; i < 64; i++)
      assert_int_equal(out[i], 63 - i);
    simulated_close(&device);
    if (code != ASSAY_OK)
      continue;
    // The handler; of shared memory and the device's what is known of words, and of bytes.
    assert_int_equal(nth, 6);
    return;
  }
}

// Freed allocations stay in the list, which grows with them.
static void allocating(void **state) {
  (void)state;
  assay_gpu *gpu;
  assay_error err = {.text = ""};
  fail_at(0);
  assert_int_equal(assay_simulator_open(1 << 20, &gpu, &err), ASSAY_OK);
  int refused = 0;
  for (int i = 0; i < 100; i++) {
    assay_gpu_address address;
    fail_at(1);
    assay_code code = gpu->methods->alloc(gpu, 16, &address, &err);
    fail_at(0);
    if (code != ASSAY_OK) {
      expect(code, &err, i, "a list of ");
      assert_int_equal(gpu->methods->alloc(gpu, 16, &address, &err), ASSAY_OK);
      refused++;
    }
    assert_int_equal(gpu->methods->release(gpu, address, &err), ASSAY_OK);
  }
  assert_true(refused > 0);
  gpu->methods->close(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opening),
      cmocka_unit_test(loading),
      cmocka_unit_test(launching),
      cmocka_unit_test(allocating),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
