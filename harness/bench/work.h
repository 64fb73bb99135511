// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much a program has to do at least, whoever does it.
#ifndef ASSAY_HARNESS_BENCH_WORK_H
#define ASSAY_HARNESS_BENCH_WORK_H

#include "compiler/language/graph.h"

typedef struct assay_work {
  double flop; // floating operations of its contractions, 2 M K N each (a product and a sum); other
               // operations are not counted, as is usual. 0: it has none, and no rate is defined
  bool wide;   // more of them in f64 than in f32
  double bytes; // of its arguments and results: what must be moved even if nothing is moved twice
} assay_work;

assay_work assay_work_of(const assay_program *program);

#endif
