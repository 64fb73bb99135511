// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of records for terminals.
#ifndef ASSAY_RESULTS_RECORD_PRINTABLE_H
#define ASSAY_RESULTS_RECORD_PRINTABLE_H

#include "compiler/base/arena.h"

#include <stdbool.h>

// The text in one line that no terminal obeys: control characters and bytes that are no UTF-8
// become what C and JSON write for them: "\n", "\x1b", "\u009b". The text itself where there are
// none; else in the arena. NULL becomes "".
const char *assay_printable(assay_arena *arena, const char *text);

// Whether whoever shows this character of Unicode does something else instead: control characters
// of ASCII and U+0080 to U+009F, marks that turn the direction of what follows, and the ends of
// lines and paragraphs.
bool assay_is_obeyed(unsigned code);

bool assay_is_utf8(const char *text);

#endif
