// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16, bf16 and f32 are computed in f64; f64 as a rounded result and what the rounding lost, by
// error-free transformations: Knuth's TwoSum, products and quotients by fma, and the fma's own by
// Boldo and Muller ("Exact and approximated error of the FMA", IEEE Trans. Comp. 60, 2011).
#include "compiler/rounding/compute.h"

#include <math.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdio.h>

static const MlirValue none = {NULL};

static MlirValue binary(const assay_compute *it, const char *name, MlirValue a, MlirValue b) {
  return assay_lanes_binary(&it->round.lanes, name, a, b);
}

static MlirValue multiply_add(const assay_compute *it, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue operands[] = {a, b, c};
  return assay_lanes_apply(&it->round.lanes, "intr.fma", mlirValueGetType(a), 3, operands);
}

static MlirValue unary(const assay_compute *it, const char *name, MlirValue a) {
  return assay_lanes_unary(&it->round.lanes, name, mlirValueGetType(a), a);
}

static MlirValue real(const assay_compute *it, double value) {
  return assay_lanes_real(&it->round.lanes, value);
}

static MlirValue compare(const assay_compute *it, int predicate, MlirValue a, MlirValue b) {
  return assay_lanes_compare(&it->round.lanes, "fcmp", predicate, a, b);
}

static bool in_f64(const assay_compute *it) {
  return mlirTypeIsAF64(it->round.element);
}

// An operand as f64: exact. bf16 and f16 go by f32, for which processors have instructions.
static MlirValue widen(const assay_compute *it, MlirValue value) {
  const assay_lanes *lanes = &it->round.lanes;
  MlirType element = assay_lanes_element(mlirValueGetType(value));
  if (mlirTypeIsAF64(element))
    return value;
  if (!mlirTypeIsAF32(element)) {
    MlirType f32 = assay_lanes_type(lanes, mlirF32TypeGet(lanes->builder.context));
    value = assay_lanes_unary(lanes, "fpext", f32, value);
  }
  return assay_lanes_unary(lanes, "fpext", assay_lanes_f64(lanes), value);
}

// Whether the f64 sum of a and b was rounded: exact sums give both terms back.
static MlirValue sum_is_inexact(const assay_compute *it, MlirValue a, MlirValue b, MlirValue sum) {
  MlirValue has_b = compare(it, ASSAY_FCMP_OEQ, binary(it, "fsub", sum, a), b);
  MlirValue has_a = compare(it, ASSAY_FCMP_OEQ, binary(it, "fsub", sum, b), a);
  MlirValue exact = assay_lanes_and(&it->round.lanes, has_a, has_b);
  MlirType i1 = mlirIntegerTypeGet(it->round.lanes.builder.context, 1);
  return binary(it, "xor", exact, assay_lanes_integer(&it->round.lanes, i1, 1));
}

// What a + b lost (TwoSum).
static MlirValue sum_lost(const assay_compute *it, MlirValue a, MlirValue b, MlirValue sum) {
  MlirValue b_kept = binary(it, "fsub", sum, a);
  MlirValue a_kept = binary(it, "fsub", sum, b_kept);
  return binary(it, "fadd", binary(it, "fsub", a, a_kept), binary(it, "fsub", b, b_kept));
}

static MlirValue product_lost(const assay_compute *it, MlirValue a, MlirValue b,
                              MlirValue product) {
  return multiply_add(it, a, b, unary(it, "fneg", product));
}

// a + b of f64 values, rounded to the result's type.
static MlirValue add(const assay_compute *it, MlirValue a, MlirValue b) {
  MlirValue sum = binary(it, "fadd", a, b);
  return in_f64(it) ? assay_round_pair(&it->round, sum, sum_lost(it, a, b, sum), none)
                    : assay_round_narrow(&it->round, sum, sum_is_inexact(it, a, b, sum));
}

// Products of narrower types are exact in f64.
static MlirValue multiply(const assay_compute *it, MlirValue a, MlirValue b) {
  MlirValue product = binary(it, "fmul", a, b);
  return in_f64(it) ? assay_round_pair(&it->round, product, product_lost(it, a, b, product), none)
                    : assay_round_narrow(&it->round, product, none);
}

// A quotient, or a root, of f64 numbers is a number of a narrower type only where it is exact.
static MlirValue divide(const assay_compute *it, MlirValue a, MlirValue b) {
  MlirValue quotient = binary(it, "fdiv", a, b);
  if (!in_f64(it))
    return assay_round_narrow(&it->round, quotient, none);
  MlirValue rest = multiply_add(it, unary(it, "fneg", quotient), b, a);
  return assay_round_pair(&it->round, quotient, binary(it, "fdiv", rest, b), none);
}

static MlirValue root(const assay_compute *it, MlirValue a) {
  MlirValue root = unary(it, "intr.sqrt", a);
  if (!in_f64(it))
    return assay_round_narrow(&it->round, root, none);
  MlirValue rest = multiply_add(it, unary(it, "fneg", root), root, a);
  MlirValue lost = binary(it, "fdiv", rest, binary(it, "fadd", root, root));
  return assay_round_pair(&it->round, root, lost, none);
}

static MlirValue fused(const assay_compute *it, MlirValue a, MlirValue b, MlirValue c) {
  if (!in_f64(it)) {
    MlirValue product = binary(it, "fmul", a, b), sum = binary(it, "fadd", product, c);
    return assay_round_narrow(&it->round, sum, sum_is_inexact(it, product, c, sum));
  }
  MlirValue result = multiply_add(it, a, b, c), product = binary(it, "fmul", a, b);
  MlirValue rest = product_lost(it, a, b, product);
  MlirValue low = binary(it, "fadd", c, rest), low_lost = sum_lost(it, c, rest, low);
  MlirValue high = binary(it, "fadd", product, low), high_lost = sum_lost(it, product, low, high);
  MlirValue lost = binary(it, "fadd", binary(it, "fsub", high, result), high_lost);
  return assay_round_pair(&it->round, result, binary(it, "fadd", lost, low_lost), none);
}

// An integer of up to 64 bits is the exact sum of two f64: its upper and its lower half.
static MlirValue from_integer(const assay_compute *it, MlirValue whole, bool is_signed) {
  const assay_lanes *lanes = &it->round.lanes;
  MlirType f64 = assay_lanes_f64(lanes);
  unsigned width = mlirIntegerTypeGetWidth(assay_lanes_element(mlirValueGetType(whole)));
  const char *convert = is_signed ? "sitofp" : "uitofp";
  if (width <= 32)
    return assay_round_narrow(&it->round, assay_lanes_unary(lanes, convert, f64, whole), none);
  if (width < 64)
    whole = assay_lanes_unary(lanes, is_signed ? "sext" : "zext", assay_lanes_i64(lanes), whole);
  MlirValue upper = assay_lanes_and(lanes, whole, assay_lanes_whole(lanes, ~UINT64_C(0xffffffff)));
  MlirValue lower = assay_lanes_and(lanes, whole, assay_lanes_whole(lanes, 0xffffffff));
  return add(it, assay_lanes_unary(lanes, convert, f64, upper),
             assay_lanes_unary(lanes, "uitofp", f64, lower));
}

// Field 0 or 1 of an assay_rounded_pair.
static MlirValue field(const assay_compute *it, MlirValue pair, int64_t number) {
  const assay_builder *builder = &it->round.lanes.builder;
  MlirType f64 = mlirF64TypeGet(builder->context);
  MlirNamedAttribute position = assay_builder_numbers(builder, "position", 1, &number);
  return assay_builder_add_value(builder, &(assay_recipe){.name = "llvm.extractvalue",
                                                          .operand_count = 1,
                                                          .operands = &pair,
                                                          .attribute_count = 1,
                                                          .attributes = &position,
                                                          .result_count = 1,
                                                          .results = &f64});
}

// One call of the process's function for each lane: the values, and in f64 what each lost.
static MlirValue call_lanes(const assay_compute *it, const char *name, int count,
                            const MlirValue operands[], MlirValue *out_lost) {
  const assay_lanes *lanes = &it->round.lanes;
  MlirContext context = lanes->builder.context;
  MlirType f64 = mlirF64TypeGet(context);
  MlirType parts[] = {f64, f64}, result = f64;
  char symbol[64];
  snprintf(symbol, sizeof symbol, "assay_rounding_%s%s", name, in_f64(it) ? "_pair" : "");
  if (in_f64(it))
    result = mlirLLVMStructTypeLiteralGet(context, 2, parts, false);
  MlirValue values = assay_lanes_poison(lanes, assay_lanes_f64(lanes)), lost = values;
  int64_t lane_count = lanes->count > 0 ? lanes->count : 1;
  for (int64_t lane = 0; lane < lane_count; lane++) {
    MlirValue arguments[ASSAY_ROUNDED_OPERANDS] = {{NULL}};
    for (int i = 0; i < count; i++)
      arguments[i] = assay_lanes_take(lanes, operands[i], lane);
    MlirValue answer =
        assay_helpers_call_symbol(it->helpers, &lanes->builder, symbol, result, count, arguments);
    if (in_f64(it)) {
      lost = assay_lanes_put(lanes, lost, field(it, answer, 1), lane);
      answer = field(it, answer, 0);
    }
    values = assay_lanes_put(lanes, values, answer, lane);
  }
  *out_lost = lost;
  return values;
}

// Whether a transcendental result counts as rounded whatever its bits: see libm.h.
static MlirValue is_transcendental(const assay_compute *it, MlirValue x, MlirValue result) {
  const assay_lanes *lanes = &it->round.lanes;
  MlirValue zero = real(it, 0), infinity = real(it, INFINITY);
  const MlirValue conditions[] = {
      compare(it, ASSAY_FCMP_ONE, x, zero),
      compare(it, ASSAY_FCMP_ONE, x, real(it, 1)),
      compare(it, ASSAY_FCMP_OLT, unary(it, "intr.fabs", x), infinity),
      compare(it, ASSAY_FCMP_ONE, result, zero),
      compare(it, ASSAY_FCMP_OLT, unary(it, "intr.fabs", result), infinity),
  };
  MlirValue all = conditions[0];
  for (size_t i = 1; i < sizeof conditions / sizeof conditions[0]; i++)
    all = assay_lanes_and(lanes, all, conditions[i]);
  return all;
}

static MlirValue call_libm(const assay_compute *it, const assay_rounded *operation,
                           const MlirValue operands[]) {
  MlirValue lost;
  MlirValue value = call_lanes(it, operation->name, operation->operand_count, operands, &lost);
  MlirValue inexact = operation->hard ? is_transcendental(it, operands[0], value) : none;
  return in_f64(it) ? assay_round_pair(&it->round, value, lost, inexact)
                    : assay_round_narrow(&it->round, value, inexact);
}

MlirValue assay_compute_build(const assay_compute *it, const assay_rounded *operation,
                              const MlirValue operands[]) {
  MlirValue wide[ASSAY_ROUNDED_OPERANDS] = {{NULL}};
  for (int i = 0; i < operation->operand_count; i++) {
    MlirType element = assay_lanes_element(mlirValueGetType(operands[i]));
    wide[i] = mlirTypeIsAInteger(element) ? operands[i] : widen(it, operands[i]);
  }
  switch (operation->kind) {
  case ASSAY_ROUNDED_ADD:
    return add(it, wide[0], wide[1]);
  case ASSAY_ROUNDED_SUBTRACT:
    return add(it, wide[0], unary(it, "fneg", wide[1]));
  case ASSAY_ROUNDED_MULTIPLY:
    return multiply(it, wide[0], wide[1]);
  case ASSAY_ROUNDED_DIVIDE:
    return divide(it, wide[0], wide[1]);
  case ASSAY_ROUNDED_SQRT:
    return root(it, wide[0]);
  case ASSAY_ROUNDED_FMA:
    return fused(it, wide[0], wide[1], wide[2]);
  case ASSAY_ROUNDED_MULTIPLY_ADD:
    return add(it, widen(it, multiply(it, wide[0], wide[1])), wide[2]);
  case ASSAY_ROUNDED_TRUNCATE:
    return assay_round_narrow(&it->round, wide[0], none);
  case ASSAY_ROUNDED_FROM_SIGNED:
    return from_integer(it, wide[0], true);
  case ASSAY_ROUNDED_FROM_UNSIGNED:
    return from_integer(it, wide[0], false);
  case ASSAY_ROUNDED_LIBM:
  case ASSAY_ROUNDED_POWI:
    return call_libm(it, operation, wide);
  }
  return none;
}
