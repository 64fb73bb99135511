// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emitted programs compute, run through MLIR's own execution engine after a plain lowering, so
// that a wrong value here is the emitter's fault and no backend's.
#include "compiler/ir/diagnostics.h"
#include "compiler/lower/emit.h"

#include <mlir-c/ExecutionEngine.h>
#include <mlir-c/Pass.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char lowering[] =
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true},"
    "buffer-deallocation-pipeline,func.func(convert-linalg-to-loops),convert-scf-to-cf,"
    "expand-strided-metadata,lower-affine,convert-arith-to-llvm,finalize-memref-to-llvm,"
    "func.func(llvm-request-c-wrappers),convert-func-to-llvm,convert-cf-to-llvm,"
    "reconcile-unrealized-casts)";

enum { MAX_TENSORS = 8 };

// The memref descriptor of a static row-major buffer, as MLIR's LLVM lowering lays it out: sizes,
// then strides, both as many as the rank.
typedef struct descriptor {
  void *allocated, *aligned;
  int64_t offset, sizes_and_strides[2 * ASSAY_MAX_RANK];
} descriptor;

static descriptor describe(void *data, const assay_shape *shape) {
  descriptor result = {.allocated = data, .aligned = data};
  int64_t stride = 1;
  for (int i = shape->rank - 1; i >= 0; i--) {
    result.sizes_and_strides[i] = shape->dim[i];
    result.sizes_and_strides[shape->rank + i] = stride;
    stride *= shape->dim[i];
  }
  return result;
}

static void ignore(MlirStringRef text, void *data) {
  (void)text;
  (void)data;
}

static void lower(MlirContext context, MlirModule module) {
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirLogicalResult parsed =
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                            mlirStringRefCreateFromCString(lowering), ignore, NULL);
  assert_true(mlirLogicalResultIsSuccess(parsed));
  MlirLogicalResult lowered = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  assay_diagnostics_close(&diagnostics);
  assert_string_equal(diagnostics.said.text, "");
  assert_true(mlirLogicalResultIsSuccess(lowered));
}

// Runs @main of the lowered module: each argument is a pointer to a descriptor.
static void invoke(MlirModule module, const assay_program *program, int count,
                   void *const buffers[]) {
  assert_int_equal(count, program->input_count + program->result_count);
  descriptor descriptors[MAX_TENSORS];
  void *pointers[MAX_TENSORS], *arguments[MAX_TENSORS];
  for (int i = 0; i < count && i < MAX_TENSORS; i++) {
    int result = i - program->input_count;
    int node = result < 0 ? program->inputs[i] : program->results[result];
    descriptors[i] = describe(buffers[i], &program->nodes[node].shape);
    pointers[i] = &descriptors[i];
    arguments[i] = &pointers[i];
  }
  MlirStringRef library = mlirStringRefCreateFromCString(ASSAY_RUNNER_UTILS);
  MlirExecutionEngine engine = mlirExecutionEngineCreate(module, 0, 1, &library, false, false);
  assert_false(mlirExecutionEngineIsNull(engine));
  MlirStringRef name = mlirStringRefCreateFromCString("main");
  MlirLogicalResult run = mlirExecutionEngineInvokePacked(engine, name, arguments);
  mlirExecutionEngineDestroy(engine);
  assert_true(mlirLogicalResultIsSuccess(run));
}

// Runs the program of the named results on count buffers: its inputs, then its results.
static void run(assay_graph *graph, int result_count, const assay_value results[], int count,
                void *const buffers[]) {
  assay_error err = {.text = ""};
  const assay_program *program = NULL;
  assert_int_equal(assay_graph_finish(graph, result_count, results, &program, &err), ASSAY_OK);
  assay_context *context = NULL;
  assert_int_equal(assay_context_create(&context, &err), ASSAY_OK);
  MlirModule module;
  assert_int_equal(assay_module_emit(context, program, &module, &err), ASSAY_OK);
  lower(assay_context_get(context), module);
  invoke(module, program, count, buffers);
  mlirModuleDestroy(module);
  assay_context_destroy(context);
}

// numpy: [[1, 2, 3], [4, 5, 6]] @ [[1, 0], [2, -1], [0.5, 3]], mixed dtypes f32 and i32 with a bias
static void a_linear_layer_of_mixed_dtypes(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_I32, assay_shape_make(2, 2, 3));
  assay_value w = assay_input(graph, "w", ASSAY_F32, assay_shape_make(2, 3, 2));
  assay_value bias = assay_input(graph, "bias", ASSAY_F32, assay_shape_make(1, 2));
  assay_value y = assay_add(graph, assay_matmul(graph, x, w), bias);
  int32_t x_data[] = {1, 2, 3, 4, 5, 6};
  float w_data[] = {1, 0, 2, -1, 0.5F, 3}, bias_data[] = {10, 0.25F};
  double got[4] = {-1, -1, -1, -1}, want[] = {16.5, 7.25, 27, 13.25};
  run(graph, 1, &y, 4, (void *[]){x_data, w_data, bias_data, got});
  assert_memory_equal(got, want, sizeof want);
  assay_arena_destroy(arena);
}

static void batches_and_integers_that_wrap(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_I32, assay_shape_make(3, 2, 1, 2));
  assay_value b = assay_input(graph, "b", ASSAY_I32, assay_shape_make(3, 2, 2, 1));
  assay_value y = assay_batch_matmul(graph, a, b);
  int32_t a_data[] = {1, 2, INT32_MAX, 4}, b_data[] = {5, 6, 2, 7};
  int32_t got[2] = {-1, -1}, want[] = {17, 26};
  run(graph, 1, &y, 3, (void *[]){a_data, b_data, got});
  assert_memory_equal(got, want, sizeof want);
  assay_arena_destroy(arena);
}

static void views_move_the_right_elements(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_I64, assay_shape_make(3, 2, 3, 4));
  // numpy: x[1:2, 1:3, 1:4], x.transpose(2, 0, 1), and the slice transposed and reshaped
  assay_value s = assay_slice(graph, x, 3, (assay_range[]){{1, 2, 1}, {1, 3, 1}, {1, 4, 1}});
  assay_value t = assay_transpose(graph, x, 3, (int[]){2, 0, 1});
  assay_value r = assay_reshape(graph, assay_transpose(graph, s, 3, (int[]){2, 1, 0}),
                                assay_shape_make(2, 2, 3));
  int64_t x_data[24], before[24];
  for (int i = 0; i < 24; i++)
    before[i] = x_data[i] = i;
  int64_t got_s[6] = {0}, got_t[24] = {0}, got_r[6] = {0}, got_x[24] = {0};
  run(graph, 4, (assay_value[]){s, t, r, x}, 5, (void *[]){x_data, got_s, got_t, got_r, got_x});
  const int64_t want_s[] = {17, 18, 19, 21, 22, 23}, want_r[] = {17, 21, 18, 22, 19, 23};
  assert_memory_equal(got_s, want_s, sizeof want_s);
  assert_memory_equal(got_r, want_r, sizeof want_r);
  for (int i = 0; i < 24; i++)
    assert_int_equal(got_t[i], (i % 6) * 4 + i / 6);
  assert_memory_equal(got_x, before, sizeof before);
  assert_memory_equal(x_data, before, sizeof before);
  assay_arena_destroy(arena);
}

static void one_value_may_be_several_results(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_F64, assay_shape_make(2, 2, 1));
  assay_value y = assay_add(graph, x, x);
  assay_value z = assay_reshape(graph, y, assay_shape_make(1, 2));
  double x_data[] = {1.5, -2}, first[2] = {0}, second[2] = {0}, view[2] = {0}, sum[4] = {0};
  run(graph, 4, (assay_value[]){y, y, z, assay_add(graph, y, z)}, 5,
      (void *[]){x_data, first, second, view, sum});
  const double want[] = {3, -4}, want_sum[] = {6, -1, -1, -8};
  assert_memory_equal(first, want, sizeof want);
  assert_memory_equal(second, want, sizeof want);
  assert_memory_equal(view, want, sizeof want);
  assert_memory_equal(sum, want_sum, sizeof want_sum);
  assay_arena_destroy(arena);
}

// NumPy's astype: floats are cut towards zero, integers keep their low bits.
static void casts_convert_as_numpy_does(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value f = assay_input(graph, "f", ASSAY_F64, assay_shape_make(1, 3));
  assay_value i = assay_input(graph, "i", ASSAY_I64, assay_shape_make(1, 3));
  assay_value values[] = {
      assay_cast(graph, f, ASSAY_I32),
      assay_cast(graph, f, ASSAY_F32),
      assay_cast(graph, i, ASSAY_I32),
      assay_cast(graph, i, ASSAY_F32),
  };
  double f_data[] = {-1.75, 2.75, 0.1};
  int64_t i_data[] = {-3, INT64_C(0x123456789), (INT64_C(1) << 24) + 1};
  int32_t f_to_i[3] = {0}, i_to_i[3] = {0};
  float f_to_f[3] = {0}, i_to_f[3] = {0};
  run(graph, 4, values, 6, (void *[]){f_data, i_data, f_to_i, f_to_f, i_to_i, i_to_f});
  const int32_t want_f_to_i[] = {-1, 2, 0}, want_i_to_i[] = {-3, 0x23456789, (1 << 24) + 1};
  const float want_f_to_f[] = {-1.75F, 2.75F, 0.1F};
  const float want_i_to_f[] = {-3, 4886718464.0F, 16777216};
  assert_memory_equal(f_to_i, want_f_to_i, sizeof f_to_i);
  assert_memory_equal(f_to_f, want_f_to_f, sizeof f_to_f);
  assert_memory_equal(i_to_i, want_i_to_i, sizeof i_to_i);
  assert_memory_equal(i_to_f, want_i_to_f, sizeof i_to_f);
  assay_arena_destroy(arena);
}

// numpy: np.where(np.tri(2, dtype=bool), 0, -1e10).astype(dtype); np.float16(-1e10) is -inf.
static void masks_hold_what_the_dtype_makes_of_minus_1e10(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value masks[] = {assay_causal_mask(graph, 2, ASSAY_F16),
                         assay_causal_mask(graph, 2, ASSAY_F32),
                         assay_causal_mask(graph, 2, ASSAY_F64)};
  uint16_t half[4] = {1, 1, 1, 1};
  float single[4] = {1, 1, 1, 1};
  double wide[4] = {1, 1, 1, 1};
  run(graph, 3, masks, 3, (void *[]){half, single, wide});
  const uint16_t want_half[] = {0, 0xfc00, 0, 0};
  const float want_single[] = {0, -1e10F, 0, 0};
  const double want_wide[] = {0, -1e10, 0, 0};
  assert_memory_equal(half, want_half, sizeof half);
  assert_memory_equal(single, want_single, sizeof single);
  assert_memory_equal(wide, want_wide, sizeof wide);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_layer_of_mixed_dtypes),
      cmocka_unit_test(batches_and_integers_that_wrap),
      cmocka_unit_test(views_move_the_right_elements),
      cmocka_unit_test(one_value_may_be_several_results),
      cmocka_unit_test(casts_convert_as_numpy_does),
      cmocka_unit_test(masks_hold_what_the_dtype_makes_of_minus_1e10),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
