// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of expected values as it is read; its form is described in reference.h. Of this room
// only.
#ifndef ASSAY_REFERENCE_TABLE_H
#define ASSAY_REFERENCE_TABLE_H

#include "compiler/base/file.h"
#include "reference/reference.h"

// The data sets by the number that the column "data" holds: int, real.
enum { ASSAY_DATA_SETS = 2 };
extern const char *const assay_table_data[ASSAY_DATA_SETS];

// One result on one data set; count 0 where the table has none.
typedef struct assay_table_section {
  size_t start, count, types; // in rows: where it starts, elements and probes, the type after them
  assay_result_type type;
  bool sampled;
} assay_table_section;

struct assay_reference {
  assay_reference_need need; // strings in the arena
  const char *path;          // for messages
  bool whole;                // integer results
  const assay_expected_row *rows;
  assay_table_section section[ASSAY_DATA_SETS][ASSAY_REFERENCE_RESULTS];
};

// Reads the table with which file starts and checks it: columns, order of the rows, types, indices,
// and that each of the results that need counts is complete. *out_used: the bytes it takes;
// whole_file: nothing may stand behind it.
ASSAY_MUST_USE assay_code assay_table_read(assay_arena *arena, const assay_file *file,
                                           bool whole_file, const assay_reference_need *need,
                                           assay_reference *out_reference, size_t *out_used,
                                           assay_error *err);

// Whether file starts with what the oracle writes in place of a table that it has no answer for:
// *out_text, in the arena, else NULL; *out_used: the bytes it takes.
ASSAY_MUST_USE assay_code assay_table_refusal(assay_arena *arena, const assay_file *file,
                                              const char **out_text, size_t *out_used,
                                              assay_error *err);

#endif
