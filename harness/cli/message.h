// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages on standard error, all in one form: "assay: PLACE: error: TEXT".
#ifndef ASSAY_HARNESS_CLI_MESSAGE_H
#define ASSAY_HARNESS_CLI_MESSAGE_H

#include "compiler/base/error.h"

// "assay: WHERE: error: TEXT", without "WHERE: " where the error names no place.
void assay_message_error(const assay_error *err);
// "assay: note: TEXT"
ASSAY_PRINTF(1, 2) void assay_message_note(const char *format, ...);

#endif
