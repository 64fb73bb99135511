// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-expand-math: math.exp and math.tanh of f32 and f64 become arithmetic, which LLVM vectorises
// where a call of libm would be made for each element.
//
// x = n ln 2 + r with |r| <= ln(2)/2, and exp(r) - 1 = r + r^2 (1/2! + r/3! + ...) by its Taylor
// series, cut where the rest is below a tenth of an ulp. Then
//
//     exp(x)  = 2^n (1 + (exp(r) - 1))      2^n in two factors, for results that are subnormal
//     tanh(x) = e / (e + 2) with the sign of x, e = exp(2|x|) - 1 = 2^n (exp(r) - 1) + (2^n - 1)
//
// Errors are below 1.1 ulp for exp and 2.5 ulp for tanh; NaN stays NaN, overflow is infinity.
// ln 2 is split so that n times its upper part is exact (Cody and Waite, "Software Manual for the
// Elementary Functions", 1980); products and sums may be contracted to FMAs.
#include "compiler/ir/builder.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/passes.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

// A floating type's numbers.
typedef struct float_format {
  int bits, mantissa, bias;
  int terms; // of the series, up to r^terms / terms!
  double ln2_upper, ln2_lower;
  double rounder;         // 1.5 * 2^mantissa: adding it rounds to a whole number in the low bits
  double lowest, highest; // exp is 0 at and below, infinite at and above
  double flat;            // exp(2x) - 1 at and above leaves tanh(x) = 1
} float_format;

static const float_format f32 = {.bits = 32,
                                 .mantissa = 23,
                                 .bias = 127,
                                 .terms = 7,
                                 .ln2_upper = 0x1.62e4p-1,
                                 .ln2_lower = 0x1.7f7d1cp-20,
                                 .rounder = 0x1.8p23,
                                 .lowest = -104,
                                 .highest = 89,
                                 .flat = 20};
static const float_format f64 = {.bits = 64,
                                 .mantissa = 52,
                                 .bias = 1023,
                                 .terms = 13,
                                 .ln2_upper = 0x1.62e42fefa38p-1,
                                 .ln2_lower = 0x1.ef35793c7673p-45,
                                 .rounder = 0x1.8p52,
                                 .lowest = -746,
                                 .highest = 710,
                                 .flat = 40};
static const double log2_e = 0x1.71547652b82fep+0;

// Where and in which types an expansion is built.
typedef struct expansion {
  assay_builder builder;
  const float_format *format;
  MlirType real, integer; // of the same size
  MlirAttribute contract;
} expansion;

static MlirValue number(const expansion *to, double value) {
  return assay_builder_constant(&to->builder,
                                mlirFloatAttrDoubleGet(to->builder.context, to->real, value));
}

static MlirValue whole(const expansion *to, int64_t value) {
  return assay_builder_constant(&to->builder, mlirIntegerAttrGet(to->integer, value));
}

static MlirValue real(const expansion *to, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirNamedAttribute fast = assay_builder_attribute(&to->builder, "fastmath", to->contract);
  return assay_builder_add_value(&to->builder, &(assay_recipe){.name = name,
                                                               .operand_count = 2,
                                                               .operands = operands,
                                                               .attribute_count = 1,
                                                               .attributes = &fast,
                                                               .result_count = 1,
                                                               .results = &to->real});
}

static MlirValue multiply_add(const expansion *to, MlirValue a, MlirValue b, MlirValue c) {
  return real(to, "arith.addf", real(to, "arith.mulf", a, b), c);
}

static MlirValue integer(const expansion *to, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return assay_builder_apply(&to->builder, name, to->integer, 2, operands);
}

static MlirValue bits_of(const expansion *to, MlirValue x) {
  return assay_builder_apply(&to->builder, "arith.bitcast", to->integer, 1, &x);
}

static MlirValue from_bits(const expansion *to, MlirValue bits) {
  return assay_builder_apply(&to->builder, "arith.bitcast", to->real, 1, &bits);
}

enum { OGT = 2, OLT = 4 }; // predicates of arith.cmpf; false of NaN

// limit where x compares so with it, else x: NaN stays.
static MlirValue limit(const expansion *to, MlirValue x, int predicate, double value) {
  MlirValue bound = number(to, value);
  MlirValue choice[] = {assay_builder_compare(&to->builder, predicate, x, bound), bound, x};
  return assay_builder_apply(&to->builder, "arith.select", to->real, 3, choice);
}

// 2^n for a whole n in the range of normal numbers.
static MlirValue power_of_two(const expansion *to, MlirValue n) {
  MlirValue biased = integer(to, "arith.addi", n, whole(to, to->format->bias));
  return from_bits(to, integer(to, "arith.shli", biased, whole(to, to->format->mantissa)));
}

static double factorial(int n) {
  double product = 1; // exact up to 18!
  for (int i = 2; i <= n; i++)
    product *= i;
  return product;
}

// n and exp(r) - 1 of x = n ln 2 + r.
static MlirValue reduce(const expansion *to, MlirValue x, MlirValue *out_n) {
  const float_format *format = to->format;
  MlirValue rounder = number(to, format->rounder);
  MlirValue rounded = multiply_add(to, x, number(to, log2_e), rounder);
  *out_n = integer(to, "arith.subi", bits_of(to, rounded), bits_of(to, rounder));
  MlirValue n = real(to, "arith.subf", rounded, rounder);
  MlirValue r = multiply_add(to, n, number(to, -format->ln2_upper), x);
  r = multiply_add(to, n, number(to, -format->ln2_lower), r);
  MlirValue series = number(to, 1 / factorial(format->terms));
  for (int i = format->terms - 1; i >= 2; i--)
    series = multiply_add(to, series, r, number(to, 1 / factorial(i)));
  return multiply_add(to, real(to, "arith.mulf", r, r), series, r);
}

static MlirValue expand_exp(const expansion *to, MlirValue x) {
  MlirValue n, one = number(to, 1);
  x = limit(to, x, OGT, to->format->highest);
  x = limit(to, x, OLT, to->format->lowest);
  MlirValue power = real(to, "arith.addf", reduce(to, x, &n), one);
  MlirValue half = integer(to, "arith.shrsi", n, whole(to, 1));
  MlirValue rest = integer(to, "arith.subi", n, half);
  power = real(to, "arith.mulf", power, power_of_two(to, half));
  return real(to, "arith.mulf", power, power_of_two(to, rest));
}

static MlirValue expand_tanh(const expansion *to, MlirValue x) {
  int64_t sign_bit = to->format->bits == 32 ? INT32_MIN : INT64_MIN;
  MlirValue bits = bits_of(to, x), sign = integer(to, "arith.andi", bits, whole(to, sign_bit));
  MlirValue size = from_bits(to, integer(to, "arith.xori", bits, sign)), n;
  MlirValue twice = limit(to, real(to, "arith.addf", size, size), OGT, to->format->flat);
  MlirValue fraction = reduce(to, twice, &n), power = power_of_two(to, n);
  MlirValue less_one = real(to, "arith.addf", power, number(to, -1));
  MlirValue e = multiply_add(to, power, fraction, less_one);
  MlirValue quotient = real(to, "arith.divf", e, real(to, "arith.addf", e, number(to, 2)));
  return from_bits(to, integer(to, "arith.ori", bits_of(to, quotient), sign));
}

static bool can_expand(MlirOperation operation) {
  if (!assay_operation_is(operation, "math.exp") && !assay_operation_is(operation, "math.tanh"))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
}

static void replace(MlirOperation operation) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirValue result = mlirOperationGetResult(operation, 0);
  MlirType type = mlirValueGetType(result);
  const float_format *format = mlirTypeIsAF32(type) ? &f32 : &f64;
  MlirStringRef fast = mlirStringRefCreateFromCString("#arith.fastmath<contract>");
  expansion to = {.builder = assay_builder_aside(operation),
                  .format = format,
                  .real = type,
                  .integer = mlirIntegerTypeGet(context, (unsigned)format->bits),
                  .contract = mlirAttributeParseGet(context, fast)};
  MlirValue x = mlirOperationGetOperand(operation, 0);
  bool is_exp = assay_operation_is(operation, "math.exp");
  MlirValue expanded = is_exp ? expand_exp(&to, x) : expand_tanh(&to, x);
  assay_builder_replace(&to.builder, operation, expanded);
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations found = assay_operations_collect(root, can_expand);
  for (int i = 0; i < found.count; i++)
    replace(found.items[i]);
  free(found.items);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", NULL};

const assay_pass assay_pass_expand_math = {
    .argument = "assay-expand-math",
    .description = "Expand exp and tanh of f32 and f64 to arithmetic",
    .anchor = "func.func",
    .dialects = dialects,
    .run = run,
};
