// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libm that are instrumented, as intrinsics and as calls by name.
#ifndef ASSAY_COMPILER_ROUNDING_LIBM_H
#define ASSAY_COMPILER_ROUNDING_LIBM_H

// F(NAME, HARD) of one argument, G(NAME, HARD) of two. HARD: results are exact only where the
// (first) argument is 0, 1 or infinite or the result is 0 or infinite: tanh(25) = 1 counts as
// rounded, and so does exp2(3) = 8, which another good library need not give. The others are exact
// where the result is a number of the type.
#define ASSAY_LIBM(F, G)                                                                           \
  F(exp, 1)                                                                                        \
  F(exp2, 1)                                                                                       \
  F(exp10, 1)                                                                                      \
  F(expm1, 1)                                                                                      \
  F(log, 1)                                                                                        \
  F(log2, 1)                                                                                       \
  F(log10, 1)                                                                                      \
  F(log1p, 1)                                                                                      \
  F(sin, 1)                                                                                        \
  F(cos, 1)                                                                                        \
  F(tan, 1)                                                                                        \
  F(asin, 1)                                                                                       \
  F(acos, 1)                                                                                       \
  F(atan, 1)                                                                                       \
  F(sinh, 1)                                                                                       \
  F(cosh, 1)                                                                                       \
  F(tanh, 1)                                                                                       \
  F(asinh, 1)                                                                                      \
  F(acosh, 1)                                                                                      \
  F(atanh, 1)                                                                                      \
  F(erf, 1)                                                                                        \
  F(erfc, 1)                                                                                       \
  F(cbrt, 1)                                                                                       \
  F(rsqrt, 1)                                                                                      \
  F(tgamma, 1)                                                                                     \
  F(lgamma, 1)                                                                                     \
  G(pow, 1)                                                                                        \
  G(atan2, 0)                                                                                      \
  G(hypot, 0)

// What instrumented code calls for NAME: assay_rounding_NAME, the function in double; and
// assay_rounding_NAME_pair, the same with what its rounding to double lost.
typedef struct assay_rounded_pair {
  double value, lost;
} assay_rounded_pair;

// NAME in long double, by the number of its arguments; NULL where there is none.
typedef long double assay_libm_of_one(long double);
typedef long double assay_libm_of_two(long double, long double);
assay_libm_of_one *assay_libm_find_one(const char *name);
assay_libm_of_two *assay_libm_find_two(const char *name);

#endif
