// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a shadow may be off itself. Sums and products are rounded by what can be computed exactly
// (Knuth's and Dekker's), so that what is exact in 64 bits has no error.
#include "compiler/origin/shadow_step.h"

#include <math.h>

static const long double unit = 0x1p-64L; // what one rounding is off at most, of 1

long double assay_shadow_rounded(long double a, long double b, long double sum) {
  long double other = sum - a;
  return (a - (sum - other)) + (b - other);
}

// What the product of a and b was rounded by.
static long double product_rounded(long double a, long double b, long double product) {
  const long double split = 0x1p32L + 1;
  long double x = a * split, y = b * split;
  long double a1 = x - (x - a), b1 = y - (y - b), a2 = a - a1, b2 = b - b1;
  return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

// What a function makes of errors in its operands: by going as far, or where that is less than a
// step of the shadow, in proportion.
static long double function_error(const assay_shadow_op *op, const assay_shadow_lane x[],
                                  long double exact) {
  long double total = fabsl(exact) * 2 * unit;
  for (int i = 0; i < op->operand_count && i < 2; i++) {
    long double error = (long double)x[i].shadow.error;
    if (error == 0)
      continue;
    assay_shadow_lane moved[ASSAY_ORIGIN_OPERANDS] = {x[0], x[1], x[2]};
    long double step = fmaxl(error, fabsl(x[i].shadow.value) * 4 * unit);
    moved[i].shadow.value = x[i].shadow.value + step;
    long double there = assay_shadow_apply(op, moved);
    if (!isfinite(there)) {
      moved[i].shadow.value = x[i].shadow.value - step;
      there = assay_shadow_apply(op, moved);
    }
    total += fabsl(there - exact) * (error / step);
  }
  return isfinite(total) ? total : (long double)INFINITY;
}

// The greater or the smaller of two, whose error is that of the one it is, if it is sure which.
static double error_of_choice(const assay_shadow_lane x[], long double exact) {
  double ea = x[0].shadow.error, eb = x[1].shadow.error;
  long double apart = fabsl(x[0].shadow.value - x[1].shadow.value);
  if (apart <= (long double)ea + (long double)eb)
    return fmax(ea, eb);
  return exact == x[0].shadow.value ? ea : eb;
}

// One that is copied from the other: what they are off is the same.
static bool are_same(const assay_shadow_lane *a, const assay_shadow_lane *b) {
  return a->value == b->value && a->shadow.value == b->shadow.value &&
         a->shadow.error == b->shadow.error;
}

double assay_shadow_error(const assay_shadow_op *op, const assay_shadow_lane operands[],
                          long double exact) {
  const assay_shadow_lane *x = operands;
  long double a = x[0].shadow.value, b = x[1].shadow.value, c = x[2].shadow.value;
  long double ea = (long double)x[0].shadow.error, eb = (long double)x[1].shadow.error;
  long double product = a * b, of_product = fabsl(a) * eb + fabsl(b) * ea + ea * eb;
  if (op->kind == ASSAY_SHADOW_CHANGE)
    return (double)ea;
  switch (op->compute) {
  case ASSAY_ROUNDED_ADD:
    return (double)(ea + eb + fabsl(assay_shadow_rounded(a, b, exact)));
  case ASSAY_ROUNDED_SUBTRACT:
    return are_same(&x[0], &x[1]) ? 0
                                  : (double)(ea + eb + fabsl(assay_shadow_rounded(a, -b, exact)));
  case ASSAY_ROUNDED_MULTIPLY:
    return (double)(of_product + fabsl(product_rounded(a, b, exact)));
  case ASSAY_ROUNDED_FMA:
  case ASSAY_ROUNDED_MULTIPLY_ADD:
    return (double)(of_product + (long double)x[2].shadow.error +
                    fabsl(product_rounded(a, b, product)) +
                    fabsl(assay_shadow_rounded(product, c, exact)));
  case ASSAY_ROUNDED_DIVIDE: {
    long double rest = fabsl(b) - eb;
    bool is_exact = exact * b == a && product_rounded(exact, b, a) == 0;
    return rest > 0
               ? (double)((ea + fabsl(exact) * eb) / rest + (is_exact ? 0 : fabsl(exact) * unit))
               : (double)INFINITY;
  }
  case ASSAY_ROUNDED_SQRT:
    if (exact * exact == a && product_rounded(exact, exact, a) == 0 && ea == 0)
      return 0;
    return (double)(fminl(ea / exact, sqrtl(ea)) + exact * unit);
  case ASSAY_ROUNDED_TRUNCATE:
  case ASSAY_ROUNDED_FROM_SIGNED:
  case ASSAY_ROUNDED_FROM_UNSIGNED:
    return (double)ea;
  case ASSAY_ROUNDED_POWI:
  case ASSAY_ROUNDED_LIBM:
    return op->two == fmaxl || op->two == fminl ? error_of_choice(x, exact)
                                                : (double)function_error(op, x, exact);
  }
  return 0;
}
