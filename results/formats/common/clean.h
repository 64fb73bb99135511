// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that any document can hold.
#ifndef ASSAY_RESULTS_FORMATS_COMMON_CLEAN_H
#define ASSAY_RESULTS_FORMATS_COMMON_CLEAN_H

#include "compiler/base/arena.h"

// A copy in the arena with '?' for each byte that is no part of a character of XML 1.0, or of one
// that a reader obeys instead of showing it (assay_is_obeyed): a dying compiler may have written
// any bytes. What is left is UTF-8 whose only control characters are tab and newline. NULL becomes
// "".
char *assay_clean(assay_arena *arena, const char *text);

// The same without line ends and tabs, which become spaces.
char *assay_clean_line(assay_arena *arena, const char *text);

// A line of at most so many characters: what is longer has its middle replaced by "...". most >= 8.
const char *assay_clip(assay_arena *arena, const char *text, size_t most);

#endif
