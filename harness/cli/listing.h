// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays and expected values for people to read.
#ifndef ASSAY_HARNESS_CLI_LISTING_H
#define ASSAY_HARNESS_CLI_LISTING_H

#include "compiler/backends/backend.h"
#include "reference/reference.h"

// The first rows and columns of an array, seen as a matrix of its last axis.
const char *assay_listing_array(assay_arena *arena, const char *name, const assay_buffer *buffer);

// The first rows of a result's expected values with their error scale.
const char *assay_listing_expected(assay_arena *arena, const assay_expected *expected);

#endif
