// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What readers keep of other versions' and programs' records.
#ifndef ASSAY_RESULTS_RECORD_OTHERS_H
#define ASSAY_RESULTS_RECORD_OTHERS_H

#include "compiler/base/arena.h"

#include <jansson.h>

// The fields that this version does not know, those inside env and counters too, as JSON text in
// the arena; NULL where there are none.
const char *assay_record_others(assay_arena *arena, json_t *object);

#endif
