// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that tell where a NaN, an infinity or a loss of digits comes from: what their
// compilation and their runs do besides.
#ifndef ASSAY_COMPILER_TAIL_WATCH_H
#define ASSAY_COMPILER_TAIL_WATCH_H

#include "compiler/tail/run.h"

// NONE where the request asks for none.
assay_origin_kind assay_watch_kind(const assay_tail_request *request);
// Before the module is lowered; does nothing where nothing is asked for.
ASSAY_MUST_USE assay_code assay_watch_prepare(const assay_tail_request *request,
                                              assay_shared *shared, assay_tail_answer *answer,
                                              MlirModule module, assay_error *err);
// Once it is.
ASSAY_MUST_USE assay_code assay_watch_instrument(const assay_tail_request *request,
                                                 assay_shared *shared, assay_tail_answer *answer,
                                                 MlirModule module, assay_error *err);
// What its code calls besides: before all other symbols. In the arena.
const assay_record_symbol *assay_watch_symbols(const assay_tail_request *request,
                                               assay_arena *arena);

// In the process of a run.
void assay_watch_begin(const assay_program *program, int run);
// NaN among the elements of an argument tell where they are from, where that is asked.
void assay_watch_argument(const assay_program *program, const assay_argument *argument, int number,
                          unsigned char *memory);

#endif
