// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/dtype.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum {
  F64 = ASSAY_F64,
  F32 = ASSAY_F32,
  F16 = ASSAY_F16,
  I64 = ASSAY_I64,
  I32 = ASSAY_I32,
  BOOL = ASSAY_BOOL
};

// What numpy.result_type of NumPy 2 says of arrays of both dtypes.
static const int numpy_result_type[ASSAY_DTYPE_COUNT][ASSAY_DTYPE_COUNT] = {
    [F64] = {[F64] = F64, [F32] = F64, [F16] = F64, [I64] = F64, [I32] = F64, [BOOL] = F64},
    [F32] = {[F64] = F64, [F32] = F32, [F16] = F32, [I64] = F64, [I32] = F64, [BOOL] = F32},
    [F16] = {[F64] = F64, [F32] = F32, [F16] = F16, [I64] = F64, [I32] = F64, [BOOL] = F16},
    [I64] = {[F64] = F64, [F32] = F64, [F16] = F64, [I64] = I64, [I32] = I64, [BOOL] = I64},
    [I32] = {[F64] = F64, [F32] = F64, [F16] = F64, [I64] = I64, [I32] = I32, [BOOL] = I32},
    [BOOL] = {[F64] = F64, [F32] = F32, [F16] = F16, [I64] = I64, [I32] = I32, [BOOL] = BOOL},
};

static void all_pairs_promote_as_numpy_says(void **state) {
  (void)state;
  for (int a = 0; a < ASSAY_DTYPE_COUNT; a++) {
    for (int b = 0; b < ASSAY_DTYPE_COUNT; b++)
      assert_int_equal(assay_dtype_promote((assay_dtype)a, (assay_dtype)b),
                       numpy_result_type[a][b]);
  }
}

// numpy.dtype(...).str, .itemsize; numpy.finfo(...).nmant + 1, numpy.iinfo(...).bits; a bool has 1.
static void facts_are_numpys(void **state) {
  (void)state;
  const struct {
    const char *name, *numpy;
    size_t size;
    bool floating;
    int precision;
  } facts[ASSAY_DTYPE_COUNT] = {
      [F64] = {"f64", "<f8", 8, true, 53},  [F32] = {"f32", "<f4", 4, true, 24},
      [F16] = {"f16", "<f2", 2, true, 11},  [I64] = {"i64", "<i8", 8, false, 64},
      [I32] = {"i32", "<i4", 4, false, 32}, [BOOL] = {"bool", "|b1", 1, false, 1},
  };
  for (int i = 0; i < ASSAY_DTYPE_COUNT; i++) {
    const assay_dtype_info *info = assay_dtype_get((assay_dtype)i);
    assert_string_equal(info->name, facts[i].name);
    assert_string_equal(info->numpy, facts[i].numpy);
    assert_int_equal(info->size, facts[i].size);
    assert_int_equal(info->floating, facts[i].floating);
    assert_int_equal(info->precision, facts[i].precision);
  }
}

static void names_are_parsed_whole(void **state) {
  (void)state;
  assay_dtype dtype = ASSAY_F64;
  assert_true(assay_dtype_parse("i32", &dtype));
  assert_int_equal(dtype, ASSAY_I32);
  const char *const unknown[] = {"", "f", "f3", "f320", "F32", "f8", "i1", " f32"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    assert_false(assay_dtype_parse(unknown[i], &dtype));
  assert_int_equal(dtype, ASSAY_I32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_pairs_promote_as_numpy_says),
      cmocka_unit_test(facts_are_numpys),
      cmocka_unit_test(names_are_parsed_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
