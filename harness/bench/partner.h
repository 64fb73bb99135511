// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another process that is asked line by line, and answers each with a line.
#ifndef ASSAY_HARNESS_BENCH_PARTNER_H
#define ASSAY_HARNESS_BENCH_PARTNER_H

#include "compiler/base/arena.h"

typedef struct assay_partner assay_partner;

// Starts argv[0] (looked up in PATH; argv ends with NULL). ASSAY_FAILED where that cannot be. Its
// messages are kept for the errors of what it is asked.
ASSAY_MUST_USE assay_code assay_partner_start(const char *const argv[], assay_partner **out_partner,
                                              assay_error *err);
// Ends it, and what it started, and waits for it; NULL is allowed.
void assay_partner_stop(assay_partner *partner);

// Sends the line, or with NULL nothing, and waits for an answer, in the arena without its end.
// ASSAY_FAILED where it has ended, with the last that it said, or has not answered within so many
// seconds. A process forked from this one may ask as well, one at a time.
ASSAY_MUST_USE assay_code assay_partner_ask(assay_partner *partner, assay_arena *arena,
                                            const char *line, double seconds,
                                            const char **out_answer, assay_error *err);
// Reads so many bytes that follow an answer.
ASSAY_MUST_USE assay_code assay_partner_read(assay_partner *partner, void *bytes, size_t size,
                                             double seconds, assay_error *err);

#endif
