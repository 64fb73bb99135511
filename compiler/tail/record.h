// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a running program shows, taken down with its bits. One recorder is open in a process.
#ifndef ASSAY_COMPILER_TAIL_RECORD_H
#define ASSAY_COMPILER_TAIL_RECORD_H

#include "compiler/tail/border.h"

// Opens for the run in this process.
void assay_record_open(assay_shared *shared);
// Each float of what is recorded from then on is shown to `look` where it stands in the program's
// memory, under the numbers of its item and of itself in that.
typedef void assay_record_look(int kind, int index, int64_t element, assay_origin_format format,
                               const void *address);
void assay_record_watch(assay_record_look *look);
// All that was recorded, in shared memory: results, arguments, printed items. false where the
// shared memory was full.
bool assay_record_close(assay_observation *out_observation);

// What a program hands out at __assay_out, as the form of the result says.
void assay_record_result(const assay_result *result, int index, const void *pointer);
// Memory of an argument, as its arguments' plan laid it out.
void assay_record_memory(const assay_argument *argument, assay_observed_kind kind, int index,
                         const void *memory);

// A symbol for the linker.
typedef struct assay_record_symbol {
  const char *name;
  void (*address)(void);
} assay_record_symbol;
// The printing functions of MLIR's runner libraries, recorded, and clocks that stand still; ends
// with a NULL name.
const assay_record_symbol *assay_record_symbols(void);

#endif
