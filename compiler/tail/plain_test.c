// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that the tails first say in plainer terms: what runs some time, on a device or in its
// memory runs here and now; and sizes that a program's operations fit.
#include "compiler/tail/tail_testing.h"

typedef struct row {
  const char *name;
  const char *source;
  const char *passes; // to another state, which shows the same
  int count;
  double values[8];
} row;

static const row rows[] = {
    {"async",
     "func.func @main() -> (f32, f32) {\n  %c0 = arith.constant 0 : index\n"
     "  %a = arith.constant 2.0 : f32\n  %m = memref.alloc() : memref<1xf32>\n"
     "  %t = async.execute {\n    memref.store %a, %m[%c0] : memref<1xf32>\n    async.yield\n  }\n"
     "  %u, %v = async.execute [%t] -> !async.value<f32> {\n"
     "    %x = memref.load %m[%c0] : memref<1xf32>\n    %y = arith.addf %x, %x : f32\n"
     "    async.yield %y : f32\n  }\n"
     "  %w, %z = async.execute (%v as %p : !async.value<f32>) -> !async.value<f32> {\n"
     "    %q = arith.mulf %p, %p : f32\n    async.yield %q : f32\n  }\n"
     "  async.await %u : !async.token\n  %r = async.await %v : !async.value<f32>\n"
     "  %s = async.await %z : !async.value<f32>\n  return %r, %s : f32, f32\n}",
     "canonicalize",
     2,
     {4, 16}},
    {"async groups",
     "func.func @main() -> f32 {\n  %c0 = arith.constant 0 : index\n"
     "  %c1 = arith.constant 1 : index\n  %c8 = arith.constant 8 : index\n"
     "  %z = arith.constant 0.0 : f32\n  %a = arith.constant 1.5 : f32\n"
     "  %m = memref.alloc() : memref<8xf32>\n"
     "  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n"
     "    memref.store %a, %m[%i] : memref<8xf32>\n    scf.reduce\n  }\n"
     "  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %z) -> f32 {\n"
     "    %x = memref.load %m[%i] : memref<8xf32>\n    %y = arith.addf %s, %x : f32\n"
     "    scf.yield %y : f32\n  }\n  return %r : f32\n}",
     "async-parallel-for{num-workers=3 min-task-size=2}",
     1,
     {12}},
    {"gpu",
     "func.func @main() -> (f32, f32) {\n  %c0 = arith.constant 0 : index\n"
     "  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n"
     "  %c3 = arith.constant 3 : index\n  %c5 = arith.constant 5 : index\n"
     "  %a = arith.constant 2.5 : f32\n  %h = memref.alloc() : memref<6xf32>\n"
     "  %t0 = gpu.wait async\n  %m, %t1 = gpu.alloc async [%t0] () : memref<6xf32>\n"
     "  %t2 = gpu.memset async [%t1] %m, %a : memref<6xf32>, f32\n  gpu.wait [%t2]\n"
     "  gpu.launch blocks(%x, %y, %z) in (%gx = %c3, %gy = %c1, %gz = %c1)\n"
     "      threads(%u, %v, %w) in (%sx = %c2, %sy = %c1, %sz = %c1) {\n"
     "    %o = arith.muli %x, %sx : index\n    %i = arith.addi %o, %u : index\n"
     "    %n = arith.index_cast %i : index to i32\n    %f = arith.sitofp %n : i32 to f32\n"
     "    %p = memref.load %m[%i] : memref<6xf32>\n    %q = arith.addf %p, %f : f32\n"
     "    memref.store %q, %m[%i] : memref<6xf32>\n    gpu.terminator\n  }\n"
     "  gpu.memcpy %h, %m : memref<6xf32>, memref<6xf32>\n  gpu.dealloc %m : memref<6xf32>\n"
     "  %r = memref.load %h[%c1] : memref<6xf32>\n  %s = memref.load %h[%c5] : memref<6xf32>\n"
     "  return %r, %s : f32, f32\n}",
     "gpu-kernel-outlining",
     2,
     {3.5, 7.5}},
    {"a switch over tensors",
     "func.func private @f(%i: i32) -> f32 {\n  %a = arith.constant dense<1.0> : tensor<2xf32>\n"
     "  %b = arith.constant dense<2.0> : tensor<2xf32>\n  %c1 = arith.constant 1 : index\n"
     "  cf.switch %i : i32, [default: ^one(%a : tensor<2xf32>), -1: ^one(%b : tensor<2xf32>),\n"
     "    4: ^two(%b : tensor<2xf32>)]\n^one(%x: tensor<2xf32>):\n"
     "  %y = arith.negf %x : tensor<2xf32>\n  cf.br ^two(%y : tensor<2xf32>)\n"
     "^two(%z: tensor<2xf32>):\n  %r = tensor.extract %z[%c1] : tensor<2xf32>\n"
     "  return %r : f32\n}\n"
     "func.func @main() -> (f32, f32, f32) {\n  %m = arith.constant -1 : i32\n"
     "  %z = arith.constant 0 : i32\n  %p = arith.constant 4 : i32\n"
     "  %a = call @f(%m) : (i32) -> f32\n  %b = call @f(%z) : (i32) -> f32\n"
     "  %c = call @f(%p) : (i32) -> f32\n  return %a, %b, %c : f32, f32, f32\n}",
     "convert-elementwise-to-linalg",
     3,
     {-2, -1, 2}},
    {"memory of other spaces",
     "func.func @main() -> f32 {\n  %c0 = arith.constant 0 : index\n"
     "  %a = arith.constant 2.5 : f32\n  %m = memref.alloc() : memref<1xf32, 1>\n"
     "  memref.store %a, %m[%c0] : memref<1xf32, 1>\n"
     "  %n = memref.memory_space_cast %m : memref<1xf32, 1> to memref<1xf32>\n"
     "  %r = memref.load %n[%c0] : memref<1xf32>\n  memref.dealloc %m : memref<1xf32, 1>\n"
     "  return %r : f32\n}",
     "convert-arith-to-llvm",
     1,
     {2.5}},
    {"gathering and scattering",
     "func.func @main() -> (vector<3xf32>, tensor<4xf32>, f32) {\n  %c1 = arith.constant 1 : "
     "index\n"
     "  %c2 = arith.constant 2 : index\n"
     "  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n"
     "  %i = arith.constant dense<[2, 0, 1]> : vector<3xi32>\n"
     "  %k = arith.constant dense<[true, true, false]> : vector<3xi1>\n"
     "  %p = arith.constant dense<9.0> : vector<3xf32>\n"
     "  %g = vector.gather %t[%c1] [%i], %k, %p : tensor<4xf32>, vector<3xi32>, vector<3xi1>,\n"
     "       vector<3xf32> into vector<3xf32>\n"
     "  %s = vector.scatter %t[%c1] [%i], %k, %p : tensor<4xf32>, vector<3xi32>, vector<3xi1>,\n"
     "       vector<3xf32> -> tensor<4xf32>\n"
     "  %m = memref.alloc() : memref<4x2xf32>\n"
     "  %v = memref.subview %m[0, 1] [4, 1] [1, 1] : memref<4x2xf32> to\n"
     "       memref<4xf32, strided<[2], offset: 1>>\n"
     "  vector.scatter %v[%c1] [%i], %k, %p : memref<4xf32, strided<[2], offset: 1>>,\n"
     "       vector<3xi32>, vector<3xi1>, vector<3xf32>\n"
     "  %r = memref.load %v[%c1] : memref<4xf32, strided<[2], offset: 1>>\n"
     "  return %g, %s, %r : vector<3xf32>, tensor<4xf32>, f32\n}",
     "convert-arith-to-llvm",
     8,
     {4, 2, 9, 1, 9, 3, 9, 9}},
    {"floats of a byte",
     "func.func @main() -> (f32, f32, f32, f32, i8, f32) {\n"
     "  %a = arith.constant dense<[1.1, 1000.0]> : vector<2xf32>\n"
     "  %b = arith.truncf %a : vector<2xf32> to vector<2xf8E4M3FN>\n"
     "  %c = arith.extf %b : vector<2xf8E4M3FN> to vector<2xf32>\n"
     "  %d = vector.extract %c[0] : f32 from vector<2xf32>\n"
     "  %e = vector.extract %c[1] : f32 from vector<2xf32>\n"
     "  %f = vector.extract %b[0] : f8E4M3FN from vector<2xf8E4M3FN>\n"
     "  %g = arith.mulf %f, %f : f8E4M3FN\n  %h = arith.extf %g : f8E4M3FN to f32\n"
     "  %i = arith.constant 3.25 : f64\n  %j = arith.truncf %i : f64 to f8E5M2\n"
     "  %k = arith.extf %j : f8E5M2 to f32\n  %l = arith.bitcast %j : f8E5M2 to i8\n"
     "  %n = arith.constant 5.0 : f8E5M2FNUZ\n  %o = arith.extf %n : f8E5M2FNUZ to f32\n"
     "  return %d, %e, %h, %k, %l, %o : f32, f32, f32, f32, i8, f32\n}",
     "canonicalize",
     6,
     {1.125, (double)NAN, 1.25, 3, 66, 5}},
};

static void each_state_shows_the_same(void **state) {
  const row *program = *state;
  testing_request request = {.source = program->source, .run.poison = 0xff};
  for (int i = 0; i < 4; i++) {
    request.tail = (assay_tail)(i % 2);
    request.passes = i < 2 ? NULL : program->passes;
    testing_expect(testing_see(&request), program->count, program->values);
  }
}

static void sizes_fit_the_operations(void **state) {
  (void)state;
  static const struct {
    const char *source;
    int count;
    int64_t dims[5];
  } programs[] = {
      {"func.func @main(%a: memref<?xf32>, %k: memref<?xf32>, %o: memref<?xf32>) {\n"
       "  linalg.conv_1d ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%o : memref<?xf32>)\n"
       "  return\n}",
       3,
       {13, 7, 7}},
      {"func.func @main(%a: memref<1x9x9x1xf32>, %k: memref<3x3xf32>, %o: memref<1x?x?x1xf32>) {\n"
       "  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>,\n"
       "      strides = dense<2> : tensor<2xi64>}\n"
       "      ins(%a, %k : memref<1x9x9x1xf32>, memref<3x3xf32>) outs(%o : memref<1x?x?x1xf32>)\n"
       "  return\n}",
       2,
       {4, 4}},
      {"func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
       "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
       "  %m = tensor.dim %a, %c0 : tensor<?x4xf32>\n  %n = tensor.dim %b, %c1 : tensor<?x?xf32>\n"
       "  %e = tensor.empty(%m, %n) : tensor<?x?xf32>\n"
       "  %r = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<?x?xf32>)\n"
       "       outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>\n  return %r : tensor<?x?xf32>\n}",
       3,
       {7, 4, 7}},
      {"func.func @main(%a: memref<?xf32>) {\n  return\n}", 0, {0}},
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    static const assay_tail_run run = {.poison = 0xff, .guarded = true};
    testing_request request = {.source = programs[i].source};
    const assay_tail_answer *answer = testing_answer(&request, 1, &run);
    assert_int_equal(answer->dim_count, programs[i].count);
    for (int k = 0; k < programs[i].count; k++)
      assert_int_equal(answer->dims[k], programs[i].dims[k]);
  }
}

int main(void) {
  enum { COUNT = sizeof rows / sizeof *rows };
  struct CMUnitTest tests[COUNT + 1];
  for (int i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){.name = rows[i].name,
                                   .test_func = each_state_shows_the_same,
                                   .initial_state = (void *)(uintptr_t)&rows[i]};
  tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(sizes_fit_the_operations);
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
