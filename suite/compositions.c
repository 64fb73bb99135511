// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/compositions.h"

#include <math.h>

// exp(x - max(x)) / sum(exp(x - max(x)))
assay_value assay_softmax(assay_graph *graph, assay_value x) {
  assay_value e = assay_exp(graph, assay_subtract(graph, x, assay_max(graph, x, -1, true)));
  return assay_divide(graph, e, assay_sum(graph, e, -1, true));
}

// (x - mean(x)) / sqrt(variance(x) + 1e-5) * gain + bias
assay_value assay_layer_norm(assay_graph *graph, assay_value x, assay_value gain,
                             assay_value bias) {
  assay_value centered = assay_subtract(graph, x, assay_mean(graph, x, -1, true));
  assay_value variance = assay_mean(graph, assay_multiply(graph, centered, centered), -1, true);
  assay_value deviation =
      assay_sqrt(graph, assay_add(graph, variance, assay_weak_float(graph, 1e-5)));
  assay_value normalized = assay_divide(graph, centered, deviation);
  return assay_add(graph, assay_multiply(graph, normalized, gain), bias);
}

// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + x**3 * 0.044715)))
assay_value assay_gelu(assay_graph *graph, assay_value x) {
  const double root_two_over_pi = 0.79788456080286535588;
  assay_value cubic = assay_multiply(graph, assay_power(graph, x, assay_weak_int(graph, 3)),
                                     assay_weak_float(graph, 0.044715));
  assay_value bent = assay_tanh(graph, assay_multiply(graph, assay_add(graph, x, cubic),
                                                      assay_weak_float(graph, root_two_over_pi)));
  assay_value half = assay_multiply(graph, x, assay_weak_float(graph, 0.5));
  return assay_multiply(graph, half, assay_add(graph, bent, assay_weak_int(graph, 1)));
}

// x @ weight + bias
assay_value assay_linear(assay_graph *graph, assay_value x, assay_value weight, assay_value bias) {
  return assay_add(graph, assay_matmul(graph, x, weight), bias);
}

// Columns part * C to (part + 1) * C of packed, T x 3C, as heads: H x T x D.
static assay_value take_heads(assay_graph *graph, assay_value packed, int part, int64_t heads) {
  assay_shape shape = assay_value_shape(graph, packed);
  int64_t length = shape.dim[0], width = shape.dim[1] / 3;
  assay_value taken = assay_slice(
      graph, packed, 2, (assay_range[]){{0, length, 1}, {part * width, (part + 1) * width, 1}});
  assay_value split =
      assay_reshape(graph, taken, assay_shape_make(3, length, heads, width / heads));
  return assay_transpose(graph, split, 3, (int[]){1, 0, 2});
}

// linear(merge(softmax(q @ k^T / sqrt(D) + mask) @ v)), where q, k, v = heads of linear(x)
assay_value assay_attention(assay_graph *graph, assay_value x,
                            const assay_attention_weights *weights, assay_attention_form form) {
  assay_value packed = assay_linear(graph, x, weights->qkv_weight, weights->qkv_bias);
  assay_value q = take_heads(graph, packed, 0, form.heads);
  assay_value k = take_heads(graph, packed, 1, form.heads);
  assay_value v = take_heads(graph, packed, 2, form.heads);

  double root = sqrt((double)assay_value_shape(graph, q).dim[2]);
  assay_value scores = assay_batch_matmul(graph, q, assay_transpose(graph, k, 3, (int[]){0, 2, 1}));
  scores = assay_divide(graph, scores,
                        form.f64_scores ? assay_strong_float(graph, ASSAY_F64, root)
                                        : assay_weak_float(graph, root));
  assay_shape shape = assay_value_shape(graph, x);
  if (form.masked)
    scores = assay_add(graph, scores,
                       assay_causal_mask(graph, shape.dim[0], assay_value_dtype(graph, scores)));

  assay_value seen = assay_batch_matmul(graph, assay_softmax(graph, scores), v);
  assay_value merged =
      assay_reshape(graph, assay_transpose(graph, seen, 3, (int[]){1, 0, 2}), shape);
  return assay_linear(graph, merged, weights->out_weight, weights->out_bias);
}

// x + attention(layer_norm(x))
assay_value assay_attend(assay_graph *graph, assay_value x, const assay_attend_weights *weights,
                         assay_attention_form form) {
  assay_value normalized = assay_layer_norm(graph, x, weights->gain, weights->bias);
  return assay_add(graph, x, assay_attention(graph, normalized, &weights->attention, form));
}

// x + linear(gelu(linear(layer_norm(x))))
assay_value assay_feedforward(assay_graph *graph, assay_value x,
                              const assay_feedforward_weights *weights) {
  assay_value normalized = assay_layer_norm(graph, x, weights->gain, weights->bias);
  assay_value up = assay_linear(graph, normalized, weights->up_weight, weights->up_bias);
  return assay_add(
      graph, x,
      assay_linear(graph, assay_gelu(graph, up), weights->down_weight, weights->down_bias));
}

// feedforward(attend(x))
assay_value assay_gpt2_block(assay_graph *graph, assay_value x, const assay_attend_weights *first,
                             const assay_feedforward_weights *second, assay_attention_form form) {
  return assay_feedforward(graph, assay_attend(graph, x, first, form), second);
}
