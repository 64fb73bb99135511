// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/kernels.h"

#include "compiler/ir/walk.h"
#include "compiler/lower/context.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int create(void **state) {
  assay_error err;
  assay_gpu_passes_register();
  return assay_context_create((assay_context **)state, &err) == ASSAY_OK ? 0 : -1;
}

static int destroy(void **state) {
  assay_context_destroy(*state);
  return 0;
}

static int count(MlirModule module, const char *name) {
  assay_operations all = assay_operations_collect(mlirModuleGetOperation(module), NULL);
  int found = 0;
  for (int i = 0; i < all.count; i++)
    found += assay_operation_is(all.items[i], name);
  assay_operations_release(&all);
  return found;
}

// One product of memrefs of these types, packed: how many copies were made.
static int copies(const assay_context *context, const char *op, const char *a, const char *b,
                  const char *c) {
  assay_arena *arena = assay_arena_create();
  const char *text =
      assay_arena_format(arena,
                         "func.func @main(%%a: %s, %%b: %s, %%c: %s) {\n"
                         "  linalg.%s ins(%%a, %%b : %s, %s) outs(%%c : %s)\n  return\n}\n",
                         a, b, c, op, a, b, c);
  MlirModule module =
      mlirModuleCreateParse(assay_context_get(context), mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  assay_pipeline pipeline = {
      .name = "pack",
      .stage_count = 1,
      .stage = {{.name = "only", .passes = "builtin.module(func.func(assay-gpu-pack-operands))"}}};
  assay_error err;
  if (assay_pipeline_run_stage(context, &pipeline, 0, module, NULL, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
  int found = count(module, "memref.copy");
  assert_int_equal(count(module, "memref.alloc"), count(module, "memref.dealloc"));
  mlirModuleDestroy(module);
  assay_arena_destroy(arena);
  return found;
}

static void what_a_library_reads_is_left_alone(void **state) {
  assert_int_equal(
      copies(*state, "matmul", "memref<3x5xf32>", "memref<5x7xf32>", "memref<3x7xf32>"), 0);
  assert_int_equal(copies(*state, "matmul", "memref<3x5xf32, strided<[9, 1], offset: 4>>",
                          "memref<5x7xf32, strided<[1, 5]>>", "memref<3x7xf32, strided<[8, 1]>>"),
                   0);
  assert_int_equal(copies(*state, "batch_matmul",
                          "memref<4x3x5xf64, strided<[5, 20, 1], offset: 3>>", "memref<4x5x7xf64>",
                          "memref<4x3x7xf64>"),
                   0);
  // Of a single row or column a stride is of no matter.
  assert_int_equal(copies(*state, "matmul", "memref<1x5xf32, strided<[2, 1]>>",
                          "memref<5x1xf32, strided<[3, 1]>>", "memref<1x1xf32>"),
                   0);
}

static void what_no_library_reads_is_copied(void **state) {
  assert_int_equal(copies(*state, "matmul", "memref<3x5xf32, strided<[10, 2]>>", "memref<5x7xf32>",
                          "memref<3x7xf32>"),
                   1);
  assert_int_equal(copies(*state, "matmul", "memref<3x5xf32>", "memref<5x7xf32, strided<[14, 2]>>",
                          "memref<3x7xf32>"),
                   1);
  // The same row again and again: rows overlap.
  assert_int_equal(copies(*state, "matmul", "memref<3x5xf32, strided<[0, 1]>>", "memref<5x7xf32>",
                          "memref<3x7xf32>"),
                   1);
  // A result is copied back, and in, since the product adds to it; its transpose is no way out.
  assert_int_equal(copies(*state, "matmul", "memref<3x5xf32>", "memref<5x7xf32>",
                          "memref<3x7xf32, strided<[1, 3]>>"),
                   2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_library_reads_is_left_alone),
      cmocka_unit_test(what_no_library_reads_is_copied),
  };
  return cmocka_run_group_tests(tests, create, destroy);
}
