// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that calls another one and prints what it gives, for tools that run a main.
#ifndef ASSAY_HARNESS_REDUCE_CALLER_H
#define ASSAY_HARNESS_REDUCE_CALLER_H

#include "harness/ledger/ledger.h"

// The module's text with a @main that calls the entry on the arguments of a data set, as the ledger
// makes them, and prints its results and the memory that it may have written, by printMemref* and
// vector.print. A @main without arguments is the program itself: the text is then the module's own.
// cautious: as in assay_tail_request. ASSAY_UNSUPPORTED where that cannot be written.
ASSAY_MUST_USE assay_code assay_caller_write(const assay_ledger_request *request,
                                             assay_arena *arena, const char *text,
                                             const char *entry, int data, bool cautious,
                                             const char **out_text, assay_error *err);

#endif
