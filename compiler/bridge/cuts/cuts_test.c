// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each kind of cut makes of a small module.
#include "compiler/bridge/cuts/cuts_testing.h"

static void calls_of_an_erased_function_go_with_it(void **state) {
  (void)state;
  expect_cut("func.func private @helper(%a: f32) -> f32 {\n"
             "  %b = arith.negf %a : f32\n"
             "  return %b : f32\n"
             "}\n"
             "func.func @main(%a: f32) -> f32 {\n"
             "  %b = call @helper(%a) : (f32) -> f32\n"
             "  %c = arith.addf %b, %a : f32\n"
             "  return %c : f32\n"
             "}\n",
             "main", ASSAY_CUT_SYMBOLS, 0, 1,
             "module {\n"
             "  func.func @main(%arg0: f32) -> f32 {\n"
             "    %0 = arith.addf %arg0, %arg0 : f32\n"
             "    return %0 : f32\n"
             "  }\n"
             "}\n");
}

static void living_values_are_returned(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
             "  %c = arith.addf %a, %b : tensor<4xf32>\n"
             "  %d = arith.mulf %c, %b : tensor<4xf32>\n"
             "  %e = arith.subf %c, %d : tensor<4xf32>\n"
             "  %f = arith.divf %e, %d : tensor<4xf32>\n"
             "  return %f : tensor<4xf32>\n"
             "}\n",
             "main", ASSAY_CUT_AFTER, 1, 2,
             "module {\n"
             "  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, "
             "tensor<4xf32>) {\n"
             "    %0 = arith.addf %arg0, %arg1 : tensor<4xf32>\n"
             "    %1 = arith.mulf %0, %arg1 : tensor<4xf32>\n"
             "    return %0, %1 : tensor<4xf32>, tensor<4xf32>\n"
             "  }\n"
             "}\n");
}

static void buffers_written_so_far_are_returned(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: memref<4xf32>) -> f32 {\n"
             "  %zero = arith.constant 0 : index\n"
             "  %b = memref.alloc() : memref<4xf32>\n"
             "  %c = memref.alloc() : memref<4xf32>\n"
             "  memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n"
             "  memref.copy %b, %c : memref<4xf32> to memref<4xf32>\n"
             "  %d = memref.load %c[%zero] : memref<4xf32>\n"
             "  memref.dealloc %b : memref<4xf32>\n"
             "  memref.dealloc %c : memref<4xf32>\n"
             "  return %d : f32\n"
             "}\n",
             "main", ASSAY_CUT_AFTER, 0, 1,
             "module {\n"
             "  func.func @main(%arg0: memref<4xf32>) -> memref<4xf32> {\n"
             "    %alloc = memref.alloc() : memref<4xf32>\n"
             "    memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>\n"
             "    return %alloc : memref<4xf32>\n"
             "  }\n"
             "}\n");
}

static void values_of_what_is_cut_come_in(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
             "  %c = arith.addf %a, %b : tensor<4xf32>\n"
             "  %d = arith.mulf %c, %b : tensor<4xf32>\n"
             "  %e = arith.subf %c, %d : tensor<4xf32>\n"
             "  return %e : tensor<4xf32>\n"
             "}\n",
             "main", ASSAY_CUT_BEFORE, 1, 2,
             "module {\n"
             "  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {\n"
             "    %0 = arith.subf %arg0, %arg1 : tensor<4xf32>\n"
             "    return %0 : tensor<4xf32>\n"
             "  }\n"
             "}\n");
}

static void written_buffers_come_in(void **state) {
  (void)state;
  expect_cut(
      "func.func @main(%a: memref<4xf32>) -> f32 {\n"
      "  %zero = arith.constant 0 : index\n"
      "  %b = memref.alloc() : memref<4xf32>\n"
      "  %c = memref.alloc() : memref<2xf32>\n"
      "  memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n"
      "  %v = memref.subview %b[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: "
      "1>>\n"
      "  memref.copy %v, %c : memref<2xf32, strided<[1], offset: 1>> to memref<2xf32>\n"
      "  %d = memref.load %c[%zero] : memref<2xf32>\n"
      "  memref.dealloc %b : memref<4xf32>\n"
      "  memref.dealloc %c : memref<2xf32>\n"
      "  return %d : f32\n"
      "}\n",
      "main", ASSAY_CUT_BEFORE, 0, 1,
      "module {\n"
      "  func.func @main(%arg0: memref<4xf32>) -> f32 {\n"
      "    %c0 = arith.constant 0 : index\n"
      "    %alloc = memref.alloc() : memref<2xf32>\n"
      "    %subview = memref.subview %arg0[1] [2] [1] : memref<4xf32> to memref<2xf32, "
      "strided<[1], offset: 1>>\n"
      "    memref.copy %subview, %alloc : memref<2xf32, strided<[1], offset: 1>> to memref<2xf32>\n"
      "    %0 = memref.load %alloc[%c0] : memref<2xf32>\n"
      "    memref.dealloc %alloc : memref<2xf32>\n"
      "    return %0 : f32\n"
      "  }\n"
      "}\n");
}

static void results_are_dropped(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: f32, %b: f32) -> (f32, f32) {\n"
             "  %c = arith.addf %a, %a : f32\n"
             "  %d = arith.mulf %b, %b : f32\n"
             "  return %c, %d : f32, f32\n"
             "}\n",
             "main", ASSAY_CUT_RESULTS, 0, 1,
             "module {\n"
             "  func.func @main(%arg0: f32) -> f32 {\n"
             "    %0 = arith.addf %arg0, %arg0 : f32\n"
             "    return %0 : f32\n"
             "  }\n"
             "}\n");
}

static void chains_collapse(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
             "  %b = arith.negf %a : tensor<4xf32>\n"
             "  %c = math.exp %b : tensor<4xf32>\n"
             "  %d = math.sqrt %c : tensor<4xf32>\n"
             "  return %d : tensor<4xf32>\n"
             "}\n",
             "main", ASSAY_CUT_OPERATIONS, 0, 2,
             "module {\n"
             "  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
             "    %0 = math.sqrt %arg0 : tensor<4xf32>\n"
             "    return %0 : tensor<4xf32>\n"
             "  }\n"
             "}\n");
}

static void nothing_unwritten_is_read(void **state) {
  (void)state;
  expect_cut(
      "func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %empty = tensor.empty() : tensor<4x4xf32>\n"
      "  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>)\n"
      "                     outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "  return %c : tensor<4x4xf32>\n"
      "}\n",
      "main", ASSAY_CUT_OPERATIONS, 0, 1,
      "module {\n"
      "  func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>) "
      "-> tensor<4x4xf32> {\n"
      "    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : "
      "tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "    return %0 : tensor<4x4xf32>\n"
      "  }\n"
      "}\n");
}

static void a_buffer_whose_store_goes_comes_in(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: memref<4xf32>) -> f32 {\n"
             "  %zero = arith.constant 0 : index\n"
             "  %b = memref.alloc() : memref<4xf32>\n"
             "  memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n"
             "  %d = memref.load %b[%zero] : memref<4xf32>\n"
             "  memref.dealloc %b : memref<4xf32>\n"
             "  return %d : f32\n"
             "}\n",
             "main", ASSAY_CUT_OPERATIONS, 0, 1,
             "module {\n"
             "  func.func @main(%arg0: memref<4xf32>) -> f32 {\n"
             "    %c0 = arith.constant 0 : index\n"
             "    %0 = memref.load %arg0[%c0] : memref<4xf32>\n"
             "    return %0 : f32\n"
             "  }\n"
             "}\n");
}

static void results_come_in_as_arguments(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: tensor<4xf32>) -> tensor<4xf64> {\n"
             "  %b = arith.extf %a : tensor<4xf32> to tensor<4xf64>\n"
             "  %c = math.exp %b : tensor<4xf64>\n"
             "  %d = arith.divf %c, %b : tensor<4xf64>\n"
             "  return %d : tensor<4xf64>\n"
             "}\n",
             "main", ASSAY_CUT_TO_ARGUMENTS, 0, 1,
             "module {\n"
             "  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf64>) -> tensor<4xf64> {\n"
             "    %0 = arith.extf %arg0 : tensor<4xf32> to tensor<4xf64>\n"
             "    %1 = arith.divf %arg1, %0 : tensor<4xf64>\n"
             "    return %1 : tensor<4xf64>\n"
             "  }\n"
             "}\n");
}

static void results_become_constants(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
             "  %b = math.exp %a : tensor<4xf32>\n"
             "  return %b : tensor<4xf32>\n"
             "}\n",
             "main", ASSAY_CUT_TO_CONSTANTS, 0, 1,
             "module {\n"
             "  func.func @main() -> tensor<4xf32> {\n"
             "    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>\n"
             "    return %cst : tensor<4xf32>\n"
             "  }\n"
             "}\n");
}

static void a_loop_gives_way_to_one_round(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: memref<4xf32>, %b: f32) -> f32 {\n"
             "  %two = arith.constant 2 : index\n"
             "  %four = arith.constant 4 : index\n"
             "  %one = arith.constant 1 : index\n"
             "  %c = scf.for %i = %two to %four step %one iter_args(%sum = %b) -> f32 {\n"
             "    %d = memref.load %a[%i] : memref<4xf32>\n"
             "    %e = arith.addf %sum, %d : f32\n"
             "    scf.yield %e : f32\n"
             "  }\n"
             "  return %c : f32\n"
             "}\n",
             "main", ASSAY_CUT_REGIONS, 0, 1,
             "module {\n"
             "  func.func @main(%arg0: memref<4xf32>, %arg1: f32) -> f32 {\n"
             "    %c2 = arith.constant 2 : index\n"
             "    %0 = memref.load %arg0[%c2] : memref<4xf32>\n"
             "    %1 = arith.addf %arg1, %0 : f32\n"
             "    return %1 : f32\n"
             "  }\n"
             "}\n");
}

static void sizes_shrink_everywhere(void **state) {
  (void)state;
  expect_cut(
      "func.func @main(%a: tensor<4x16xf32>) -> tensor<64xf32> {\n"
      "  %c = arith.constant dense<2.0> : tensor<4x16xf32>\n"
      "  %d = arith.addf %a, %c : tensor<4x16xf32>\n"
      "  %e = tensor.collapse_shape %d [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>\n"
      "  return %e : tensor<64xf32>\n"
      "}\n",
      "main", ASSAY_CUT_DIMS, 0, 1,
      "module {\n"
      "  func.func @main(%arg0: tensor<4x1xf32>) -> tensor<4xf32> {\n"
      "    %cst = arith.constant dense<2.000000e+00> : tensor<4x1xf32>\n"
      "    %0 = arith.addf %arg0, %cst : tensor<4x1xf32>\n"
      "    %collapsed = tensor.collapse_shape %0 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>\n"
      "    return %collapsed : tensor<4xf32>\n"
      "  }\n"
      "}\n");
}

static void tables_become_splats(void **state) {
  (void)state;
  expect_cut("func.func @main() -> tensor<3xf32> {\n"
             "  %c = arith.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>\n"
             "  return %c : tensor<3xf32>\n"
             "}\n",
             "main", ASSAY_CUT_CONSTANTS, 0, 1,
             "module {\n"
             "  func.func @main() -> tensor<3xf32> {\n"
             "    %cst = arith.constant dense<2.000000e+00> : tensor<3xf32>\n"
             "    return %cst : tensor<3xf32>\n"
             "  }\n"
             "}\n");
}

static void attributes_go(void **state) {
  (void)state;
  expect_cut("func.func @main(%a: f32) -> f32 attributes {mark} {\n"
             "  %b = arith.addf %a, %a fastmath<fast> {note = 1 : i32} : f32\n"
             "  return %b : f32\n"
             "}\n",
             "main", ASSAY_CUT_ATTRIBUTES, 0, 2,
             "module {\n"
             "  func.func @main(%arg0: f32) -> f32 {\n"
             "    %0 = arith.addf %arg0, %arg0 {note = 1 : i32} : f32\n"
             "    return %0 : f32\n"
             "  }\n"
             "}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_of_an_erased_function_go_with_it),
      cmocka_unit_test(living_values_are_returned),
      cmocka_unit_test(buffers_written_so_far_are_returned),
      cmocka_unit_test(values_of_what_is_cut_come_in),
      cmocka_unit_test(written_buffers_come_in),
      cmocka_unit_test(results_are_dropped),
      cmocka_unit_test(chains_collapse),
      cmocka_unit_test(nothing_unwritten_is_read),
      cmocka_unit_test(a_buffer_whose_store_goes_comes_in),
      cmocka_unit_test(results_come_in_as_arguments),
      cmocka_unit_test(results_become_constants),
      cmocka_unit_test(a_loop_gives_way_to_one_round),
      cmocka_unit_test(sizes_shrink_everywhere),
      cmocka_unit_test(tables_become_splats),
      cmocka_unit_test(attributes_go),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
