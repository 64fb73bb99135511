// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of the llvm dialect as code in this process.
#ifndef ASSAY_COMPILER_TAIL_LINK_H
#define ASSAY_COMPILER_TAIL_LINK_H

#include "compiler/ir/excerpt.h"
#include "compiler/tail/record.h"

typedef struct assay_code_image assay_code_image;

typedef struct assay_link_options {
  bool optimise;       // LLVM -O2, else the quickest code generation
  bool poison_allocas; // fresh stack memory holds the byte *poison
  const unsigned char *poison;
  const assay_record_symbol *const *symbols; // what code may call: lists, the first wins; NULL ends
  const char *const *declared; // functions to stand in for, where nothing defines them
  const char *const *given;    // (optional) as in assay_snapshot
  int declared_count;
  assay_excerpt *stand_ins; // (optional) "@f, @g": those
} assay_link_options;

// ASSAY_UNSUPPORTED where LLVM refuses or a symbol is missing (named).
ASSAY_MUST_USE assay_code assay_code_link(MlirModule module, const assay_link_options *options,
                                          assay_code_image **out_image, assay_error *err);
// Of the object file: equal code does the same.
uint64_t assay_code_hash(const assay_code_image *image);
// NULL where the code has no such symbol.
void *assay_code_address(const assay_code_image *image, const char *name);
void assay_code_unlink(assay_code_image *image); // NULL is allowed

#endif
