// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What libm has under no name.
static double rsqrt_double(double x) {
  return 1 / sqrt(x);
}
static float rsqrt_float(float x) {
  return 1 / sqrtf(x);
}
static double exp10_double(double x) {
  return pow(10, x);
}
static float exp10_float(float x) {
  return powf(10, x);
}
static double power_double(double x, int32_t n) {
  return pow(x, n);
}
static float power_float(float x, int32_t n) {
  return (float)pow(x, n);
}
static int32_t absolute_int(int32_t x) {
  return x < 0 ? (int32_t)(0U - (uint32_t)x) : x;
}
static int32_t is_nan_double(double x) {
  return isnan(x) != 0;
}
static int32_t is_nan_float(float x) {
  return isnan(x) != 0;
}
static int32_t is_inf_double(double x) {
  return isinf(x) != 0;
}
static int32_t is_inf_float(float x) {
  return isinf(x) != 0;
}
static int32_t is_finite_double(double x) {
  return isfinite(x) != 0;
}
static int32_t is_finite_float(float x) {
  return isfinite(x) != 0;
}

#define SIMULATOR(name) {#name, (void (*)(void))(name)}
// A function of libm, as f64 and f32.
#define LIBM(name)                                                                                 \
  {"__nv_" #name, (void (*)(void))(name)}, {                                                       \
    "__nv_" #name "f", (void (*)(void))(name##f)                                                   \
  }
#define OURS(name, function) {"__nv_" name, (void (*)(void))(function)}

static const assay_simulator_entry entries[] = {
    SIMULATOR(assay_sim_global),
    SIMULATOR(assay_sim_shared),
    SIMULATOR(assay_sim_range),
    SIMULATOR(assay_sim_barrier),
    SIMULATOR(assay_sim_collect),
    SIMULATOR(assay_sim_mma),
    SIMULATOR(assay_sim_copy),
    SIMULATOR(assay_sim_commit),
    SIMULATOR(assay_sim_wait),
    LIBM(acos),
    LIBM(acosh),
    LIBM(asin),
    LIBM(asinh),
    LIBM(atan),
    LIBM(atanh),
    LIBM(cbrt),
    LIBM(ceil),
    LIBM(cos),
    LIBM(cosh),
    LIBM(erf),
    LIBM(erfc),
    LIBM(exp),
    LIBM(exp2),
    LIBM(expm1),
    LIBM(fabs),
    LIBM(floor),
    LIBM(log),
    LIBM(log10),
    LIBM(log1p),
    LIBM(log2),
    LIBM(rint),
    LIBM(round),
    LIBM(sin),
    LIBM(sinh),
    LIBM(sqrt),
    LIBM(tan),
    LIBM(tanh),
    LIBM(trunc),
    LIBM(tgamma),
    LIBM(lgamma),
    LIBM(nearbyint),
    LIBM(logb),
    LIBM(atan2),
    LIBM(copysign),
    LIBM(fmax),
    LIBM(fmin),
    LIBM(fmod),
    LIBM(hypot),
    LIBM(nextafter),
    LIBM(pow),
    LIBM(remainder),
    LIBM(fdim),
    LIBM(fma),
    OURS("rsqrt", rsqrt_double),
    OURS("rsqrtf", rsqrt_float),
    OURS("exp10", exp10_double),
    OURS("exp10f", exp10_float),
    OURS("powi", power_double),
    OURS("powif", power_float),
    OURS("abs", absolute_int),
    OURS("isnand", is_nan_double),
    OURS("isnanf", is_nan_float),
    OURS("isinfd", is_inf_double),
    OURS("isinff", is_inf_float),
    OURS("isfinited", is_finite_double),
    OURS("finitef", is_finite_float),
    {NULL, NULL},
};

const assay_simulator_entry *assay_simulator_entries(void) {
  return entries;
}

bool assay_simulator_knows(const char *name) {
  if (strncmp(name, "__nv_", 5) != 0)
    return false;
  for (const assay_simulator_entry *entry = entries; entry->name != NULL; entry++)
    if (strcmp(entry->name, name) == 0)
      return true;
  return false;
}
