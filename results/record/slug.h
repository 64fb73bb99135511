// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a record's folder.
#ifndef ASSAY_RESULTS_RECORD_SLUG_H
#define ASSAY_RESULTS_RECORD_SLUG_H

#include "compiler/base/arena.h"

// "matmul-m3-k5-int-loop-0123456789abcdef": a readable slug of the key and the key's hash, in the
// arena. A failure's folder is repro/SLUG beside the run.jsonl that holds its record.
const char *assay_record_slug(assay_arena *arena, const char *key);

#endif
