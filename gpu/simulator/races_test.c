// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data races on shared memory, found in whatever schedule runs, and what is none.
#include "gpu/simulator/testing.h"

#include <stdio.h>

#define SHARED "#gpu.address_space<workgroup>"

// Launches in each schedule; want: a part of the message, or NULL where all is well.
static void expect(void *context, const char *text, int64_t threads, size_t count,
                   const simulated_array arrays[], const char *want) {
  simulated device = simulated_text(context, text);
  for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++)
    for (uint64_t seed = 0; seed < 3; seed++) {
      assay_error err = {.text = ""};
      assay_simulator_set(
          device.gpu,
          (assay_simulation){.schedule = (assay_schedule)schedule, .seed = seed, .races = true});
      assay_code code = simulated_launch(&device, "k", (int64_t[]){3, 1, 1},
                                         (int64_t[]){threads, 1, 1}, 0, count, arrays, &err);
      const char *name = assay_schedule_name((assay_schedule)schedule);
      if (want == NULL && code != ASSAY_OK)
        fail_msg("%s: %s", name, err.text);
      if (want != NULL && (code == ASSAY_OK || strstr(err.text, want) == NULL))
        fail_msg("%s: got '%s', want '%s'", name, err.text, want);
    }
  simulated_close(&device);
}

// Each thread puts its number into shared memory and takes its mirror's, twice; barriers where the
// flags say.
static void print_exchange(char *text, size_t room, const char *type, bool first, bool second) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  gpu.func @k(%%out: memref<64x%s>) workgroup(%%s: memref<64x%s, " SHARED
           ">) kernel {\n"
           "    %%t = gpu.thread_id x\n    %%c63 = arith.constant 63 : index\n"
           "    %%c0 = arith.constant 0 : index\n    %%c1 = arith.constant 1 : index\n"
           "    %%c2 = arith.constant 2 : index\n    %%u = arith.subi %%c63, %%t : index\n"
           "    %%z = arith.constant 0 : %s\n    %%i = arith.index_cast %%t : index to %s\n"
           "    %%r = scf.for %%k = %%c0 to %%c2 step %%c1 iter_args(%%a = %%z) -> (%s) {\n"
           "      %%v = arith.addi %%i, %%a : %s\n"
           "      memref.store %%v, %%s[%%t] : memref<64x%s, " SHARED ">\n"
           "      %s\n"
           "      %%w = memref.load %%s[%%u] : memref<64x%s, " SHARED ">\n"
           "      %s\n"
           "      scf.yield %%w : %s\n    }\n"
           "    memref.store %%r, %%out[%%t] : memref<64x%s>\n    gpu.return\n  }\n}\n",
           type, type, type, type, type, type, type, first ? "gpu.barrier" : "", type,
           second ? "gpu.barrier" : "", type, type);
}

static void each_needed_barrier_is_missed(void **state) {
  static const char *const types[] = {"i32", "i8", "i16", "i64"};
  for (int i = 0; i < 4; i++) {
    char text[2048];
    int64_t out[64];
    simulated_array array = {out,
                             types[i][1] == '8'   ? 1
                             : types[i][1] == '1' ? 2
                             : types[i][1] == '3' ? 4
                                                  : 8,
                             1,
                             {64},
                             {0}};
    print_exchange(text, sizeof text, types[i], true, true);
    expect(*state, text, 64, 1, &array, NULL);
    print_exchange(text, sizeof text, types[i], false, true);
    expect(*state, text, 64, 1, &array, ": race: ");
    print_exchange(text, sizeof text, types[i], true, false);
    expect(*state, text, 64, 1, &array, ": race: ");
  }
}

static void both_accesses_are_named(void **state) {
  char text[2048];
  int32_t out[64];
  simulated_array array = {out, 4, 1, {64}, {0}};
  print_exchange(text, sizeof text, "i32", false, true);
  simulated device = simulated_text(*state, text);
  assay_error err = {.text = ""};
  assert_int_equal(simulated_launch(&device, "k", (int64_t[]){1, 1, 1}, (int64_t[]){64, 1, 1}, 0, 1,
                                    &array, &err),
                   ASSAY_FAILED);
  assert_string_equal(err.text,
                      "kernel k, block (0,0,0), thread (32,0,0), line 13: race: writes 4 bytes at "
                      "shared offset 128, which thread (31,0,0) reads at line 15, with no barrier "
                      "between");
  simulated_close(&device);
}

// Lanes exchange with their neighbour, with `between` in between.
static void print_neighbours(char *text, size_t room, const char *between) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  gpu.func @k(%%out: memref<64xi32>) workgroup(%%s: memref<64xi32, " SHARED
           ">) kernel {\n"
           "    %%t = gpu.thread_id x\n    %%c1 = arith.constant 1 : index\n"
           "    %%u = arith.xori %%t, %%c1 : index\n    %%i = arith.index_cast %%t : index to i32\n"
           "    %%all = arith.constant -1 : i32\n    %%w = arith.constant 32 : i32\n"
           "    %%one = arith.constant 1 : i32\n"
           "    memref.store %%i, %%s[%%t] : memref<64xi32, " SHARED ">\n"
           "    %s\n"
           "    %%v = memref.load %%s[%%u] : memref<64xi32, " SHARED ">\n"
           "    memref.store %%v, %%out[%%t] : memref<64xi32>\n    gpu.return\n  }\n}\n",
           between);
}

static void barriers_of_a_warp_order_its_lanes(void **state) {
  char text[2048];
  int32_t out[64];
  simulated_array array = {out, 4, 1, {64}, {0}};
  print_neighbours(text, sizeof text, "nvvm.bar.warp.sync %all : i32");
  expect(*state, text, 64, 1, &array, NULL);
  for (int i = 0; i < 64; i++)
    assert_int_equal(out[i], i ^ 1);
  // A shuffle waits, but promises nothing of memory.
  print_neighbours(text, sizeof text, "%r, %p = gpu.shuffle xor %i, %one, %w : i32");
  expect(*state, text, 64, 1, &array, ": race: ");
  print_neighbours(text, sizeof text, "");
  expect(*state, text, 64, 1, &array, ": race: ");
}

// All threads write to word 0.
static void print_all_write(char *text, size_t room, const char *value) {
  snprintf(text, room,
           "gpu.module @m {\n"
           "  gpu.func @k(%%out: memref<1xi32>) workgroup(%%s: memref<1xi32, " SHARED
           ">) kernel {\n"
           "    %%t = gpu.thread_id x\n    %%c0 = arith.constant 0 : index\n"
           "    %%i = arith.index_cast %%t : index to i32\n    %%seven = arith.constant 7 : i32\n"
           "    memref.store %%%s, %%s[%%c0] : memref<1xi32, " SHARED ">\n"
           "    gpu.barrier\n"
           "    %%v = memref.load %%s[%%c0] : memref<1xi32, " SHARED ">\n"
           "    memref.store %%v, %%out[%%c0] : memref<1xi32>\n    gpu.return\n  }\n}\n",
           value);
}

static void the_same_value_twice_is_no_race(void **state) {
  char text[2048];
  int32_t out[1];
  simulated_array array = {out, 4, 1, {1}, {0}};
  print_all_write(text, sizeof text, "seven");
  expect(*state, text, 64, 1, &array, NULL);
  print_all_write(text, sizeof text, "i");
  expect(*state, text, 64, 1, &array, "race: writes 4 bytes at shared offset 0");
}

// The same by each thread to a long array: more doubts than are kept.
static void many_same_values_are_no_race(void **state) {
  int32_t out[1];
  simulated_array array = {out, 4, 1, {1}, {0}};
  static const char text[] =
      "gpu.module @m {\n"
      "  gpu.func @k(%%out: memref<1xi32>) workgroup(%%s: memref<500xi32, " SHARED ">) kernel {\n"
      "    %%t = gpu.thread_id x\n    %%c0 = arith.constant 0 : index\n"
      "    %%c1 = arith.constant 1 : index\n    %%n = arith.constant 500 : index\n"
      "    %%last = arith.constant %d : index\n"
      "    scf.for %%i = %%c0 to %%n step %%c1 {\n"
      "      %%late = arith.cmpi eq, %%i, %%last : index\n"
      "      %%j = arith.select %%late, %%t, %%i : index\n"
      "      %%v = arith.index_cast %%j : index to i32\n"
      "      memref.store %%v, %%s[%%i] : memref<500xi32, " SHARED ">\n    }\n"
      "    gpu.return\n  }\n}\n";
  char same[2048], different[2048];
  snprintf(same, sizeof same, text, 500);
  expect(*state, same, 40, 1, &array, NULL);
  snprintf(different, sizeof different, text, 490);
  expect(*state, different, 40, 1, &array, "race: writes 4 bytes at shared offset 1960");
}

static void neighbouring_bytes_are_no_race(void **state) {
  int8_t out[64];
  simulated_array array = {out, 1, 1, {64}, {0}};
  expect(*state,
         "gpu.module @m {\n"
         "  gpu.func @k(%out: memref<64xi8>) workgroup(%s: memref<64xi8, " SHARED ">) kernel {\n"
         "    %t = gpu.thread_id x\n    %i = arith.index_cast %t : index to i8\n"
         "    memref.store %i, %s[%t] : memref<64xi8, " SHARED ">\n"
         "    %v = memref.load %s[%t] : memref<64xi8, " SHARED ">\n"
         "    memref.store %v, %out[%t] : memref<64xi8>\n    gpu.return\n  }\n}\n",
         64, 1, &array, NULL);
  for (int i = 0; i < 64; i++)
    assert_int_equal(out[i], i);
}

static void atomic_operations_do_not_race_with_each_other(void **state) {
  static const char text[] =
      "gpu.module @m {\n"
      "  gpu.func @k(%%out: memref<64xi32>) workgroup(%%s: memref<1xi32, " SHARED ">) kernel {\n"
      "    %%t = gpu.thread_id x\n    %%c0 = arith.constant 0 : index\n"
      "    %%one = arith.constant 1 : i32\n    %%zero = arith.constant 0 : i32\n"
      "    %%is = arith.cmpi eq, %%t, %%c0 : index\n"
      "    scf.if %%is { memref.store %%zero, %%s[%%c0] : memref<1xi32, " SHARED "> }\n"
      "    %s\n"
      "    %%r = memref.atomic_rmw addi %%one, %%s[%%c0] : (i32, memref<1xi32, " SHARED
      ">) -> i32\n"
      "    gpu.barrier\n"
      "    %%v = memref.load %%s[%%c0] : memref<1xi32, " SHARED ">\n"
      "    memref.store %%v, %%out[%%t] : memref<64xi32>\n    gpu.return\n  }\n}\n";
  char right[2048], wrong[2048];
  int32_t out[64];
  simulated_array array = {out, 4, 1, {64}, {0}};
  snprintf(right, sizeof right, text, "gpu.barrier");
  expect(*state, right, 64, 1, &array, NULL);
  for (int i = 0; i < 64; i++)
    assert_int_equal(out[i], 64);
  snprintf(wrong, sizeof wrong, text, "");
  expect(*state, wrong, 64, 1, &array, ": race: ");
}

// Each thread writes out[i / GROUP] or, where it reads, out[i] from in[i + shift] of the same
// array.
static void print_global(char *text, size_t room, int group, int shift, const char *barrier) {
  snprintf(
      text, room,
      "gpu.module @m {\n"
      "  gpu.func @k(%%x: memref<256xf32>) kernel {\n"
      "    %%t = gpu.thread_id x\n    %%b = gpu.block_id x\n    %%d = gpu.block_dim x\n"
      "    %%o = arith.muli %%b, %%d : index\n    %%i = arith.addi %%o, %%t : index\n"
      "    %%s = arith.constant %d : index\n    %%g = arith.constant %d : index\n"
      "    %%u = arith.addi %%i, %%s : index\n    %%w = arith.divui %%i, %%g : index\n"
      "    %%j = arith.index_cast %%i : index to i32\n    %%f = arith.sitofp %%j : i32 to f32\n"
      "    %%v = memref.load %%x[%%u] : memref<256xf32>\n    %s\n"
      "    %%r = arith.addf %%v, %%f : f32\n"
      "    memref.store %%r, %%x[%%w] : memref<256xf32>\n    gpu.return\n  }\n}\n",
      shift, group, barrier);
}

static void device_memory_is_watched(void **state) {
  char text[2048];
  float x[256] = {0};
  simulated_array array = {x, 4, 1, {256}, {0}};
  print_global(text, sizeof text, 1, 0, "");
  expect(*state, text, 64, 1, &array, NULL);
  print_global(text, sizeof text, 1, 1, ""); // reads what the next thread writes
  expect(*state, text, 64, 1, &array, ": race: ");
  print_global(text, sizeof text, 1, 1, "gpu.barrier"); // the last thread's is another block's
  expect(*state, text, 64, 1, &array, " of another block ");
  print_global(text, sizeof text, 2, 200, ""); // two threads write the same element
  expect(*state, text, 16, 1, &array, ": race: writes 4 bytes at byte");
}

// What one launch wrote, the next may read, whatever block did.
static void launches_are_in_order(void **state) {
  char text[2048];
  float x[256] = {0};
  print_global(text, sizeof text, 1, 64, "");
  simulated device = simulated_text(*state, text);
  simulated_array array = {x, 4, 1, {256}, {0}};
  for (int i = 0; i < 3; i++)
    simulated_run(&device, "k", 1, 64, 1, &array);
  simulated_close(&device);
}

// MLIR 22 lets every lane that stands for a warp store the block's result, and those that have no
// partner in the butterfly a part of it.
static void all_reduce_of_three_warps_is_a_race(void **state) {
  float out[1];
  simulated_array array = {out, 4, 1, {1}, {0}};
  expect(*state,
         "gpu.module @m {\n"
         "  gpu.func @k(%out: memref<1xf32>) kernel {\n    %t = gpu.thread_id x\n"
         "    %c0 = arith.constant 0 : index\n    %j = arith.index_cast %t : index to i32\n"
         "    %f = arith.sitofp %j : i32 to f32\n"
         "    %s = gpu.all_reduce add %f uniform {} : (f32) -> (f32)\n"
         "    memref.store %s, %out[%c0] : memref<1xf32>\n    gpu.return\n  }\n}\n",
         96, 1, &array, ", line 7: race: writes 4 bytes at shared offset 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_needed_barrier_is_missed),
      cmocka_unit_test(both_accesses_are_named),
      cmocka_unit_test(barriers_of_a_warp_order_its_lanes),
      cmocka_unit_test(the_same_value_twice_is_no_race),
      cmocka_unit_test(many_same_values_are_no_race),
      cmocka_unit_test(neighbouring_bytes_are_no_race),
      cmocka_unit_test(atomic_operations_do_not_race_with_each_other),
      cmocka_unit_test(device_memory_is_watched),
      cmocka_unit_test(launches_are_in_order),
      cmocka_unit_test(all_reduce_of_three_warps_is_a_race),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
