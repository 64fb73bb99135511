// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline `gpu`: what the language says and GPT-2's block become NVVM, with nothing left over.
#include "compiler/base/file.h"
#include "compiler/language/graph.h"
#include "gpu/kernels/kernels_testing.h"

static void every_stage_is_known_to_mlir(void **state) {
  static const char *const names[] = {"bufferized", "kernels", "nvvm", "llvm"};
  fixture *f = *state;
  const assay_pipeline *pipeline = assay_pipeline_find("gpu");
  assay_error err = {.text = ""};
  if (assay_pipeline_check(f->context, pipeline, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  assert_int_equal(pipeline->stage_count, 4);
  for (int i = 0; i < 4; i++)
    assert_string_equal(pipeline->stage[i].name, names[i]);
}

// The pipeline of the library's backend is this one with two passes more, word for word.
static void the_librarys_pipeline_has_two_passes_more(void **state) {
  static const char more[] = "func.func(assay-gpu-pack-operands),assay-substitute-blas,";
  fixture *f = *state;
  const assay_pipeline *plain = assay_pipeline_find("gpu"), *other = assay_pipeline_find("cublas");
  assert_int_equal(plain->stage_count, other->stage_count);
  for (int i = 0; i < plain->stage_count; i++) {
    const char *texts[] = {plain->stage[i].passes, other->stage[i].passes};
    char *words[2];
    for (int k = 0; k < 2; k++) { // without blanks
      char *to = words[k] = assay_arena_take(f->arena, strlen(texts[k]) + 1, 1);
      for (const char *at = texts[k]; *at != '\0'; at++)
        if (strchr(" \n", *at) == NULL)
          *to++ = *at;
      *to = '\0';
    }
    char *extra = strstr(words[1], more);
    if (extra != NULL)
      memmove(extra, extra + sizeof more - 1, strlen(extra + sizeof more - 1) + 1);
    assert_int_equal(extra != NULL, strcmp(plain->stage[i].name, "kernels") == 0);
    assert_string_equal(words[0], words[1]);
  }
}

// That no operation of the dialects stands in the text but those of the list.
static void assert_none_left(const char *text, const char *const dialects[], const char *but) {
  for (int i = 0; dialects[i] != NULL; i++)
    for (const char *at = strstr(text, dialects[i]); at != NULL; at = strstr(at + 1, dialects[i]))
      if (strncmp(at, but, strlen(but)) != 0) {
        fail_msg("left over: %.60s\n%s", at, text);
        return;
      }
}

// The module through all stages; the number of launches.
static int lower(const fixture *f, MlirModule module) {
  static const char *const device[] = {" arith.", " memref.", " scf.", " affine.", " cf.",
                                       " math.",  " linalg.", " gpu.", " vector.", NULL};
  static const char *const host[] = {" arith.", " memref.", " scf.",  " affine.", " cf.",
                                     " math.",  " linalg.", " func.", NULL};
  run_stages(f, "bufferized", "nvvm", module);
  const char *text = assay_module_print(f->arena, module);
  int launches = count_of(text, "gpu.launch_func");
  const char *kernels = strstr(text, "gpu.module @kernels {");
  if (launches > 0) {
    assert_non_null(kernels);
    assert_none_left(kernels + strlen("gpu.module"), device, " gpu.known_block_size");
    assert_int_equal(count_of(kernels, "gpu.kernel"), launches);
  }
  run_stages(f, "llvm", "llvm", module);
  text = assay_module_print(f->arena, module);
  assert_none_left(text, host, " memref.global");
  assert_holds(text, "llvm.func @_mlir_ciface_main(");
  return launches;
}

static int lower_value(fixture *f, assay_graph *graph, assay_value value) {
  assay_error err = {.text = ""};
  const assay_program *program = NULL;
  if (assay_graph_finish(graph, 1, &value, &program, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  MlirModule module;
  assert_int_equal(assay_module_emit(f->context, program, &module, &err), ASSAY_OK);
  int launches = lower(f, module);
  mlirModuleDestroy(module);
  return launches;
}

// A matmul and a batch_matmul of transposed operands, as views of results.
static const char *products_after(const fixture *f, const char *pipeline,
                                  assay_precision precision) {
  assay_graph *graph = assay_graph_create(f->arena);
  assay_graph_allow(graph, precision);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 3, 5));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 7, 5));
  assay_value c = assay_input(graph, "c", ASSAY_F32, assay_shape_make(3, 2, 5, 7));
  assay_value product = assay_matmul(graph, a, assay_transpose(graph, b, 2, (int[]){1, 0}));
  assay_value many = assay_batch_matmul(graph, assay_transpose(graph, c, 3, (int[]){0, 2, 1}), c);
  assay_value results[] = {assay_transpose(graph, product, 2, (int[]){1, 0}),
                           assay_add(graph, many, assay_weak_int(graph, 1))};
  const assay_program *program = NULL;
  assay_error err = {.text = ""};
  MlirModule module;
  assert_int_equal(assay_graph_finish(graph, 2, results, &program, &err), ASSAY_OK);
  assert_int_equal(assay_module_emit(f->context, program, &module, &err), ASSAY_OK);
  run_stages_of(f, pipeline, "bufferized", "kernels", module);
  const char *text = assay_module_print(f->arena, module);
  mlirModuleDestroy(module);
  return text;
}

// No pass on the way to the kernels loses it.
static void what_may_be_tf32_is_given_to_tensor_cores(void **state) {
  const char *text = products_after(*state, "gpu", ASSAY_PRECISION_TF32);
  assert_count(text, "gpu.func @matmul_tf32_", 2);
  assert_count(text, "gpu.func @matmul_", 2);
  text = products_after(*state, "gpu", ASSAY_PRECISION_EXACT);
  assert_count(text, "gpu.func @matmul_", 2);
  assert_count(text, "tf32", 0);
}

static void what_may_be_tf32_the_library_is_told(void **state) {
  const char *text = products_after(*state, "cublas", ASSAY_PRECISION_TF32);
  assert_count(text, "call @assay_gemm_f32(", 2);
  assert_holds(text, "arith.constant 10 : i32"); // tf32, B transposed
  assert_holds(text, "arith.constant 9 : i32");  // tf32, A transposed
  text = products_after(*state, "cublas", ASSAY_PRECISION_EXACT);
  assert_holds(text, "arith.constant 2 : i32");
  assert_holds(text, "arith.constant 1 : i32");
}

typedef assay_value one_operand(assay_graph *graph, assay_value x);
typedef assay_value two_operands(assay_graph *graph, assay_value a, assay_value b);
typedef assay_value along_axis(assay_graph *graph, assay_value x, int axis, bool keepdims);

static one_operand *const unary[] = {assay_negative, assay_absolute, assay_exp,   assay_log,
                                     assay_tanh,     assay_sqrt,     assay_rsqrt, assay_erf};
static two_operands *const binary[] = {
    assay_add,        assay_subtract, assay_multiply,     assay_divide,    assay_power,
    assay_minimum,    assay_maximum,  assay_equal,        assay_not_equal, assay_less,
    assay_less_equal, assay_greater,  assay_greater_equal};
static along_axis *const reductions[] = {assay_sum, assay_mean, assay_max};

static const assay_dtype dtypes[] = {ASSAY_F32, ASSAY_F64, ASSAY_F16,
                                     ASSAY_I32, ASSAY_I64, ASSAY_BOOL};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

static assay_value input(assay_graph *graph, const char *name, int dtype, assay_shape shape) {
  return assay_input(graph, name, dtypes[dtype], shape);
}

// Negative booleans and the like are rejected by the language.
static bool is_allowed(assay_value value) {
  return value.node >= 0;
}

static void elementwise_operations_are_one_kernel(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
    for (int dtype = 0; dtype < DTYPES; dtype++) {
      assay_graph *graph = assay_graph_create(f->arena);
      assay_value y = unary[i](graph, input(graph, "x", dtype, assay_shape_make(2, 3, 50)));
      if (is_allowed(y))
        assert_int_equal(lower_value(f, graph, y), 1);
    }
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
    for (int dtype = 0; dtype < DTYPES; dtype++) {
      assay_graph *graph = assay_graph_create(f->arena);
      assay_value a = input(graph, "a", dtype, assay_shape_make(2, 3, 1));
      assay_value y = binary[i](graph, a, input(graph, "b", dtype, assay_shape_make(1, 50)));
      if (is_allowed(y))
        assert_int_equal(lower_value(f, graph, y), 1);
    }
}

static void reductions_of_any_axis_are_lowered(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    for (int dtype = 0; dtype < DTYPES; dtype++)
      for (int axis = 0; axis < 2; axis++) {
        assay_graph *graph = assay_graph_create(f->arena);
        assay_value x = input(graph, "x", dtype, assay_shape_make(2, 5, 70));
        assay_value y = reductions[i](graph, x, axis, axis == 0);
        if (is_allowed(y))
          assert_in_range(lower_value(f, graph, y), 1, 2);
      }
}

static void products_and_views_are_lowered(void **state) {
  fixture *f = *state;
  for (int dtype = 0; dtype < DTYPES; dtype++) {
    assay_graph *graph = assay_graph_create(f->arena);
    assay_value x = input(graph, "x", dtype, assay_shape_make(2, 6, 10));
    assay_value s = assay_slice(graph, x, 2, (assay_range[]){{1, 5, 1}, {2, 5, 1}});
    assay_value t = assay_transpose(graph, s, 2, (int[]){1, 0});
    assay_value r = assay_reshape(graph, t, assay_shape_make(3, 3, 2, 2));
    assert_in_range(lower_value(f, graph, r), 1, 2);
    graph = assay_graph_create(f->arena);
    assay_value a = input(graph, "a", dtype, assay_shape_make(3, 2, 3, 40));
    assay_value b = input(graph, "b", dtype, assay_shape_make(3, 2, 40, 7));
    assay_value y = assay_batch_matmul(graph, a, b);
    if (is_allowed(y))
      assert_in_range(lower_value(f, graph, y), 1, 5); // f16 is widened and narrowed
    graph = assay_graph_create(f->arena);
    a = input(graph, "a", dtype, assay_shape_make(2, 4, 5));
    y = assay_matmul(graph, a, assay_transpose(graph, a, 2, (int[]){1, 0}));
    if (is_allowed(y))
      assert_in_range(lower_value(f, graph, y), 1, 5); // f16 is widened and narrowed
  }
}

static void selections_casts_and_constants_are_lowered(void **state) {
  fixture *f = *state;
  for (int from = 0; from < DTYPES; from++)
    for (int to = 0; to < DTYPES; to++) {
      assay_graph *graph = assay_graph_create(f->arena);
      assay_value x = input(graph, "x", from, assay_shape_make(1, 9));
      assay_value y = assay_cast(graph, x, dtypes[to]);
      assert_true(is_allowed(y));
      assert_int_equal(lower_value(f, graph, y), 1);
    }
  assay_graph *graph = assay_graph_create(f->arena);
  assay_value mask = assay_causal_mask(graph, 7, ASSAY_F32);
  assay_value x = input(graph, "x", 0, assay_shape_make(2, 7, 7));
  assay_value chosen = assay_where(graph, assay_less(graph, x, mask), x, assay_weak_int(graph, 2));
  assert_int_equal(lower_value(f, graph, chosen), 1);
}

// The inputs of this one are given back as they are, and so twice.
static void results_that_are_inputs_are_copied_by_kernels(void **state) {
  fixture *f = *state;
  MlirModule module =
      parse_module(f, "func.func @main(%x: tensor<4x4xf32> {bufferization.writable = false}) -> "
                      "(tensor<4x4xf32>, tensor<4x4xf32>, tensor<2xi32>) {\n"
                      "  %c = arith.constant dense<[3, 4]> : tensor<2xi32>\n"
                      "  return %x, %x, %c : tensor<4x4xf32>, tensor<4x4xf32>, tensor<2xi32>\n}\n");
  assert_in_range(lower(f, module), 3, 4);
  mlirModuleDestroy(module);
}

static void the_block_becomes_launches_and_nothing_else(void **state) {
  fixture *f = *state;
  assay_error err = {.text = ""};
  assay_file file;
  const char *path = ASSAY_SOURCE_DIR "/compiler/bridge/cuts/checks/gpt2_block.mlir";
  assert_int_equal(assay_file_read(f->arena, path, &file, &err), ASSAY_OK);
  MlirModule module = parse_module(f, file.bytes);
  assert_in_range(lower(f, module), 20, 40);
  mlirModuleDestroy(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stage_is_known_to_mlir),
      cmocka_unit_test(the_librarys_pipeline_has_two_passes_more),
      cmocka_unit_test(what_may_be_tf32_is_given_to_tensor_cores),
      cmocka_unit_test(what_may_be_tf32_the_library_is_told),
      cmocka_unit_test(elementwise_operations_are_one_kernel),
      cmocka_unit_test(reductions_of_any_axis_are_lowered),
      cmocka_unit_test(products_and_views_are_lowered),
      cmocka_unit_test(selections_casts_and_constants_are_lowered),
      cmocka_unit_test(results_that_are_inputs_are_copied_by_kernels),
      cmocka_unit_test(the_block_becomes_launches_and_nothing_else),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
