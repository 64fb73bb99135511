// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void prints_shape_and_dtype(void **state) {
  (void)state;
  assay_shape matrix = assay_shape_make(2, 3, 5), scalar = {.rank = 0}, none = {.rank = 9};
  assay_shape widest = {.rank = ASSAY_MAX_RANK};
  for (int i = 0; i < ASSAY_MAX_RANK; i++)
    widest.dim[i] = INT64_MIN;
  assert_string_equal(assay_tensor_print(ASSAY_F32, &matrix).text, "3x5xf32");
  assert_string_equal(assay_tensor_print(ASSAY_BOOL, &scalar).text, "bool");
  assert_string_equal(assay_tensor_print(ASSAY_I64, &none).text, "rank 9 i64");
  assert_non_null(strstr(assay_tensor_print(ASSAY_BOOL, &widest).text, "08xbool"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(prints_shape_and_dtype)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
