// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libm one format higher than the program's: double for narrower types, long double for f64.
#include "compiler/rounding/rounding.h"

#include "compiler/rounding/libm.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double exp10(double x) {
  return pow(10, x);
}

static long double exp10l(long double x) {
  return powl(10, x);
}

static double rsqrt(double x) {
  return 1 / sqrt(x);
}

static long double rsqrtl(long double x) {
  return 1 / sqrtl(x);
}

static double powi(double x, int n) {
  return pow(x, n);
}

static assay_rounded_pair pair(long double exact) {
  double value = (double)exact;
  return (assay_rounded_pair){.value = value, .lost = (double)(exact - (long double)value)};
}

static assay_rounded_pair powi_pair(double x, int n) {
  return pair(powl(x, n));
}

#define PAIR_OF_ONE(NAME, HARD)                                                                    \
  static assay_rounded_pair NAME##_pair(double x) {                                                \
    return pair(NAME##l((long double)x));                                                          \
  }
#define PAIR_OF_TWO(NAME, HARD)                                                                    \
  static assay_rounded_pair NAME##_pair(double x, double y) {                                      \
    return pair(NAME##l((long double)x, (long double)y));                                          \
  }
ASSAY_LIBM(PAIR_OF_ONE, PAIR_OF_TWO)

#define ENTRIES(NAME)                                                                              \
  {"assay_rounding_" #NAME, (void (*)(void))(NAME)},                                               \
      {"assay_rounding_" #NAME "_pair", (void (*)(void))NAME##_pair},
#define ENTRIES_OF_ONE(NAME, HARD) ENTRIES(NAME)
#define ENTRIES_OF_TWO(NAME, HARD) ENTRIES(NAME)

static const assay_rounding_symbol symbols[] = {
    ASSAY_LIBM(ENTRIES_OF_ONE, ENTRIES_OF_TWO) ENTRIES(powi){NULL, NULL},
};

#define ROW_OF_ONE(NAME, HARD) {#NAME, NAME##l},
#define NONE(NAME, HARD)

assay_libm_of_one *assay_libm_find_one(const char *name) {
  static const struct {
    const char *name;
    assay_libm_of_one *function;
  } rows[] = {ASSAY_LIBM(ROW_OF_ONE, NONE)};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(name, rows[i].name) == 0)
      return rows[i].function;
  return NULL;
}

assay_libm_of_two *assay_libm_find_two(const char *name) {
  static const struct {
    const char *name;
    assay_libm_of_two *function;
  } rows[] = {ASSAY_LIBM(NONE, ROW_OF_ONE)};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(name, rows[i].name) == 0)
      return rows[i].function;
  return NULL;
}

const assay_rounding_symbol *assay_rounding_symbols(void) {
  return symbols;
}
