// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each kind of cut makes of a small module.
#include "compiler/bridge/cuts/cuts_testing.h"

static void expect_cut(const char *before, const char *entry, assay_cut cut, int from, int to,
                       const char *after) {
  MlirModule module = parse_text(before);
  assert_true(to <= assay_cut_count(module, entry, cut));
  assert_true(assay_cut_apply(module, entry, cut, from, to));
  assert_true(verifies(module));
  char *text = text_of(module);
  assert_string_equal(text, after);
  free(text);
  mlirModuleDestroy(module);
}

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

// Nothing of it crashes, and what holds no entry is left as it is.
static void odd_modules_are_left_alone(void **state) {
  (void)state;
  static const char *const odd[] = {
      "\"x.y\"() ({}, {^bb0(%a: i32): \"x.z\"()[^bb1] : () -> ()\n^bb1: \"x.z\"()[^bb1] : () -> "
      "()}) {k = @nobody} : () -> ()\n",
      "func.func @f(%a: i32) -> i32 {\n"
      "  %b = func.call @f(%a) : (i32) -> i32\n"
      "  return %b : i32\n"
      "}\n",
      "func.func @f(%a: !x.t, %b: tensor<*xf32>, %c: memref<*xf32>) -> tensor<*xf32> {\n"
      "  %d:2 = \"x.y\"(%a, %b) ({ \"x.z\"() : () -> () }) : (!x.t, tensor<*xf32>)\n"
      "      -> (!x.t, tensor<*xf32>)\n"
      "  \"x.w\"(%d#0, %c) : (!x.t, memref<*xf32>) -> ()\n"
      "  return %d#1 : tensor<*xf32>\n"
      "}\n",
      "func.func @f(%a: i1, %b: memref<?x4xf32, strided<[?, 1], offset: ?>>, %n: index) -> f32 {\n"
      "  %c = memref.dim %b, %n : memref<?x4xf32, strided<[?, 1], offset: ?>>\n"
      "  cf.cond_br %a, ^bb1(%c : index), ^bb2\n"
      "^bb1(%d: index):\n"
      "  %e = memref.load %b[%d, %d] : memref<?x4xf32, strided<[?, 1], offset: ?>>\n"
      "  return %e : f32\n"
      "^bb2:\n"
      "  %g = memref.load %b[%n, %n] : memref<?x4xf32, strided<[?, 1], offset: ?>>\n"
      "  cf.cond_br %a, ^bb2, ^bb1(%n : index)\n"
      "}\n",
      "llvm.func @f(%a: !llvm.ptr, %b: i64) -> i64 {\n"
      "  %c = llvm.getelementptr %a[%b] : (!llvm.ptr, i64) -> !llvm.ptr, i64\n"
      "  %d = llvm.load %c : !llvm.ptr -> i64\n"
      "  %e = llvm.add %d, %b : i64\n"
      "  llvm.return %e : i64\n"
      "}\n",
      "func.func private @f()\n",
      ""};
  static const char *const entries[] = {"f", "nobody", NULL};
  mlirContextSetAllowUnregisteredDialects(context, true);
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    for (size_t j = 0; j < sizeof entries / sizeof entries[0]; j++)
      for (int k = 0; k < ASSAY_CUT_COUNT; k++) {
        MlirModule module = parse_text(odd[i]);
        int count = assay_cut_count(module, entries[j], (assay_cut)k);
        for (int site = -1; site <= count; site++) {
          MlirModule copy = copy_of(module);
          bool changed = assay_cut_apply(copy, entries[j], (assay_cut)k, site, site + 1);
          assert_false(changed && (site < 0 || site == count));
          (void)verifies(copy);
          mlirModuleDestroy(copy);
        }
        mlirModuleDestroy(module);
      }
  mlirContextSetAllowUnregisteredDialects(context, false);
}

static const char SCRIPTED[] =
    "module attributes {transform.with_named_sequence} {\n"
    "  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %0 = math.exp %arg0 : tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "  transform.named_sequence @__transform_main(%arg0: !transform.any_op "
    "{transform.readonly}) {\n"
    "    %0 = transform.structured.match ops{[\"math.exp\"]} in %arg0 : (!transform.any_op) -> "
    "!transform.any_op\n"
    "    transform.yield \n"
    "  }\n"
    "}\n";

static void scripts_stay(void **state) {
  (void)state;
  for (int i = 0; i < ASSAY_CUT_COUNT; i++) {
    MlirModule module = parse_text(SCRIPTED);
    assay_cut cut = (assay_cut)i;
    (void)assay_cut_apply(module, "main", cut, 0, assay_cut_count(module, "main", cut));
    (void)assay_cut_clean(module, "main");
    char *text = text_of(module);
    assert_string_equal(strstr(text, "  transform.named_sequence"),
                        strstr(SCRIPTED, "  transform.named_sequence"));
    free(text);
    mlirModuleDestroy(module);
  }
}

// A compiler may well die of what is dead: without an entry it goes only as a site of its own.
static void dead_operations_stay_where_nothing_is_run(void **state) {
  (void)state;
  static const char dead[] = "module {\n"
                             "  func.func @f(%arg0: f32, %arg1: f32) -> f32 {\n"
                             "    %0 = math.exp %arg0 : f32\n"
                             "    %1 = math.sqrt %arg1 : f32\n"
                             "    return %1 : f32\n"
                             "  }\n"
                             "}\n";
  expect_cut(dead, NULL, ASSAY_CUT_OPERATIONS, 1, 2,
             "module {\n"
             "  func.func @f(%arg0: f32, %arg1: f32) -> f32 {\n"
             "    %0 = math.exp %arg0 : f32\n"
             "    return %arg1 : f32\n"
             "  }\n"
             "}\n");
  expect_cut(dead, "f", ASSAY_CUT_OPERATIONS, 1, 2,
             "module {\n"
             "  func.func @f(%arg0: f32) -> f32 {\n"
             "    return %arg0 : f32\n"
             "  }\n"
             "}\n");
}

static void what_is_dead_is_removed(void **state) {
  (void)state;
  MlirModule module = parse_text("func.func private @unused()\n"
                                 "memref.global \"private\" constant @table : memref<1xf32> = "
                                 "dense<1.0>\n"
                                 "func.func private @helper(%a: f32, %b: f32) -> f32 {\n"
                                 "  return %b : f32\n"
                                 "}\n"
                                 "func.func @main(%a: f32, %b: f32, %i: index) -> (f32, f32) {\n"
                                 "  %buffer = memref.alloc() : memref<4xf32>\n"
                                 "  memref.store %a, %buffer[%i] : memref<4xf32>\n"
                                 "  memref.dealloc %buffer : memref<4xf32>\n"
                                 "  %c = call @helper(%a, %b) : (f32, f32) -> f32\n"
                                 "  return %c, %c : f32, f32\n"
                                 "}\n");
  assert_int_equal(assay_module_size(module), 4);
  assert_true(assay_cut_clean(module, "main"));
  assert_int_equal(assay_module_size(module), 1);
  char *text = text_of(module);
  assert_string_equal(text, "module {\n"
                            "  func.func private @helper(%arg0: f32) -> f32 {\n"
                            "    return %arg0 : f32\n"
                            "  }\n"
                            "  func.func @main(%arg0: f32) -> f32 {\n"
                            "    %0 = call @helper(%arg0) : (f32) -> f32\n"
                            "    return %0 : f32\n"
                            "  }\n"
                            "}\n");
  free(text);
  assert_false(assay_cut_clean(module, "main"));
  mlirModuleDestroy(module);
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
      cmocka_unit_test(odd_modules_are_left_alone),
      cmocka_unit_test(scripts_stay),
      cmocka_unit_test(dead_operations_stay_where_nothing_is_run),
      cmocka_unit_test(what_is_dead_is_removed),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
