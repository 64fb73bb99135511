// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole rule on a product of matrices: every correct order of its sums passes, faults do not.
#include "compiler/lower/context.h"
#include "compiler/rounding/rounding_testing.h"
#include "harness/ledger/compare.h"

#include <math.h>
#include <mlir-c/Pass.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { M = 48, K = 96, N = 64, SAMPLES = 8 };

// C += A B in the order i, k, j.
static const char product[] =
    "func.func @main(%a: memref<48x96xf32>, %b: memref<96x64xf32>, %c: memref<48x64xf32>)\n"
    "    attributes {llvm.emit_c_interface} {\n"
    "  affine.for %i = 0 to 48 { affine.for %k = 0 to 96 { affine.for %j = 0 to 64 {\n"
    "    %x = affine.load %a[%i, %k] : memref<48x96xf32>\n"
    "    %y = affine.load %b[%k, %j] : memref<96x64xf32>\n"
    "    %z = affine.load %c[%i, %j] : memref<48x64xf32>\n"
    "    %p = arith.mulf %x, %y : f32\n"
    "    %s = arith.addf %z, %p : f32\n"
    "    affine.store %s, %c[%i, %j] : memref<48x64xf32>\n"
    "  } } }\n"
    "  return\n"
    "}\n";

static const char to_llvm[] =
    "builtin.module(lower-affine,convert-scf-to-cf,finalize-memref-to-llvm,convert-arith-to-llvm,"
    "convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";

typedef struct descriptor {
  void *allocated, *aligned;
  int64_t offset, size[2], stride[2];
} descriptor;

static assay_arena *arena;
static jitted jit;
static float a[M][K], b[K][N];

static int set_up(void **state) {
  (void)state;
  assay_error err = {0};
  assay_context *context;
  arena = assay_arena_create();
  if (assay_context_create(&context, &err) != ASSAY_OK)
    return -1;
  MlirModule module =
      mlirModuleCreateParse(assay_context_get(context), mlirStringRefCreateFromCString(product));
  MlirPassManager passes = mlirPassManagerCreate(assay_context_get(context));
  MlirOpPassManager root = mlirPassManagerGetAsOpPassManager(passes);
  MlirStringRef pipeline = mlirStringRefCreateFromCString(to_llvm);
  assay_rounding_report report;
  bool lowered =
      mlirLogicalResultIsSuccess(mlirParsePassPipeline(root, pipeline, NULL, NULL)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module)));
  if (!lowered || assay_rounding_instrument(module, arena, &report, &err) != ASSAY_OK)
    return -1;
  jit = jitted_open(module);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
  assay_context_destroy(context);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  jitted_close(&jit);
  assay_arena_destroy(arena);
  return 0;
}

static double uniform(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// Real numbers of full mantissa, or whole ones.
static void fill(bool whole) {
  uint64_t state = 5;
  for (int k = 0; k < K; k++) {
    for (int i = 0; i < M; i++)
      a[i][k] = (float)(whole ? rint(8 * uniform(&state)) - 4 : 2 * uniform(&state) - 1);
    for (int j = 0; j < N; j++)
      b[k][j] = (float)(whole ? rint(8 * uniform(&state)) - 4 : 2 * uniform(&state) - 1);
  }
}

static assay_observation observe(const float *data) {
  assay_observed *item = assay_arena_take(arena, 1, sizeof *item);
  const size_t bytes = sizeof(float) * M * N;
  *item = (assay_observed){.element = ASSAY_ELEMENT_F32,
                           .bytes = 4,
                           .rank = 2,
                           .dim = {M, N},
                           .count = M * N,
                           .data = assay_arena_bytes(arena, data, bytes)};
  return (assay_observation){.count = 1, .items = item};
}

static assay_observation run(uint64_t seed, int amplitude) {
  float *c = assay_arena_take(arena, M * N, sizeof *c);
  *jit.seed = seed;
  *jit.amplitude = amplitude;
  descriptor of_a = {a, a, 0, {M, K}, {K, 1}}, of_b = {b, b, 0, {K, N}, {N, 1}};
  descriptor of_c = {c, c, 0, {M, N}, {N, 1}};
  typedef void entry(descriptor *, descriptor *, descriptor *);
  entry *call = (entry *)jitted_find(&jit, "_mlir_ciface_main");
  call(&of_a, &of_b, &of_c);
  return observe(c);
}

static const assay_scale *measure(void) {
  assay_observation *plain = assay_arena_take(arena, 1, sizeof *plain);
  assay_observation *samples = assay_arena_take(arena, 2 * (size_t)SAMPLES, sizeof *samples);
  *plain = run(0, 0);
  for (int k = 0; k < SAMPLES; k++) {
    samples[k] = run((uint64_t)k + 1, 0);
    samples[SAMPLES + k] = run((uint64_t)k + 100, 16);
  }
  return assay_scale_make(&(assay_scale_samples){.plain = plain,
                                                 .count = SAMPLES,
                                                 .rounded = samples,
                                                 .amplified = samples + SAMPLES,
                                                 .amplitude = 16},
                          arena);
}

// One sum, correct or not.
typedef float summation(const float *x, const float y[K]);

static float forwards(const float *x, const float *y) {
  float sum = 0;
  for (int k = 0; k < K; k++)
    sum += x[k] * y[k];
  return sum;
}

static float backwards(const float *x, const float *y) {
  float sum = 0;
  for (int k = K - 1; k >= 0; k--)
    sum += x[k] * y[k];
  return sum;
}

static float fused(const float *x, const float *y) {
  float sum = 0;
  for (int k = 0; k < K; k++)
    sum = fmaf(x[k], y[k], sum);
  return sum;
}

static float split(const float *x, const float *y) {
  float sums[8] = {0};
  for (int k = 0; k < K; k++)
    sums[k % 8] += x[k] * y[k];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

static float in_double(const float *x, const float *y) {
  double sum = 0;
  for (int k = 0; k < K; k++)
    sum += (double)x[k] * (double)y[k];
  return (float)sum;
}

static float without_last(const float *x, const float *y) {
  return forwards(x, y) - x[K - 1] * y[K - 1];
}

static float to_bf16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x8000) & 0xffff0000;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static float of_bf16(const float *x, const float *y) {
  float sum = 0;
  for (int k = 0; k < K; k++)
    sum += to_bf16(x[k]) * y[k];
  return sum;
}

static assay_comparison compare(const assay_scale *scale, summation *sum) {
  float *c = assay_arena_take(arena, M * N, sizeof *c);
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) {
      float column[K];
      for (int k = 0; k < K; k++)
        column[k] = b[k][j];
      c[i * N + j] = sum(a[i], column);
    }
  }
  assay_observation got = observe(c);
  assay_comparison found;
  assay_compare(scale, &got, &found);
  return found;
}

static summation *const variants[] = {forwards, backwards, fused, split, in_double};

static void passes_correct_sums(void **state) {
  (void)state;
  fill(false);
  const assay_scale *scale = measure();
  assert_int_equal(scale->unjudged, 0);
  assert_true(scale->unstable < M * N / 50);
  assert_false(compare(scale, forwards).changed); // the plain run is what C computes
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
    assay_comparison found = compare(scale, variants[i]);
    if (!(found.margin < 0.6) || found.changed != (i != 0))
      fail_msg("variant %zu: margin %g, rms %g, %s", i, found.margin, found.rms, found.reason);
  }
}

static void fails_wrong_sums(void **state) {
  (void)state;
  fill(false);
  const assay_scale *scale = measure();
  assay_comparison found = compare(scale, without_last);
  assert_true(!found.passed && !found.imprecise && found.margin > 1e3);
  found = compare(scale, of_bf16);
  assert_true(!found.passed && found.imprecise && found.margin > 1e2);
}

static void demands_equality_on_whole_numbers(void **state) {
  (void)state;
  fill(true);
  const assay_scale *scale = measure();
  for (int64_t i = 0; i < M * N; i++)
    assert_int_equal(scale->items[0].elements[i].kind, ASSAY_SCALE_EXACT);
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
    assert_true(compare(scale, variants[i]).passed);
  assert_true(compare(scale, of_bf16).passed); // small whole numbers are numbers of bf16
  assert_true(isinf(compare(scale, without_last).margin));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_correct_sums),
      cmocka_unit_test(fails_wrong_sums),
      cmocka_unit_test(demands_equality_on_whole_numbers),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
