// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/functions.h"

#include <assert.h>
#include <string.h>

static const struct {
  const char *name;
  assay_unary function;
} unaries[] = {
    {"absolute", assay_absolute}, {"erf", assay_erf},           {"exp", assay_exp},
    {"log", assay_log},           {"negative", assay_negative}, {"rsqrt", assay_rsqrt},
    {"sqrt", assay_sqrt},         {"tanh", assay_tanh},
};

static const struct {
  const char *name;
  assay_binary function;
} binaries[] = {
    {"add", assay_add},
    {"subtract", assay_subtract},
    {"multiply", assay_multiply},
    {"divide", assay_divide},
    {"power", assay_power},
    {"minimum", assay_minimum},
    {"maximum", assay_maximum},
    {"equal", assay_equal},
    {"not_equal", assay_not_equal},
    {"less", assay_less},
    {"less_equal", assay_less_equal},
    {"greater", assay_greater},
    {"greater_equal", assay_greater_equal},
};

static const struct {
  const char *name;
  assay_reduction function;
} reductions[] = {{"sum", assay_sum}, {"mean", assay_mean}, {"max", assay_max}};

assay_unary assay_unary_find(const char *name) {
  size_t i = 0;
  while (strcmp(unaries[i].name, name) != 0) {
    i++;
    assert(i < sizeof unaries / sizeof unaries[0]);
  }
  return unaries[i].function;
}

assay_binary assay_binary_find(const char *name) {
  size_t i = 0;
  while (strcmp(binaries[i].name, name) != 0) {
    i++;
    assert(i < sizeof binaries / sizeof binaries[0]);
  }
  return binaries[i].function;
}

assay_reduction assay_reduction_find(const char *name) {
  size_t i = 0;
  while (strcmp(reductions[i].name, name) != 0) {
    i++;
    assert(i < sizeof reductions / sizeof reductions[0]);
  }
  return reductions[i].function;
}

assay_value assay_scalar_make(assay_graph *graph, const char *scalar) {
  const int64_t whole = 3;
  const double real = 0.7; // no dtype's own number: its rounding is part of the test
  if (strcmp(scalar, "weak_bool") == 0)
    return assay_weak_bool(graph, true);
  if (strcmp(scalar, "weak_int") == 0)
    return assay_weak_int(graph, whole);
  if (strcmp(scalar, "weak_float") == 0)
    return assay_weak_float(graph, real);
  assay_dtype dtype;
  bool known = assay_dtype_parse(scalar, &dtype);
  assert(known);
  (void)known;
  if (assay_dtype_get(dtype)->floating)
    return assay_strong_float(graph, dtype, real);
  return assay_strong_int(graph, dtype, dtype == ASSAY_BOOL ? 1 : whole);
}
