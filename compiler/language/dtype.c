// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/dtype.h"

#include <assert.h>
#include <string.h>

static const assay_dtype_info table[ASSAY_DTYPE_COUNT] = {
    [ASSAY_F64] = {.name = "f64", .numpy = "<f8", .size = 8, .floating = true, .precision = 53},
    [ASSAY_F32] = {.name = "f32", .numpy = "<f4", .size = 4, .floating = true, .precision = 24},
    [ASSAY_F16] = {.name = "f16", .numpy = "<f2", .size = 2, .floating = true, .precision = 11},
    [ASSAY_I64] = {.name = "i64", .numpy = "<i8", .size = 8, .floating = false, .precision = 64},
    [ASSAY_I32] = {.name = "i32", .numpy = "<i4", .size = 4, .floating = false, .precision = 32},
    [ASSAY_BOOL] = {.name = "bool", .numpy = "|b1", .size = 1, .floating = false, .precision = 1},
};

const assay_dtype_info *assay_dtype_get(assay_dtype dtype) {
  assert((unsigned)dtype < ASSAY_DTYPE_COUNT);
  return &table[dtype];
}

bool assay_dtype_parse(const char *name, assay_dtype *out_dtype) {
  for (int i = 0; i < ASSAY_DTYPE_COUNT; i++) {
    if (strcmp(name, table[i].name) == 0) {
      *out_dtype = (assay_dtype)i;
      return true;
    }
  }
  return false;
}

assay_dtype assay_dtype_promote(assay_dtype a, assay_dtype b) {
  if (a == ASSAY_BOOL || b == ASSAY_BOOL)
    return a == ASSAY_BOOL ? b : a;
  if (table[a].floating != table[b].floating)
    return ASSAY_F64; // the only float that holds an i32; of an i64 it holds the most
  return table[a].size > table[b].size ? a : b;
}
