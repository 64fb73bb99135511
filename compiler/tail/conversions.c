// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/conversions.h"

#include "compiler/tail/half.h"

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

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_record_symbol *assay_conversion_symbols(void) {
  static const assay_record_symbol symbols[] = {
      {"__truncsfhf2", (void (*)(void))half_from_f32},
      {"__truncdfhf2", (void (*)(void))half_from_f64},
      {"__truncsfbf2", (void (*)(void))bfloat_from_f32},
      {"__truncdfbf2", (void (*)(void))bfloat_from_f64},
      {"__extendhfsf2", (void (*)(void))half_to_f32},
      {"__extendhfdf2", (void (*)(void))half_to_f64},
      {NULL, NULL},
  };
  return symbols;
}
