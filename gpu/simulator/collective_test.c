// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp do together, each by its intrinsic.
#include "gpu/simulator/testing.h"

#include <stdio.h>

// Runs a kernel of 32 threads whose body computes %r, i32, from %t, the lane, and %v, which is
// in[lane]; %m is the full mask.
static void run_body(void *context, const char *body, const int32_t in[32], int32_t out[32]) {
  char text[4096];
  snprintf(text, sizeof text,
           "gpu.module @m {\n"
           "  gpu.func @k(%%in: memref<32xi32>, %%out: memref<32xi32>) kernel {\n"
           "    %%ti = gpu.thread_id x\n    %%t = arith.index_cast %%ti : index to i32\n"
           "    %%m = arith.constant -1 : i32\n    %%one = arith.constant 1 : i32\n"
           "    %%v = memref.load %%in[%%ti] : memref<32xi32>\n"
           "%s"
           "    memref.store %%r, %%out[%%ti] : memref<32xi32>\n    gpu.return\n  }\n}\n",
           body);
  simulated device = simulated_text(context, text);
  int32_t copy[32];
  memcpy(copy, in, sizeof copy);
  simulated_array arrays[] = {{copy, 4, 1, {32}, {0}}, {out, 4, 1, {32}, {0}}};
  for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
    assay_simulator_set(
        device.gpu,
        (assay_simulation){.schedule = (assay_schedule)schedule, .seed = 3, .races = true});
    simulated_run(&device, "k", 1, 32, 2, arrays);
  }
  simulated_close(&device);
}

static void reductions(void **state) {
  static const char *const kinds[] = {"add", "umin", "umax", "min", "max", "and", "or", "xor"};
  int32_t in[32], out[32];
  for (int i = 0; i < 32; i++)
    in[i] = i % 2 == 0 ? i * 2 : -i - 1; // 0, -2, 4, -4, ..., 60, -32
  int32_t sum = 0, all = -1, some = 0, odd = 0, low = 0, high = 0;
  uint32_t umin = UINT32_MAX, umax = 0;
  for (int i = 0; i < 32; i++) {
    sum += in[i];
    all &= in[i];
    some |= in[i];
    odd ^= in[i];
    low = in[i] < low ? in[i] : low;
    high = in[i] > high ? in[i] : high;
    umin = (uint32_t)in[i] < umin ? (uint32_t)in[i] : umin;
    umax = (uint32_t)in[i] > umax ? (uint32_t)in[i] : umax;
  }
  int32_t want[8] = {sum, (int32_t)umin, (int32_t)umax, low, high, all, some, odd};
  for (int i = 0; i < 8; i++) {
    char body[128];
    snprintf(body, sizeof body, "    %%r = nvvm.redux.sync %s %%v, %%m : i32 -> i32\n", kinds[i]);
    run_body(*state, body, in, out);
    for (int lane = 0; lane < 32; lane++)
      assert_int_equal(out[lane], want[i]);
  }
}

static void votes(void **state) {
  int32_t in[32], out[32];
  for (int i = 0; i < 32; i++)
    in[i] = i % 3 == 0;
  uint32_t ballot = 0;
  for (int i = 0; i < 32; i++)
    ballot |= (uint32_t)in[i] << i;
  static const char *const kinds[] = {"any", "all", "uni"};
  static const int want[] = {1, 0, 0};
  char body[512];
  for (int k = 0; k < 3; k++) {
    snprintf(body, sizeof body,
             "    %%p = arith.cmpi eq, %%v, %%one : i32\n"
             "    %%q = nvvm.vote.sync %s %%m, %%p -> i1\n    %%r = arith.extui %%q : i1 to i32\n",
             kinds[k]);
    run_body(*state, body, in, out);
    for (int lane = 0; lane < 32; lane++)
      assert_int_equal(out[lane], want[k]);
  }
  run_body(*state,
           "    %p = arith.cmpi eq, %v, %one : i32\n    %r = nvvm.vote.sync ballot %m, %p -> i32\n",
           in, out);
  for (int lane = 0; lane < 32; lane++)
    assert_int_equal(out[lane], ballot);
}

static void matches(void **state) {
  int32_t in[32], out[32];
  for (int i = 0; i < 32; i++)
    in[i] = i / 8;
  run_body(*state, "    %r = nvvm.match.sync any %m, %v : i32 -> i32\n", in, out);
  for (int lane = 0; lane < 32; lane++)
    assert_int_equal((uint32_t)out[lane], 0xffU << lane / 8 * 8);
  static const char all[] =
      "    %w = arith.extsi %v : i32 to i64\n"
      "    %s = nvvm.match.sync all %m, %w : i64 -> !llvm.struct<(i32, i1)>\n"
      "    %a = llvm.extractvalue %s[0] : !llvm.struct<(i32, i1)>\n"
      "    %p = llvm.extractvalue %s[1] : !llvm.struct<(i32, i1)>\n"
      "    %q = arith.extui %p : i1 to i32\n    %r = arith.subi %a, %q : i32\n";
  run_body(*state, all, in, out);
  for (int lane = 0; lane < 32; lane++)
    assert_int_equal(out[lane], 0);
  memset(in, 0, sizeof in);
  run_body(*state, all, in, out);
  for (int lane = 0; lane < 32; lane++)
    assert_int_equal(out[lane], -2); // all lanes, and true
}

static void shuffles_keep_to_their_segment(void **state) {
  int32_t in[32], out[32];
  for (int i = 0; i < 32; i++)
    in[i] = i;
  // Segments of 8 lanes: clamp 7, mask 0x18.
  run_body(*state,
           "    %c = arith.constant 6175 : i32\n    %three = arith.constant 3 : i32\n"
           "    %r = nvvm.shfl.sync down %m, %v, %three, %c : i32 -> i32\n",
           in, out);
  for (int i = 0; i < 32; i++)
    assert_int_equal(out[i], i % 8 + 3 < 8 ? i + 3 : i);
  run_body(*state,
           "    %c = arith.constant 6175 : i32\n    %three = arith.constant 3 : i32\n"
           "    %r = nvvm.shfl.sync idx %m, %v, %three, %c : i32 -> i32\n",
           in, out);
  for (int i = 0; i < 32; i++)
    assert_int_equal(out[i], i / 8 * 8 + 3);
}

// C = A * B + C of fragments that PTX's layout spreads over a warp, against the plain sum.
static void tensor_cores_multiply(void **state) {
  simulated device = simulated_text(
      *state,
      "gpu.module @m {\n"
      "  gpu.func @k(%a: memref<16x8xf32>, %b: memref<8x8xf32>, %c: memref<16x8xf32>) kernel {\n"
      "    %t = gpu.thread_id x\n"
      "    %g = affine.apply affine_map<(t) -> (t floordiv 4)>(%t)\n"
      "    %p = affine.apply affine_map<(t) -> (t mod 4)>(%t)\n"
      "    %c4 = arith.constant 4 : index\n    %c8 = arith.constant 8 : index\n"
      "    %c1 = arith.constant 1 : index\n    %c2 = arith.constant 2 : index\n"
      "    %h = arith.addi %g, %c8 : index\n    %q = arith.addi %p, %c4 : index\n"
      "    %x = arith.muli %p, %c2 : index\n    %y = arith.addi %x, %c1 : index\n"
      "    %a0 = memref.load %a[%g, %p] : memref<16x8xf32>\n"
      "    %a1 = memref.load %a[%h, %p] : memref<16x8xf32>\n"
      "    %a2 = memref.load %a[%g, %q] : memref<16x8xf32>\n"
      "    %a3 = memref.load %a[%h, %q] : memref<16x8xf32>\n"
      "    %b0 = memref.load %b[%p, %g] : memref<8x8xf32>\n"
      "    %b1 = memref.load %b[%q, %g] : memref<8x8xf32>\n"
      "    %c0 = memref.load %c[%g, %x] : memref<16x8xf32>\n"
      "    %c1v = memref.load %c[%g, %y] : memref<16x8xf32>\n"
      "    %c2v = memref.load %c[%h, %x] : memref<16x8xf32>\n"
      "    %c3v = memref.load %c[%h, %y] : memref<16x8xf32>\n"
      "    %i0 = nvvm.convert.float.to.tf32 %a0 {rnd = #nvvm.fp_rnd_mode<rna>}\n"
      "    %i1 = nvvm.convert.float.to.tf32 %a1 {rnd = #nvvm.fp_rnd_mode<rna>}\n"
      "    %i2 = nvvm.convert.float.to.tf32 %a2 {rnd = #nvvm.fp_rnd_mode<rna>}\n"
      "    %i3 = nvvm.convert.float.to.tf32 %a3 {rnd = #nvvm.fp_rnd_mode<rna>}\n"
      "    %j0 = arith.bitcast %b0 : f32 to i32\n    %j1 = arith.bitcast %b1 : f32 to i32\n"
      "    %d = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%j0, %j1] C[%c0, %c1v, %c2v, %c3v]\n"
      "      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,\n"
      "       multiplicandAPtxType = #nvvm.mma_type<tf32>,\n"
      "       multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = "
      "8>}\n"
      "      : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>\n"
      "    %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>\n"
      "    %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>\n"
      "    %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32)>\n"
      "    %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>\n"
      "    memref.store %d0, %c[%g, %x] : memref<16x8xf32>\n"
      "    memref.store %d1, %c[%g, %y] : memref<16x8xf32>\n"
      "    memref.store %d2, %c[%h, %x] : memref<16x8xf32>\n"
      "    memref.store %d3, %c[%h, %y] : memref<16x8xf32>\n    gpu.return\n  }\n}\n");
  float a[16][8], b[8][8], c[16][8], want[16][8];
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 8; k++)
      a[i][k] = (float)((i * 5 + k * 3) % 11 - 5);
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 8; j++)
      b[k][j] = (float)((k * 7 + j) % 9 - 4);
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      want[i][j] = c[i][j] = (float)(i + j);
      for (int k = 0; k < 8; k++)
        want[i][j] += a[i][k] * b[k][j];
    }
  simulated_array arrays[] = {
      {a, 4, 2, {16, 8}, {0}}, {b, 4, 2, {8, 8}, {0}}, {c, 4, 2, {16, 8}, {0}}};
  simulated_run(&device, "k", 1, 32, 3, arrays);
  assert_memory_equal(c, want, sizeof want);
  simulated_close(&device);
}

// The same of 8 x 4 by 4 x 8, f64.
static void tensor_cores_multiply_doubles(void **state) {
  simulated device = simulated_text(
      *state,
      "gpu.module @m {\n"
      "  gpu.func @k(%a: memref<8x4xf64>, %b: memref<4x8xf64>, %c: memref<8x8xf64>) kernel {\n"
      "    %t = gpu.thread_id x\n"
      "    %g = affine.apply affine_map<(t) -> (t floordiv 4)>(%t)\n"
      "    %p = affine.apply affine_map<(t) -> (t mod 4)>(%t)\n"
      "    %x = affine.apply affine_map<(t) -> (t mod 4 * 2)>(%t)\n"
      "    %y = affine.apply affine_map<(t) -> (t mod 4 * 2 + 1)>(%t)\n"
      "    %a0 = memref.load %a[%g, %p] : memref<8x4xf64>\n"
      "    %b0 = memref.load %b[%p, %g] : memref<4x8xf64>\n"
      "    %c0 = memref.load %c[%g, %x] : memref<8x8xf64>\n"
      "    %c1 = memref.load %c[%g, %y] : memref<8x8xf64>\n"
      "    %d = nvvm.mma.sync A[%a0] B[%b0] C[%c0, %c1]\n"
      "      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,\n"
      "       shape = #nvvm.shape<m = 8, n = 8, k = 4>}\n"
      "      : (f64, f64, f64) -> !llvm.struct<(f64, f64)>\n"
      "    %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f64, f64)>\n"
      "    %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f64, f64)>\n"
      "    memref.store %d0, %c[%g, %x] : memref<8x8xf64>\n"
      "    memref.store %d1, %c[%g, %y] : memref<8x8xf64>\n    gpu.return\n  }\n}\n");
  double a[8][4], b[4][8], c[8][8], want[8][8];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 4; k++) {
      a[i][k] = (i * 5 + k * 3) % 11 - 5;
      b[k][i] = (k * 7 + i) % 9 - 4;
    }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      want[i][j] = c[i][j] = i + j;
      for (int k = 0; k < 4; k++)
        want[i][j] += a[i][k] * b[k][j];
    }
  simulated_array arrays[] = {
      {a, 8, 2, {8, 4}, {0}}, {b, 8, 2, {4, 8}, {0}}, {c, 8, 2, {8, 8}, {0}}};
  simulated_run(&device, "k", 1, 32, 3, arrays);
  assert_memory_equal(c, want, sizeof want);
  simulated_close(&device);
}

// Copies 16 bytes for each thread into shared memory, waits where `wait` says so, and reads what
// its neighbour brought.
static void print_copies(char *text, size_t room, const char *wait, const char *barrier) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : "
           "!llvm.array<32 x i32>\n"
           "  llvm.func @k(%%in: !llvm.ptr, %%i1: !llvm.ptr, %%i2: i64, %%i3: i64, %%i4: i64, "
           "%%out: !llvm.ptr, %%o1: !llvm.ptr, %%o2: i64, %%o3: i64, %%o4: i64) "
           "attributes {gpu.kernel, nvvm.kernel} {\n"
           "    %%s = llvm.mlir.addressof @s : !llvm.ptr<3>\n"
           "    %%g = llvm.addrspacecast %%in : !llvm.ptr to !llvm.ptr<1>\n"
           "    %%t = nvvm.read.ptx.sreg.tid.x : i32\n"
           "    %%four = llvm.mlir.constant(4 : i32) : i32\n"
           "    %%one = llvm.mlir.constant(4 : i32) : i32\n"
           "    %%i = llvm.mul %%t, %%four : i32\n"
           "    %%to = llvm.getelementptr %%s[%%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
           "    %%from = llvm.getelementptr %%g[%%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
           "    nvvm.cp.async.shared.global %%to, %%from, 16, cache = cg : !llvm.ptr<3>, "
           "!llvm.ptr<1>\n"
           "    nvvm.cp.async.commit.group\n"
           "    %s\n    %s\n"
           "    %%n = llvm.xor %%i, %%one : i32\n"
           "    %%q = llvm.getelementptr %%s[%%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
           "    %%v = llvm.load %%q : !llvm.ptr<3> -> i32\n"
           "    %%o = llvm.getelementptr %%out[%%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n"
           "    llvm.store %%v, %%o : i32, !llvm.ptr\n"
           "    llvm.return\n  }\n}\n",
           wait, barrier);
}

static void asynchronous_copies_need_their_wait(void **state) {
  int32_t in[32], out[8];
  for (int i = 0; i < 32; i++)
    in[i] = i;
  simulated_array arrays[] = {{in, 4, 1, {32}, {0}}, {out, 4, 1, {8}, {0}}};
  char text[4096];
  print_copies(text, sizeof text, "nvvm.cp.async.wait.group 0", "nvvm.barrier0");
  simulated device = simulated_text(*state, text);
  simulated_run(&device, "k", 1, 8, 2, arrays);
  for (int i = 0; i < 8; i++)
    assert_int_equal(out[i], (i ^ 1) * 4);
  simulated_close(&device);
  // Without the wait nothing has come; without the barrier it is a race.
  print_copies(text, sizeof text, "", "nvvm.barrier0");
  device = simulated_text(*state, text);
  simulated_run(&device, "k", 1, 8, 2, arrays);
  for (int i = 0; i < 8; i++)
    assert_int_equal(out[i], -1);
  simulated_close(&device);
  print_copies(text, sizeof text, "nvvm.cp.async.wait.group 0", "");
  device = simulated_text(*state, text);
  assay_error err = {.text = ""};
  assert_int_equal(simulated_launch(&device, "k", (int64_t[]){1, 1, 1}, (int64_t[]){8, 1, 1}, 0, 2,
                                    arrays, &err),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, ": race: "));
  simulated_close(&device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions),
      cmocka_unit_test(votes),
      cmocka_unit_test(matches),
      cmocka_unit_test(shuffles_keep_to_their_segment),
      cmocka_unit_test(tensor_cores_multiply),
      cmocka_unit_test(tensor_cores_multiply_doubles),
      cmocka_unit_test(asynchronous_copies_need_their_wait),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
