// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels compute, of operations that the tensor language has no words for, on the simulator
// in each of its schedules and with an eye on races.
#include "gpu/kernels/kernels_testing.h"
#include "gpu/simulator/testing.h"

#include <math.h>

enum { MAX_BYTES = 8192 };

// The one kernel that the text at the stage `bufferized` becomes, run in all schedules on arrays
// that are the same each time before; they must be the same after.
static void run_kernel(fixture *f, const char *text, const char *kernel, int64_t blocks,
                       int64_t threads, size_t count, const simulated_array arrays[]) {
  static char before[SIMULATED_ARRAYS][MAX_BYTES], first[SIMULATED_ARRAYS][MAX_BYTES];
  MlirModule module = parse_module(f, text);
  run_stages(f, "kernels", "nvvm", module);
  simulated device = simulated_open(simulated_kernels(module));
  for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
    assay_simulation simulation = {
        .schedule = (assay_schedule)schedule, .seed = 7, .races = schedule == 0};
    assay_simulator_set(device.gpu, simulation);
    for (size_t i = 0; i < count; i++)
      memcpy(schedule == 0 ? before[i] : arrays[i].data, schedule == 0 ? arrays[i].data : before[i],
             (size_t)simulated_bytes(&arrays[i]));
    simulated_run(&device, kernel, blocks, threads, count, arrays);
    for (size_t i = 0; i < count; i++)
      if (schedule == 0)
        memcpy(first[i], arrays[i].data, (size_t)simulated_bytes(&arrays[i]));
      else
        assert_memory_equal(first[i], arrays[i].data, (size_t)simulated_bytes(&arrays[i]));
  }
  simulated_close(&device);
  mlirModuleDestroy(module);
}

static simulated_array array1(void *data, int element, int64_t size) {
  return (simulated_array){.data = data, .element = element, .rank = 1, .sizes = {size}};
}

static simulated_array array2(void *data, int element, int64_t rows, int64_t columns) {
  return (simulated_array){.data = data, .element = element, .rank = 2, .sizes = {rows, columns}};
}

#define ROWS                                                                                       \
  "indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], "                    \
  "iterator_types = [\"parallel\", \"reduction\"]"

// Rows of 100 numbers by one operation of the dialect arith, from what the results hold.
static void reduce_rows(fixture *f, const char *operation, float x[3][100], float y[3]) {
  const char *text = assay_arena_format(
      f->arena,
      "func.func @main(%%x: memref<3x100xf32>, %%y: memref<3xf32>) {\n"
      "  linalg.generic {" ROWS "} ins(%%x : memref<3x100xf32>) outs(%%y : memref<3xf32>) {\n"
      "  ^bb0(%%a: f32, %%b: f32):\n    %%s = arith.%s %%a, %%b : f32\n"
      "    linalg.yield %%s : f32\n  }\n  return\n}\n",
      operation);
  simulated_array arrays[] = {array2(x, 4, 3, 100), array1(y, 4, 3)};
  run_kernel(f, text, "reduce_0", 3, 128, 2, arrays);
}

static void sums_count_what_was_there_once(void **state) {
  float x[3][100], y[3] = {1000, -5, -0.0F};
  for (int i = 0; i < 100; i++) {
    x[0][i] = (float)i;
    x[1][i] = i == 99 ? INFINITY : 1;
    x[2][i] = -0.0F;
  }
  reduce_rows(*state, "addf", x, y);
  assert_true(y[0] == 1000 + 4950);
  assert_true(y[1] == INFINITY);
  assert_true(y[2] == 0 && signbit(y[2])); // no +0 has come in
}

static void maxima_keep_a_nan_or_pass_it_over(void **state) {
  float x[3][100], y[3] = {-INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 100; i++) {
    x[0][i] = (float)-i - 1;
    x[1][i] = i == 70 ? NAN : (float)i;
    x[2][i] = NAN;
  }
  reduce_rows(*state, "maximumf", x, y);
  assert_true(y[0] == -1 && isnan(y[1]) && isnan(y[2]));
  y[1] = -INFINITY;
  y[2] = NAN;
  reduce_rows(*state, "maxnumf", x, y);
  assert_true(y[0] == -1 && y[1] == 99 && isnan(y[2]));
}

static void the_place_of_a_maximum_is_the_first(void **state) {
  int32_t x[4][50], best[4] = {-1, -1, -1, -1}, place[4] = {-1, -1, -1, -1};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 50; j++)
      x[i][j] = j == 7 * i + 3 || j == 40 ? 9 : j % 5;
  simulated_array arrays[] = {array2(x, 4, 4, 50), array1(best, 4, 4), array1(place, 4, 4)};
  run_kernel(*state,
             "func.func @main(%x: memref<4x50xi32>, %b: memref<4xi32>, %p: memref<4xi32>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
             "affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = "
             "[\"parallel\", \"reduction\"]} ins(%x : memref<4x50xi32>) "
             "outs(%b, %p : memref<4xi32>, memref<4xi32>) {\n"
             "  ^bb0(%a: i32, %c: i32, %d: i32):\n"
             "    %j = linalg.index 1 : index\n    %k = arith.index_cast %j : index to i32\n"
             "    %g = arith.cmpi sgt, %a, %c : i32\n"
             "    %v = arith.select %g, %a, %c : i32\n    %w = arith.select %g, %k, %d : i32\n"
             "    linalg.yield %v, %w : i32, i32\n  }\n  return\n}\n",
             "reduce_0", 1, 32, 3, arrays);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(best[i], 9);
    assert_int_equal(place[i], 7 * i + 3);
  }
}

static void several_axes_go_into_several_results(void **state) {
  double x[6][5][7], sum[5], most[5];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 7; k++)
        x[i][j][k] = i * 100 + j * 10 + k;
  for (int j = 0; j < 5; j++) {
    sum[j] = 0.5;
    most[j] = -1;
  }
  simulated_array arrays[] = {{.data = x, .element = 8, .rank = 3, .sizes = {6, 5, 7}},
                              array1(sum, 8, 5),
                              array1(most, 8, 5)};
  run_kernel(*state,
             "func.func @main(%x: memref<6x5x7xf64>, %s: memref<5xf64>, %m: memref<5xf64>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, "
             "affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (j)>], iterator_types = "
             "[\"reduction\", \"parallel\", \"reduction\"]} ins(%x : memref<6x5x7xf64>) "
             "outs(%s, %m : memref<5xf64>, memref<5xf64>) {\n"
             "  ^bb0(%a: f64, %b: f64, %c: f64):\n    %v = arith.addf %b, %a : f64\n"
             "    %w = arith.maximumf %a, %c : f64\n    linalg.yield %v, %w : f64, f64\n  }\n"
             "  return\n}\n",
             "reduce_0", 5, 64, 3, arrays);
  for (int j = 0; j < 5; j++) {
    assert_true(sum[j] == 0.5 + 42 * (250 + j * 10 + 3));
    assert_true(most[j] == 500 + j * 10 + 6);
  }
}

static void axes_are_permuted_and_counted(void **state) {
  float x[4][9][5], y[5][4][9];
  for (int i = 0; i < 180; i++)
    (&x[0][0][0])[i] = (float)i;
  simulated_array arrays[] = {{.data = x, .element = 4, .rank = 3, .sizes = {4, 9, 5}},
                              {.data = y, .element = 4, .rank = 3, .sizes = {5, 4, 9}}};
  run_kernel(*state,
             "func.func @main(%x: memref<4x9x5xf32>, %y: memref<5x4x9xf32>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, "
             "affine_map<(i, j, k) -> (k, i, j)>], iterator_types = [\"parallel\", \"parallel\", "
             "\"parallel\"]} ins(%x : memref<4x9x5xf32>) outs(%y : memref<5x4x9xf32>) {\n"
             "  ^bb0(%a: f32, %b: f32):\n    %j = linalg.index 1 : index\n"
             "    %k = arith.index_cast %j : index to i32\n    %f = arith.sitofp %k : i32 to f32\n"
             "    %p = arith.mulf %a, %f : f32\n    linalg.yield %p : f32\n  }\n  return\n}\n",
             "elementwise_0", 1, 192, 2, arrays);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 9; j++)
      for (int k = 0; k < 5; k++)
        assert_true(y[k][i][j] == (float)(j * ((i * 9 + j) * 5 + k)));
}

// Steps that reduce but go from element to element, and steps that meet in one.
static void order_is_kept_where_it_matters(void **state) {
  int32_t x[20][2], sum[2] = {5, 6}, shifted[20] = {0};
  for (int i = 0; i < 40; i++)
    (&x[0][0])[i] = i;
  simulated_array meeting[] = {array2(x, 4, 20, 2), array1(sum, 4, 2)};
  run_kernel(*state,
             "func.func @main(%x: memref<20x2xi32>, %y: memref<2xi32>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
             "affine_map<(i, j) -> (j)>], iterator_types = [\"parallel\", \"parallel\"]} "
             "ins(%x : memref<20x2xi32>) outs(%y : memref<2xi32>) {\n"
             "  ^bb0(%a: i32, %b: i32):\n    %t = arith.subi %a, %b : i32\n"
             "    linalg.yield %t : i32\n  }\n  return\n}\n",
             "reduce_0", 1, 32, 2, meeting);
  int32_t want[2] = {5, 6};
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 2; j++)
      want[j] = x[i][j] - want[j];
  assert_int_equal(sum[0], want[0]);
  assert_int_equal(sum[1], want[1]);
  simulated_array moving[] = {array2(x, 4, 20, 2), array1(shifted, 4, 20)};
  run_kernel(*state,
             "func.func @main(%x: memref<20x2xi32>, %y: memref<20xi32>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
             "affine_map<(i, j) -> (i)>], iterator_types = [\"reduction\", \"reduction\"]} "
             "ins(%x : memref<20x2xi32>) outs(%y : memref<20xi32>) {\n"
             "  ^bb0(%a: i32, %b: i32):\n    %t = arith.subi %a, %b : i32\n"
             "    linalg.yield %t : i32\n  }\n  return\n}\n",
             "reduce_0", 1, 32, 2, moving);
  for (int i = 0; i < 20; i++)
    assert_int_equal(shifted[i], x[i][1] - x[i][0]);
}

static void windows_slide(void **state) {
  float x[40], w[2][33], y[8] = {0};
  for (int i = 0; i < 40; i++)
    x[i] = (float)(i % 7);
  for (int i = 0; i < 66; i++)
    (&w[0][0])[i] = (float)(i % 3 - 1);
  simulated_array arrays[] = {array1(x, 4, 40), array2(w, 4, 2, 33), array1(y, 4, 8)};
  run_kernel(*state,
             "func.func @main(%x: memref<40xf32>, %w: memref<2x33xf32>, %y: memref<8xf32>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, "
             "affine_map<(i, j) -> (1, j)>, affine_map<(i, j) -> (i)>], iterator_types = "
             "[\"parallel\", \"reduction\"]} ins(%x, %w : memref<40xf32>, memref<2x33xf32>) "
             "outs(%y : memref<8xf32>) {\n"
             "  ^bb0(%a: f32, %b: f32, %c: f32):\n    %p = arith.mulf %a, %b : f32\n"
             "    %s = arith.addf %c, %p : f32\n    linalg.yield %s : f32\n  }\n  return\n}\n",
             "reduce_0", 8, 64, 3, arrays);
  for (int i = 0; i < 8; i++) {
    float want = 0;
    for (int j = 0; j < 33; j++)
      want += x[i + j] * w[1][j];
    assert_true(y[i] == want);
  }
}

static void powers_of_integers_are_those_of_c(void **state) {
  static const int32_t bases[] = {0, 1, -1, 2, -3, 7, 46341},
                       exponents[] = {0, 1, 2, 5, 31, -1, -2};
  int32_t x[49], n[49], y[49];
  for (int i = 0; i < 49; i++) {
    x[i] = bases[i / 7];
    n[i] = exponents[i % 7];
  }
  simulated_array arrays[] = {array1(x, 4, 49), array1(n, 4, 49), array1(y, 4, 49)};
  run_kernel(*state,
             "func.func @main(%x: memref<49xi32>, %n: memref<49xi32>, %y: memref<49xi32>) {\n"
             "  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, "
             "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} "
             "ins(%x, %n : memref<49xi32>, memref<49xi32>) outs(%y : memref<49xi32>) {\n"
             "  ^bb0(%a: i32, %b: i32, %c: i32):\n    %p = math.ipowi %a, %b : i32\n"
             "    linalg.yield %p : i32\n  }\n  return\n}\n",
             "elementwise_0", 1, 64, 3, arrays);
  for (int i = 0; i < 49; i++) {
    uint32_t want = 1;
    for (int j = 0; j < n[i]; j++)
      want *= (uint32_t)x[i];
    if (n[i] < 0)
      want = x[i] == 1 || (x[i] == -1 && n[i] == -2) ? 1 : x[i] == -1 ? UINT32_MAX : 0;
    assert_int_equal((uint32_t)y[i], want);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_count_what_was_there_once),
      cmocka_unit_test(maxima_keep_a_nan_or_pass_it_over),
      cmocka_unit_test(the_place_of_a_maximum_is_the_first),
      cmocka_unit_test(several_axes_go_into_several_results),
      cmocka_unit_test(axes_are_permuted_and_counted),
      cmocka_unit_test(order_is_kept_where_it_matters),
      cmocka_unit_test(windows_slide),
      cmocka_unit_test(powers_of_integers_are_those_of_c),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
