// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/record.h"

#include <stdlib.h>
#include <string.h>

assay_record assay_record_copy(assay_arena *arena, const assay_record *record) {
  const char *text = assay_record_print(arena, record);
  assay_record copy;
  assay_error err;
  if (assay_record_parse(arena, "", 0, text, strlen(text), &copy, &err) != ASSAY_OK)
    abort(); // what is printed can be read
  return copy;
}
