// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int context_setup(void **state) {
  MlirContext *context = malloc(sizeof *context);
  if (context == NULL)
    return 1;
  *context = mlirContextCreate();
  *state = context;
  return 0;
}

static int context_teardown(void **state) {
  mlirContextDestroy(*(MlirContext *)*state);
  free(*state);
  return 0;
}

static MlirLocation here(MlirContext context) {
  return mlirLocationNameGet(context, mlirStringRefCreateFromCString("matmul#5"),
                             mlirLocationUnknownGet(context));
}

static void errors_are_joined_with_their_places(void **state) {
  MlirContext context = *(MlirContext *)*state;
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  mlirEmitError(here(context), "first");
  mlirEmitError(mlirLocationFileLineColGet(context, mlirStringRefCreateFromCString("a.mlir"), 2, 7),
                "second");
  assay_diagnostics_close(&diagnostics);
  assay_error err;
  assert_int_equal(assay_diagnostics_fail(&diagnostics, "lowering", &err), ASSAY_FAILED);
  assert_string_equal(err.text, "lowering: loc(\"matmul#5\"): first; loc(\"a.mlir\":2:7): second");
}

static void silence_is_said(void **state) {
  MlirContext context = *(MlirContext *)*state;
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  assay_diagnostics_close(&diagnostics);
  assay_error err;
  assert_int_equal(assay_diagnostics_fail(&diagnostics, "lowering", &err), ASSAY_FAILED);
  assert_string_equal(err.text, "lowering: MLIR gave no diagnostic");
}

static void texts_longer_than_the_room_are_cut(void **state) {
  MlirContext context = *(MlirContext *)*state;
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  for (int i = 0; i < 200; i++)
    mlirEmitError(here(context), "again");
  assay_diagnostics_close(&diagnostics);
  assert_int_equal(strlen(diagnostics.said.text), sizeof diagnostics.said.text - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(errors_are_joined_with_their_places, context_setup,
                                      context_teardown),
      cmocka_unit_test_setup_teardown(silence_is_said, context_setup, context_teardown),
      cmocka_unit_test_setup_teardown(texts_longer_than_the_room_are_cut, context_setup,
                                      context_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
