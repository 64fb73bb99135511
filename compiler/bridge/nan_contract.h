// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which new NaN attributes are findings, of all passes or of one.
#ifndef ASSAY_COMPILER_BRIDGE_NAN_CONTRACT_H
#define ASSAY_COMPILER_BRIDGE_NAN_CONTRACT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_nan_origin {
  ASSAY_NAN_PLANTED, // only the pass makes it
  ASSAY_NAN_FOLDED,  // folding the input alone gives it too: the program's own arithmetic
} assay_nan_origin;

typedef enum assay_nan_contract {
  ASSAY_NAN_ERROR,        // any
  ASSAY_NAN_PLANTED_ONLY, // those that the program's own arithmetic does not give
  ASSAY_NAN_REPORT,       // none, but rows list them
  ASSAY_NAN_OFF,
} assay_nan_contract;

// What one pass owes, whatever the others do.
typedef struct assay_pass_contract {
  const char *pass; // its argument
  assay_nan_contract contract;
} assay_pass_contract;

// "error", "planted", "report", "off"; false for any other word.
bool assay_nan_contract_parse(const char *word, assay_nan_contract *out_contract);

// The last row of the table that names the pass counts; `others` where none does.
assay_nan_contract assay_nan_contract_of(const char *pass, int count,
                                         const assay_pass_contract table[],
                                         assay_nan_contract others);

bool assay_nan_contract_forbids(assay_nan_contract contract, assay_nan_origin origin);

// "which the program's own arithmetic does not give"
const char *assay_nan_origin_clause(assay_nan_origin origin);

#ifdef __cplusplus
}
#endif

#endif
