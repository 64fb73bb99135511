// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every option that some verb takes.
#ifndef ASSAY_HARNESS_CLI_OPTION_TABLE_H
#define ASSAY_HARNESS_CLI_OPTION_TABLE_H

#include "harness/cli/options.h"

typedef enum assay_option_kind {
  ASSAY_OPTION_FLAG,    // bool, takes no value
  ASSAY_OPTION_TEXT,    // const char *
  ASSAY_OPTION_WORD,    // const char *, one of words
  ASSAY_OPTION_TEXTS,   // assay_names: may be repeated
  ASSAY_OPTION_LIST,    // assay_names: words joined by commas; may be repeated
  ASSAY_OPTION_COUNT,   // int, from 1
  ASSAY_OPTION_SECONDS, // double, above 0
  ASSAY_OPTION_SHARD,   // I/N
  ASSAY_OPTION_PASS,    // assay_names: the whole word
} assay_option_kind;

typedef struct assay_option_row {
  const char *name;
  const char *value; // what help calls the value; NULL for a flag
  assay_option_kind kind;
  size_t field; // offset in assay_options
  const char *help;
  const char *words; // WORD: "auto|always|never"
} assay_option_row;

// In the order of help; a row without a name at the end.
extern const assay_option_row assay_option_table[];

#endif
