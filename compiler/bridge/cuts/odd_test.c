// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuts leave alone, and what goes besides.
#include "compiler/bridge/cuts/cuts_testing.h"

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
      cmocka_unit_test(odd_modules_are_left_alone),
      cmocka_unit_test(scripts_stay),
      cmocka_unit_test(dead_operations_stay_where_nothing_is_run),
      cmocka_unit_test(what_is_dead_is_removed),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
