// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose threads would wait for ever: each is found in every schedule, and the message says
// who waits for what.
#include "gpu/simulator/testing.h"

#include <stdio.h>

static void a_barrier_in_a_branch_is_told(void **state) {
  float out[1];
  simulated_array array = {out, 4, 1, {1}, {0}};
  static const char text[] = "gpu.module @m {\n"
                             "  gpu.func @k(%%out: memref<1xf32>) kernel {\n"
                             "    %%t = gpu.thread_id x\n    %%c7 = arith.constant 7 : index\n"
                             "    %%in = arith.cmpi ult, %%t, %%c7 : index\n"
                             "    scf.if %%in {\n"
                             "      gpu.barrier\n"
                             "    }%s\n    gpu.return\n  }\n}\n";
  char one[1024], two[1024];
  snprintf(one, sizeof one, text, "");
  simulated_expect_fault(
      *state, one, 1, 40, 1, &array,
      "kernel k, block (0,0,0), thread (0,0,0), line 7: waits at a barrier that thread "
      "(7,0,0) does not reach: it has ended");
  snprintf(two, sizeof two, text,
           " else {\n      gpu.barrier\n      %f = arith.constant 1.0 : f32\n"
           "      memref.store %f, %out[%t] : memref<1xf32>\n    }");
  simulated_expect_fault(
      *state, two, 1, 40, 1, &array,
      "kernel k, block (0,0,0), thread (7,0,0), line 9: waits at a barrier while thread "
      "(0,0,0) waits at that of line 7");
}

// A shuffle of lanes below %n of 32, with the mask.
static void print_shuffle(char *text, size_t room, int lanes, const char *mask) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  llvm.func @k(%%out: !llvm.ptr, %%p1: !llvm.ptr, %%p2: i64, %%p3: i64, %%p4: i64) "
           "attributes {gpu.kernel, nvvm.kernel} {\n"
           "    %%t = nvvm.read.ptx.sreg.tid.x : i32\n"
           "    %%n = llvm.mlir.constant(%d : i32) : i32\n"
           "    %%m = llvm.mlir.constant(%s : i32) : i32\n"
           "    %%one = llvm.mlir.constant(1 : i32) : i32\n"
           "    %%c = llvm.mlir.constant(31 : i32) : i32\n"
           "    %%in = llvm.icmp \"ult\" %%t, %%n : i32\n"
           "    llvm.cond_br %%in, ^bb1, ^bb2\n"
           "  ^bb1:\n"
           "    %%r = nvvm.shfl.sync bfly %%m, %%t, %%one, %%c : i32 -> i32\n"
           "    %%q = llvm.getelementptr %%out[%%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n"
           "    llvm.store %%r, %%q : i32, !llvm.ptr\n"
           "    llvm.br ^bb2\n"
           "  ^bb2:\n    llvm.return\n  }\n}\n",
           lanes, mask);
}

static void collectives_need_their_lanes(void **state) {
  char text[2048];
  int32_t out[32];
  simulated_array array = {out, 4, 1, {32}, {0}};
  print_shuffle(text, sizeof text, 20, "-1");
  simulated_expect_fault(
      *state, text, 1, 32, 1, &array,
      "thread (0,0,0), line 11: shfl.sync.bfly names lane 20, thread (20,0,0), which has "
      "ended");
  simulated_expect_fault(
      *state, text, 1, 20, 1, &array,
      "line 11: shfl.sync.bfly with mask 0xffffffff names lane 20, but the warp has 20 "
      "threads");
  print_shuffle(text, sizeof text, 32, "-2");
  simulated_expect_fault(
      *state, text, 1, 32, 1, &array,
      "thread (0,0,0), line 11: shfl.sync.bfly with mask 0xfffffffe, which leaves out its "
      "own lane 0");
}

// A barrier of lanes that hold one mask below lane 16 and another from there on.
static void print_masks(char *text, size_t room, int low, int high) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  llvm.func @k(%%out: !llvm.ptr, %%p1: !llvm.ptr, %%p2: i64, %%p3: i64, %%p4: i64) "
           "attributes {gpu.kernel, nvvm.kernel} {\n"
           "    %%t = nvvm.read.ptx.sreg.tid.x : i32\n"
           "    %%n = llvm.mlir.constant(16 : i32) : i32\n"
           "    %%low = llvm.mlir.constant(%d : i32) : i32\n"
           "    %%high = llvm.mlir.constant(%d : i32) : i32\n"
           "    %%in = llvm.icmp \"ult\" %%t, %%n : i32\n"
           "    %%m = llvm.select %%in, %%low, %%high : i1, i32\n"
           "    nvvm.bar.warp.sync %%m : i32\n"
           "    llvm.return\n  }\n}\n",
           low, high);
}

static void different_masks_are_told(void **state) {
  char text[2048];
  int32_t out[32];
  simulated_array array = {out, 4, 1, {32}, {0}};
  print_masks(text, sizeof text, 0xffff, -1);
  simulated_expect_fault(
      *state, text, 1, 32, 1, &array,
      "thread (16,0,0), line 9: bar.warp.sync names lane 0, thread (0,0,0), which has "
      "ended");
  print_masks(text, sizeof text, -1, -0xffff);
  simulated_expect_fault(
      *state, text, 1, 32, 1, &array,
      "thread (0,0,0), line 9: bar.warp.sync with mask 0xffffffff waits for lane 16, thread "
      "(16,0,0), which waits in bar.warp.sync of line 9 with mask 0xffff0001");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_barrier_in_a_branch_is_told),
      cmocka_unit_test(collectives_need_their_lanes),
      cmocka_unit_test(different_masks_are_told),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
