// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// json: the records of run.jsonl as one array.
#include "results/formats/format.h"

#include <errno.h>
#include <string.h>

static assay_code write_json(FILE *stream, const assay_record records[], size_t count,
                             const assay_run_totals *totals, assay_error *err) {
  (void)totals; // the array holds records only
  fputs("[", stream);
  for (size_t i = 0; i < count; i++) {
    assay_arena *arena = assay_arena_create();
    fprintf(stream, "%s\n%s", i > 0 ? "," : "", assay_record_print(arena, &records[i]));
    assay_arena_destroy(arena);
  }
  fputs("\n]\n", stream);
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write JSON: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_json;
const assay_format assay_format_json = {
    .name = "json",
    .summary = "an array of all records",
    .write = write_json,
};
