// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each refusal of assay-gpu-check-host, and what it lets pass.
#include "gpu/kernels/kernels_testing.h"

static const char passes[] = "builtin.module(assay-gpu-check-host)";

static void assert_refused(const fixture *f, const char *text, const char *message) {
  MlirModule module = parse_module(f, text);
  assay_error err = {.text = ""};
  if (try_passes(f, passes, module, &err) != ASSAY_FAILED)
    fail_msg("not refused:\n%s", text);
  assert_holds(err.text, message);
  mlirModuleDestroy(module);
}

// A body of @main(%a: memref<4xf32>, %b: memref<f32>), whose first line is line 2.
static void assert_body_refused(fixture *f, const char *body, const char *message) {
  assert_refused(f,
                 assay_arena_format(f->arena,
                                    "func.func @main(%%a: memref<4xf32>, %%b: memref<f32>) {\n"
                                    "  %s\n  return\n}\n",
                                    body),
                 message);
}

static void operations_on_data_are_refused_with_their_place(void **state) {
  static const struct {
    const char *body, *message;
  } cases[] = {
      {"linalg.copy ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)",
       "'linalg.copy' at -:2:3 would run on the host, which has no access to the data"},
      {"memref.copy %a, %a : memref<4xf32> to memref<4xf32>", "'memref.copy' at -:2:3 would run"},
      {"%x = memref.load %b[] : memref<f32>", "'memref.load' at -:2:8 would run"},
      {"%x = arith.constant 0.0 : f32\n  memref.store %x, %b[] : memref<f32>",
       "'memref.store' at -:3:3 would run"},
      {"%c = arith.constant 1 : index\n  scf.parallel (%i) = (%c) to (%c) step (%c) { }",
       "'scf.parallel' at -:3:3 would run"},
      {"scf.forall (%i) in (4) { }", "'scf.forall' at -:2:3 would run"},
      {"%x = affine.load %b[] : memref<f32>", "'affine.load' at -:2:8 would run"},
      {"affine.for %i = 0 to 4 { }", "'affine.for' at -:2:3 would run"},
      {"%m = memref.alloca() : memref<4xf32>", "'memref.alloca' at -:2:8 would run"},
      {"%c = arith.constant 0 : index\n  %x = arith.constant 0.0 : f32\n"
       "  %v = vector.transfer_read %a[%c], %x : memref<4xf32>, vector<4xf32>",
       "'vector.transfer_read' at -:4:8 would run"},
      {"%t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>",
       "'bufferization.to_tensor' at -:2:8 would run"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_body_refused(*state, cases[i].body, cases[i].message);
}

static void operations_inside_loops_are_found(void **state) {
  assert_body_refused(*state,
                      "%c = arith.constant 1 : index\n"
                      "  scf.for %i = %c to %c step %c {\n"
                      "    %x = memref.load %a[%i] : memref<4xf32>\n  }",
                      "'memref.load' at -:4:10 would run");
}

static void data_of_the_host_is_refused(void **state) {
  assert_refused(*state, "memref.global \"private\" constant @t : memref<2xf32> = dense<1.0>\n",
                 "'memref.global' at -:1:1 holds data of the host, which no kernel can read");
}

// A launch of those sizes: blocks and threads in x, y and z.
static const char *launch(fixture *f, const int64_t sizes[6]) {
  return assay_arena_format(f->arena,
                            "module attributes {gpu.container_module} {\n"
                            "func.func @main() {\n"
                            "  %%0 = arith.constant %ld : index\n"
                            "  %%1 = arith.constant %ld : index\n"
                            "  %%2 = arith.constant %ld : index\n"
                            "  %%3 = arith.constant %ld : index\n"
                            "  %%4 = arith.constant %ld : index\n"
                            "  %%5 = arith.constant %ld : index\n"
                            "  gpu.launch_func @kernels::@k blocks in (%%0, %%1, %%2) "
                            "threads in (%%3, %%4, %%5)\n  return\n}\n"
                            "gpu.module @kernels { gpu.func @k() kernel { gpu.return } }\n}\n",
                            (long)sizes[0], (long)sizes[1], (long)sizes[2], (long)sizes[3],
                            (long)sizes[4], (long)sizes[5]);
}

static void launches_beyond_the_limits_are_refused(void **state) {
  static const struct {
    int64_t sizes[6];
    const char *message;
  } cases[] = {
      {{INT64_C(2147483648), 1, 1, 1, 1, 1},
       "'gpu.launch_func' at -:9:3 has 2147483648 blocks in x, allowed are 1 to 2147483647"},
      {{1, 65536, 1, 1, 1, 1}, "has 65536 blocks in y, allowed are 1 to 65535"},
      {{1, 1, 65536, 1, 1, 1}, "has 65536 blocks in z, allowed are 1 to 65535"},
      {{0, 1, 1, 1, 1, 1}, "has 0 blocks in x, allowed are 1 to 2147483647"},
      {{1, 1, 1, 1056, 1, 1}, "has 1056 threads in x, allowed are 1 to 1024"},
      {{1, 1, 1, 1, 1, 65}, "has 65 threads in z, allowed are 1 to 64"},
      {{1, 1, 1, 32, 33, 1}, "has 1056 threads in a block, at most 1024 are allowed"},
  };
  fixture *f = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_refused(f, launch(f, cases[i].sizes), cases[i].message);
  MlirModule module =
      parse_module(f, launch(f, (int64_t[]){INT64_C(2147483647), 65535, 1, 512, 2, 1}));
  run_passes(f, passes, module);
  mlirModuleDestroy(module);
}

static void a_size_that_is_no_constant_is_refused(void **state) {
  assert_refused(*state,
                 "module attributes {gpu.container_module} {\n"
                 "func.func @main(%n: index) {\n"
                 "  gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)\n"
                 "  return\n}\n"
                 "gpu.module @kernels { gpu.func @k() kernel { gpu.return } }\n}\n",
                 "'gpu.launch_func' at -:3:3 has a size that is not a constant");
}

static const char *shared(fixture *f, int count, const char *space) {
  return assay_arena_format(
      f->arena,
      "module attributes {gpu.container_module} {\n"
      "gpu.module @kernels {\n"
      "  memref.global \"private\" @tile : memref<1024xf32, %s> = uninitialized\n"
      "  gpu.func @k() workgroup(%%w : memref<%dxf64, %s>) kernel {\n"
      "    %%t = memref.get_global @tile : memref<1024xf32, %s>\n"
      "    %%u = memref.get_global @tile : memref<1024xf32, %s>\n"
      "    gpu.return\n  }\n}\n}\n",
      space, count, space, space, space);
}

static void shared_memory_is_counted(void **state) {
  static const char *const spaces[] = {"3", "#gpu.address_space<workgroup>"};
  fixture *f = *state;
  for (int i = 0; i < 2; i++) {
    // 4096 bytes of the global and 8 for each of the others: 49152 are allowed.
    MlirModule module = parse_module(f, shared(f, 5632, spaces[i]));
    run_passes(f, passes, module);
    mlirModuleDestroy(module);
    assert_refused(f, shared(f, 5633, spaces[i]),
                   "'gpu.func' at -:4:3 needs 49160 bytes of shared memory, at most 49152");
  }
}

static void allocations_views_and_loops_of_launches_pass(void **state) {
  fixture *f = *state;
  MlirModule module = parse_module(
      f, "module attributes {gpu.container_module} {\n"
         "func.func private @library(%x: memref<?xf32, strided<[?], offset: ?>>)\n"
         "func.func @main(%a: memref<2x3xf32>) {\n"
         "  %c = arith.constant 1 : index\n"
         "  %m = memref.alloc() : memref<2x3xf32>\n"
         "  %v = memref.subview %m[1, 0] [1, 3] [1, 1] : memref<2x3xf32> to "
         "memref<3xf32, strided<[1], offset: 3>>\n"
         "  %t = memref.transpose %a (i, j) -> (j, i) : memref<2x3xf32> to "
         "memref<3x2xf32, strided<[1, 3]>>\n"
         "  %d = memref.cast %v : memref<3xf32, strided<[1], offset: 3>> to "
         "memref<?xf32, strided<[?], offset: ?>>\n"
         "  scf.for %i = %c to %c step %c {\n"
         "    gpu.launch_func @kernels::@k blocks in (%c, %c, %c) threads in (%c, %c, %c)\n  }\n"
         "  func.call @library(%d) : (memref<?xf32, strided<[?], offset: ?>>) -> ()\n"
         "  memref.dealloc %m : memref<2x3xf32>\n"
         "  return\n}\n"
         "gpu.module @kernels { gpu.func @k() kernel { gpu.return } }\n}\n");
  run_passes(f, passes, module);
  mlirModuleDestroy(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_on_data_are_refused_with_their_place),
      cmocka_unit_test(operations_inside_loops_are_found),
      cmocka_unit_test(data_of_the_host_is_refused),
      cmocka_unit_test(launches_beyond_the_limits_are_refused),
      cmocka_unit_test(a_size_that_is_no_constant_is_refused),
      cmocka_unit_test(shared_memory_is_counted),
      cmocka_unit_test(allocations_views_and_loops_of_launches_pass),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
