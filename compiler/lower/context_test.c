// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/context.h"

#include <mlir-c/Pass.h>
#include <mlir-c/Support.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static assay_context *create(void) {
  assay_context *context = NULL;
  assay_error err;
  assert_int_equal(assay_context_create(&context, &err), ASSAY_OK);
  return context;
}

static void ignore(MlirStringRef text, void *data) {
  (void)text;
  (void)data;
}

static void every_dialect_is_loaded_and_upstream_passes_are_known(void **state) {
  (void)state;
  assay_context *context = create();
  MlirContext mlir = assay_context_get(context);
  assert_true(mlirContextGetNumLoadedDialects(mlir) > 40);
  assert_true(mlirContextGetNumLoadedDialects(mlir) >= mlirContextGetNumRegisteredDialects(mlir));
  MlirPassManager manager = mlirPassManagerCreate(mlir);
  MlirStringRef passes = mlirStringRefCreateFromCString(
      "builtin.module(one-shot-bufferize,func.func(convert-linalg-to-loops))");
  MlirOpPassManager anchor = mlirPassManagerGetAsOpPassManager(manager);
  assert_true(mlirLogicalResultIsSuccess(mlirParsePassPipeline(anchor, passes, ignore, NULL)));
  mlirPassManagerDestroy(manager);
  assay_context_destroy(context);
}

static void contexts_are_independent(void **state) {
  (void)state;
  assay_context *first = create(), *second = create();
  assert_false(mlirContextEqual(assay_context_get(first), assay_context_get(second)));
  assay_context_destroy(first);
  MlirContext mlir = assay_context_get(second);
  MlirModule module = mlirModuleCreateParse(
      mlir, mlirStringRefCreateFromCString("func.func private @f(tensor<2xf32>)"));
  assert_false(mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  assay_context_destroy(second);
  assay_context_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_dialect_is_loaded_and_upstream_passes_are_known),
      cmocka_unit_test(contexts_are_independent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
