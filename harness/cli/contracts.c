// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/contracts.h"

#include "compiler/lower/pipeline.h"

#include <string.h>

static const char *const words[] = {"error", "planted", "report", "off"};

void assay_contracts_of_pipeline(const char *name, assay_ledger_request *request) {
  const assay_pipeline *pipeline = assay_pipeline_find(name);
  if (pipeline == NULL)
    return;
  request->pass_contract_count = pipeline->contract_count;
  request->pass_contracts = pipeline->contract;
}

assay_code assay_contracts_read(const assay_session *session, assay_ledger_request *request,
                                assay_error *err) {
  const assay_names *given = &session->options->nan_contracts;
  if (session->options->pipeline != NULL)
    assay_contracts_of_pipeline(session->options->pipeline, request);
  size_t count = (size_t)request->pass_contract_count;
  assay_pass_contract *table =
      assay_arena_take(session->arena, count + given->count + 1, sizeof *table);
  if (count > 0)
    memcpy(table, request->pass_contracts, count * sizeof *table);
  for (size_t i = 0; i < given->count; i++) {
    const char *colon = strrchr(given->items[i], ':');
    const char *word = colon != NULL ? colon + 1 : given->items[i];
    assay_nan_contract contract;
    if (!assay_nan_contract_parse(word, &contract))
      return assay_fail(err, ASSAY_INVALID, "--nan-contract: unknown word '%s'%s", word,
                        assay_hint(session->arena, word, words, sizeof words / sizeof words[0]));
    if (colon == NULL)
      request->nan_contract = contract;
    else
      table[count++] =
          (assay_pass_contract){.pass = assay_arena_bytes(session->arena, given->items[i],
                                                          (size_t)(colon - given->items[i])),
                                .contract = contract};
  }
  request->pass_contract_count = (int)count;
  request->pass_contracts = table;
  return ASSAY_OK;
}

assay_code assay_contracts_check(const assay_session *session, assay_error *err) {
  const assay_names *given = &session->options->nan_contracts;
  for (size_t i = 0; i < given->count; i++) {
    const char *colon = strrchr(given->items[i], ':');
    if (colon == NULL)
      continue;
    const char *pass =
        assay_arena_bytes(session->arena, given->items[i], (size_t)(colon - given->items[i]));
    if (assay_pass_is_known(assay_arena_format(session->arena, "--%s", pass)))
      continue;
    const char *nearest = assay_pass_nearest(pass);
    return assay_fail(err, ASSAY_INVALID, "--nan-contract: unknown pass '%s'%s%s%s", pass,
                      nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                      nearest != NULL ? "'?" : "");
  }
  return ASSAY_OK;
}
