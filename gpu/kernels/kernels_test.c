// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operations become at the stage `kernels`, by its text.
#include "gpu/kernels/kernels_testing.h"

#define PARALLEL2 "iterator_types = [\"parallel\", \"parallel\"]"
#define ROWS                                                                                       \
  "indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], "                    \
  "iterator_types = [\"parallel\", \"reduction\"]"

static void a_reshape_is_a_view(void **state) {
  const char *text =
      kernels_of(*state, "memref.global \"private\" constant @shape : memref<2xi64> = "
                         "dense<[6, 1]>\n"
                         "func.func @main(%a: memref<2x3xf32>, %b: memref<6x1xf32>) {\n"
                         "  %s = memref.get_global @shape : memref<2xi64>\n"
                         "  %r = memref.reshape %a(%s) : (memref<2x3xf32>, "
                         "memref<2xi64>) -> memref<6x1xf32>\n"
                         "  memref.copy %r, %b : memref<6x1xf32> to memref<6x1xf32>\n"
                         "  return\n}\n");
  assert_count(text, "memref.reshape", 0);
  assert_count(text, "memref.global", 0);
  assert_holds(text,
               "memref.reinterpret_cast %arg0 to offset: [0], sizes: [6, 1], strides: [1, 1]");
  assert_count(text, "gpu.launch_func", 1);
}

static void every_element_has_a_thread(void **state) {
  const char *text =
      kernels_of(*state, "func.func @main(%a: memref<30x33xf32>, %b: memref<33xf32>, "
                         "%c: memref<30x33xf32>, %d: memref<33x30xindex>) {\n"
                         "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
                         "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, "
                         "affine_map<(i, j) -> (j, i)>], " PARALLEL2 "}\n"
                         "  ins(%a, %b : memref<30x33xf32>, memref<33xf32>)\n"
                         "  outs(%c, %d : memref<30x33xf32>, memref<33x30xindex>) {\n"
                         "  ^bb0(%x: f32, %y: f32, %z: f32, %w: index):\n"
                         "    %i = linalg.index 0 : index\n"
                         "    %s = arith.addf %x, %y : f32\n"
                         "    linalg.yield %s, %i : f32, index\n  }\n  return\n}\n");
  assert_count(text, "gpu.launch_func", 1);
  assert_holds(text, "@kernels::@elementwise_0 blocks in (%c4, %c1, %c1) threads in (%c256, %c1");
  assert_holds(text, "%c990 = arith.constant 990 : index"); // 4 blocks are 1024 threads
  assert_count(text, "arith.cmpi ult", 1);
  assert_count(text, "memref.load", 2); // results are not read
  assert_count(text, "memref.store", 2);
  assert_count(text, "linalg", 0);
}

static void what_fills_its_blocks_needs_no_guard(void **state) {
  const char *text = kernels_of(*state, "func.func @main(%a: memref<64x8xf32>) {\n"
                                        "  %z = arith.constant 1.5 : f32\n"
                                        "  linalg.fill ins(%z : f32) outs(%a : memref<64x8xf32>)\n"
                                        "  return\n}\n");
  assert_holds(text, "@fill_0 blocks in (%c2, %c1, %c1) threads in (%c256");
  assert_count(text, "arith.cmpi", 0);
  assert_count(text, "args(%arg0 : memref<64x8xf32>)", 1); // the number is in the kernel
}

static void numbers_without_axes_are_kernels_too(void **state) {
  const char *text = kernels_of(*state, "func.func @main(%a: memref<f64>, %b: memref<f64>) {\n"
                                        "  memref.copy %a, %b : memref<f64> to memref<f64>\n"
                                        "  return\n}\n");
  assert_holds(text, "@copy_0 blocks in (%c1, %c1, %c1) threads in (%c32");
  assert_holds(text, "memref.load %arg0[] : memref<f64>");
}

static void nothing_is_launched_for_no_elements(void **state) {
  const char *text =
      kernels_of(*state, "func.func @main(%a: memref<0x3xf32>, %b: memref<3x0xf32>, "
                         "%c: memref<4x0xf32>, %d: memref<4xf32>) {\n"
                         "  %z = arith.constant 0.0 : f32\n"
                         "  linalg.transpose ins(%a : memref<0x3xf32>) "
                         "outs(%b : memref<3x0xf32>) permutation = [1, 0]\n"
                         "  linalg.fill ins(%z : f32) outs(%d : memref<4xf32>)\n"
                         "  linalg.generic {" ROWS "} ins(%c : memref<4x0xf32>) "
                         "outs(%d : memref<4xf32>) {\n"
                         "  ^bb0(%x: f32, %y: f32):\n    %s = arith.addf %x, %y : f32\n"
                         "    linalg.yield %s : f32\n  }\n  return\n}\n");
  assert_count(text, "gpu.launch_func", 1);
  assert_holds(text, "@kernels::@fill_0"); // an empty sum is what it starts from
}

// A reduction over rows of 4 x columns of that type, by an operation, from what @main is given.
static const char *reduce(fixture *f, int columns, const char *type, const char *body) {
  return kernels_of(
      f, assay_arena_format(f->arena,
                            "func.func @main(%%a: memref<4x%dx%s>, %%b: memref<4x%s>) {\n"
                            "  linalg.generic {" ROWS "} ins(%%a : memref<4x%dx%s>) "
                            "outs(%%b : memref<4x%s>) {\n"
                            "  ^bb0(%%x: %s, %%y: %s):\n%s\n    linalg.yield %%s : %s\n"
                            "  }\n  return\n}\n",
                            columns, type, type, columns, type, type, type, type, body, type));
}

static void long_rows_have_a_block_each(void **state) {
  const char *text = reduce(*state, 100, "f32", "    %s = arith.addf %x, %y : f32");
  assert_holds(text, "@reduce_0 blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1)");
  assert_holds(text, "iter_args(%arg3 = %cst)");
  assert_holds(text, "%cst = arith.constant -0.000000e+00 : f32");
  assert_holds(text, "gpu.all_reduce  add %0 uniform");
  assert_count(text, "memref.load %arg1", 1); // what the result held is added once
  assert_count(text, "arith.addf", 2);
  text = reduce(*state, 100000, "f32", "    %s = arith.addf %x, %y : f32");
  assert_holds(text, "threads in (%c256, %c1, %c1)");
}

static void short_rows_have_a_thread_each(void **state) {
  const char *text = reduce(*state, 31, "f32", "    %s = arith.addf %x, %y : f32");
  assert_holds(text, "@reduce_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)");
  assert_count(text, "gpu.all_reduce", 0);
  assert_count(text, "scf.for", 1);
}

static void combiners_start_from_what_changes_nothing(void **state) {
  static const struct {
    const char *type, *body, *constant, *reduce;
  } cases[] = {
      {"f64", "%s = arith.mulf %y, %x : f64", "1.000000e+00 : f64", "mul"},
      {"f32", "%s = arith.maximumf %x, %y : f32", "0xFF800000 : f32", "maximumf"},
      {"f32", "%s = arith.minimumf %x, %y : f32", "0x7F800000 : f32", "minimumf"},
      {"f32", "%s = arith.maxnumf %x, %y : f32", "0x7FC00000 : f32", "maxnumf"},
      {"i32", "%s = arith.addi %x, %y : i32", "0 : i32", "add"},
      {"i32", "%s = arith.maxsi %x, %y : i32", "-2147483648 : i32", "maxsi"},
      {"i64", "%s = arith.minsi %x, %y : i64", "9223372036854775807 : i64", "minsi"},
      {"i32", "%s = arith.minui %x, %y : i32", "-1 : i32", "minui"},
      {"i32", "%s = arith.andi %x, %y : i32", "-1 : i32", "and"},
      {"i1", "%s = arith.ori %x, %y : i1", "false", "or"},
      {"i8", "%s = arith.maxsi %x, %y : i8", "-128 : i8", "maxsi"},
      {"f16", "%s = arith.addf %x, %y : f16", "-0.000000e+00 : f16", "add"},
  };
  fixture *f = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text = reduce(f, 64, cases[i].type, cases[i].body);
    assert_holds(text, assay_arena_format(f->arena, "arith.constant %s", cases[i].constant));
    assert_holds(text, assay_arena_format(f->arena, "gpu.all_reduce  %s ", cases[i].reduce));
  }
}

static void what_cannot_be_regrouped_stays_in_order(void **state) {
  static const char *const bodies[] = {
      "%s = arith.subf %y, %x : f32",
      "%t = arith.addf %y, %y : f32\n %s = arith.addf %t, %x : f32",
      "%s = arith.addf %y, %y : f32",
      "%c = arith.cmpf ogt, %x, %y : f32\n %s = arith.select %c, %x, %y : f32",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    const char *text = reduce(*state, 100, "f32", bodies[i]);
    assert_count(text, "gpu.all_reduce", 0);
    assert_count(text, "gpu.launch_func", 1);
    assert_count(text, "scf.for", 1);
  }
}

static void reductions_start_from_the_number_of_a_fill(void **state) {
  static const char form[] = "func.func @main(%%a: memref<4x100xf32>, %%b: memref<4xf32>) {\n"
                             "  %%z = arith.constant 2.5 : f32\n"
                             "  linalg.fill ins(%%z : f32) outs(%%b : memref<4xf32>)\n%s"
                             "  linalg.generic {" ROWS "} ins(%%a : memref<4x100xf32>) "
                             "outs(%%b : memref<4xf32>) {\n"
                             "  ^bb0(%%x: f32, %%y: f32):\n    %%s = arith.addf %%x, %%y : f32\n"
                             "    linalg.yield %%s : f32\n  }\n  return\n}\n";
  fixture *f = *state;
  const char *text = kernels_of(f, assay_arena_format(f->arena, form, ""));
  assert_count(text, "gpu.launch_func", 1);
  assert_count(text, "memref.load %arg1", 0);
  assert_holds(text, "2.500000e+00 : f32");
  // Not where somebody reads the buffer in between.
  text = kernels_of(f, assay_arena_format(f->arena, form,
                                          "  memref.copy %b, %b : memref<4xf32> to memref<4xf32>\n"
                                          "  %v = memref.subview %a[0, 0] [4, 1] [1, 1] : "
                                          "memref<4x100xf32> to memref<4xf32, strided<[100]>>\n"
                                          "  memref.copy %b, %v : memref<4xf32> to "
                                          "memref<4xf32, strided<[100]>>\n"));
  assert_count(text, "@kernels::@fill_0", 1);
  assert_count(text, "memref.load %arg1", 1);
}

static void columns_over_many_outputs_have_a_thread_each(void **state) {
  const char *text =
      kernels_of(*state, "func.func @main(%a: memref<64x20000xf32>, %b: memref<20000xf32>) {\n"
                         "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, "
                         "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", "
                         "\"reduction\"]} ins(%a : memref<64x20000xf32>) "
                         "outs(%b : memref<20000xf32>) {\n"
                         "  ^bb0(%x: f32, %y: f32):\n    %s = arith.addf %x, %y : f32\n"
                         "    linalg.yield %s : f32\n  }\n  return\n}\n");
  assert_count(text, "gpu.all_reduce", 0);
  assert_holds(text, "blocks in (%c79, %c1, %c1) threads in (%c256");
}

static void several_axes_and_results_are_reduced_together(void **state) {
  const char *text = kernels_of(
      *state, "func.func @main(%a: memref<8x3x9xf32>, %b: memref<3xf32>, "
              "%c: memref<3xf32>) {\n"
              "  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, "
              "affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (j)>], "
              "iterator_types = [\"reduction\", \"parallel\", \"reduction\"]} "
              "ins(%a : memref<8x3x9xf32>) outs(%b, %c : memref<3xf32>, memref<3xf32>) {\n"
              "  ^bb0(%x: f32, %y: f32, %z: f32):\n"
              "    %s = arith.addf %y, %x : f32\n"
              "    %m = arith.maximumf %z, %x : f32\n"
              "    linalg.yield %s, %m : f32, f32\n  }\n  return\n}\n");
  assert_holds(text, "blocks in (%c3, %c1, %c1) threads in (%c96");
  assert_holds(text, "gpu.all_reduce  add");
  assert_holds(text, "gpu.all_reduce  maximumf");
  assert_count(text, "arith.constant 9 : i32", 1); // one number for both axes, split in 32 bits
}

static void steps_that_meet_in_one_element_stay_in_order(void **state) {
  const char *text =
      kernels_of(*state, "func.func @main(%a: memref<70x2xf32>, %b: memref<2xf32>) {\n"
                         "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
                         "affine_map<(i, j) -> (j)>], " PARALLEL2 "} ins(%a : memref<70x2xf32>) "
                         "outs(%b : memref<2xf32>) {\n"
                         "  ^bb0(%x: f32, %y: f32):\n    linalg.yield %x : f32\n  }\n"
                         "  return\n}\n");
  assert_holds(text, "blocks in (%c1, %c1, %c1) threads in (%c32");
  assert_count(text, "scf.for", 2);
}

static void constants_stand_among_the_kernels(void **state) {
  const char *text =
      kernels_of(*state, "memref.global \"private\" constant @table : memref<2x3xf32> = "
                         "dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>\n"
                         "func.func @main(%a: memref<3xf32>, %b: memref<2x3xf32>) {\n"
                         "  %t = memref.get_global @table : memref<2x3xf32>\n"
                         "  %v = memref.subview %t[1, 0] [1, 3] [1, 1] : memref<2x3xf32> to "
                         "memref<3xf32, strided<[1], offset: 3>>\n"
                         "  memref.copy %v, %a : memref<3xf32, strided<[1], offset: 3>> to "
                         "memref<3xf32>\n"
                         "  memref.copy %t, %b : memref<2x3xf32> to memref<2x3xf32>\n"
                         "  return\n}\n");
  assert_count(text, "memref.global", 1);
  assert_true(strstr(text, "gpu.module") < strstr(text, "memref.global"));
  assert_true(strstr(text, "gpu.module") < strstr(text, "memref.get_global"));
  assert_count(text, "memref.get_global", 2);
  assert_count(text, "args(%arg0 : memref<3xf32>)", 1);
}

static void numbers_that_the_host_computes_are_arguments(void **state) {
  const char *text = kernels_of(*state, "func.func @main(%a: memref<8xf32>, %x: f32) {\n"
                                        "  %y = arith.addf %x, %x : f32\n"
                                        "  linalg.fill ins(%y : f32) outs(%a : memref<8xf32>)\n"
                                        "  return\n}\n");
  assert_holds(text, "args(%0 : f32, %arg0 : memref<8xf32>)");
}

static void products_of_integers_are_reductions(void **state) {
  const char *text =
      kernels_of(*state, "func.func @main(%a: memref<3x40xi32>, %b: memref<40x5xi32>, "
                         "%c: memref<3x5xi32>) {\n"
                         "  %z = arith.constant 0 : i32\n"
                         "  linalg.fill ins(%z : i32) outs(%c : memref<3x5xi32>)\n"
                         "  linalg.matmul ins(%a, %b : memref<3x40xi32>, memref<40x5xi32>) "
                         "outs(%c : memref<3x5xi32>)\n  return\n}\n");
  assert_count(text, "gpu.launch_func", 1);
  assert_holds(text, "@reduce_0 blocks in (%c15");
  assert_holds(text, "arith.muli");
}

static void products_with_constants_are_reductions(void **state) {
  const char *text =
      kernels_of(*state, "memref.global \"private\" constant @w : memref<3x2xf32> = dense<2.0>\n"
                         "func.func @main(%a: memref<4x3xf32>, %c: memref<4x2xf32>) {\n"
                         "  %w = memref.get_global @w : memref<3x2xf32>\n"
                         "  linalg.matmul ins(%a, %w : memref<4x3xf32>, memref<3x2xf32>) "
                         "outs(%c : memref<4x2xf32>)\n  return\n}\n");
  assert_holds(text, "args(%arg0 : memref<4x3xf32>, %arg1 : memref<4x2xf32>)");
}

static void a_grid_beyond_the_device_is_refused(void **state) {
  fixture *f = *state;
  MlirModule module =
      parse_module(f, "func.func @main(%a: memref<1000000x1000000xf32>) {\n"
                      "  %z = arith.constant 0.0 : f32\n"
                      "  linalg.fill ins(%z : f32) outs(%a : memref<1000000x1000000xf32>)\n"
                      "  return\n}\n");
  assay_error err = {.text = ""};
  assert_int_equal(try_passes(f, "builtin.module(assay-gpu-kernels)", module, &err), ASSAY_FAILED);
  assert_holds(err.text, "kernel fill_0 needs 3906250000 blocks of 256 threads; a launch has at "
                         "most 2147483647 blocks");
  mlirModuleDestroy(module);
}

static void steps_beyond_32_bits_are_counted_in_64(void **state) {
  const char *text = kernels_of(*state, "func.func @main(%a: memref<70000x70000xf32>, "
                                        "%b: memref<70000x70000xf32>) {\n"
                                        "  linalg.transpose ins(%a : memref<70000x70000xf32>) "
                                        "outs(%b : memref<70000x70000xf32>) permutation = [1, 0]\n"
                                        "  return\n}\n");
  assert_count(text, "i32", 1); // the size of the block that the kernel knows
  assert_holds(text, "arith.remui %1, %c70000");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reshape_is_a_view),
      cmocka_unit_test(every_element_has_a_thread),
      cmocka_unit_test(what_fills_its_blocks_needs_no_guard),
      cmocka_unit_test(numbers_without_axes_are_kernels_too),
      cmocka_unit_test(nothing_is_launched_for_no_elements),
      cmocka_unit_test(long_rows_have_a_block_each),
      cmocka_unit_test(short_rows_have_a_thread_each),
      cmocka_unit_test(combiners_start_from_what_changes_nothing),
      cmocka_unit_test(what_cannot_be_regrouped_stays_in_order),
      cmocka_unit_test(reductions_start_from_the_number_of_a_fill),
      cmocka_unit_test(columns_over_many_outputs_have_a_thread_each),
      cmocka_unit_test(several_axes_and_results_are_reduced_together),
      cmocka_unit_test(steps_that_meet_in_one_element_stay_in_order),
      cmocka_unit_test(constants_stand_among_the_kernels),
      cmocka_unit_test(numbers_that_the_host_computes_are_arguments),
      cmocka_unit_test(products_of_integers_are_reductions),
      cmocka_unit_test(products_with_constants_are_reductions),
      cmocka_unit_test(a_grid_beyond_the_device_is_refused),
      cmocka_unit_test(steps_beyond_32_bits_are_counted_in_64),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
