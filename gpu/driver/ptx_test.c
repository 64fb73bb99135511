// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/ptx.h"

#include "compiler/lower/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static assay_context *context;
static assay_arena *arena;
static assay_error err;

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  return assay_context_create(&context, &err) != ASSAY_OK;
}

static int tear_down(void **state) {
  (void)state;
  assay_context_destroy(context);
  assay_arena_destroy(arena);
  return 0;
}

static MlirModule parse(const char *text) {
  MlirModule module =
      mlirModuleCreateParse(assay_context_get(context), mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  return module;
}

// The PTX of the only gpu.module in the text, which must stay as it is.
static assay_code make(const char *text, const char **out_ptx) {
  MlirModule module = parse(text);
  MlirOperation kernels = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  assay_code code = assay_ptx_make(arena, kernels, out_ptx, &err);
  MlirModule again = parse(text);
  MlirOperation expected = mlirBlockGetFirstOperation(mlirModuleGetBody(again));
  assert_true(mlirOperationVerify(kernels));
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(kernels));
  MlirStringRef wanted = mlirIdentifierStr(mlirOperationGetName(expected));
  assert_true(mlirStringRefEqual(name, wanted));
  assert_true(mlirOperationGetNumAttributes(kernels) == mlirOperationGetNumAttributes(expected));
  mlirModuleDestroy(again);
  mlirModuleDestroy(module);
  return code;
}

// A kernel that applies the function of that name, which is declared unless it is "".
static const char *kernel_of(const char *function) {
  bool calls = function[0] != '\0';
  return assay_arena_format(
      arena,
      "gpu.module @kernels {\n"
      "%s%s%s"
      "  llvm.func @apply(%%at: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {\n"
      "    %%x = llvm.load %%at : !llvm.ptr<1> -> f32\n"
      "    %%y = %s%s%s\n"
      "    llvm.store %%y, %%at : f32, !llvm.ptr<1>\n"
      "    llvm.return\n"
      "  }\n"
      "}\n",
      calls ? "llvm.func @" : "", function, calls ? "(f32) -> f32\n" : "",
      calls ? "llvm.call @" : "llvm.fadd %x, %x : f32", function,
      calls ? "(%x) : (f32) -> f32" : "");
}

static void kernels_become_portable_ptx(void **state) {
  (void)state;
  const char *ptx;
  assert_int_equal(make(kernel_of(""), &ptx), ASSAY_OK);
  assert_non_null(strstr(ptx, ".version 7.0\n"));
  assert_non_null(strstr(ptx, ".target sm_80\n"));
  assert_non_null(strstr(ptx, ".entry apply("));
  assert_non_null(strstr(ptx, "add.rn.f32"));
}

// Its own targets would make objects for them.
static void targets_that_are_there_do_not_count(void **state) {
  (void)state;
  const char *ptx;
  assert_int_equal(make("gpu.module @kernels [#nvvm.target<chip = \"sm_90\">] {\n"
                        "  llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {\n"
                        "    llvm.return\n"
                        "  }\n"
                        "}\n",
                        &ptx),
                   ASSAY_OK);
  assert_non_null(strstr(ptx, ".target sm_80\n"));
}

static void libdevice_is_linked_where_it_is(void **state) {
  (void)state;
  const char *ptx;
  assay_code code = make(kernel_of("__nv_logf"), &ptx);
  if (assay_toolkit_find(arena).libdevice == NULL) {
    assert_int_equal(code, ASSAY_UNSUPPORTED);
    assert_non_null(strstr(err.text, "the kernels call __nv_logf of CUDA's libdevice"));
    skip();
  }
  assert_int_equal(code, ASSAY_OK);
  assert_null(strstr(ptx, ".extern"));
  assert_non_null(strstr(ptx, ".entry apply("));
}

static void ptxas_takes_it_for_each_architecture(void **state) {
  (void)state;
  static const int architectures[] = {80, 90, 100, 120};
  assay_toolkit toolkit = assay_toolkit_find(arena);
  if (toolkit.ptxas == NULL)
    skip(); // no ptxas
  const char *ptx, *note;
  assert_int_equal(make(kernel_of(toolkit.libdevice != NULL ? "__nv_erff" : ""), &ptx), ASSAY_OK);
  setenv("XDG_CACHE_HOME", "/dev/null", 1); // none
  for (int i = 0; i < 4; i++) {
    assay_cubin cubin = {.size = 0};
    if (assay_cubin_make(arena, &toolkit, ptx, architectures[i], &cubin, &note, &err) != ASSAY_OK)
      fail_msg("sm_%d: %s", architectures[i], err.text);
    assert_memory_equal(cubin.bytes, "\177ELF", 4);
    assert_int_equal(cubin.kernel_count, 1);
    assert_string_equal(cubin.kernels[0].name, "apply");
    assert_true(cubin.kernels[0].registers > 0);
    assert_int_equal(cubin.kernels[0].spill_loads, 0);
    assert_false(cubin.cached);
  }
}

static void what_nobody_defines_is_named(void **state) {
  (void)state;
  const char *ptx;
  assert_int_equal(make(kernel_of("mystery"), &ptx), ASSAY_UNSUPPORTED);
  assert_string_equal(err.text, "the PTX calls what is not in it: mystery");
}

static void what_is_not_lowered_is_an_error(void **state) {
  (void)state;
  const char *ptx;
  assert_int_equal(make("gpu.module @kernels {\n"
                        "  gpu.func @f(%at: memref<4xf32>) kernel {\n"
                        "    gpu.return\n"
                        "  }\n"
                        "}\n",
                        &ptx),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, "making PTX: "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_become_portable_ptx),
      cmocka_unit_test(targets_that_are_there_do_not_count),
      cmocka_unit_test(libdevice_is_linked_where_it_is),
      cmocka_unit_test(ptxas_takes_it_for_each_architecture),
      cmocka_unit_test(what_nobody_defines_is_named),
      cmocka_unit_test(what_is_not_lowered_is_an_error),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
