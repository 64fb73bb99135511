// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One value of a key on a case line.
#ifndef ASSAY_HARNESS_CASE_PARAM_H
#define ASSAY_HARNESS_CASE_PARAM_H

#include "harness/case/case.h"
#include "harness/case/words.h"

// Reads the word as a value of the key. ASSAY_INVALID with the word's place and what the key takes,
// the nearest name first; op is named in the message.
ASSAY_MUST_USE assay_code assay_param_parse(assay_arena *arena, const assay_line *line,
                                            const char *op, const assay_key *key, assay_word word,
                                            assay_param *out_param, assay_error *err);

#endif
