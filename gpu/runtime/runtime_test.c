// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/gemm.h"
#include "gpu/runtime/calls.h"
#include "gpu/runtime/fake_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct fixture {
  fake_gpu fake;
  assay_gpu_runtime *runtime;
  assay_error err;
} fixture;

static void open_fixture(fixture *it, bool guarded) {
  it->fake = fake_gpu_make();
  it->runtime = assay_gpu_runtime_create(&it->fake.gpu, guarded);
}

static void close_fixture(fixture *it) {
  assay_gpu_runtime_destroy(it->runtime);
  assert_int_equal(it->fake.live, 0);
}

static void check_failed(fixture *it, assay_code code, const char *text) {
  assert_int_equal(assay_gpu_runtime_check(it->runtime, &it->err), code);
  assert_string_equal(it->err.text, text);
}

static void check_well(fixture *it) {
  if (assay_gpu_runtime_check(it->runtime, &it->err) != ASSAY_OK)
    fail_msg("%s", it->err.text);
}

static void a_kernel_is_found_once_and_launched(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  void *module = assay_mgpu_module_load(it.runtime, "code", 5);
  static const char name[] = "kernel7";
  int *target = assay_mgpu_memref_alloc(it.runtime, sizeof *target);
  void *parameters[] = {&target};
  for (int i = 0; i < 3; i++) {
    void *function = assay_mgpu_module_get_function(it.runtime, module, name);
    assay_mgpu_launch_kernel(it.runtime, function, 5, 1, 1, 64, 1, 1, 128, NULL, parameters, NULL,
                             1);
  }
  assert_int_equal(*target, 7);
  assert_int_equal(it.fake.finds, 1);
  assert_int_equal(it.fake.last.grid[0], 5);
  assert_int_equal(it.fake.last.block[0], 64);
  assert_int_equal(it.fake.last.shared, 128);
  assay_mgpu_memref_free(it.runtime, target);
  check_well(&it);
  assay_gpu_counts counts = assay_gpu_runtime_counts(it.runtime);
  assert_int_equal(counts.launches, 3);
  assert_int_equal(counts.travels, 0);
  assert_int_equal(counts.heap.allocations, 1);
  assert_int_equal(counts.heap.peak, sizeof *target);
  assay_mgpu_module_unload(it.runtime, module);
  assert_int_equal(it.fake.module.loaded, 0);
  close_fixture(&it);
}

static void ptx_is_loaded_with_its_end(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  void *module = assay_mgpu_module_load_jit(it.runtime, "code", 2);
  check_well(&it);
  assay_mgpu_module_unload(it.runtime, module);
  close_fixture(&it);
}

static void fresh_memory_is_poisoned_and_fenced(void **state) {
  (void)state;
  static const struct {
    int at;
    const char *fault;
  } writes[] = {
      {0, NULL},
      {99, NULL},
      {100, "the program wrote past device memory of 100 bytes that it has allocated"},
      {355, "the program wrote past device memory of 100 bytes that it has allocated"},
      {-1, "the program wrote before device memory of 100 bytes that it has allocated"},
      {-256, "the program wrote before device memory of 100 bytes that it has allocated"},
  };
  for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++) {
    fixture it;
    open_fixture(&it, true);
    unsigned char *memory = assay_mgpu_memref_alloc(it.runtime, 100);
    for (int k = 0; k < 100; k++)
      assert_int_equal(memory[k], 0xff);
    memory[writes[i].at] ^= 1;
    assay_mgpu_memref_free(it.runtime, memory);
    if (writes[i].fault == NULL)
      check_well(&it);
    else
      check_failed(&it, ASSAY_FAILED, writes[i].fault);
    close_fixture(&it);
  }
}

static void an_argument_is_fenced_too(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  assay_gpu_address address;
  assert_int_equal(assay_gpu_runtime_take(it.runtime, 8, &address, &it.err), ASSAY_OK);
  check_well(&it);
  assert_int_equal(assay_gpu_runtime_counts(it.runtime).heap.allocations, 0);
  ((unsigned char *)fake_host(address))[8] = 0;
  check_failed(&it, ASSAY_FAILED,
               "the program wrote past device memory of 8 bytes that it has as an argument");
  close_fixture(&it);
}

static void what_is_not_freed_or_freed_twice_is_told(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  void *kept = assay_mgpu_mem_alloc(it.runtime, 4, NULL, 0);
  check_failed(&it, ASSAY_FAILED, "the program did not free 1 of its device allocations");
  assert_non_null(kept);
  assay_gpu_runtime_reset(it.runtime);
  assert_int_equal(it.fake.live, 0);
  assay_mgpu_mem_free(it.runtime, NULL, NULL);
  check_well(&it);
  assay_mgpu_mem_free(it.runtime, &it, NULL);
  check_failed(&it, ASSAY_FAILED, "the program freed device memory that it had not allocated");
  close_fixture(&it);
}

static void unguarded_memory_goes_round(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, false);
  void *first = assay_mgpu_memref_alloc(it.runtime, 64);
  assay_mgpu_memref_free(it.runtime, first);
  assert_ptr_equal(assay_mgpu_memref_alloc(it.runtime, 64), first);
  assay_mgpu_memref_free(it.runtime, first);
  check_well(&it);
  assert_int_equal(it.fake.live, 1);
  close_fixture(&it);
}

static void buffers_that_travel_are_counted(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  int here = 3, back = 0;
  void *a = assay_mgpu_memref_alloc(it.runtime, sizeof here);
  void *b = assay_mgpu_memref_alloc(it.runtime, sizeof here);
  assay_mgpu_memcpy(it.runtime, a, &here, sizeof here, NULL);
  assay_mgpu_memcpy(it.runtime, b, a, sizeof here, NULL);
  assert_int_equal(assay_gpu_runtime_counts(it.runtime).travels, 1);
  assay_mgpu_memcpy(it.runtime, &back, b, sizeof here, NULL);
  assert_int_equal(back, 3);
  assert_int_equal(assay_gpu_runtime_counts(it.runtime).travels, 2);
  void *shared = assay_mgpu_mem_alloc(it.runtime, 4, NULL, 1);
  assert_int_equal(assay_gpu_runtime_counts(it.runtime).travels, 3);
  assay_mgpu_memset32(it.runtime, shared, 5, 1, NULL);
  assert_int_equal(*(int *)shared, 5);
  assay_mgpu_memset16(it.runtime, shared, 1, 2, NULL);
  assert_int_equal(*(int *)shared, 0x10001);
  assay_mgpu_memref_free(it.runtime, a);
  assay_mgpu_memref_free(it.runtime, b);
  assay_mgpu_memref_free(it.runtime, shared);
  check_well(&it);
  close_fixture(&it);
}

// A program whose every call of the device may fail: what it does after the first is without
// effect.
static void run_program(assay_gpu_runtime *runtime) {
  void *module = assay_mgpu_module_load(runtime, "code", 5);
  int *a = assay_mgpu_memref_alloc(runtime, sizeof *a);
  void *parameters[] = {&a};
  void *function = assay_mgpu_module_get_function(runtime, module, "kernel1");
  assay_mgpu_launch_kernel(runtime, function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL, 1);
  int *b = assay_mgpu_memref_alloc(runtime, sizeof *b);
  assay_mgpu_memcpy(runtime, b, a, sizeof *b, NULL);
  assay_mgpu_memset32(runtime, b, 0, 1, NULL);
  assay_mgpu_memref_free(runtime, a);
  assay_mgpu_memref_free(runtime, b);
  assay_mgpu_module_unload(runtime, module);
}

static void the_first_failure_of_each_call_is_kept(void **state) {
  (void)state;
  int fail_at = 1, failed = 0;
  for (bool more = true; more; fail_at++) {
    fixture it;
    open_fixture(&it, true);
    it.fake.fail_at = fail_at;
    run_program(it.runtime);
    more = assay_gpu_runtime_check(it.runtime, &it.err) != ASSAY_OK;
    if (more)
      assert_non_null(strstr(it.err.text, ": planted"));
    failed += more;
    assert_int_equal(it.fake.module.loaded, 0);
    close_fixture(&it);
  }
  assert_in_range(failed, 15, 40);
}

static assay_unranked_memref describe(assay_memref *memref, int rank, const int64_t extent[]) {
  memref->base = NULL;
  memref->offset = 0;
  for (int i = 0; i < 2 * rank; i++)
    memref->extent[i] = extent[i];
  return (assay_unranked_memref){.rank = rank, .descriptor = memref};
}

static void a_product_is_described_to_the_library(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  int64_t a_memory[16], b_memory[16], c_memory[16];
  // 5 matrices of 2x3 in rows of 100, transposed memory of 4x3, and results one behind the other.
  assay_unranked_memref a = describe((assay_memref *)a_memory, 3, (int64_t[]){5, 2, 3, 7, 100, 1});
  assay_unranked_memref b = describe((assay_memref *)b_memory, 3, (int64_t[]){5, 3, 4, 12, 1, 3});
  assay_unranked_memref c = describe((assay_memref *)c_memory, 3, (int64_t[]){5, 2, 4, 8, 4, 1});
  assay_mgpu_gemm_f32(it.runtime, &a, &b, &c, ASSAY_GEMM_ACCUMULATE | ASSAY_GEMM_TF32);
  check_well(&it);
  const assay_gpu_gemm *gemm = &it.fake.gemm;
  assert_int_equal(gemm->batch, 5);
  assert_int_equal(gemm->m, 2);
  assert_int_equal(gemm->n, 4);
  assert_int_equal(gemm->k, 3);
  assert_int_equal(gemm->a_stride, 100);
  assert_int_equal(gemm->a_batch, 7);
  assert_false(gemm->a_transposed);
  assert_int_equal(gemm->b_stride, 3);
  assert_true(gemm->b_transposed);
  assert_true(gemm->accumulate);
  assert_true(gemm->tf32);
  assert_int_equal(gemm->element, 4);
  assert_int_equal(assay_gpu_runtime_counts(it.runtime).library_calls, 1);
  close_fixture(&it);
}

static void a_product_that_no_library_takes_is_refused(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it, true);
  int64_t memory[3][16];
  assay_unranked_memref a = describe((assay_memref *)memory[0], 2, (int64_t[]){2, 3, 6, 2});
  assay_unranked_memref b = describe((assay_memref *)memory[1], 2, (int64_t[]){3, 4, 4, 1});
  assay_unranked_memref c = describe((assay_memref *)memory[2], 2, (int64_t[]){2, 4, 4, 1});
  assay_mgpu_gemm_f64(it.runtime, &a, &b, &c, 0);
  check_failed(&it, ASSAY_UNSUPPORTED,
               "a matrix product of 2 by 3 by 4 has an operand without rows of unit stride");
  close_fixture(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kernel_is_found_once_and_launched),
      cmocka_unit_test(ptx_is_loaded_with_its_end),
      cmocka_unit_test(fresh_memory_is_poisoned_and_fenced),
      cmocka_unit_test(an_argument_is_fenced_too),
      cmocka_unit_test(what_is_not_freed_or_freed_twice_is_told),
      cmocka_unit_test(unguarded_memory_goes_round),
      cmocka_unit_test(buffers_that_travel_are_counted),
      cmocka_unit_test(the_first_failure_of_each_call_is_kept),
      cmocka_unit_test(a_product_is_described_to_the_library),
      cmocka_unit_test(a_product_that_no_library_takes_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
