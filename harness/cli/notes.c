// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/notes.h"

#include "harness/cli/message.h"
#include "results/record/printable.h"

#include <string.h>

void assay_notes_tell(assay_notes *notes, assay_arena *arena, const char *text) {
  for (size_t i = 0; i < notes->count; i++)
    if (strcmp(notes->told[i], text) == 0)
      return;
  if (notes->count == ASSAY_NOTES)
    return;
  notes->told[notes->count++] = assay_arena_string(arena, text);
  assay_message_note("%s", assay_printable(arena, text));
}
