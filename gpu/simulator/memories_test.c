// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels keep where, in every type, and the mathematical functions of those.
#include "gpu/simulator/testing.h"

#include <math.h>
#include <stdio.h>

// Each element type through shared memory and back, doubled (i1: negated).
static void every_width_goes_through_memory(void **state) {
  static const struct {
    const char *type, *operation;
    int bytes;
  } widths[] = {{"i8", "arith.addi", 1},  {"i16", "arith.addi", 2}, {"i32", "arith.addi", 4},
                {"i64", "arith.addi", 8}, {"f16", "arith.addf", 2}, {"f32", "arith.addf", 4},
                {"f64", "arith.addf", 8}, {"i1", "arith.xori", 1}};
  for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
    char text[2048];
    const char *type = widths[w].type;
    snprintf(text, sizeof text,
             "gpu.module @k {\n  gpu.func @k(%%in: memref<40x%s>, %%out: memref<40x%s>) "
             "workgroup(%%s: memref<40x%s, #gpu.address_space<workgroup>>) kernel {\n"
             "    %%t = gpu.thread_id x\n    %%last = arith.constant 39 : index\n"
             "    %%v = memref.load %%in[%%t] : memref<40x%s>\n"
             "    memref.store %%v, %%s[%%t] : memref<40x%s, #gpu.address_space<workgroup>>\n"
             "    gpu.barrier\n    %%u = arith.subi %%last, %%t : index\n"
             "    %%r = memref.load %%s[%%u] : memref<40x%s, #gpu.address_space<workgroup>>\n"
             "    %%x = %s %%r, %%r : %s\n    memref.store %%x, %%out[%%t] : memref<40x%s>\n"
             "    gpu.return\n  }\n}\n",
             type, type, type, type, type, type, widths[w].operation, type, type);
    simulated device = simulated_text(*state, text);
    unsigned char in[40 * 8], out[40 * 8];
    memset(in, 0, sizeof in);
    int size = widths[w].bytes;
    for (int i = 0; i < 40; i++)
      if (type[0] == 'i')
        in[i * size] = (unsigned char)(size == 1 && type[1] == '1' ? i & 1 : i);
    if (type[0] == 'f')
      for (int i = 0; i < 40; i++) {
        float single = (float)(1 << i % 8);
        double wide = single;
        uint16_t half = (uint16_t)((15 + i % 8) << 10);
        memcpy(in + i * size,
               size == 2   ? (void *)&half
               : size == 4 ? (void *)&single
                           : &wide,
               (size_t)size);
      }
    simulated_array arrays[] = {{in, size, 1, {40}, {0}}, {out, size, 1, {40}, {0}}};
    simulated_run_line(&device, "k", 1, 40, 2, arrays);
    for (int i = 0; i < 40; i++) {
      unsigned char want[8];
      memcpy(want, in + (39 - i) * size, (size_t)size);
      if (type[0] == 'i')
        want[0] = (unsigned char)(type[1] == '1' && size == 1 ? 0 : want[0] * 2);
      else if (size == 2)
        want[1] = (unsigned char)(want[1] + 4); // one more in the exponent
      if (type[0] == 'i' || size == 2) {
        assert_memory_equal(out + i * size, want, size);
        continue;
      }
      float single;
      double wide;
      memcpy(&single, out + i * size, 4);
      memcpy(&wide, out + i * size, (size_t)size);
      assert_true((size == 4 ? (double)single : wide) == 2 << (39 - i) % 8);
    }
    simulated_close(&device);
  }
}

static void vectors_are_read_and_written(void **state) {
  for (int count = 2; count <= 16; count *= 2) {
    char text[2048];
    snprintf(text, sizeof text,
             "gpu.module @k {\n  gpu.func @k(%%in: memref<64xf32>, %%out: memref<64xf32>) "
             "workgroup(%%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {\n"
             "    %%t = gpu.thread_id x\n    %%n = arith.constant %d : index\n"
             "    %%i = arith.muli %%t, %%n : index\n"
             "    %%v = vector.load %%in[%%i] {alignment = %d} : memref<64xf32>, vector<%dxf32>\n"
             "    vector.store %%v, %%s[%%i] : memref<64xf32, #gpu.address_space<workgroup>>, "
             "vector<%dxf32>\n"
             "    gpu.barrier\n"
             "    %%w = vector.load %%s[%%i] : memref<64xf32, #gpu.address_space<workgroup>>, "
             "vector<%dxf32>\n"
             "    %%x = arith.addf %%w, %%w : vector<%dxf32>\n"
             "    vector.store %%x, %%out[%%i] : memref<64xf32>, vector<%dxf32>\n"
             "    gpu.return\n  }\n}\n",
             count, count * 4, count, count, count, count, count);
    simulated device = simulated_text(*state, text);
    float in[64], out[64];
    for (int i = 0; i < 64; i++)
      in[i] = (float)i;
    simulated_array arrays[] = {{in, 4, 1, {64}, {0}}, {out, 4, 1, {64}, {0}}};
    simulated_run_line(&device, "k", 1, 64 / count, 2, arrays);
    for (int i = 0; i < 64; i++)
      assert_true(out[i] == (float)(2 * i));
    simulated_close(&device);
  }
}

static void constants_live_in_device_memory(void **state) {
  simulated device = simulated_text(
      *state, "gpu.module @k {\n"
              "  memref.global \"private\" constant @c : memref<5xf64> = dense<[1.5, 2.0, -3.0, "
              "0.25, 8.0]>\n"
              "  memref.global \"private\" constant @d : memref<5xf64> = dense<4.0>\n"
              "  gpu.func @k(%out: memref<5xf64>) kernel {\n    %t = gpu.thread_id x\n"
              "    %c = memref.get_global @c : memref<5xf64>\n"
              "    %d = memref.get_global @d : memref<5xf64>\n"
              "    %v = memref.load %c[%t] : memref<5xf64>\n"
              "    %w = memref.load %d[%t] : memref<5xf64>\n    %x = arith.addf %v, %w : f64\n"
              "    memref.store %x, %out[%t] : memref<5xf64>\n    gpu.return\n  }\n}\n");
  double out[5];
  simulated_array array = {out, 8, 1, {5}, {0}};
  simulated_run_line(&device, "k", 1, 5, 1, &array);
  static const double want[] = {5.5, 6.0, 1.0, 4.25, 12.0};
  assert_memory_equal(out, want, sizeof want);
  simulated_close(&device);
}

static void dynamic_shared_memory_lies_behind_the_static(void **state) {
  simulated device = simulated_text(
      *state, "gpu.module @k {\n"
              "  gpu.func @k(%out: memref<8xi32>) workgroup(%s: memref<8xi32, "
              "#gpu.address_space<workgroup>>) kernel {\n    %t = gpu.thread_id x\n"
              "    %c0 = arith.constant 0 : index\n    %n = arith.constant 7 : index\n"
              "    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>\n"
              "    %d = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to "
              "memref<8xi32, #gpu.address_space<workgroup>>\n"
              "    %v = arith.index_cast %t : index to i32\n    %w = arith.addi %v, %v : i32\n"
              "    memref.store %v, %s[%t] : memref<8xi32, #gpu.address_space<workgroup>>\n"
              "    memref.store %w, %d[%t] : memref<8xi32, #gpu.address_space<workgroup>>\n"
              "    gpu.barrier\n    %u = arith.subi %n, %t : index\n"
              "    %x = memref.load %s[%u] : memref<8xi32, #gpu.address_space<workgroup>>\n"
              "    %y = memref.load %d[%u] : memref<8xi32, #gpu.address_space<workgroup>>\n"
              "    %z = arith.addi %x, %y : i32\n    memref.store %z, %out[%t] : memref<8xi32>\n"
              "    gpu.return\n  }\n}\n");
  int32_t out[8];
  simulated_array array = {out, 4, 1, {8}, {0}};
  assay_error err = {.text = ""};
  if (simulated_launch(&device, "k", (int64_t[]){1, 1, 1}, (int64_t[]){8, 1, 1}, 32, 1, &array,
                       &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  for (int i = 0; i < 8; i++)
    assert_int_equal(out[i], 3 * (7 - i));
  assert_int_equal(simulated_launch(&device, "k", (int64_t[]){1, 1, 1}, (int64_t[]){8, 1, 1}, 28, 1,
                                    &array, &err),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, "writes 4 bytes at shared offset 76, past the 76 that the block "
                                   "has"));
  simulated_close(&device);
}

static void libdevice_is_libm(void **state) {
  static const struct {
    const char *operation;
    double (*f)(double);
  } unary[] = {{"exp", exp},   {"log", log},     {"erf", erf},     {"tanh", tanh},
               {"sin", sin},   {"cos", cos},     {"sqrt", sqrt},   {"floor", floor},
               {"absf", fabs}, {"cbrt", cbrt},   {"expm1", expm1}, {"log1p", log1p},
               {"log2", log2}, {"exp2", exp2},   {"ceil", ceil},   {"atan", atan},
               {"sinh", sinh}, {"log10", log10}, {"round", round}, {"acosh", acosh}};
  enum { COUNT = sizeof unary / sizeof unary[0], ROOM = 16384 };
  for (int is_double = 0; is_double < 2; is_double++) {
    const char *type = is_double ? "f64" : "f32";
    char text[ROOM];
    int at = snprintf(text, ROOM, "gpu.module @k {\n");
    for (int u = 0; u < COUNT; u++)
      at += snprintf(text + at, (size_t)(ROOM - at),
                     "  gpu.func @k%d(%%in: memref<4x%s>, %%out: memref<4x%s>) kernel {\n"
                     "    %%t = gpu.thread_id x\n    %%v = memref.load %%in[%%t] : memref<4x%s>\n"
                     "    %%x = math.%s %%v : %s\n    memref.store %%x, %%out[%%t] : memref<4x%s>\n"
                     "    gpu.return\n  }\n",
                     u, type, type, type, unary[u].operation, type, type);
    snprintf(text + at, (size_t)(ROOM - at), "}\n");
    simulated device = simulated_text(*state, text);
    for (int u = 0; u < COUNT; u++) {
      char name[16];
      double in[4] = {1.25, 2.5, 1.0, 3.75}, out[4];
      float single[4] = {1.25F, 2.5F, 1.0F, 3.75F}, results[4];
      int size = is_double ? 8 : 4;
      simulated_array arrays[] = {{is_double ? (void *)in : single, size, 1, {4}, {0}},
                                  {is_double ? (void *)out : results, size, 1, {4}, {0}}};
      snprintf(name, sizeof name, "k%d", u);
      simulated_run(&device, name, 1, 4, 2, arrays);
      for (int i = 0; i < 4; i++) {
        double got = is_double ? out[i] : (double)results[i], want = unary[u].f(in[i]);
        assert_true(fabs(got - want) <= (is_double ? 1e-15 : 1e-6) * (1 + fabs(want)));
      }
    }
    simulated_close(&device);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_width_goes_through_memory),
      cmocka_unit_test(vectors_are_read_and_written),
      cmocka_unit_test(constants_live_in_device_memory),
      cmocka_unit_test(dynamic_shared_memory_lies_behind_the_static),
      cmocka_unit_test(libdevice_is_libm),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
