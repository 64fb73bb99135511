// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a log of numbers says, read after the run.
#include "compiler/origin/exact_step.h"

assay_exact_source assay_exact_source_of(int number, int *out_index) {
  static const struct {
    int first;
    assay_exact_source source;
  } kinds[] = {
      {ASSAY_EXACT_UNRELATED, ASSAY_EXACT_NONE},     {ASSAY_EXACT_STRANGE, ASSAY_EXACT_UNKNOWN},
      {ASSAY_EXACT_CONSTANTS, ASSAY_EXACT_CONSTANT}, {ASSAY_EXACT_ARGUMENTS, ASSAY_EXACT_ARGUMENT},
      {ASSAY_EXACT_LATER, ASSAY_EXACT_LATE},         {1, ASSAY_EXACT_EVENT},
  };
  *out_index = -1;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (number >= kinds[i].first) {
      *out_index = number - kinds[i].first;
      return kinds[i].source;
    }
  return ASSAY_EXACT_NONE;
}

int assay_exact_number(const assay_exact_log *log, int kind, int index, int64_t element) {
  for (int i = 0; i < log->range_count; i++) {
    const assay_exact_range *range = &log->ranges[i];
    if (range->kind == kind && range->index == index && element >= range->first &&
        element < range->first + range->count)
      return range->number;
  }
  return 0;
}
