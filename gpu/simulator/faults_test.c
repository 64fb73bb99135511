// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that touch what they may not: each is found in every schedule, and the message says
// where.
#include "gpu/simulator/testing.h"

#include <stdio.h>

#define SHARED "#gpu.address_space<workgroup>"

// The same without a look for races, where the inline checks decide.
static void expect_fault_inline(void *context, const char *text, int64_t blocks, int64_t threads,
                                size_t count, const simulated_array arrays[], const char *want) {
  simulated device = simulated_text(context, text);
  assay_simulator_set(device.gpu, (assay_simulation){.races = false});
  assay_error err = {.text = ""};
  assert_int_equal(simulated_launch(&device, "k", (int64_t[]){blocks, 1, 1},
                                    (int64_t[]){threads, 1, 1}, 0, count, arrays, &err),
                   ASSAY_FAILED);
  if (strstr(err.text, want) == NULL)
    fail_msg("got '%s', want '%s'", err.text, want);
  simulated_close(&device);
}

// A thread for each of n elements, of which m are there.
static const char copies[] =
    "gpu.module @m {\n"
    "  gpu.func @k(%in: memref<?xf32>, %out: memref<?xf32>) kernel {\n"
    "    %t = gpu.thread_id x\n    %b = gpu.block_id x\n    %d = gpu.block_dim x\n"
    "    %o = arith.muli %b, %d : index\n    %i = arith.addi %o, %t : index\n"
    "    %v = memref.load %in[%i] : memref<?xf32>\n"
    "    memref.store %v, %out[%i] : memref<?xf32>\n"
    "    gpu.return\n  }\n}\n";

static void reading_past_an_allocation_is_told(void **state) {
  float in[33] = {0}, out[64];
  simulated_array arrays[] = {{in, 4, 1, {33}, {0}}, {out, 4, 1, {64}, {0}}};
  expect_fault_inline(*state, copies, 2, 32, 2, arrays,
                      "kernel k, block (1,0,0), thread (1,0,0), line 8: reads 4 bytes at byte 132 "
                      "of an allocation of 132 bytes");
  // One element too many, just behind.
  expect_fault_inline(*state, copies, 1, 34, 2, arrays,
                      "thread (33,0,0), line 8: reads 4 bytes at byte 132 of an allocation of 132 "
                      "bytes");
  simulated_expect_fault(
      *state, copies, 1, 34, 2, arrays,
      "thread (33,0,0), line 8: reads 4 bytes at byte 132 of an allocation of 132 bytes");
}

static void writing_past_an_allocation_is_told(void **state) {
  float in[64] = {0}, out[33];
  simulated_array arrays[] = {{in, 4, 1, {64}, {0}}, {out, 4, 1, {33}, {0}}};
  expect_fault_inline(
      *state, copies, 1, 34, 2, arrays,
      "kernel k, block (0,0,0), thread (33,0,0), line 9: writes 4 bytes at byte 132 "
      "of an allocation of 132 bytes");
  simulated_expect_fault(*state, copies, 1, 34, 2, arrays, "line 9: writes 4 bytes at byte 132");
}

static void reading_before_an_allocation_is_told(void **state) {
  static const char text[] =
      "gpu.module @m {\n"
      "  gpu.func @k(%in: memref<8xf32>, %out: memref<8xf32>) kernel {\n"
      "    %t = gpu.thread_id x\n    %c1 = arith.constant 1 : index\n"
      "    %i = arith.subi %t, %c1 : index\n"
      "    %v = memref.load %in[%i] : memref<8xf32>\n"
      "    memref.store %v, %out[%t] : memref<8xf32>\n    gpu.return\n  }\n}\n";
  float in[8] = {0}, out[8];
  simulated_array arrays[] = {{in, 4, 1, {8}, {0}}, {out, 4, 1, {8}, {0}}};
  simulated_expect_fault(
      *state, text, 1, 8, 2, arrays,
      "kernel k, block (0,0,0), thread (0,0,0), line 6: reads 4 bytes at byte -4 of an "
      "allocation of 32 bytes");
}

// Stores to word t + SHIFT of 8, in shared memory, a vector of 4 where wide.
static void print_shared(char *text, size_t room, int shift, bool wide) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  gpu.func @k(%%out: memref<8xf32>) workgroup(%%s: memref<8xf32, " SHARED
           ">) kernel {\n"
           "    %%t = gpu.thread_id x\n    %%c = arith.constant %d : index\n"
           "    %%i = arith.addi %%t, %%c : index\n    %%v = arith.constant dense<1.0> : "
           "vector<%dxf32>\n"
           "    vector.store %%v, %%s[%%i] %s : memref<8xf32, " SHARED ">, vector<%dxf32>\n"
           "    gpu.return\n  }\n}\n",
           shift, wide ? 4 : 1, wide ? "{alignment = 16 : i64}" : "", wide ? 4 : 1);
}

static void shared_memory_has_bounds(void **state) {
  char text[1024];
  float out[8];
  simulated_array array = {out, 4, 1, {8}, {0}};
  print_shared(text, sizeof text, 1, false);
  simulated_expect_fault(
      *state, text, 1, 8, 1, &array,
      "kernel k, block (0,0,0), thread (7,0,0), line 7: writes 4 bytes at shared offset "
      "32, past the 32 that the block has");
  expect_fault_inline(
      *state, text, 1, 8, 1, &array,
      "thread (7,0,0), line 7: writes 4 bytes at shared offset 32, past the 32 that "
      "the block has");
  print_shared(text, sizeof text, 8, true);
  expect_fault_inline(*state, text, 1, 1, 1, &array,
                      "writes 16 bytes at shared offset 32, past the 32 that the block has");
  print_shared(text, sizeof text, -1, false);
  expect_fault_inline(*state, text, 1, 1, 1, &array,
                      "writes 4 bytes at shared offset -4, before the 32 that the block has");
}

// One too far in the first of two arrays.
static void shared_variables_do_not_touch(void **state) {
  float out[8];
  simulated_array array = {out, 4, 1, {8}, {0}};
  simulated_expect_fault(
      *state,
      "gpu.module @m {\n"
      "  gpu.func @k(%out: memref<8xf32>) workgroup(%a: memref<7xf32, " SHARED
      ">, %b: memref<8xf32, " SHARED ">) kernel {\n"
      "    %t = gpu.thread_id x\n    %f = arith.constant 1.0 : f32\n"
      "    memref.store %f, %b[%t] : memref<8xf32, " SHARED ">\n"
      "    memref.store %f, %a[%t] : memref<7xf32, " SHARED ">\n"
      "    gpu.return\n  }\n}\n",
      1, 8, 1, &array,
      "thread (7,0,0), line 6: writes 4 bytes at shared offset 28, behind the end of a "
      "variable");
}

static void false_alignment_is_told(void **state) {
  char text[1024];
  float out[8];
  simulated_array array = {out, 4, 1, {8}, {0}};
  print_shared(text, sizeof text, 1, true);
  expect_fault_inline(*state, text, 1, 1, 1, &array,
                      "thread (0,0,0), line 7: writes 16 bytes at shared offset 4, which is not a "
                      "multiple of the 16 that the access claims");
  static const char global[] =
      "gpu.module @m {\n"
      "  gpu.func @k(%out: memref<8xf32>) kernel {\n"
      "    %c1 = arith.constant 1 : index\n    %v = arith.constant dense<1.0> : vector<4xf32>\n"
      "    vector.store %v, %out[%c1] {alignment = 16 : i64} : memref<8xf32>, vector<4xf32>\n"
      "    gpu.return\n  }\n}\n";
  expect_fault_inline(
      *state, global, 1, 1, 1, &array,
      "line 5: writes 16 bytes at byte 4 of an allocation of 32 bytes, which is not "
      "a multiple of the 16 that the access claims");
}

static void freed_memory_is_told_apart(void **state) {
  simulated device = simulated_text(*state, copies);
  const assay_gpu_methods *gpu = device.gpu->methods;
  assay_gpu_address kept, freed;
  assay_error err = {.text = ""};
  assert_int_equal(gpu->alloc(device.gpu, 64, &freed, &err), ASSAY_OK);
  assert_int_equal(gpu->alloc(device.gpu, 64, &kept, &err), ASSAY_OK);
  assert_int_equal(gpu->release(device.gpu, freed, &err), ASSAY_OK);
  int64_t zero = 0, size = 16, one = 1;
  void *parameters[] = {&freed, &freed, &zero, &size, &one, &kept, &kept, &zero, &size, &one};
  assay_gpu_launch launch = {
      .grid = {1, 1, 1}, .block = {16, 1, 1}, .parameters = parameters, .parameter_count = 10};
  assert_int_equal(gpu->find(device.module, "k", &launch.function, &err), ASSAY_OK);
  assert_int_equal(gpu->launch(device.gpu, &launch, &err), ASSAY_FAILED);
  assert_string_equal(err.text,
                      "kernel k, block (0,0,0), thread (0,0,0), line 8: reads 4 bytes at byte 0 of "
                      "an allocation of 64 bytes that was freed");
  uint64_t null = 0;
  parameters[0] = parameters[1] = &null;
  assert_int_equal(gpu->launch(device.gpu, &launch, &err), ASSAY_FAILED);
  assert_non_null(strstr(err.text, "reads 4 bytes at address 0x0, where the device has no memory"));
  simulated_close(&device);
}

static void constants_may_not_be_written(void **state) {
  float out[4];
  simulated_array array = {out, 4, 1, {4}, {0}};
  simulated_expect_fault(
      *state,
      "gpu.module @m {\n"
      "  memref.global \"private\" constant @c : memref<4xf32> = dense<[1., 2., 3., 4.]>\n"
      "  gpu.func @k(%out: memref<4xf32>) kernel {\n    %t = gpu.thread_id x\n"
      "    %c = memref.get_global @c : memref<4xf32>\n    %v = arith.constant 1.0 : f32\n"
      "    memref.store %v, %c[%t] : memref<4xf32>\n    gpu.return\n  }\n}\n",
      1, 1, 1, &array, "line 7: writes 4 bytes at byte 0 of the constant c of 16 bytes");
}

static void what_is_unknown_is_named(void **state) {
  static const struct {
    const char *body, *want;
  } unknown[] = {
      {"    nvvm.cluster.arrive\n",
       "line 3: the simulator does not know llvm.nvvm.barrier.cluster"},
      {"    llvm.call @somebody() : () -> ()\n", "line 3: the simulator does not know somebody"},
      {"    llvm.inline_asm has_side_effects \"nop\", \"\" : () -> ()\n",
       "line 3: the simulator knows no calls of computed addresses and no inline assembly"},
  };
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "gpu.module @m {\n  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {\n%s"
             "    llvm.return\n  }\n  llvm.func @somebody()\n}\n",
             unknown[i].body);
    MlirModule module = simulated_lower(assay_context_get(*state), text);
    void *bytes;
    size_t size;
    assay_error err = {.text = ""};
    assert_int_equal(assay_simulator_assemble(simulated_kernels(module), &bytes, &size, &err),
                     ASSAY_FAILED);
    if (strstr(err.text, unknown[i].want) == NULL)
      fail_msg("got '%s', want '%s'", err.text, unknown[i].want);
    mlirModuleDestroy(module);
  }
}

// 1 MB of private memory, touched everywhere, in kernels with and without a barrier.
static void an_overflown_stack_is_told(void **state) {
  static const char text[] =
      "gpu.module @m {\n"
      "  gpu.func @k(%%out: memref<4xf32>) kernel {\n"
      "    %%t = gpu.thread_id x\n    %%c0 = arith.constant 0 : index\n"
      "    %%c1 = arith.constant 1 : index\n    %%n = arith.constant 262144 : index\n"
      "    %%a = memref.alloca() : memref<262144xf32>\n    %%f = arith.constant 1.0 : f32\n"
      "    scf.for %%i = %%c0 to %%n step %%c1 {\n"
      "      memref.store %%f, %%a[%%i] : memref<262144xf32>\n    }\n    %s\n"
      "    %%v = memref.load %%a[%%t] : memref<262144xf32>\n"
      "    memref.store %%v, %%out[%%t] : memref<4xf32>\n    gpu.return\n  }\n}\n";
  float out[4];
  simulated_array array = {out, 4, 1, {4}, {0}};
  for (int barrier = 0; barrier < 2; barrier++) {
    char kernel[2048];
    snprintf(kernel, sizeof kernel, text, barrier ? "gpu.barrier" : "");
    simulated_expect_fault(*state, kernel, 1, 4, 1, &array,
                           ": needs more than the 65536 bytes of stack that a thread has");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading_past_an_allocation_is_told),
      cmocka_unit_test(writing_past_an_allocation_is_told),
      cmocka_unit_test(reading_before_an_allocation_is_told),
      cmocka_unit_test(shared_memory_has_bounds),
      cmocka_unit_test(shared_variables_do_not_touch),
      cmocka_unit_test(false_alignment_is_told),
      cmocka_unit_test(freed_memory_is_told_apart),
      cmocka_unit_test(constants_may_not_be_written),
      cmocka_unit_test(what_is_unknown_is_named),
      cmocka_unit_test(an_overflown_stack_is_told),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
