// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of emitted modules, and that plain mlir-opt takes it.
#include "compiler/lower/emit.h"

#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
  assay_context *context;
  assay_arena *arena;
  assay_graph *graph;
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assay_error err;
  if (f == NULL || assay_context_create(&f->context, &err) != ASSAY_OK)
    return 1;
  f->arena = assay_arena_create();
  f->graph = assay_graph_create(f->arena);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  assay_arena_destroy(f->arena);
  assay_context_destroy(f->context);
  free(f);
  return 0;
}

static const char *emit(fixture *f, int result_count, const assay_value results[]) {
  assay_error err = {.text = ""};
  const assay_program *program = NULL;
  assay_code code = assay_graph_finish(f->graph, result_count, results, &program, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  MlirModule module;
  code = assay_module_emit(f->context, program, &module, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  const char *text = assay_module_print(f->arena, module);
  mlirModuleDestroy(module);
  return text;
}

// The text holds the lines' parts in this order.
static void assert_holds(const char *text, int count, const char *const parts[]) {
  const char *at = text;
  for (int i = 0; i < count; i++) {
    const char *found = strstr(at, parts[i]);
    if (found == NULL) {
      fail_msg("not found in order: %s\n%s", parts[i], text);
      return;
    }
    at = found + strlen(parts[i]);
  }
}

static void contractions_are_named_and_start_from_a_typed_zero(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F32, assay_shape_make(2, 3, 5));
  assay_value w = assay_input(f->graph, "w", ASSAY_F32, assay_shape_make(2, 5, 7));
  assay_value a = assay_input(f->graph, "a", ASSAY_I64, assay_shape_make(3, 2, 3, 5));
  assay_value b = assay_input(f->graph, "b", ASSAY_I64, assay_shape_make(3, 2, 5, 7));
  assay_value results[] = {assay_matmul(f->graph, x, w), assay_batch_matmul(f->graph, a, b)};
  const char *const parts[] = {
      "func.func @main(%arg0: tensor<3x5xf32> {bufferization.writable = false}, ",
      "%arg3: tensor<2x5x7xi64> {bufferization.writable = false})",
      " -> (tensor<3x7xf32>, tensor<2x3x7xi64>) {",
      "%cst = arith.constant 0.000000e+00 : f32",
      "%0 = tensor.empty() : tensor<3x7xf32>",
      "%1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x7xf32>)",
      "%2 = linalg.matmul ins(%arg0, %arg1 : tensor<3x5xf32>, tensor<5x7xf32>) outs(%1 :",
      "%c0_i64 = arith.constant 0 : i64",
      "%3 = tensor.empty() : tensor<2x3x7xi64>",
      "%4 = linalg.fill ins(%c0_i64 : i64) outs(%3 : tensor<2x3x7xi64>)",
      "%5 = linalg.batch_matmul ins(%arg2, %arg3 : tensor<2x3x5xi64>, tensor<2x5x7xi64>) outs(%4 :",
      "return %2, %5 :",
  };
  assert_holds(emit(f, 2, results), sizeof parts / sizeof *parts, parts);
}

static void views_are_upstream_operations_with_constants(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F32, assay_shape_make(2, 6, 10));
  assay_value s = assay_slice(f->graph, x, 2, (assay_range[]){{1, 5, 1}, {2, 5, 1}});
  assay_value t = assay_transpose(f->graph, s, 2, (int[]){1, 0});
  assay_value r = assay_reshape(f->graph, t, assay_shape_make(3, 3, 2, 2));
  const char *const parts[] = {
      "tensor.extract_slice %arg0[1, 2] [4, 3] [1, 1] : tensor<6x10xf32> to tensor<4x3xf32>",
      "linalg.transpose ins(%extracted_slice : tensor<4x3xf32>) outs(%0 : tensor<3x4xf32>) "
      "permutation = [1, 0] \n",
      "%cst = arith.constant dense<[3, 2, 2]> : tensor<3xi64>",
      "tensor.reshape %transposed(%cst) : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x2x2xf32>",
  };
  assert_holds(emit(f, 1, &r), sizeof parts / sizeof *parts, parts);
}

static void promotion_shows_as_casts_before_the_contraction(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F32, assay_shape_make(2, 3, 5));
  assay_value w = assay_input(f->graph, "w", ASSAY_I32, assay_shape_make(2, 5, 7));
  assay_value y = assay_matmul(f->graph, x, w);
  const char *const parts[] = {
      "arith.extf %in : f32 to f64",
      "arith.sitofp %in : i32 to f64",
      "linalg.matmul ins(%1, %3 : tensor<3x5xf64>, tensor<5x7xf64>)",
  };
  assert_holds(emit(f, 1, &y), sizeof parts / sizeof *parts, parts);
}

static void every_cast_has_its_operation(void **state) {
  fixture *f = *state;
  const struct {
    assay_dtype from, to;
    const char *operation;
  } casts[] = {
      {ASSAY_F32, ASSAY_F64, "arith.extf %in : f32 to f64"},
      {ASSAY_F64, ASSAY_F32, "arith.truncf %in : f64 to f32"},
      {ASSAY_I32, ASSAY_I64, "arith.extsi %in : i32 to i64"},
      {ASSAY_I64, ASSAY_I32, "arith.trunci %in : i64 to i32"},
      {ASSAY_I32, ASSAY_F32, "arith.sitofp %in : i32 to f32"},
      {ASSAY_I64, ASSAY_F64, "arith.sitofp %in : i64 to f64"},
      {ASSAY_F64, ASSAY_I32, "arith.fptosi %in : f64 to i32"},
      {ASSAY_F32, ASSAY_I64, "arith.fptosi %in : f32 to i64"},
  };
  for (size_t i = 0; i < sizeof casts / sizeof *casts; i++) {
    f->graph = assay_graph_create(f->arena);
    assay_value x = assay_input(f->graph, "x", casts[i].from, assay_shape_make(1, 3));
    assay_value y = assay_cast(f->graph, x, casts[i].to);
    assert_holds(emit(f, 1, &y), 1, &casts[i].operation);
  }
}

static void sums_broadcast_through_their_indexing_maps(void **state) {
  fixture *f = *state;
  assay_value a = assay_input(f->graph, "a", ASSAY_F32, assay_shape_make(3, 2, 1, 5));
  assay_value b = assay_input(f->graph, "b", ASSAY_F32, assay_shape_make(2, 3, 1));
  assay_value y = assay_add(f->graph, a, b);
  const char *const parts[] = {
      "affine_map<(d0, d1, d2) -> (d0, 0, d2)>",
      "affine_map<(d0, d1, d2) -> (d1, 0)>",
      "affine_map<(d0, d1, d2) -> (d0, d1, d2)>",
      "indexing_maps = [#map, #map1, #map2]",
      "arith.addf",
      "-> tensor<2x3x5xf32>",
  };
  assert_holds(emit(f, 1, &y), sizeof parts / sizeof *parts, parts);
}

static void constants_stand_in_loop_bodies(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F32, assay_shape_make(1, 5));
  assay_value y = assay_multiply(f->graph, assay_weak_float(f->graph, 0.5), x);
  const char *const parts[] = {
      "linalg.generic {indexing_maps = [#map, #map], iterator_types = [\"parallel\"]} ins(%arg0 :",
      "^bb0(%in: f32, %out: f32):",
      "arith.constant 5.000000e-01 : f32",
      "arith.mulf",
  };
  assert_holds(emit(f, 1, &y), sizeof parts / sizeof *parts, parts);
}

static void f16_is_computed_in_f32(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F16, assay_shape_make(1, 5));
  assay_value y = assay_exp(f->graph, x);
  const char *const parts[] = {"arith.extf %in : f16 to f32", "math.exp", ": f32", "arith.truncf",
                               ": f32 to f16"};
  assert_holds(emit(f, 1, &y), sizeof parts / sizeof *parts, parts);
}

static void reductions_keep_the_order_of_axes(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F32, assay_shape_make(2, 3, 5));
  const assay_value results[] = {assay_sum(f->graph, x, 0, false),
                                 assay_max(f->graph, x, 1, false)};
  const char *const parts[] = {
      "affine_map<(d0, d1) -> (d1)>",
      "iterator_types = [\"reduction\", \"parallel\"]",
      "arith.addf %in, %out fastmath<reassoc> : f32",
      "arith.constant 0xFF800000 : f32",
      "iterator_types = [\"parallel\", \"reduction\"]",
      "arith.maximumf %in, %out fastmath<reassoc> : f32",
  };
  assert_holds(emit(f, 2, results), sizeof parts / sizeof *parts, parts);
}

static void masks_are_computed_from_their_indices(void **state) {
  fixture *f = *state;
  assay_value mask = assay_causal_mask(f->graph, 6, ASSAY_F64);
  const char *const parts[] = {
      "linalg.generic", "outs(%0 : tensor<6x6xf64>)",   "linalg.index 0", "linalg.index 1",
      "arith.cmpi sle", "arith.constant -1.000000e+10", "arith.select"};
  assert_holds(emit(f, 1, &mask), sizeof parts / sizeof *parts, parts);
}

// A slice's buffer is not contiguous: what splits its axes is a view, and anything else a copy.
static void slices_are_split_without_a_copy(void **state) {
  fixture *f = *state;
  assay_value x = assay_input(f->graph, "x", ASSAY_F32, assay_shape_make(2, 6, 12));
  assay_value s = assay_slice(f->graph, x, 2, (assay_range[]){{0, 6, 1}, {0, 4, 1}});
  const assay_value results[] = {assay_reshape(f->graph, s, assay_shape_make(4, 6, 2, 2, 1)),
                                 assay_reshape(f->graph, s, assay_shape_make(2, 4, 6))};
  const char *const parts[] = {
      "tensor.expand_shape %extracted_slice [[0], [1, 2, 3]] output_shape [6, 2, 2, 1]",
      "tensor.reshape %extracted_slice",
  };
  assert_holds(emit(f, 2, results), sizeof parts / sizeof *parts, parts);
}

// A module with every operation, and with results that are arguments, views and one another.
static const char *emit_all(fixture *f) {
  assay_graph *graph = f->graph;
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(2, 6, 8));
  assay_value w = assay_input(graph, "w", ASSAY_F64, assay_shape_make(2, 5, 4));
  assay_value bias = assay_input(graph, "bias", ASSAY_I32, assay_shape_make(1, 5));
  (void)assay_input(graph, "unused", ASSAY_I64, assay_shape_make(1, 9));
  assay_value s = assay_slice(graph, x, 2, (assay_range[]){{1, 4, 1}, {2, 6, 1}});
  assay_value t = assay_transpose(graph, w, 2, (int[]){1, 0});
  assay_value y = assay_add(graph, assay_matmul(graph, s, t), bias);
  assay_value z = assay_reshape(graph, y, assay_shape_make(3, 3, 1, 5));
  assay_value b = assay_batch_matmul(graph, z, assay_transpose(graph, z, 3, (int[]){0, 2, 1}));
  assay_value one = assay_slice(graph, bias, 1, (assay_range[]){{4, 5, 1}});
  assay_value more = assay_exp(graph, assay_subtract(graph, y, assay_max(graph, y, -1, true)));
  more = assay_divide(graph, more, assay_sum(graph, more, -1, true));
  more = assay_where(graph, assay_less(graph, more, assay_weak_float(graph, 0.5)), more,
                     assay_negative(graph, assay_sqrt(graph, assay_absolute(graph, y))));
  assay_value results[] = {b,
                           assay_cast(graph, b, ASSAY_I64),
                           assay_cast(graph, assay_cast(graph, b, ASSAY_F32), ASSAY_I32),
                           assay_reshape(graph, one, assay_shape_make(0, 0)),
                           x,
                           s,
                           z,
                           y,
                           y,
                           more,
                           assay_power(graph, bias, bias),
                           assay_minimum(graph, assay_erf(graph, y), assay_tanh(graph, y)),
                           assay_maximum(graph, assay_log(graph, y), assay_power(graph, y, y)),
                           assay_causal_mask(graph, 5, ASSAY_F16),
                           assay_weak_int(graph, 1)};
  return emit(f, sizeof results / sizeof *results, results);
}

// Runs mlir-opt with the text as its input and two arguments; its output goes nowhere.
static bool mlir_opt_takes(const char *text, const char *first, const char *second) {
  static char program[] = ASSAY_LLVM_BIN "/mlir-opt";
  char *arguments[] = {program, (char *)first, (char *)second, "-o", "/dev/null", NULL};
  char *environment[] = {NULL};
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  assert_int_equal(posix_spawn(&child, program, &actions, NULL, arguments, environment), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  size_t length = strlen(text);
  assert_int_equal(write(ends[1], text, length), length);
  close(ends[1]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void mlir_opt_accepts_every_operation(void **state) {
  const char *text = emit_all(*state);
  assert_true(mlir_opt_takes(text, "--verify-each", "--verify-roundtrip"));
  assert_false(mlir_opt_takes("func.func @main(", "--verify-each", "--verify-roundtrip"));
}

static void mlir_opt_lowers_every_operation(void **state) {
  static const char passes[] =
      "--pass-pipeline=builtin.module(canonicalize,cse,"
      "one-shot-bufferize{bufferize-function-boundaries "
      "function-boundary-type-conversion=identity-layout-map},"
      "buffer-results-to-out-params{modify-public-functions=true},"
      "func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,"
      "convert-math-to-funcs,convert-math-to-libm,convert-arith-to-llvm,finalize-memref-to-llvm,"
      "convert-func-to-llvm,convert-cf-to-llvm,"
      "reconcile-unrealized-casts)";
  assert_true(mlir_opt_takes(emit_all(*state), "--verify-each", passes));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(contractions_are_named_and_start_from_a_typed_zero, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(views_are_upstream_operations_with_constants, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(promotion_shows_as_casts_before_the_contraction, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(every_cast_has_its_operation, setup, teardown),
      cmocka_unit_test_setup_teardown(sums_broadcast_through_their_indexing_maps, setup, teardown),
      cmocka_unit_test_setup_teardown(constants_stand_in_loop_bodies, setup, teardown),
      cmocka_unit_test_setup_teardown(f16_is_computed_in_f32, setup, teardown),
      cmocka_unit_test_setup_teardown(reductions_keep_the_order_of_axes, setup, teardown),
      cmocka_unit_test_setup_teardown(masks_are_computed_from_their_indices, setup, teardown),
      cmocka_unit_test_setup_teardown(slices_are_split_without_a_copy, setup, teardown),
      cmocka_unit_test_setup_teardown(mlir_opt_accepts_every_operation, setup, teardown),
      cmocka_unit_test_setup_teardown(mlir_opt_lowers_every_operation, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
