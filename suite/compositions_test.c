// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a composition refuses, it refuses under its own name and those of what it is in.
#include "suite/compositions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static assay_value input(assay_graph *graph, assay_dtype dtype, assay_shape shape) {
  return assay_input(graph, "x", dtype, shape);
}

static assay_value matrix(assay_graph *graph, int64_t rows, int64_t columns) {
  return input(graph, ASSAY_F32, assay_shape_make(2, rows, columns));
}

static assay_attend_weights make_weights(assay_graph *graph, int64_t width, int64_t packed) {
  assay_shape channels = assay_shape_make(1, width);
  return (assay_attend_weights){
      .gain = input(graph, ASSAY_F32, channels),
      .bias = input(graph, ASSAY_F32, channels),
      .attention = {.qkv_weight = matrix(graph, width, packed),
                    .qkv_bias = input(graph, ASSAY_F32, assay_shape_make(1, packed)),
                    .out_weight = matrix(graph, width, width),
                    .out_bias = input(graph, ASSAY_F32, channels)}};
}

static void expect(assay_graph *graph, assay_value value, const char *message) {
  const assay_program *program;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 1, &value, &program, &err), ASSAY_INVALID);
  assert_string_equal(err.text, message);
}

static void attention_names_heads_and_widths(void **state) {
  (void)state;
  static const struct {
    int64_t width, packed, heads;
    const char *message;
  } refused[] = {
      {8, 24, 3, "attention: 5x8xf32: 3 heads do not divide 8 channels"},
      {8, 24, 0, "attention: 5x8xf32: 0 heads do not divide 8 channels"},
      {8, 24, -2, "attention: 5x8xf32: -2 heads do not divide 8 channels"},
      {8, 23, 2, "attention: 5x8xf32, qkv_weight 8x23xf32: qkv_weight must be 8x24"},
      {9, 27, 3, "attention: 5x8xf32, qkv_weight 9x27xf32: qkv_weight must be 8x24"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    assay_attend_weights weights = make_weights(graph, refused[i].width, refused[i].packed);
    assay_attention_form form = {.heads = refused[i].heads};
    expect(graph, assay_attention(graph, matrix(graph, 5, 8), &weights.attention, form),
           refused[i].message);
    assay_arena_destroy(arena);
  }
}

static void a_block_names_what_it_is_made_of(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_attend_weights first = make_weights(graph, 8, 24);
  assay_feedforward_weights second = {.gain = first.gain, .bias = first.bias};
  expect(graph,
         assay_gpt2_block(graph, matrix(graph, 5, 8), &first, &second,
                          (assay_attention_form){.heads = 5}),
         "gpt2_block: attend: attention: 5x8xf32: 5 heads do not divide 8 channels");
  graph = assay_graph_create(arena);
  first = make_weights(graph, 8, 24);
  expect(graph, assay_linear(graph, matrix(graph, 5, 7), first.attention.out_weight, first.bias),
         "linear: matmul: 5x7xf32 @ 8x8xf32: the inner sizes must be equal, found 7 and 8");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attention_names_heads_and_widths),
      cmocka_unit_test(a_block_names_what_it_is_made_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
