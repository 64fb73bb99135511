// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .npy format, versions 1.0 and 2.0 (NumPy Enhancement Proposal 1): little-endian, C order.
#ifndef ASSAY_REFERENCE_NPY_H
#define ASSAY_REFERENCE_NPY_H

#include "compiler/base/file.h"

#include <stdint.h>

enum { ASSAY_NPY_MAX_RANK = 8 };

typedef struct assay_npy {
  const char *descr; // the dtype as the header has it: "<f4", or "[('data', '|u1'), ...]"
  int rank;
  int64_t dim[ASSAY_NPY_MAX_RANK];
  const void *data; // into the file's bytes; unaligned
  size_t data_size; // bytes up to the end of the file
} assay_npy;

// Reads the header of the file; data is what follows it, and its size is for the caller to check,
// who knows the dtype's (assay_npy_expect does). ASSAY_INVALID, with what was found and what was
// expected, for anything that is not .npy, is truncated, is in Fortran order, or is malformed.
ASSAY_MUST_USE assay_code assay_npy_parse(assay_arena *arena, const assay_file *file,
                                          assay_npy *out_npy, assay_error *err);

// That the array has this descr and exactly its shape's worth of elements of size bytes.
ASSAY_MUST_USE assay_code assay_npy_expect(const assay_file *file, const assay_npy *npy,
                                           const char *descr, size_t element_size,
                                           assay_error *err);

// Writes an array (version 1.0) to path, through a temporary name beside it. descr as "<f4".
ASSAY_MUST_USE assay_code assay_npy_write(const char *path, const char *descr, size_t element_size,
                                          int rank, const int64_t dim[], const void *data,
                                          assay_error *err);

#endif
