// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

enum { QKV_BIAS = 2, OUT_WEIGHT = 3, OUT_BIAS = 4, MOST_TOKENS = 16 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "attention") && assay_params_floating(params) &&
         assay_params_size(params, "t") <= MOST_TOKENS && assay_params_size(params, "heads") > 1;
}

// Inputs with which the heads stand side by side in the result.
static assay_buffer *bare_heads(assay_examination *it) {
  assay_buffer *inputs = assay_examine_inputs(it);
  int64_t width = assay_examine_columns(it->result);
  for (int64_t i = 0; i < width; i++) {
    assay_examine_set(&inputs[OUT_BIAS], i, 0);
    for (int64_t j = 0; j < width; j++)
      assay_examine_set(&inputs[OUT_WEIGHT], i * width + j, i == j);
  }
  return inputs;
}

// Which columns of one head, [first, end), changed; and any of the others.
static void compare(const assay_buffer *a, const assay_buffer *b, int64_t first, int64_t end,
                    bool *out_inside, bool *out_outside) {
  int64_t columns = assay_examine_columns(a);
  *out_inside = *out_outside = false;
  for (int64_t i = 0; i < assay_shape_count(&a->shape); i++) {
    if (assay_examine_get(a, i) == assay_examine_get(b, i))
      continue;
    bool inside = i % columns >= first && i % columns < end;
    *out_inside |= inside;
    *out_outside |= !inside;
  }
}

// Inputs with 1 added to a head's biases, those of the parts [first, 3): its queries, keys, values.
static assay_buffer *moved_head(assay_examination *it, int64_t head, int64_t first) {
  assay_buffer *inputs = bare_heads(it);
  int64_t width = assay_examine_columns(it->result);
  int64_t depth = width / assay_params_size(it->params, "heads");
  for (int64_t part = first; part < 3; part++)
    for (int64_t i = head * depth; i < (head + 1) * depth; i++) {
      int64_t at = part * width + i;
      assay_examine_set(&inputs[QKV_BIAS], at, assay_examine_get(&inputs[QKV_BIAS], at) + 1);
    }
  return inputs;
}

// Values alone move the head's columns by 1; with its queries and keys they may happen not to.
static assay_code check(assay_examination *it, assay_error *err) {
  enum { QUERIES = 0, VALUES = 2 };
  int64_t heads = assay_params_size(it->params, "heads");
  int64_t width = assay_examine_columns(it->result), depth = width / heads;
  assay_buffer *plain = bare_heads(it), base;
  TRY(assay_examine_run(it, plain, &base, err));
  for (int64_t head = 0; head < heads; head++) {
    bool inside = false, outside;
    for (int64_t first = QUERIES; first <= VALUES && !inside; first += VALUES) {
      assay_buffer changed;
      TRY(assay_examine_run(it, moved_head(it, head, first), &changed, err));
      compare(&base, &changed, head * depth, (head + 1) * depth, &inside, &outside);
      if (outside)
        assay_examine_object(it, "another head changed with head %d", (int)head);
    }
    if (!inside)
      assay_examine_object(it, "head %d did not change with its bias", (int)head);
  }
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_head_independence;
const assay_property assay_property_head_independence = {
    .name = "head_independence",
    .summary =
        "with an identity behind it, a changed head of attention changes its own columns alone",
    .applies = applies,
    .check = check,
};
