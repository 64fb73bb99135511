// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/nan_contract.h"

#include <string.h>

bool assay_nan_contract_parse(const char *word, assay_nan_contract *out_contract) {
  static const char *const words[] = {
      [ASSAY_NAN_ERROR] = "error",
      [ASSAY_NAN_PLANTED_ONLY] = "planted",
      [ASSAY_NAN_REPORT] = "report",
      [ASSAY_NAN_OFF] = "off",
  };
  for (int i = 0; i < (int)(sizeof words / sizeof words[0]); i++)
    if (strcmp(word, words[i]) == 0) {
      *out_contract = (assay_nan_contract)i;
      return true;
    }
  return false;
}

assay_nan_contract assay_nan_contract_of(const char *pass, int count,
                                         const assay_pass_contract table[],
                                         assay_nan_contract others) {
  for (int i = count - 1; i >= 0; i--)
    if (strcmp(table[i].pass, pass) == 0)
      return table[i].contract;
  return others;
}

bool assay_nan_contract_forbids(assay_nan_contract contract, assay_nan_origin origin) {
  return contract == ASSAY_NAN_ERROR ||
         (contract == ASSAY_NAN_PLANTED_ONLY && origin == ASSAY_NAN_PLANTED);
}

const char *assay_nan_origin_clause(assay_nan_origin origin) {
  return origin == ASSAY_NAN_FOLDED ? "which folding the program alone gives too"
                                    : "which the program's own arithmetic does not give";
}
