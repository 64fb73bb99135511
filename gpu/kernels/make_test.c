// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/make.h"

#include "compiler/lower/context.h"
#include "compiler/lower/emit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  assay_context *context;
  assay_arena *arena;
  MlirModule module;
  assay_kernel_maker maker;
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assay_error err;
  if (f == NULL || assay_context_create(&f->context, &err) != ASSAY_OK)
    return 1;
  f->arena = assay_arena_create();
  const char *text = "func.func @main(%a: memref<4xf32>) {\n  return\n}\n";
  f->module =
      mlirModuleCreateParse(assay_context_get(f->context), mlirStringRefCreateFromCString(text));
  f->maker = (assay_kernel_maker){.arena = f->arena, .module = mlirModuleGetOperation(f->module)};
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  mlirModuleDestroy(f->module);
  assay_arena_destroy(f->arena);
  assay_context_destroy(f->context);
  free(f);
  return 0;
}

static void make(fixture *f) {
  const char *name = assay_kernel_name(&f->maker, "nothing");
  const char *text =
      assay_arena_format(f->arena, "gpu.func @%s(%%a: memref<4xf32>) kernel { gpu.return }", name);
  assay_error err = {.text = ""};
  assert_int_equal(assay_kernel_parse(&f->maker, text, &err), ASSAY_OK);
  MlirOperation main_function = mlirBlockGetFirstOperation(mlirModuleGetBody(f->module));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(main_function, 0));
  MlirValue argument = mlirBlockGetArgument(body, 0);
  assay_kernel_launch(&f->maker, mlirBlockGetTerminator(body), name,
                      (assay_kernel_grid){.blocks = 3, .threads = 64}, 1, &argument);
}

static void kernels_stand_in_one_module_and_are_launched_in_order(void **state) {
  fixture *f = *state;
  make(f);
  make(f);
  assert_true(mlirOperationVerify(mlirModuleGetOperation(f->module)));
  const char *text = assay_module_print(f->arena, f->module);
  const char *const parts[] = {"gpu.container_module", "gpu.launch_func  @kernels::@nothing_0",
                               "blocks in (%c3",       "threads in (%c64",
                               "args(%arg0 : memref",  "gpu.launch_func  @kernels::@nothing_1",
                               "gpu.module @kernels",  "gpu.func @nothing_0",
                               "gpu.func @nothing_1"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const char *found = strstr(text, parts[i]);
    if (found == NULL) {
      fail_msg("not found in order: %s\n%s", parts[i], assay_module_print(f->arena, f->module));
      return;
    }
    text = found + strlen(parts[i]);
  }
}

static void a_wrong_text_is_told_with_what_mlir_says(void **state) {
  fixture *f = *state;
  assay_error err = {.text = ""};
  assert_int_equal(assay_kernel_parse(&f->maker, "gpu.func @k() kernel { gpu.retrun }", &err),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, "a kernel's text: "));
  assert_non_null(strstr(err.text, "gpu.retrun"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(kernels_stand_in_one_module_and_are_launched_in_order, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(a_wrong_text_is_told_with_what_mlir_says, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
