// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input data: the generator that reference/GENERATOR.md specifies, the same bits as the NumPy
// oracle's.
#ifndef ASSAY_HARNESS_CASE_DATA_H
#define ASSAY_HARNESS_CASE_DATA_H

#include "compiler/backends/backend.h"

// The names of the data sets every op accepts: "int", "real"; the array ends with NULL.
extern const char *const assay_data_names[];

// Fills the buffer with the stream of that case line, data set and argument name.
void assay_data_fill(const char *case_line, const char *data, const char *argument,
                     const assay_buffer *buffer);

// The probe vectors of a result seen as rows x columns: whole numbers as doubles on data "int" and
// for integer results, full-mantissa doubles otherwise. probe is "columns" (length n, for C w) or
// "rows" (length m, for w^T C); result is the result's number from 0.
void assay_data_probe(const char *case_line, const char *data, const char *probe, int result,
                      bool whole, size_t count, double out_weights[]);

#endif
