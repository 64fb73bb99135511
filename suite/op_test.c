// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void ops_are_sorted_and_found_by_name(void **state) {
  (void)state;
  const assay_suite_op *const *ops = assay_suite_ops_get();
  assert_non_null(ops[0]);
  for (size_t i = 0; ops[i] != NULL; i++) {
    assert_ptr_equal(assay_suite_op_find(ops[i]->name), ops[i]);
    if (i > 0)
      assert_true(strcmp(ops[i - 1]->name, ops[i]->name) < 0);
  }
  assert_null(assay_suite_op_find("matmu"));
  assert_null(assay_suite_op_find(""));
}

// What parsing relies on: kinds with what they need, "=NAME" an earlier key of the same kind.
static void check_key(const assay_suite_op *op, int number) {
  const assay_key *key = &op->keys[number];
  assert_non_null(key->help);
  if (key->kind != ASSAY_KEY_DTYPE)
    assert_int_equal(key->choices != NULL, key->kind == ASSAY_KEY_CHOICE);
  for (int i = 0; i < number; i++)
    assert_string_not_equal(op->keys[i].name, key->name);
  if (key->implied) {
    assert_int_equal(key->kind, ASSAY_KEY_CHOICE);
    assert_non_null(key->preset);
  }
  if (key->preset == NULL || key->preset[0] != '=')
    return;
  int like = 0;
  while (like < number && strcmp(op->keys[like].name, key->preset + 1) != 0)
    like++;
  assert_int_not_equal(like, number);
  assert_int_equal(op->keys[like].kind, key->kind);
}

static void keys_are_well_formed(void **state) {
  (void)state;
  const assay_suite_op *const *ops = assay_suite_ops_get();
  for (size_t i = 0; ops[i] != NULL; i++) {
    int count = 0;
    for (; ops[i]->keys[count].name != NULL; count++)
      check_key(ops[i], count);
    assert_in_range(count, 1, ASSAY_MAX_KEYS);
    assert_int_equal(ops[i]->rejected, strncmp(ops[i]->name, "reject_", 7) == 0);
  }
}

static void params_are_found_by_key(void **state) {
  (void)state;
  assay_params params = {.op = assay_suite_op_find("batch_matmul")};
  params.value[0].size = 12;             // b
  params.value[3].size = 7;              // n
  params.value[5].dtype = ASSAY_I64;     // rhs_dtype
  params.value[8].choice = "transposed"; // result
  assert_int_equal(assay_params_size(&params, "b"), 12);
  assert_int_equal(assay_params_size(&params, "n"), 7);
  assert_int_equal(assay_params_dtype(&params, "rhs_dtype"), ASSAY_I64);
  assert_string_equal(assay_params_choice(&params, "result"), "transposed");
}

static void nearest_op_is_named(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(assay_suite_op_nearest(arena, "matmull"), "matmul");
  assert_string_equal(assay_suite_op_nearest(arena, "linaer"), "linear");
  assert_null(assay_suite_op_nearest(arena, "convolution"));
  assay_arena_destroy(arena);
}

// Builds the op with these sizes of its leading keys, the view for all, dtype i32 and rhs_dtype
// f64.
static const assay_program *build(assay_arena *arena, const char *name, const int64_t sizes[],
                                  const char *view) {
  assay_params params = {.op = assay_suite_op_find(name)};
  for (int i = 0; params.op->keys[i].name != NULL; i++) {
    if (params.op->keys[i].kind == ASSAY_KEY_SIZE)
      params.value[i].size = sizes[i];
    if (params.op->keys[i].kind == ASSAY_KEY_DTYPE)
      params.value[i].dtype =
          strcmp(params.op->keys[i].name, "rhs_dtype") == 0 ? ASSAY_F64 : ASSAY_I32;
    if (params.op->keys[i].kind == ASSAY_KEY_CHOICE)
      params.value[i].choice = params.op->keys[i].implied ? params.op->keys[i].preset : view;
  }
  assay_graph *graph = assay_graph_create(arena);
  assay_value results[ASSAY_MAX_RESULTS];
  const assay_program *program = NULL;
  assay_error err;
  int count = params.op->build(&params, graph, results);
  assert_int_equal(assay_graph_finish(graph, count, results, &program, &err), ASSAY_OK);
  return program;
}

static void check_value(const assay_node *node, const char *name, assay_dtype dtype,
                        const char *shape) {
  assert_int_equal(node->dtype, dtype);
  assert_string_equal(assay_shape_print(&node->shape).text, shape);
  if (name != NULL)
    assert_string_equal(node->attribute.name, name);
}

static void programs_have_the_arguments_and_results_of_their_formulas(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_program *program = build(arena, "matmul", (int64_t[]){3, 5, 7}, "plain");
  assert_int_equal(program->input_count, 2);
  check_value(&program->nodes[program->inputs[0]], "lhs", ASSAY_I32, "3x5");
  check_value(&program->nodes[program->inputs[1]], "rhs", ASSAY_F64, "5x7");
  check_value(&program->nodes[program->results[0]], NULL, ASSAY_F64, "3x7");
  assert_int_equal(assay_program_contractions(program).all, 1);

  program = build(arena, "batch_matmul", (int64_t[]){2, 3, 5, 7}, "heads");
  check_value(&program->nodes[program->inputs[0]], "lhs", ASSAY_I32, "3x2x5");
  check_value(&program->nodes[program->inputs[1]], "rhs", ASSAY_F64, "5x2x7");
  check_value(&program->nodes[program->results[0]], NULL, ASSAY_F64, "3x2x7");
  assert_int_equal(assay_program_contractions(program).all, 1);

  program = build(arena, "linear", (int64_t[]){3, 5, 7}, NULL);
  assert_int_equal(program->input_count, 3);
  check_value(&program->nodes[program->inputs[0]], "x", ASSAY_I32, "3x5");
  check_value(&program->nodes[program->inputs[1]], "w", ASSAY_I32, "5x7");
  check_value(&program->nodes[program->inputs[2]], "bias", ASSAY_I32, "7");
  check_value(&program->nodes[program->results[0]], NULL, ASSAY_I32, "3x7");
  assert_int_equal(assay_program_contractions(program).all, 1);
  assay_arena_destroy(arena);
}

// The program of a whole op: sizes by key, other keys their presets but for `heads`, f32.
static const assay_program *build_block(assay_arena *arena, const char *name, const char *scores) {
  assay_params params = {.op = assay_suite_op_find(name)};
  for (int i = 0; params.op->keys[i].name != NULL; i++) {
    const assay_key *key = &params.op->keys[i];
    params.value[i].size = strcmp(key->name, "t") == 0 ? 5 : strcmp(key->name, "c") == 0 ? 6 : 3;
    params.value[i].dtype = ASSAY_F32;
    params.value[i].choice = strcmp(key->name, "scores") == 0 ? scores : key->preset;
  }
  assay_graph *graph = assay_graph_create(arena);
  assay_value results[ASSAY_MAX_RESULTS];
  const assay_program *program = NULL;
  assay_error err;
  int count = params.op->build(&params, graph, results);
  assert_int_equal(assay_graph_finish(graph, count, results, &program, &err), ASSAY_OK);
  return program;
}

static void blocks_have_the_arguments_of_their_parts(void **state) {
  (void)state;
  static const struct {
    const char *name, *shape;
  } wanted[] = {{"x", "5x6"},           {"gain", "6"},      {"bias", "6"},
                {"qkv_weight", "6x18"}, {"qkv_bias", "18"}, {"out_weight", "6x6"},
                {"out_bias", "6"},      {"gain2", "6"},     {"bias2", "6"},
                {"up_weight", "6x24"},  {"up_bias", "24"},  {"down_weight", "24x6"},
                {"down_bias", "6"}};
  assay_arena *arena = assay_arena_create();
  const assay_program *program = build_block(arena, "gpt2_block", "f32");
  assert_int_equal(program->input_count, sizeof wanted / sizeof wanted[0]);
  for (int i = 0; i < program->input_count; i++)
    check_value(&program->nodes[program->inputs[i]], wanted[i].name, ASSAY_F32, wanted[i].shape);
  check_value(&program->nodes[program->results[0]], NULL, ASSAY_F32, "5x6");
  // Two batched and four plain products.
  assert_int_equal(assay_program_contractions(program).all, 6);
  assert_int_equal(build_block(arena, "attend", "f32")->input_count, 7);
  assert_int_equal(build_block(arena, "feedforward", "f32")->input_count, 7);
  assert_int_equal(build_block(arena, "attention", "f32")->input_count, 5);
  assay_arena_destroy(arena);
}

// A strong root makes the scores f64, and with them all that follows.
static void f64_scores_make_the_result_f64(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  static const char *const ops[] = {"attention", "attend", "gpt2_block"};
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    const assay_program *program = build_block(arena, ops[i], "f64");
    check_value(&program->nodes[program->results[0]], NULL, ASSAY_F64, "5x6");
    program = build_block(arena, ops[i], "f32");
    check_value(&program->nodes[program->results[0]], NULL, ASSAY_F32, "5x6");
  }
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ops_are_sorted_and_found_by_name),
      cmocka_unit_test(keys_are_well_formed),
      cmocka_unit_test(params_are_found_by_key),
      cmocka_unit_test(nearest_op_is_named),
      cmocka_unit_test(programs_have_the_arguments_and_results_of_their_formulas),
      cmocka_unit_test(blocks_have_the_arguments_of_their_parts),
      cmocka_unit_test(f64_scores_make_the_result_f64),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
