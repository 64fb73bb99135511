// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/digits.h"

#include "compiler/origin/payload.h"

#include <math.h>
#include <stddef.h>

int assay_digits_of(assay_origin_format of) {
  const assay_payload_format *format = assay_payload_of(of);
  return format != NULL ? format->fraction + 1 : 64;
}

assay_shadow assay_shadow_start(assay_origin_format format, double value) {
  return (assay_shadow){.value = (long double)value, .bits = assay_digits_of(format)};
}

// Two units in the last place of a number in [1, 2) with so many bits, times a half.
static long double unit_of(int bits) {
  static long double units[65];
  if (bits < 1 || bits > 64)
    return 0;
  if (units[bits] == 0)
    units[bits] = ldexpl(1, 1 - bits);
  return units[bits];
}

double assay_digits_lost(assay_origin_format of, int bits, double value, long double exact) {
  const assay_payload_format *format = assay_payload_of(of);
  if (format == NULL || !isfinite(value) || !isfinite(exact) || (long double)value == exact)
    return 0;
  long double size = fmaxl(fabsl((long double)value), fabsl(exact));
  int least = 2 - (1 << (format->bits - 2 - format->fraction)), exponent;
  frexpl(size, &exponent);
  exponent = exponent - 1 < least ? least : exponent - 1;
  long double units = ldexpl(fabsl((long double)value - exact), bits - 1 - exponent);
  double lost = (double)log2l(units) + 1;
  return lost < 0 ? 0 : lost > bits ? bits : lost;
}

assay_digits assay_digits_look(assay_origin_format of, double value, const assay_shadow *shadow) {
  int bits = shadow->bits;
  long double exact = shadow->value, error = (long double)shadow->error;
  double lost = assay_digits_lost(of, bits, value, exact);
  assay_digits made = {.least = lost, .most = lost};
  long double off = fabsl((long double)value - exact);
  if (assay_payload_of(of) == NULL || !isfinite(value) || !isfinite(exact) || error <= off / 1024)
    return made;
  // The exact values farthest away, and nearest.
  long double away = exact < (long double)value ? -error : error;
  made.most = isfinite(error) ? assay_digits_lost(of, bits, value, exact + away) : bits;
  long double near = off > error ? exact - away : (long double)value;
  made.least = isfinite(error) ? assay_digits_lost(of, bits, value, near) : 0;
  return made;
}

bool assay_digits_are_kept(int bits, double value, long double exact) {
  long double error = fabsl((long double)value - exact);
  return error == 0 || error <= fabsl(exact) * unit_of(bits);
}
