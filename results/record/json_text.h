// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of other programs as JSON.
#ifndef ASSAY_RESULTS_RECORD_JSON_TEXT_H
#define ASSAY_RESULTS_RECORD_JSON_TEXT_H

#include <jansson.h>

// A string, or null for NULL. A reason may quote what a crashing program printed, or bytes of a
// file: where that is no UTF-8, each byte outside ASCII becomes '?', since JSON has no other way to
// hold it.
json_t *assay_json_text(const char *string);

#endif
