// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <string.h>

// The program is run once for each token that is changed: all of a few, of more the first, the one
// in the middle and the last.
enum { FEW_TOKENS = 16, SPREAD = 3 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  bool masked = assay_params_of(params, "attend") || assay_params_of(params, "gpt2_block") ||
                (assay_params_of(params, "attention") &&
                 strcmp(assay_params_choice(params, "mask"), "causal") == 0);
  return masked && assay_params_floating(params);
}

// Whether later rows see a token: layer_norm of one channel is its bias, whatever the token is.
static bool is_seen_later(const assay_params *params) {
  return assay_params_of(params, "attention") || assay_params_size(params, "c") > 1;
}

// Tokens from `first` on, `count` of them, are changed.
static assay_code change(assay_examination *it, int64_t first, int64_t count, assay_error *err) {
  int64_t tokens = assay_examine_rows(it->result);
  assay_buffer *inputs = assay_examine_inputs(it), changed;
  for (int64_t token = first; token < first + count; token++)
    assay_examine_disturb(&inputs[0], token);
  TRY(assay_examine_run(it, inputs, &changed, err));
  for (int64_t row = 0; row < first; row++)
    if (!assay_examine_same(&changed, it->result, row, row + 1))
      assay_examine_object(it, "row %d changed with token %d", (int)row, (int)first);
  assay_rows moved = {first, first + count}, own = {first, first + 1}, later = {moved.end, tokens};
  bool seen;
  TRY(assay_examine_changed(it, &changed, own, moved, &seen, err));
  if (!seen)
    assay_examine_object(it, "row %d did not change with its token", (int)first);
  if (later.first == later.end || !is_seen_later(it->params))
    return ASSAY_OK;
  TRY(assay_examine_changed(it, &changed, later, moved, &seen, err));
  if (!seen)
    assay_examine_object(it, "no row after token %d changed with it", (int)first);
  return ASSAY_OK;
}

static assay_code check(assay_examination *it, assay_error *err) {
  int64_t tokens = assay_examine_rows(it->result);
  int64_t changes = tokens <= FEW_TOKENS ? tokens : SPREAD;
  for (int64_t i = 0; i < changes; i++)
    TRY(change(it, changes > 1 ? i * (tokens - 1) / (changes - 1) : 0, 1, err));
  if (tokens > 2)
    TRY(change(it, tokens - 2, 2, err)); // the last two at once
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_causality;
const assay_property assay_property_causality = {
    .name = "causality",
    .summary = "a changed token leaves every earlier row of a masked block as it was",
    .applies = applies,
    .check = check,
};
