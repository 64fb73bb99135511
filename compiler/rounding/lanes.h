// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of the llvm dialect on a scalar or on all lanes of a vector at once, being built.
#ifndef ASSAY_COMPILER_ROUNDING_LANES_H
#define ASSAY_COMPILER_ROUNDING_LANES_H

#include "compiler/ir/builder.h"

// Where values are built, and how many lanes each has.
typedef struct assay_lanes {
  assay_builder builder;
  int64_t count; // 0: scalars
} assay_lanes;

// An element type with these lanes.
MlirType assay_lanes_type(const assay_lanes *lanes, MlirType element);
MlirType assay_lanes_f64(const assay_lanes *lanes);
MlirType assay_lanes_i64(const assay_lanes *lanes);

// The lanes of a type, 0 for a scalar; -1 for vectors that are not one-dimensional and fixed.
int64_t assay_lanes_of(MlirType type);
MlirType assay_lanes_element(MlirType type);

// llvm.NAME of operands.
MlirValue assay_lanes_apply(const assay_lanes *lanes, const char *name, MlirType type, int count,
                            const MlirValue operands[]);
MlirValue assay_lanes_unary(const assay_lanes *lanes, const char *name, MlirType type, MlirValue a);
// Of operands and a result of one type.
MlirValue assay_lanes_binary(const assay_lanes *lanes, const char *name, MlirValue a, MlirValue b);
MlirValue assay_lanes_select(const assay_lanes *lanes, MlirValue condition, MlirValue a,
                             MlirValue b);

// Predicates of llvm.icmp and llvm.fcmp (ordered but for UNE), by their numbers in the dialect.
enum { ASSAY_ICMP_EQ = 0, ASSAY_ICMP_NE = 1, ASSAY_ICMP_SLT = 2, ASSAY_ICMP_SGT = 4 };
enum {
  ASSAY_FCMP_OEQ = 1,
  ASSAY_FCMP_OGT = 2,
  ASSAY_FCMP_OGE = 3,
  ASSAY_FCMP_OLT = 4,
  ASSAY_FCMP_ONE = 6,
};
MlirValue assay_lanes_compare(const assay_lanes *lanes, const char *name, int predicate,
                              MlirValue a, MlirValue b);
MlirValue assay_lanes_and(const assay_lanes *lanes, MlirValue a, MlirValue b);

// The same number in every lane; integer of i64, or of the given integer element type.
MlirValue assay_lanes_real(const assay_lanes *lanes, double value);
MlirValue assay_lanes_whole(const assay_lanes *lanes, uint64_t value);
MlirValue assay_lanes_integer(const assay_lanes *lanes, MlirType element, int64_t value);
// A scalar in every lane.
MlirValue assay_lanes_splat(const assay_lanes *lanes, MlirValue scalar);

// One lane of a vector, and a vector with one lane replaced; scalars are their own lane 0.
MlirValue assay_lanes_take(const assay_lanes *lanes, MlirValue vector, int64_t lane);
MlirValue assay_lanes_put(const assay_lanes *lanes, MlirValue vector, MlirValue scalar,
                          int64_t lane);
MlirValue assay_lanes_poison(const assay_lanes *lanes, MlirType type);

#endif
