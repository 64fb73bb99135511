// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

#include <string.h>

const assay_key assay_rows_keys[] = {
    {"m", ASSAY_KEY_SIZE, .help = "rows"},
    {"n", ASSAY_KEY_SIZE, .help = "columns; each row is computed on its own"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .choices = ASSAY_FLOATING,
     .help = "of all arguments"},
    {"values", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_VALUES, .help = "of x"},
    {.name = NULL},
};

assay_value assay_rows_input(const assay_params *params, assay_graph *graph) {
  assay_shape shape =
      assay_shape_make(2, assay_params_size(params, "m"), assay_params_size(params, "n"));
  return assay_input(graph, "x", assay_params_dtype(params, "dtype"), shape);
}

const assay_key assay_block_keys[] = {
    {"t", ASSAY_KEY_SIZE, .help = "tokens"},
    {"c", ASSAY_KEY_SIZE, .help = "channels"},
    {"heads", ASSAY_KEY_SIZE, .help = "heads, which divide c"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .choices = ASSAY_FLOATING,
     .help = "of all arguments"},
    {"scores", ASSAY_KEY_CHOICE, .preset = "f64", .choices = "f64|f32", .help = "of f32 arguments"},
    {.name = NULL},
};

assay_attention_form assay_block_form(const assay_params *params) {
  return (assay_attention_form){
      .heads = assay_params_size(params, "heads"),
      .f64_scores = strcmp(assay_params_choice(params, "scores"), "f64") == 0,
      .masked = true,
  };
}

assay_value assay_token_input(const assay_params *params, assay_graph *graph) {
  assay_shape shape =
      assay_shape_make(2, assay_params_size(params, "t"), assay_params_size(params, "c"));
  return assay_input(graph, "x", assay_params_dtype(params, "dtype"), shape);
}

static assay_value vector(const assay_params *params, assay_graph *graph, const char *name,
                          int64_t length) {
  return assay_input(graph, name, assay_params_dtype(params, "dtype"), assay_shape_make(1, length));
}

static assay_value matrix(const assay_params *params, assay_graph *graph, const char *name,
                          int64_t rows, int64_t columns) {
  return assay_input(graph, name, assay_params_dtype(params, "dtype"),
                     assay_shape_make(2, rows, columns));
}

// Initializers are evaluated in no fixed order (C17 6.7.9p23), and arguments stand in theirs: each
// function adds them by statements.

assay_attention_weights assay_attention_inputs(const assay_params *params, assay_graph *graph) {
  int64_t c = assay_params_size(params, "c");
  assay_attention_weights made;
  made.qkv_weight = matrix(params, graph, "qkv_weight", c, 3 * c);
  made.qkv_bias = vector(params, graph, "qkv_bias", 3 * c);
  made.out_weight = matrix(params, graph, "out_weight", c, c);
  made.out_bias = vector(params, graph, "out_bias", c);
  return made;
}

assay_attend_weights assay_attend_inputs(const assay_params *params, assay_graph *graph) {
  int64_t c = assay_params_size(params, "c");
  assay_attend_weights made;
  made.gain = vector(params, graph, "gain", c);
  made.bias = vector(params, graph, "bias", c);
  made.attention = assay_attention_inputs(params, graph);
  return made;
}

assay_feedforward_weights assay_feedforward_inputs(const assay_params *params, assay_graph *graph,
                                                   const char *gain, const char *bias) {
  int64_t c = assay_params_size(params, "c");
  assay_feedforward_weights made;
  made.gain = vector(params, graph, gain, c);
  made.bias = vector(params, graph, bias, c);
  made.up_weight = matrix(params, graph, "up_weight", c, 4 * c);
  made.up_bias = vector(params, graph, "up_bias", 4 * c);
  made.down_weight = matrix(params, graph, "down_weight", 4 * c, c);
  made.down_bias = vector(params, graph, "down_bias", c);
  return made;
}
