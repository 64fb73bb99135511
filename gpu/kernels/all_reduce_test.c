// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What assay-gpu-all-reduce makes of gpu.all_reduce, by its text.
#include "gpu/kernels/kernels_testing.h"

// A kernel of blocks of so many threads that reduces a number of that type once, after `before`.
static const char *expand(fixture *f, int threads, const char *type, const char *word,
                          const char *before, const char *after) {
  const char *text =
      assay_arena_format(f->arena,
                         "gpu.module @kernels {\n"
                         "  gpu.func @k(%%a: memref<%s>) kernel attributes {known_block_size = "
                         "array<i32: %d, 1, 1>} {\n"
                         "    %%x = memref.load %%a[] : memref<%s>\n%s"
                         "    %%s = gpu.all_reduce %s %%x uniform {} : (%s) -> %s\n"
                         "    memref.store %%s, %%a[] : memref<%s>\n%s    gpu.return\n  }\n}\n",
                         type, threads, type, before, word, type, type, type, after);
  MlirModule module = parse_module(f, text);
  run_passes(f, "builtin.module(gpu.module(assay-gpu-all-reduce))", module);
  const char *printed = assay_module_print(f->arena, module);
  mlirModuleDestroy(module);
  return printed;
}

static void one_warp_needs_no_memory(void **state) {
  const char *text = expand(*state, 32, "f32", "add", "", "");
  assert_count(text, "gpu.all_reduce", 0);
  assert_count(text, "gpu.shuffle  xor", 5);
  assert_count(text, "arith.addf", 5);
  assert_count(text, "workgroup", 0);
  assert_count(text, "gpu.barrier", 0);
}

static void warps_meet_at_one_barrier(void **state) {
  const char *text = expand(*state, 96, "f64", "maximumf", "", "");
  assert_count(text, "gpu.shuffle  xor", 5);
  assert_count(text, "arith.maximumf", 7); // 5 within a warp, 2 between three
  assert_holds(text, "workgroup(%arg1 : memref<3xf64, #gpu.address_space<workgroup>>)");
  assert_count(text, "gpu.barrier", 1);
  assert_count(text, "memref.store", 2);
  const char *stored = strstr(text, "memref.store"), *barrier = strstr(text, "gpu.barrier");
  assert_true(stored < barrier && barrier < strstr(barrier, "memref.load"));
}

static void loops_wait_for_the_readers_of_the_last_turn(void **state) {
  const char *text = expand(*state, 64, "i32", "minui",
                            "    %c = arith.constant 1 : index\n"
                            "    scf.for %i = %c to %c step %c {\n",
                            "    }\n");
  assert_count(text, "gpu.barrier", 2);
  assert_count(text, "arith.minui", 6);
  assert_true(strstr(text, "gpu.barrier") < strstr(text, "scf.if"));
}

static void what_is_not_known_stays(void **state) {
  assert_count(expand(*state, 48, "f32", "add", "", ""), "gpu.all_reduce", 1);
  assert_count(expand(*state, 64, "f16", "add", "", ""), "gpu.all_reduce", 1);
  assert_count(expand(*state, 64, "i64", "xor", "", ""), "gpu.all_reduce", 0);
}

static void each_has_memory_of_its_own(void **state) {
  const char *text = expand(*state, 64, "f32", "add",
                            "    %y = gpu.all_reduce mul %x uniform {} : (f32) -> f32\n"
                            "    memref.store %y, %a[] : memref<f32>\n",
                            "");
  assert_holds(text, "workgroup(%arg1 : memref<2xf32, #gpu.address_space<workgroup>>, "
                     "%arg2 : memref<2xf32, #gpu.address_space<workgroup>>)");
  assert_count(text, "gpu.barrier", 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_warp_needs_no_memory),
      cmocka_unit_test(warps_meet_at_one_barrier),
      cmocka_unit_test(loops_wait_for_the_readers_of_the_last_turn),
      cmocka_unit_test(what_is_not_known_stays),
      cmocka_unit_test(each_has_memory_of_its_own),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
