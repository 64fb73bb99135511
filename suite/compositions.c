// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/compositions.h"

#include "compiler/language/tensor.h"

#include <inttypes.h>
#include <math.h>

// exp(x - max(x)) / sum(exp(x - max(x)))
assay_value assay_softmax(assay_graph *graph, assay_value x) {
  assay_graph_enter(graph, "softmax");
  assay_value e = assay_exp(graph, assay_subtract(graph, x, assay_max(graph, x, -1, true)));
  assay_value sum = assay_sum(graph, e, -1, true);
  return assay_graph_leave(graph, assay_divide(graph, e, sum));
}

// (x - mean(x)) / sqrt(variance(x) + 1e-5) * gain + bias
assay_value assay_layer_norm(assay_graph *graph, assay_value x, assay_value gain,
                             assay_value bias) {
  assay_graph_enter(graph, "layer_norm");
  assay_value centered = assay_subtract(graph, x, assay_mean(graph, x, -1, true));
  assay_value variance = assay_mean(graph, assay_multiply(graph, centered, centered), -1, true);
  assay_value deviation =
      assay_sqrt(graph, assay_add(graph, variance, assay_weak_float(graph, 1e-5)));
  assay_value normalized = assay_divide(graph, centered, deviation);
  assay_value scaled = assay_multiply(graph, normalized, gain);
  return assay_graph_leave(graph, assay_add(graph, scaled, bias));
}

// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + x**3 * 0.044715)))
assay_value assay_gelu(assay_graph *graph, assay_value x) {
  assay_graph_enter(graph, "gelu");
  const double root_two_over_pi = 0.79788456080286535588;
  assay_value cubic = assay_multiply(graph, assay_power(graph, x, assay_weak_int(graph, 3)),
                                     assay_weak_float(graph, 0.044715));
  assay_value bent = assay_tanh(graph, assay_multiply(graph, assay_add(graph, x, cubic),
                                                      assay_weak_float(graph, root_two_over_pi)));
  assay_value half = assay_multiply(graph, x, assay_weak_float(graph, 0.5));
  assay_value raised = assay_add(graph, bent, assay_weak_int(graph, 1));
  return assay_graph_leave(graph, assay_multiply(graph, half, raised));
}

// x @ weight + bias
assay_value assay_linear(assay_graph *graph, assay_value x, assay_value weight, assay_value bias) {
  assay_graph_enter(graph, "linear");
  return assay_graph_leave(graph, assay_add(graph, assay_matmul(graph, x, weight), bias));
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

// What the operations inside would complain of later, in words of their own, or not at all.
static bool check_attention(assay_graph *graph, assay_value x, assay_value qkv_weight,
                            int64_t heads) {
  assay_shape shape = assay_value_shape(graph, x), weight = assay_value_shape(graph, qkv_weight);
  assay_tensor_text type = assay_tensor_print(assay_value_dtype(graph, x), &shape);
  assay_tensor_text packed = assay_tensor_print(assay_value_dtype(graph, qkv_weight), &weight);
  int64_t width = shape.rank > 0 ? shape.dim[shape.rank - 1] : 0;
  bool ranked = shape.rank == 2;
  bool weighted = weight.rank == 2 && weight.dim[0] == width && weight.dim[1] == 3 * width;
  bool divided = heads > 0 && width % heads == 0;
  if (!ranked)
    assay_graph_object(graph, "%s: x must have rank 2, found %d", type.text, shape.rank);
  else if (!weighted)
    assay_graph_object(graph, "%s, qkv_weight %s: qkv_weight must be %" PRId64 "x%" PRId64,
                       type.text, packed.text, width, 3 * width);
  else if (!divided)
    assay_graph_object(graph, "%s: %" PRId64 " heads do not divide %" PRId64 " channels", type.text,
                       heads, width);
  return ranked && weighted && divided;
}

// linear(merge(softmax(q @ k^T / sqrt(D) + mask) @ v)), where q, k, v = heads of linear(x)
assay_value assay_attention(assay_graph *graph, assay_value x,
                            const assay_attention_weights *weights, assay_attention_form form) {
  assay_graph_enter(graph, "attention");
  if (!check_attention(graph, x, weights->qkv_weight, form.heads))
    return assay_graph_leave(graph, ASSAY_NO_VALUE);
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
  return assay_graph_leave(graph,
                           assay_linear(graph, merged, weights->out_weight, weights->out_bias));
}

// x + attention(layer_norm(x))
assay_value assay_attend(assay_graph *graph, assay_value x, const assay_attend_weights *weights,
                         assay_attention_form form) {
  assay_graph_enter(graph, "attend");
  assay_value normalized = assay_layer_norm(graph, x, weights->gain, weights->bias);
  assay_value seen = assay_attention(graph, normalized, &weights->attention, form);
  return assay_graph_leave(graph, assay_add(graph, x, seen));
}

// x + linear(gelu(linear(layer_norm(x))))
assay_value assay_feedforward(assay_graph *graph, assay_value x,
                              const assay_feedforward_weights *weights) {
  assay_graph_enter(graph, "feedforward");
  assay_value normalized = assay_layer_norm(graph, x, weights->gain, weights->bias);
  assay_value up = assay_linear(graph, normalized, weights->up_weight, weights->up_bias);
  assay_value down =
      assay_linear(graph, assay_gelu(graph, up), weights->down_weight, weights->down_bias);
  return assay_graph_leave(graph, assay_add(graph, x, down));
}

// feedforward(attend(x))
assay_value assay_gpt2_block(assay_graph *graph, assay_value x, const assay_attend_weights *first,
                             const assay_feedforward_weights *second, assay_attention_form form) {
  assay_graph_enter(graph, "gpt2_block");
  assay_value seen = assay_attend(graph, x, first, form);
  return assay_graph_leave(graph, assay_feedforward(graph, seen, second));
}
