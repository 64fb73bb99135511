// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of values that cross the border of a program: what they are in memory.
#ifndef ASSAY_COMPILER_TAIL_VALUE_H
#define ASSAY_COMPILER_TAIL_VALUE_H

#include "compiler/base/arena.h"
#include "compiler/tail/observation.h"

#include <mlir-c/IR.h>

typedef enum assay_value_form {
  ASSAY_VALUE_SCALAR,
  ASSAY_VALUE_VECTOR,
  ASSAY_VALUE_TENSOR,
  ASSAY_VALUE_MEMREF,
} assay_value_form;

typedef struct assay_value_type {
  MlirType type;
  assay_value_form form;
  MlirType element_type; // of the scalar, or of each element
  assay_element element; // of a complex number, each part
  int bits, bytes;       // of the element, or of each part
  bool is_complex;
  bool has_rank; // false: an unranked tensor or memref, of no dimensions here
  int rank;
  int64_t dim[ASSAY_OBSERVED_MAX_RANK];    // -1: dynamic
  int64_t stride[ASSAY_OBSERVED_MAX_RANK]; // memrefs, in elements; INT64_MIN: dynamic
  int64_t offset;
} assay_value_type;

#define ASSAY_VALUE_DYNAMIC INT64_MIN // a stride or an offset

// ASSAY_UNSUPPORTED, naming the type, where its values cannot be made or read.
ASSAY_MUST_USE assay_code assay_value_type_read(MlirType type, assay_value_type *out_type,
                                                assay_error *err);

bool assay_value_has_memory(const assay_value_type *type); // a tensor or a memref
// Bytes from one element to the next.
int assay_value_pitch(const assay_value_type *type);

// A function's parameters and results, of a FunctionType or an LLVM function type.
typedef struct assay_signature {
  int input_count, result_count;
  MlirType *inputs, *results; // in the arena
} assay_signature;

// From its text. ASSAY_INVALID where that is not a function type.
ASSAY_MUST_USE assay_code assay_signature_parse(MlirContext context, const char *text,
                                                assay_arena *arena, assay_signature *out_signature,
                                                assay_error *err);
// From a func.func or an llvm.func.
ASSAY_MUST_USE assay_code assay_signature_of(MlirOperation function, assay_arena *arena,
                                             assay_signature *out_signature, assay_error *err);

#endif
