// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/excerpt.h"

#include <string.h>

void assay_excerpt_append(MlirStringRef piece, void *excerpt) {
  assay_excerpt *to = excerpt;
  size_t room = sizeof to->text - 1 - to->length;
  size_t length = piece.length < room ? piece.length : room;
  memcpy(to->text + to->length, piece.data, length);
  to->length += length;
  to->text[to->length] = '\0';
}
