// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of an object file -> code in this process, by LLVM's ORC.
#ifndef ASSAY_COMPILER_LOWER_JIT_H
#define ASSAY_COMPILER_LOWER_JIT_H

#include "compiler/lower/object.h"
#include "compiler/runtime/runtime.h"

typedef struct assay_image assay_image; // a linked program

// What a program is linked to: the runtime's entries and the runtime itself, of whichever kind.
typedef struct assay_linkage {
  const assay_runtime_entry *entries;
  const void *runtime;
} assay_linkage;

// Links an object made by assay_target_compile: to the given runtime, which must live as long, and
// for what is left to the process (libc, libm). The bytes are copied. ASSAY_FAILED where they are
// no object, or a symbol is missing. A target must have been created in this process.
ASSAY_MUST_USE assay_code assay_image_link(const void *bytes, size_t size, assay_linkage linkage,
                                           assay_image **out_image, assay_error *err);
void assay_image_unlink(assay_image *image); // NULL is allowed

// A name of an object and what it is in this process.
typedef struct assay_image_symbol {
  const char *name;
  uintptr_t address;
} assay_image_symbol;

// The same for an object with no entry: linked to the given symbols, and then to the process.
ASSAY_MUST_USE assay_code assay_image_link_to(const void *bytes, size_t size, size_t count,
                                              const assay_image_symbol symbols[],
                                              assay_image **out_image, assay_error *err);
// The address of one of the object's own symbols; ASSAY_FAILED where it has none of that name.
ASSAY_MUST_USE assay_code assay_image_find(assay_image *image, const char *name, void **out_address,
                                           assay_error *err);

assay_entry *assay_image_entry(const assay_image *image);

#endif
