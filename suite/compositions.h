// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transformer's formulas as compositions of the tensor language's operations, GPT-2's block
// (Radford et al.: Language models are unsupervised multitask learners, 2019) at the end.
//
// Floating dtypes. Constants are weak, so that they bend to the tensor they meet, but for the
// square root of the heads' depth. Shapes: T tokens, C channels, H heads of D = C/H channels. What
// breaks a rule stays in the graph as its first violation, the compositions it is in by name.
#ifndef ASSAY_SUITE_COMPOSITIONS_H
#define ASSAY_SUITE_COMPOSITIONS_H

#include "compiler/language/graph.h"

// exp(x - max(x)) / sum(exp(x - max(x))) over the last axis; x of any rank from 1.
assay_value assay_softmax(assay_graph *graph, assay_value x);
// (x - mean(x)) / sqrt(variance(x) + 1e-5) * gain + bias over the last axis, the variance biased:
// mean((x - mean(x))^2). gain, bias: of the last axis' length.
assay_value assay_layer_norm(assay_graph *graph, assay_value x, assay_value gain, assay_value bias);
// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), elementwise (Hendrycks, Gimpel: Gaussian error
// linear units, 2016).
assay_value assay_gelu(assay_graph *graph, assay_value x);
// x @ weight + bias; x: M x K, weight: K x N, bias: N.
assay_value assay_linear(assay_graph *graph, assay_value x, assay_value weight, assay_value bias);

typedef struct assay_attention_weights {
  assay_value qkv_weight, qkv_bias; // C x 3C, 3C: queries, keys and values side by side
  assay_value out_weight, out_bias; // C x C, C
} assay_attention_weights;

typedef struct assay_attention_form {
  int64_t heads;
  bool f64_scores; // sqrt(D) is np.sqrt(D), a strong f64, and so are the scores and what follows;
                   // else a weak float
  bool masked;     // tokens see no later ones
} assay_attention_form;

// Self-attention; x and the result: T x C.
assay_value assay_attention(assay_graph *graph, assay_value x,
                            const assay_attention_weights *weights, assay_attention_form form);

typedef struct assay_attend_weights {
  assay_value gain, bias; // C
  assay_attention_weights attention;
} assay_attend_weights;

// x + attention(layer_norm(x)); x and the result: T x C.
assay_value assay_attend(assay_graph *graph, assay_value x, const assay_attend_weights *weights,
                         assay_attention_form form);

typedef struct assay_feedforward_weights {
  assay_value gain, bias;             // C
  assay_value up_weight, up_bias;     // C x 4C, 4C
  assay_value down_weight, down_bias; // 4C x C, C
} assay_feedforward_weights;

// x + linear(gelu(linear(layer_norm(x)))); x and the result: T x C.
assay_value assay_feedforward(assay_graph *graph, assay_value x,
                              const assay_feedforward_weights *weights);

// feedforward(attend(x)); x and the result: T x C.
assay_value assay_gpt2_block(assay_graph *graph, assay_value x, const assay_attend_weights *first,
                             const assay_feedforward_weights *second, assay_attention_form form);

#endif
