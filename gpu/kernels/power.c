// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole powers of integers, by squaring: math.ipowi has no instruction and no function of
// libdevice.
#include "gpu/kernels/power.h"

#include "gpu/kernels/draft.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct power {
  const assay_builder *at;
  MlirType type;
} power;

static MlirValue number(const power *it, int64_t value) {
  return assay_builder_constant(it->at, mlirIntegerAttrGet(it->type, value));
}

static MlirValue apply(const power *it, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return assay_builder_apply(it->at, name, it->type, 2, operands);
}

static MlirValue choose(const power *it, MlirValue condition, MlirValue a, MlirValue b) {
  MlirValue operands[] = {condition, a, b};
  return assay_builder_apply(it->at, "arith.select", it->type, 3, operands);
}

enum { EQ = 0, NE = 1, SLT = 2 }; // predicates of arith.cmpi

static MlirValue is(const power *it, int predicate, MlirValue a, int64_t b) {
  return assay_builder_compare(it->at, predicate, a, number(it, b));
}

// One bit of the exponent, the lowest first: of what is computed, base and rest of the exponent.
static void add_step(const power *it, MlirValue carried[3]) {
  MlirValue product = apply(it, "arith.muli", carried[0], carried[1]);
  MlirValue odd = is(it, NE, apply(it, "arith.andi", carried[2], number(it, 1)), 0);
  carried[0] = choose(it, odd, product, carried[0]);
  carried[1] = apply(it, "arith.muli", carried[1], carried[1]);
  carried[2] = apply(it, "arith.shrui", carried[2], number(it, 1));
}

// 1, -1 and everything else: the only whole numbers with whole powers below 0 are the first two.
static MlirValue add_negative(const power *it, MlirValue base, MlirValue exponent) {
  MlirValue odd = is(it, NE, apply(it, "arith.andi", exponent, number(it, 1)), 0);
  MlirValue sign = choose(it, odd, number(it, -1), number(it, 1));
  MlirValue other = choose(it, is(it, EQ, base, -1), sign, number(it, 0));
  return choose(it, is(it, EQ, base, 1), number(it, 1), other);
}

MlirValue assay_power_whole(const assay_builder *at, MlirValue base, MlirValue exponent) {
  power outside = {at, mlirValueGetType(base)};
  MlirValue carried[] = {number(&outside, 1), base, exponent};
  int64_t bits = mlirIntegerTypeGetWidth(outside.type);
  assay_draft_loop loop = assay_draft_for(at, assay_draft_index(at, 0), bits, 1, 3, carried);
  power inside = {&loop.inside, outside.type};
  for (int i = 0; i < 3; i++)
    carried[i] = mlirBlockGetArgument(loop.inside.block, 1 + i);
  add_step(&inside, carried);
  assay_draft_yield(&loop.inside, 3, carried);
  MlirValue negative = add_negative(&outside, base, exponent);
  return choose(&outside, is(&outside, SLT, exponent, 0), negative,
                mlirOperationGetResult(loop.operation, 0));
}
