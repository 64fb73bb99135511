// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are right, in all schedules, with and without a look for races.
#include "gpu/simulator/testing.h"

#include <stdio.h>

// %i: the number of the thread in the grid, blocks and threads in x alone.
#define NUMBER                                                                                     \
  "    %t = gpu.thread_id x\n    %b = gpu.block_id x\n    %d = gpu.block_dim x\n"                  \
  "    %o = arith.muli %b, %d : index\n    %i = arith.addi %o, %t : index\n"

static void each_thread_has_its_registers(void **state) {
  static const char *const registers[12] = {
      "thread_id x", "thread_id y", "thread_id z", "block_id x", "block_id y", "block_id z",
      "block_dim x", "block_dim y", "block_dim z", "grid_dim x", "grid_dim y", "grid_dim z"};
  char all[4096];
  int at = snprintf(all, sizeof all,
                    "gpu.module @k {\n  gpu.func @k(%%out: memref<288x12xi32>) kernel {\n");
  for (int i = 0; i < 12; i++)
    at += snprintf(all + at, sizeof all - (size_t)at, "    %%r%d = gpu.%s\n", i, registers[i]);
  at += snprintf(all + at, sizeof all - (size_t)at,
                 "    %%i = affine.linearize_index [%%r5, %%r4, %%r3, %%r2, %%r1, %%r0] by "
                 "(2, 3, 4, 2, 2, 3) : index\n");
  for (int i = 0; i < 12; i++)
    at += snprintf(all + at, sizeof all - (size_t)at,
                   "    %%c%d = arith.constant %d : index\n"
                   "    %%v%d = arith.index_cast %%r%d : index to i32\n"
                   "    memref.store %%v%d, %%out[%%i, %%c%d] : memref<288x12xi32>\n",
                   i, i, i, i, i, i);
  snprintf(all + at, sizeof all - (size_t)at, "    gpu.return\n  }\n}\n");
  simulated device = simulated_text(*state, all);
  static int32_t out[288][12];
  simulated_array array = {out, 4, 2, {288, 12}, {0}};
  simulated_run_all(&device, "k", (int64_t[]){4, 3, 2}, (int64_t[]){3, 2, 2}, 1, &array);
  int32_t sizes[6] = {3, 2, 2, 4, 3, 2};
  for (int i = 0; i < 288; i++) {
    int rest = i;
    for (int r = 0; r < 6; r++) {
      assert_int_equal(out[i][r], rest % sizes[r]);
      rest /= sizes[r];
      assert_int_equal(out[i][6 + r], sizes[r]);
    }
  }
  simulated_close(&device);
}

static void lanes_know_each_other(void **state) {
  simulated device = simulated_text(
      *state, "gpu.module @k {\n"
              "  llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {\n"
              "    %t = nvvm.read.ptx.sreg.tid.x : i32\n"
              "    %lane = nvvm.read.ptx.sreg.laneid : i32\n"
              "    %size = nvvm.read.ptx.sreg.warpsize : i32\n"
              "    %lt = nvvm.read.ptx.sreg.lanemask.lt : i32\n"
              "    %ge = nvvm.read.ptx.sreg.lanemask.ge : i32\n"
              "    %warp = nvvm.read.ptx.sreg.warpid : i32\n"
              "    %five = llvm.mlir.constant(5 : i32) : i32\n"
              "    %i = llvm.mul %t, %five : i32\n"
              "    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n"
              "    llvm.store %lane, %q : i32, !llvm.ptr\n"
              "    %q1 = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i32\n"
              "    llvm.store %size, %q1 : i32, !llvm.ptr\n"
              "    %q2 = llvm.getelementptr %q[2] : (!llvm.ptr) -> !llvm.ptr, i32\n"
              "    llvm.store %lt, %q2 : i32, !llvm.ptr\n"
              "    %q3 = llvm.getelementptr %q[3] : (!llvm.ptr) -> !llvm.ptr, i32\n"
              "    llvm.store %ge, %q3 : i32, !llvm.ptr\n"
              "    %q4 = llvm.getelementptr %q[4] : (!llvm.ptr) -> !llvm.ptr, i32\n"
              "    llvm.store %warp, %q4 : i32, !llvm.ptr\n"
              "    llvm.return\n  }\n}\n");
  static uint32_t out[70][5];
  assay_gpu_address address;
  assay_error err = {.text = ""};
  const assay_gpu_methods *gpu = device.gpu->methods;
  assert_int_equal(gpu->alloc(device.gpu, sizeof out, &address, &err), ASSAY_OK);
  void *parameters[] = {&address};
  assay_gpu_launch launch = {
      .grid = {1, 1, 1}, .block = {70, 1, 1}, .parameters = parameters, .parameter_count = 1};
  assert_int_equal(gpu->find(device.module, "k", &launch.function, &err), ASSAY_OK);
  assert_int_equal(gpu->launch(device.gpu, &launch, &err), ASSAY_OK);
  assert_int_equal(gpu->download(device.gpu, out, address, sizeof out, &err), ASSAY_OK);
  for (uint32_t i = 0; i < 70; i++) {
    assert_int_equal(out[i][0], i % 32);
    assert_int_equal(out[i][1], 32);
    assert_int_equal(out[i][2], (1U << i % 32) - 1);
    assert_int_equal(out[i][3], ~((1U << i % 32) - 1));
    assert_int_equal(out[i][4], i / 32);
  }
  simulated_close(&device);
}

static void shuffles_exchange_lanes(void **state) {
  static const char *const modes[] = {"xor", "up", "down", "idx"};
  for (int mode = 0; mode < 4; mode++)
    for (int is_float = 0; is_float < 2; is_float++) {
      char text[2048];
      const char *type = is_float ? "f32" : "i32";
      snprintf(text, sizeof text,
               "gpu.module @k {\n  gpu.func @k(%%in: memref<64x%s>, %%ok: memref<64xi32>, %%out: "
               "memref<64x%s>) kernel {\n    %%t = gpu.thread_id x\n"
               "    %%n = arith.constant 3 : i32\n    %%w = arith.constant 32 : i32\n"
               "    %%v = memref.load %%in[%%t] : memref<64x%s>\n"
               "    %%r, %%p = gpu.shuffle %s %%v, %%n, %%w : %s\n"
               "    %%q = arith.extui %%p : i1 to i32\n"
               "    memref.store %%q, %%ok[%%t] : memref<64xi32>\n"
               "    memref.store %%r, %%out[%%t] : memref<64x%s>\n    gpu.return\n  }\n}\n",
               type, type, type, modes[mode], type, type);
      simulated device = simulated_text(*state, text);
      union {
        int32_t i[64];
        float f[64];
      } in, out;
      int32_t ok[64];
      for (int i = 0; i < 64; i++)
        if (is_float)
          in.f[i] = (float)i / 2;
        else
          in.i[i] = i * 7;
      simulated_array arrays[] = {
          {&in, 4, 1, {64}, {0}}, {ok, 4, 1, {64}, {0}}, {&out, 4, 1, {64}, {0}}};
      simulated_run_line(&device, "k", 1, 64, 3, arrays);
      for (int i = 0; i < 64; i++) {
        int lane = i % 32, from[] = {lane ^ 3, lane - 3, lane + 3, 3};
        bool valid = from[mode] >= 0 && from[mode] < 32;
        assert_int_equal(ok[i], valid);
        int source = valid ? i - lane + from[mode] : i;
        assert_int_equal(out.i[i], in.i[source]);
      }
      simulated_close(&device);
    }
}

// Sums the thread's own number over blocks, partial warps too. The number of warps is a power of
// two: of others MLIR 22 makes a race, which faults_test.c has.
static void all_reduce_sums_blocks(void **state) {
  simulated device = simulated_text(
      *state, "gpu.module @k {\n"
              "  gpu.func @k(%out: memref<300xf32>) kernel {\n" NUMBER
              "    %j = arith.index_cast %t : index to i32\n    %f = arith.sitofp %j : i32 to f32\n"
              "    %s = gpu.all_reduce add %f uniform {} : (f32) -> (f32)\n"
              "    %m = gpu.all_reduce maximumf %f uniform {} : (f32) -> (f32)\n"
              "    %r = arith.addf %s, %m : f32\n"
              "    memref.store %r, %out[%i] : memref<300xf32>\n    gpu.return\n  }\n}\n");
  static const int sizes[] = {1, 7, 32, 33, 100, 128};
  for (int k = 0; k < 6; k++) {
    float out[300];
    int n = sizes[k], blocks = 2;
    memset(out, 0, sizeof out);
    simulated_array array = {out, 4, 1, {300}, {0}};
    simulated_run_line(&device, "k", blocks, n, 1, &array);
    for (int i = 0; i < n * blocks; i++)
      assert_int_equal((int)out[i], n * (n - 1) / 2 + n - 1);
  }
  simulated_close(&device);
}

#define TILE "memref<16x16xf32, #gpu.address_space<workgroup>>"
// C = A * B of 32 x 32, a tile of 16 x 16 for each block and an element for each thread.
static const char tiled[] =
    "gpu.module @k {\n"
    "  gpu.func @matmul(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) "
    "workgroup(%as: " TILE ", %bs: " TILE ") kernel {\n"
    "    %x = gpu.thread_id x\n    %y = gpu.thread_id y\n"
    "    %bx = gpu.block_id x\n    %by = gpu.block_id y\n"
    "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
    "    %c16 = arith.constant 16 : index\n    %c32 = arith.constant 32 : index\n"
    "    %zero = arith.constant 0.0 : f32\n"
    "    %row = affine.apply affine_map<(b, t) -> (16 * b + t)>(%by, %y)\n"
    "    %column = affine.apply affine_map<(b, t) -> (16 * b + t)>(%bx, %x)\n"
    "    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%s = %zero) -> (f32) {\n"
    "      %kx = arith.addi %k, %x : index\n      %ky = arith.addi %k, %y : index\n"
    "      %va = memref.load %a[%row, %kx] : memref<32x32xf32>\n"
    "      %vb = memref.load %b[%ky, %column] : memref<32x32xf32>\n"
    "      memref.store %va, %as[%y, %x] : " TILE "\n      memref.store %vb, %bs[%y, %x] : " TILE
    "\n"
    "      gpu.barrier\n"
    "      %p = scf.for %i = %c0 to %c16 step %c1 iter_args(%q = %s) -> (f32) {\n"
    "        %l = memref.load %as[%y, %i] : " TILE "\n        %r = memref.load %bs[%i, %x] : " TILE
    "\n        %m = arith.mulf %l, %r : f32\n        %n = arith.addf %q, %m : f32\n"
    "        scf.yield %n : f32\n      }\n"
    "      gpu.barrier\n      scf.yield %p : f32\n    }\n"
    "    memref.store %sum, %c[%row, %column] : memref<32x32xf32>\n    gpu.return\n  }\n}\n";

static void tiles_meet_at_barriers(void **state) {
  simulated device = simulated_text(*state, tiled);
  static float a[32][32], b[32][32], c[32][32];
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++) {
      a[i][j] = (float)((i * 3 + j) % 7 - 3);
      b[i][j] = (float)((i + j * 5) % 9 - 4);
    }
  simulated_array arrays[] = {
      {a, 4, 2, {32, 32}, {0}}, {b, 4, 2, {32, 32}, {0}}, {c, 4, 2, {32, 32}, {0}}};
  simulated_run_all(&device, "matmul", (int64_t[]){2, 2, 1}, (int64_t[]){16, 16, 1}, 3, arrays);
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++) {
      float want = 0;
      for (int k = 0; k < 32; k++)
        want += a[i][k] * b[k][j];
      assert_true(c[i][j] == want);
    }
  simulated_close(&device);
}

// Barriers, shared memory and accesses in functions that kernels call.
static void kernels_call_functions(void **state) {
  simulated device = simulated_text(
      *state, "gpu.module @k {\n"
              "  memref.global \"private\" @s : memref<64xf32, #gpu.address_space<workgroup>>\n"
              "  func.func @mirror(%v: f32, %t: index) -> f32 {\n"
              "    %s = memref.get_global @s : memref<64xf32, #gpu.address_space<workgroup>>\n"
              "    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n"
              "    gpu.barrier\n    %c63 = arith.constant 63 : index\n"
              "    %u = arith.subi %c63, %t : index\n"
              "    %r = memref.load %s[%u] : memref<64xf32, #gpu.address_space<workgroup>>\n"
              "    return %r : f32\n  }\n"
              "  gpu.func @plain(%x: memref<64xf32>) kernel {\n    %t = gpu.thread_id x\n"
              "    %v = memref.load %x[%t] : memref<64xf32>\n    %w = arith.addf %v, %v : f32\n"
              "    memref.store %w, %x[%t] : memref<64xf32>\n    gpu.return\n  }\n"
              "  gpu.func @calls(%x: memref<64xf32>) kernel {\n    %t = gpu.thread_id x\n"
              "    %v = memref.load %x[%t] : memref<64xf32>\n"
              "    %w = func.call @mirror(%v, %t) : (f32, index) -> f32\n"
              "    memref.store %w, %x[%t] : memref<64xf32>\n    gpu.return\n  }\n}\n");
  float x[64];
  for (int i = 0; i < 64; i++)
    x[i] = (float)i;
  simulated_array array = {x, 4, 1, {64}, {0}};
  simulated_run_line(&device, "calls", 1, 64, 1, &array);
  simulated_run_line(&device, "plain", 1, 64, 1, &array);
  for (int i = 0; i < 64; i++)
    assert_true(x[i] == (float)(2 * (63 - i)));
  simulated_close(&device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_thread_has_its_registers), cmocka_unit_test(lanes_know_each_other),
      cmocka_unit_test(shuffles_exchange_lanes),       cmocka_unit_test(all_reduce_sums_blocks),
      cmocka_unit_test(tiles_meet_at_barriers),        cmocka_unit_test(kernels_call_functions),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
