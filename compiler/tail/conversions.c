// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/conversions.h"

#include "compiler/bridge/small_floats.h"
#include "compiler/bridge/tail_rewrite.h"
#include "compiler/tail/half.h"

#include <math.h>
#include <string.h>

// In a register of its own kind, as LLVM passes half and bfloat alike.
__extension__ typedef _Float16 in_register;

static in_register pack(uint16_t bits) {
  in_register value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint16_t unpack(in_register value) {
  uint16_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static in_register half_from_f32(float value) {
  return pack(assay_half_from_double(value));
}
static in_register half_from_f64(double value) {
  return pack(assay_half_from_double(value));
}
static in_register bfloat_from_f32(float value) {
  return pack(assay_bfloat_from_double(value));
}
static in_register bfloat_from_f64(double value) {
  return pack(assay_bfloat_from_double(value));
}
static float half_to_f32(in_register value) {
  return (float)assay_half_to_double(unpack(value));
}
static double half_to_f64(in_register value) {
  return assay_half_to_double(unpack(value));
}

static uint64_t sample; // of an instrumented program; 0: rounded to nearest

void assay_conversion_sample(uint64_t seed) {
  sample = seed;
}

// Up to half a unit in the last place away, the same way for equal numbers within one sample: what
// lies between two floats of a byte may become either, and such a float stays what it is.
static double moved(assay_small_float format, double value) {
  if (sample == 0 || !isfinite(value))
    return value;
  unsigned char bits = assay_small_float_bits(format, value);
  double nearest = assay_small_float_value(format, bits);
  double other = assay_small_float_value(format, (unsigned char)(bits + 1));
  uint64_t random;
  memcpy(&random, &value, sizeof random);
  random = (random ^ sample * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
  random = (random ^ random >> 32) * UINT64_C(0x94d049bb133111eb);
  double part = (double)(int64_t)(random >> 11) * 0x1p-53 - 0.5;
  double unit = fabs(other - nearest);
  return isfinite(unit) ? value + part * unit : value;
}

#define DEFINE_SMALL(format)                                                                       \
  static unsigned char narrow_##format(double value) {                                             \
    return assay_small_float_bits(format, moved(format, value));                                   \
  }                                                                                                \
  static double widen_##format(unsigned char bits) {                                               \
    return assay_small_float_value(format, bits);                                                  \
  }

DEFINE_SMALL(ASSAY_F8E5M2)
DEFINE_SMALL(ASSAY_F8E4M3)
DEFINE_SMALL(ASSAY_F8E4M3FN)
DEFINE_SMALL(ASSAY_F8E5M2FNUZ)
DEFINE_SMALL(ASSAY_F8E4M3FNUZ)
DEFINE_SMALL(ASSAY_F8E4M3B11FNUZ)
DEFINE_SMALL(ASSAY_F8E3M4)

// Their numbers in small_floats.h.
#define SMALL_SYMBOLS(number, format)                                                              \
  {ASSAY_NARROW_FLOAT #number, (void (*)(void))narrow_##format},                                   \
      {ASSAY_WIDEN_FLOAT #number, (void (*)(void))widen_##format},

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_record_symbol *assay_conversion_symbols(void) {
  static const assay_record_symbol symbols[] = {
      {"__truncsfhf2", (void (*)(void))half_from_f32},
      {"__truncdfhf2", (void (*)(void))half_from_f64},
      {"__truncsfbf2", (void (*)(void))bfloat_from_f32},
      {"__truncdfbf2", (void (*)(void))bfloat_from_f64},
      {"__extendhfsf2", (void (*)(void))half_to_f32},
      {"__extendhfdf2", (void (*)(void))half_to_f64},
      SMALL_SYMBOLS(0, ASSAY_F8E5M2) SMALL_SYMBOLS(1, ASSAY_F8E4M3) SMALL_SYMBOLS(2, ASSAY_F8E4M3FN)
          SMALL_SYMBOLS(3, ASSAY_F8E5M2FNUZ) SMALL_SYMBOLS(4, ASSAY_F8E4M3FNUZ)
              SMALL_SYMBOLS(5, ASSAY_F8E4M3B11FNUZ) SMALL_SYMBOLS(6, ASSAY_F8E3M4){NULL, NULL},
  };
  return symbols;
}
