// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/sample_testing.h"

// What is not one scalar operation: vectors, reductions in order, calls of libm, conversions.
static const char everything[] =
    "llvm.func @expf(f32) -> f32\n"
    "llvm.func @pow(f64, f64) -> f64\n"
    "llvm.func @floorf(f32) -> f32\n"
    "llvm.func @called(%x: f32) -> f32 { %r = llvm.call @expf(%x) : (f32) -> f32\n"
    "  %s = llvm.call @floorf(%r) : (f32) -> f32 llvm.return %r : f32 }\n"
    "llvm.func @called64(%x: f64) -> f64 { %r = llvm.call @pow(%x, %x) : (f64, f64) -> f64\n"
    "  llvm.return %r : f64 }\n"
    "llvm.func @vector(%p: !llvm.ptr, %q: !llvm.ptr) {\n"
    "  %v = llvm.load %p {alignment = 4} : !llvm.ptr -> vector<8xf32>\n"
    "  %c = llvm.mlir.constant(dense<3.0> : vector<8xf32>) : vector<8xf32>\n"
    "  %d = llvm.fdiv %v, %c : vector<8xf32>\n"
    "  %e = llvm.intr.exp(%d) : (vector<8xf32>) -> vector<8xf32>\n"
    "  llvm.store %e, %q {alignment = 4} : vector<8xf32>, !llvm.ptr llvm.return }\n"
    "llvm.func @reduced(%p: !llvm.ptr) -> f32 {\n"
    "  %v = llvm.load %p {alignment = 4} : !llvm.ptr -> vector<8xf32>\n"
    "  %z = llvm.mlir.constant(0.0 : f32) : f32\n"
    "  %r = \"llvm.intr.vector.reduce.fadd\"(%z, %v) : (f32, vector<8xf32>) -> f32\n"
    "  llvm.return %r : f32 }\n"
    "llvm.func @whole(%x: i64) -> f32 { %r = llvm.sitofp %x : i64 to f32 llvm.return %r : f32 }\n"
    "llvm.func @unsigned64(%x: i64) -> f64 { %r = llvm.uitofp %x : i64 to f64\n"
    "  llvm.return %r : f64 }\n"
    "llvm.func @small(%x: i32) -> f64 { %r = llvm.sitofp %x : i32 to f64 llvm.return %r : f64 }\n"
    "llvm.func @narrow(%x: f64) -> f32 { %r = llvm.fptrunc %x : f64 to f32\n"
    "  llvm.return %r : f32 }\n"
    "llvm.func @power(%x: f32, %n: i32) -> f32 {\n"
    "  %r = llvm.intr.powi(%x, %n) : (f32, i32) -> f32 llvm.return %r : f32 }\n"
    "llvm.func @again(%x: f32, %y: f32) -> f32 { %a = llvm.fdiv %x, %y : f32\n"
    "  %b = llvm.fdiv %x, %y : f32 %r = llvm.fsub %a, %b : f32 llvm.return %r : f32 }\n";

static void instruments_everything_that_rounds(void **state) {
  (void)state;
  assay_rounding_report report;
  jitted it = open_text(everything, &report);
  assert_int_equal(report.instrumented, 12);
  assert_int_equal(report.amplitude, 16);
  float (*called)(float) = (float (*)(float))jitted_find(&it, "called");
  double (*called64)(double) = (double (*)(double))jitted_find(&it, "called64");
  void (*vector)(float *, float *) = (void (*)(float *, float *))jitted_find(&it, "vector");
  float (*reduced)(float *) = (float (*)(float *))jitted_find(&it, "reduced");
  float (*whole)(int64_t) = (float (*)(int64_t))jitted_find(&it, "whole");
  double (*unsigned64)(uint64_t) = (double (*)(uint64_t))jitted_find(&it, "unsigned64");
  double (*small)(int) = (double (*)(int))jitted_find(&it, "small");
  float (*narrow)(double) = (float (*)(double))jitted_find(&it, "narrow");
  float (*power)(float, int) = (float (*)(float, int))jitted_find(&it, "power");
  float (*again)(float, float) = (float (*)(float, float))jitted_find(&it, "again");

  float numbers[8] = {0.1F, 0.7F, 1.3F, -2.9F, 5.1F, 1e-3F, 7.7F, -0.3F}, plain[8], got[8];
  vector(numbers, plain);
  float sum = 0;
  for (int i = 0; i < 8; i++) {
    assert_true(plain[i] == expf(numbers[i] / 3));
    sum += numbers[i];
  }
  assert_true(reduced(numbers) == sum && called(1) == expf(1) && called64(1.5) == pow(1.5, 1.5));
  assert_true(whole((1 << 25) + 3) == (float)((1 << 25) + 3));
  assert_true(unsigned64(UINT64_MAX) == 0x1p64 && whole(INT64_MIN) == -0x1p63F);
  assert_true(narrow(0.1) == 0.1F);

  int moved[9] = {0};
  for (int seed = 1; seed <= SAMPLES; seed++) {
    *it.seed = (uint64_t)seed;
    vector(numbers, got);
    for (int i = 0; i < 8; i++)
      moved[0] |= (got[i] != plain[i]) << i;
    moved[1] += reduced(numbers) != sum;
    moved[2] += called(1) != expf(1);
    moved[3] += called64(1.5) != pow(1.5, 1.5);
    moved[4] += whole((1 << 25) + 1) != 0x1p25F;
    moved[5] += unsigned64((UINT64_C(1) << 60) + 64) != 0x1p60;
    moved[6] += small(seed) != seed || whole(seed) != (float)seed;
    moved[7] += narrow(0.1) != 0.1F;
    moved[8] += power(1.1F, 3) != plain[0] && power(3, 3) == 27;
    assert_true(again((float)seed, 7) == 0); // the same value rounds the same way
  }
  assert_int_equal(moved[0], 0xff);
  assert_int_equal(moved[6], 0);
  assert_int_equal(moved[8], SAMPLES);
  for (int i = 1; i < 8; i++)
    if (i != 6 && (moved[i] < SAMPLES / 20 || moved[i] > SAMPLES * 19 / 20))
      fail_msg("number %d moved in %d of %d samples", i, moved[i], SAMPLES);
  jitted_close(&it);
}

static void samples_are_independent(void **state) {
  (void)state;
  jitted it = open_operation("f32", "llvm.fdiv %a, %b : T", 2);
  float (*divide)(float, float) = (float (*)(float, float))jitted_find(&it, "f");
  enum { ELEMENTS = 60 };
  double noise[ELEMENTS][SAMPLES], worst = 0;
  for (int i = 0; i < ELEMENTS; i++) {
    for (int seed = 0; seed < SAMPLES; seed++) {
      *it.seed = (uint64_t)seed + 1;
      double exact = (double)(float)(i + 1.7) / 3.1F;
      noise[i][seed] = divide((float)(i + 1.7), 3.1F) - exact;
    }
  }
  for (int i = 0; i < ELEMENTS; i++) {
    for (int j = 0; j < i; j++) {
      double both = 0, first = 0, second = 0;
      for (int k = 0; k < SAMPLES; k++) {
        both += noise[i][k] * noise[j][k];
        first += noise[i][k] * noise[i][k];
        second += noise[j][k] * noise[j][k];
      }
      worst = fmax(worst, fabs(both) / sqrt(first * second));
    }
  }
  // 1770 pairs of 400 samples: chance gives 0.05 on the average and hardly ever 0.25.
  assert_true(worst > 0.05 && worst < 0.25);
  jitted_close(&it);
}

static void names_what_it_cannot_instrument(void **state) {
  (void)state;
  static const struct {
    const char *text, *missing;
  } rows[] = {
      {"llvm.func @mine(f32) -> f32\nllvm.func @f(%x: f32) -> f32 {\n"
       "  %r = llvm.call @mine(%x) : (f32) -> f32\n  llvm.return %r : f32 }",
       "llvm.call @mine at -:3:8"},
      {"llvm.func @f(%x: f80) -> f80 {\n  %r = llvm.fadd %x, %x : f80\n  llvm.return %r : f80 }",
       "llvm.fadd at -:2:8"},
      {"llvm.func @mine(%x: f32) -> f32 { llvm.return %x : f32 }\n"
       "llvm.func @f(%x: f32) -> f32 {\n"
       "  %r = llvm.call @mine(%x) : (f32) -> f32\n  llvm.return %r : f32 }",
       NULL},
      {"llvm.func @f(%p: !llvm.ptr, %x: f32) {\n"
       "  %r = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr, f32\n  llvm.return }",
       "llvm.atomicrmw at -:2:8"},
      {"llvm.func @f(%x: f80) -> f80 { %r = llvm.fadd %x, %x : f80\n"
       "  loc(fused[\"name\"(\"a.mlir\":7:9), \"b.mlir\":1:2]) llvm.return %r : f80 }",
       "llvm.fadd at a.mlir:7:9"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    MlirModule module = parse(rows[i].text);
    assay_arena *arena = assay_arena_create();
    assay_rounding_report report;
    assay_error err = {0};
    assert_int_equal(assay_rounding_instrument(module, arena, &report, &err), ASSAY_OK);
    if (rows[i].missing == NULL)
      assert_null(report.missing);
    else
      assert_string_equal(report.missing, rows[i].missing);
    mlirModuleDestroy(module);
    assay_arena_destroy(arena);
  }
}

static void refuses_other_dialects(void **state) {
  (void)state;
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirModule module = parse("\"other.thing\"() : () -> ()");
  assay_rounding_report report;
  assay_error err = {0};
  assert_int_equal(assay_rounding_instrument(module, NULL, &report, &err), ASSAY_INVALID);
  assert_non_null(strstr(err.text, "other.thing"));
  mlirModuleDestroy(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instruments_everything_that_rounds),
      cmocka_unit_test(samples_are_independent),
      cmocka_unit_test(names_what_it_cannot_instrument),
      cmocka_unit_test(refuses_other_dialects),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
