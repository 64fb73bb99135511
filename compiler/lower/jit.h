// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of an object file -> code in this process, by LLVM's ORC.
#ifndef ASSAY_COMPILER_LOWER_JIT_H
#define ASSAY_COMPILER_LOWER_JIT_H

#include "compiler/lower/object.h"
#include "compiler/runtime/runtime.h"

typedef struct assay_image assay_image; // a linked program

// Links an object made by assay_target_compile: to the given runtime, which must live as long, and
// for what is left to the process (libc, libm). The bytes are copied. ASSAY_FAILED where they are
// no object, or a symbol is missing. A target must have been created in this process.
ASSAY_MUST_USE assay_code assay_image_link(const void *bytes, size_t size,
                                           const assay_runtime *runtime, assay_image **out_image,
                                           assay_error *err);
void assay_image_unlink(assay_image *image); // NULL is allowed

assay_entry *assay_image_entry(const assay_image *image);

#endif
