// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the transformer ops share: keys, and arguments in the order of the formulas.
#ifndef ASSAY_SUITE_ARGUMENTS_H
#define ASSAY_SUITE_ARGUMENTS_H

#include "suite/compositions.h"
#include "suite/op.h"

// The choices of a key `values`: the transformations of the argument x that reference/GENERATOR.md
// defines.
#define ASSAY_VALUES "plain|positive|constant|masked|lanes|negative|wide|large|huge|small|offset"

// The choices of a key `dtype` of the transformer's formulas, which are of real numbers.
#define ASSAY_FLOATING "f16|f32|f64"

// m n dtype values: the keys of an op of one m x n argument x.
extern const assay_key assay_rows_keys[];
// Adds x.
assay_value assay_rows_input(const assay_params *params, assay_graph *graph);

// t c heads dtype scores: the keys of an op with attention inside.
extern const assay_key assay_block_keys[];
// heads and scores of such an op, masked.
assay_attention_form assay_block_form(const assay_params *params);

// Adds x, t x c.
assay_value assay_token_input(const assay_params *params, assay_graph *graph);
// Adds the arguments of attention, attend and feedforward but x, their width and dtype those of the
// keys c and dtype. gain, bias: the names of layer_norm's arguments.
assay_attention_weights assay_attention_inputs(const assay_params *params, assay_graph *graph);
assay_attend_weights assay_attend_inputs(const assay_params *params, assay_graph *graph);
assay_feedforward_weights assay_feedforward_inputs(const assay_params *params, assay_graph *graph,
                                                   const char *gain, const char *bias);

#endif
