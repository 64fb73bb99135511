// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay bench --serve: one case, timed on request, for the build that is compared with this one.
//
// It greets with the line "assay bench 1", then answers each line of standard input with one JSON
// object on a line, which has a string "error" where it could not do what was asked:
//     check BACKEND                      its conformance record
//     describe BACKEND                   its benchmark's record, without samples
//     load BACKEND                       compiles anew, some times, and warms up: "seconds" of the
//                                        fastest
//     time BACKEND ITERATIONS SECONDS    a loop of so many runs, or with 0 of so long: "seconds" of
//                                        one run, "iterations"
#ifndef ASSAY_HARNESS_CLI_SERVE_H
#define ASSAY_HARNESS_CLI_SERVE_H

#include "harness/cli/agenda.h"
#include "harness/cli/session.h"

// Answers until standard input ends. The agenda, made for that machine, must be of one case
// and one data set.
ASSAY_MUST_USE assay_code assay_serve(const assay_session *session, const assay_machine *machine,
                                      assay_agenda *agenda, assay_error *err);

#endif
