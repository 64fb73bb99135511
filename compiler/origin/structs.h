// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The floats that a value holds: its own lanes, or those of a structure's fields; of this room
// only.
#ifndef ASSAY_COMPILER_ORIGIN_STRUCTS_H
#define ASSAY_COMPILER_ORIGIN_STRUCTS_H

#include "compiler/ir/builder.h"
#include "compiler/origin/origin.h"

enum { ASSAY_FIELD_DEPTH = 6, ASSAY_FIELDS = 32 };

// A float, vector or array of them within a structure; depth 0: the value itself.
typedef struct assay_field {
  MlirType of;
  assay_origin_type type;
  int lane; // of the whole value's, its first
  int depth;
  int64_t position[ASSAY_FIELD_DEPTH];
} assay_field;

// In order; at most ASSAY_FIELDS, what comes behind those and deeper is not followed.
int assay_fields_of(MlirType type, assay_field out_fields[ASSAY_FIELDS]);
// Lanes of all of them; 0: none.
int assay_fields_lanes(MlirType type);
// The first of those lanes that the part at a position has; -1: none.
int assay_fields_lane_at(MlirType type, MlirAttribute position);

// The field of a value, and its address where the whole value stands at one.
MlirValue assay_field_value(const assay_builder *at, const assay_field *field, MlirValue whole);
MlirValue assay_field_address(const assay_builder *at, const assay_field *field, MlirType whole,
                              MlirValue address);
// A pointer that many bytes on.
MlirValue assay_field_advance(const assay_builder *at, MlirValue pointer, int64_t bytes);

#endif
