// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operation of a program a lowered one comes from: each is given a location that holds its
// name, and within that the location it had, since frontends give one place to many operations, or
// none. Of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_PLACES_H
#define ASSAY_COMPILER_ORIGIN_PLACES_H

#include "compiler/ir/walk.h"

// Of all operations, outer ones first, but for functions and modules. What has no place gets that
// of the operation around it; the bodies of linalg's operations, which are lost when those are
// lowered, count as those.
void assay_places_mark(const assay_operations *all);

// The strings are MLIR's, and end with a zero.
typedef struct assay_origin_source {
  const char *op;    // that was marked; "" where none was
  assay_place place; // line 0 where none is known
  const char *label; // the name that stands in the place's stead; "" where there is none
} assay_origin_source;
assay_origin_source assay_places_source(MlirLocation location);

#endif
