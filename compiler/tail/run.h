// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a linked program in a forked process.
#ifndef ASSAY_COMPILER_TAIL_RUN_H
#define ASSAY_COMPILER_TAIL_RUN_H

#include "compiler/tail/link.h"

// The byte of fresh memory, as often as the widest undefined value needs: what code reads under
// ASSAY_POISON_SYMBOL.
extern unsigned char assay_run_poison[64];

typedef struct assay_program {
  const assay_border *border;
  void (*entry)(void);
  uint64_t data_seed;
  double seconds; // of the processor, that a run may take; 0: no limit
  // Of an instrumented program, else NULL.
  int64_t *rounding_seed;
  int32_t *rounding_amplitude;
  int32_t amplitude; // for amplified runs
  assay_origin_kind origin_kind;
  const assay_origin_report *origin;
  assay_origin_log *origin_logs; // one for each run
  assay_loss_log **loss_logs;
  assay_exact_log *exact_logs; // else NULL
} assay_program;

// What code calls besides what is recorded: arguments, results, the heap. `argument_count` and
// `result_count` say how many names there must be; in the arena, ends with a NULL name.
const assay_record_symbol *assay_run_symbols(const assay_border *border, assay_arena *arena);

// Forks, runs and waits, `at_once` runs at a time; *pulse moves while it waits.
// ASSAY_FAILED where no process can be made.
ASSAY_MUST_USE assay_code assay_program_run(const assay_program *program,
                                            const assay_tail_run runs[], int count, int at_once,
                                            assay_shared *shared, assay_tail_outcome outcomes[],
                                            _Atomic int64_t *pulse, assay_error *err);

#endif
