// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scale measured by rounding at random against the one that the NumPy oracle derives, on the
// suite's own programs: two ways to one number that share nothing.
//
// The oracle charges u = 2^-24 of a number for each rounding; the deviation of a rounding at random
// is 0.408 units in the last place on the average, which is 0.6 u of numbers within a binade. So
// 0.6 times the oracle's scale is compared, over all elements of an op's cases: medians within a
// factor 1.5, the 1st and the 99th percentile within 4. The oracle's is that of the worst order of
// summation, which is why the measured one is mostly below.
#include "compiler/lower/emit.h"
#include "compiler/lower/pipeline.h"
#include "compiler/rounding/rounding_testing.h"
#include "harness/case/case.h"
#include "harness/case/data.h"
#include "harness/ledger/scale.h"
#include "reference/reference.h"
#include "suite/compositions.h"

#include <math.h>
#include <mlir-c/Pass.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 16, MAX_TENSORS = 12, MAX_RATIOS = 8192 };

// From buffers to the llvm dialect, by upstream passes alone and libm.
static const char to_llvm[] =
    "builtin.module(func.func(llvm-request-c-wrappers,convert-linalg-to-loops),lower-affine,"
    "convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-libm,"
    "convert-math-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";

// What the C interface of MLIR's lowering takes for a memref.
typedef struct descriptor {
  void *allocated, *aligned;
  int64_t offset, numbers[2 * ASSAY_MAX_RANK]; // sizes, then strides
} descriptor;

// A program compiled for samples, its arguments and results.
typedef struct bench {
  assay_arena *arena;
  const assay_case *a_case;
  const assay_program *program;
  jitted jit;
  int amplitude;
  int tensor_count; // inputs, then results
  descriptor tensors[MAX_TENSORS];
  size_t bytes[MAX_TENSORS];
} bench;

static assay_context *context;

static int set_up(void **state) {
  (void)state;
  assay_error err;
  return assay_context_create(&context, &err) == ASSAY_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  assay_context_destroy(context);
  return 0;
}

static void require(assay_code code, const assay_error *err) {
  if (code != ASSAY_OK)
    fail_msg("%s: %s", err->where, err->text);
}

static void lower_to_llvm(MlirModule module) {
  MlirPassManager passes = mlirPassManagerCreate(assay_context_get(context));
  MlirOpPassManager root = mlirPassManagerGetAsOpPassManager(passes);
  assert_true(mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(root, mlirStringRefCreateFromCString(to_llvm), NULL, NULL)));
  assert_true(
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(passes);
}

static void compile(bench *it) {
  assay_error err = {0};
  MlirModule module;
  require(assay_module_emit(context, it->program, &module, &err), &err);
  require(assay_pipeline_run_stage(context, assay_pipeline_find("loop"), 0, module, NULL, &err),
          &err);
  lower_to_llvm(module);
  assay_rounding_report report;
  require(assay_rounding_instrument(module, it->arena, &report, &err), &err);
  assert_null(report.missing);
  it->amplitude = report.amplitude;
  it->jit = jitted_open(module);
  mlirModuleDestroy(module);
}

static void add_tensor(bench *it, const assay_node *node) {
  if (it->tensor_count >= MAX_TENSORS)
    abort();
  descriptor *tensor = &it->tensors[it->tensor_count];
  size_t count = (size_t)assay_shape_count(&node->shape);
  size_t bytes = count * assay_dtype_get(node->dtype)->size;
  void *data = assay_arena_take(it->arena, bytes + 64, 1);
  int rank = node->shape.rank;
  *tensor = (descriptor){.allocated = data, .aligned = data};
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; i--) {
    tensor->numbers[i] = node->shape.dim[i];
    tensor->numbers[rank + i] = stride;
    stride *= node->shape.dim[i];
  }
  it->bytes[it->tensor_count++] = bytes;
}

// The suite's data of one argument, as large as the node.
static void fill_argument(const bench *it, const char *name, const assay_node *like,
                          assay_shape shape, void *data) {
  const assay_buffer buffer = {.data = data, .dtype = like->dtype, .shape = shape};
  assay_data_fill(it->a_case->line, "real", name, &buffer);
}

// Arguments of whose name's part the suite's stream is: "packed_x" is x behind a column of ones,
// "packed_weight" qkv_weight below the row qkv_bias.
static void fill_packed(const bench *it, const assay_node *node, float *data) {
  int64_t rows = node->shape.dim[0], columns = node->shape.dim[1];
  assay_shape inner = node->shape;
  if (strcmp(node->attribute.name, "packed_weight") == 0) {
    inner.dim[0]--;
    fill_argument(it, "qkv_bias", node, assay_shape_make(1, columns), data);
    float *weight = assay_arena_take(it->arena, (size_t)(rows * columns) + 16, sizeof *weight);
    fill_argument(it, "qkv_weight", node, inner, weight);
    memcpy(data + columns, weight, (size_t)((rows - 1) * columns) * sizeof *weight);
    return;
  }
  inner.dim[1]--;
  float *x = assay_arena_take(it->arena, (size_t)(rows * columns) + 16, sizeof *x);
  fill_argument(it, "x", node, inner, x);
  for (int64_t i = 0; i < rows; i++) {
    data[i * columns] = 1;
    memcpy(&data[i * columns + 1], &x[i * (columns - 1)], (size_t)(columns - 1) * sizeof *x);
  }
}

static void make_arguments(bench *it) {
  for (int i = 0; i < it->program->input_count; i++) {
    const assay_node *node = &it->program->nodes[it->program->inputs[i]];
    add_tensor(it, node);
    if (strncmp(node->attribute.name, "packed_", 7) == 0)
      fill_packed(it, node, it->tensors[i].aligned);
    else
      fill_argument(it, node->attribute.name, node, node->shape, it->tensors[i].aligned);
  }
  for (int i = 0; i < it->program->result_count; i++)
    add_tensor(it, &it->program->nodes[it->program->results[i]]);
}

// Runs once and keeps the first result.
static assay_observation run(bench *it, uint64_t seed, int amplitude) {
  *it->jit.seed = seed;
  *it->jit.amplitude = amplitude;
  void *p[MAX_TENSORS] = {NULL};
  for (int i = 0; i < it->tensor_count; i++)
    p[i] = &it->tensors[i];
  typedef void entry(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                     void *, void *); // surplus arguments are not looked at
  entry *call = (entry *)jitted_find(&it->jit, "_mlir_ciface_main");
  call(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]);
  int place = it->program->input_count;
  const assay_node *node = &it->program->nodes[it->program->results[0]];
  assert_true(node->dtype == ASSAY_F32 || node->dtype == ASSAY_F64);
  assay_observed *item = assay_arena_take(it->arena, 1, sizeof *item);
  *item =
      (assay_observed){.kind = ASSAY_OBSERVED_RESULT,
                       .element = node->dtype == ASSAY_F32 ? ASSAY_ELEMENT_F32 : ASSAY_ELEMENT_F64,
                       .bytes = node->dtype == ASSAY_F32 ? 4 : 8,
                       .rank = 1,
                       .dim = {assay_shape_count(&node->shape)},
                       .count = assay_shape_count(&node->shape)};
  item->data = assay_arena_bytes(it->arena, it->tensors[place].aligned, it->bytes[place]);
  return (assay_observation){.count = 1, .items = item};
}

static const assay_scale *measure(bench *it) {
  compile(it);
  make_arguments(it);
  assay_observation *plain = assay_arena_take(it->arena, 1, sizeof *plain);
  static assay_observation rounded[SAMPLES], amplified[SAMPLES];
  *plain = run(it, 0, 0);
  for (int k = 0; k < SAMPLES; k++) {
    rounded[k] = run(it, (uint64_t)k + 1, 0);
    amplified[k] = run(it, (uint64_t)k + 1001, it->amplitude);
  }
  assay_scale_samples samples = {.plain = plain,
                                 .count = SAMPLES,
                                 .rounded = rounded,
                                 .amplified = amplified,
                                 .amplitude = it->amplitude};
  const assay_scale *scale = assay_scale_make(&samples, it->arena);
  jitted_close(&it->jit);
  return scale;
}

static const assay_reference *load_reference(const bench *it) {
  const assay_reference_need need = {
      .line = it->a_case->line, .op = it->a_case->op->name, .result_count = 1};
  const assay_reference *reference;
  assay_error err = {0};
  require(assay_reference_load(it->arena, ASSAY_SOURCE_DIR, &need, &reference, &err), &err);
  return reference;
}

typedef struct ratios {
  double values[MAX_RATIOS];
  int count, left_out;
  double worst; // |plain - oracle's value| in measured scales
} ratios;

// Measured over derived, where both call the element rounded. Left out: those that no sample moves
// (softmax's p = 1 say, for which the oracle charges an exp that is exact) and unstable ones.
static void collect_ratios(bench *it, ratios *into) {
  const assay_scale *scale = measure(it);
  assay_expected expected;
  assay_error err = {0};
  require(assay_reference_get(load_reference(it), "real", 0, &expected, &err), &err);
  for (size_t i = 0; i < expected.count; i++) {
    const assay_expected_row *row = &expected.rows[i];
    if (row->part != ASSAY_PART_ELEMENT)
      continue;
    const assay_scale_element *element = &scale->items[0].elements[row->index];
    double plain = assay_observed_value(scale->items[0].plain, row->index);
    if (element->kind != ASSAY_SCALE_SMOOTH || row->scale == 0) {
      into->left_out++;
      continue;
    }
    assert_true(into->count < MAX_RATIOS);
    into->values[into->count++] = element->scale / (0.6 * row->scale);
    into->worst = fmax(into->worst, fabs(plain - row->want) / element->scale);
  }
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef const assay_program *program_maker(bench *it);

static const assay_program *make_program(bench *it) {
  const assay_program *program;
  assay_error err = {0};
  require(assay_case_build(it->arena, it->a_case, &program, &err), &err);
  return program;
}

static assay_value take_head(assay_graph *graph, assay_value packed, int part, int64_t heads) {
  assay_shape shape = assay_value_shape(graph, packed);
  int64_t t = shape.dim[0], c = shape.dim[1] / 3;
  const assay_range ranges[] = {{0, t, 1}, {part * c, (part + 1) * c, 1}};
  assay_value split = assay_reshape(graph, assay_slice(graph, packed, 2, ranges),
                                    assay_shape_make(3, t, heads, c / heads));
  return assay_transpose(graph, split, 3, (int[]){1, 0, 2});
}

// The suite's attention (f64 scores) with each sum of its projection starting from the bias: the
// oracle's worst order, since here a bias is larger than the products. What follows in f64 adds
// nothing.
static const assay_program *make_attention(bench *it) {
  const assay_program *usual = make_program(it);
  const assay_node *x = &usual->nodes[usual->inputs[0]];
  int64_t t = x->shape.dim[0], c = x->shape.dim[1], heads = it->a_case->params.value[2].size;
  assay_graph *graph = assay_graph_create(it->arena);
  assay_value tokens = assay_input(graph, "packed_x", ASSAY_F32, assay_shape_make(2, t, c + 1));
  assay_value weight =
      assay_input(graph, "packed_weight", ASSAY_F32, assay_shape_make(2, c + 1, 3 * c));
  assay_value out_weight = assay_input(graph, "out_weight", ASSAY_F32, assay_shape_make(2, c, c));
  assay_value out_bias = assay_input(graph, "out_bias", ASSAY_F32, assay_shape_make(1, c));
  assay_value packed = assay_matmul(graph, tokens, weight), part[3];
  for (int i = 0; i < 3; i++)
    part[i] = take_head(graph, packed, i, heads);
  assay_value keys = assay_transpose(graph, part[1], 3, (int[]){0, 2, 1});
  assay_value scores =
      assay_divide(graph, assay_batch_matmul(graph, part[0], keys),
                   assay_strong_float(graph, ASSAY_F64, sqrt((double)c / (double)heads)));
  scores = assay_add(graph, scores, assay_causal_mask(graph, t, ASSAY_F64));
  assay_value seen = assay_batch_matmul(graph, assay_softmax(graph, scores), part[2]);
  assay_value merged = assay_reshape(graph, assay_transpose(graph, seen, 3, (int[]){1, 0, 2}),
                                     assay_shape_make(2, t, c));
  assay_value result = assay_add(graph, assay_matmul(graph, merged, out_weight), out_bias);
  const assay_program *program;
  assay_error err = {0};
  require(assay_graph_finish(graph, 1, &result, &program, &err), &err);
  return program;
}

static void check_op(const char *const lines[], program_maker *make) {
  static ratios found;
  found = (ratios){.count = 0};
  for (int i = 0; lines[i] != NULL; i++) {
    bench it = {.arena = assay_arena_create()};
    assay_cases cases = {NULL};
    assay_error err = {0};
    require(assay_cases_parse_line(it.arena, "test", 0, lines[i], &cases, &err), &err);
    it.a_case = &cases.items[0];
    it.program = make(&it);
    collect_ratios(&it, &found);
    assay_arena_destroy(it.arena);
  }
  assert_true(found.count > 200);
  qsort(found.values, (size_t)found.count, sizeof found.values[0], compare_doubles);
  double low = found.values[found.count / 100], middle = found.values[found.count / 2],
         high = found.values[found.count - 1 - found.count / 100];
  print_message("%d elements, %d left out; measured / derived: 1%% %.2f, median %.2f, 99%% %.2f; "
                "largest error %.2f scales\n",
                found.count, found.left_out, low, middle, high, found.worst);
  assert_true(middle > 1 / 1.5 && middle < 1.5);
  assert_true(low > 1.0 / 4 && high < 4);
  assert_true(found.worst < 6); // against what the oracle says is right
}

static void agrees_on_matmul(void **state) {
  (void)state;
  static const char *const lines[] = {"matmul m=33 k=5 n=65",   "matmul m=17 k=16 n=65",
                                      "matmul m=65 k=33 n=16",  "matmul m=64 k=127 n=31",
                                      "matmul m=127 k=64 n=31", NULL};
  check_op(lines, make_program);
}

static void agrees_on_softmax(void **state) {
  (void)state;
  static const char *const lines[] = {"softmax m=16 n=64", "softmax m=33 n=64", "softmax m=33 n=65",
                                      "softmax m=7 n=127", NULL};
  check_op(lines, make_program);
}

static void agrees_on_layer_norm(void **state) {
  (void)state;
  static const char *const lines[] = {"layer_norm m=16 n=64", "layer_norm m=33 n=65",
                                      "layer_norm m=7 n=127", "layer_norm m=5 n=768", NULL};
  check_op(lines, make_program);
}

static void agrees_on_attention(void **state) {
  (void)state;
  static const char *const lines[] = {"attention t=5 c=24 heads=1", "attention t=5 c=24 heads=3",
                                      "attention t=16 c=24 heads=2", "attention t=33 c=24 heads=1",
                                      NULL};
  check_op(lines, make_attention);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_on_matmul),
      cmocka_unit_test(agrees_on_softmax),
      cmocka_unit_test(agrees_on_layer_norm),
      cmocka_unit_test(agrees_on_attention),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
