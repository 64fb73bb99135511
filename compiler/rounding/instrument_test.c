// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/rounding_testing.h"

#include <math.h>
#include <mlir-c/Dialect/LLVM.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static MlirContext context;

static int set_up(void **state) {
  (void)state;
  context = mlirContextCreateWithThreading(false);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__llvm__(), context);
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("llvm"));
  mlirRegisterAllLLVMTranslations(context);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  mlirContextDestroy(context);
  return 0;
}

static MlirModule parse(const char *text) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  return module;
}

// Instruments a module of that text and compiles it.
static jitted open_text(const char *text, assay_rounding_report *out_report) {
  MlirModule module = parse(text);
  assay_arena *arena = assay_arena_create();
  assay_error err = {0};
  assay_code code = assay_rounding_instrument(module, arena, out_report, &err);
  if (code != ASSAY_OK)
    fail_msg("%s", err.text);
  if (out_report->missing != NULL)
    fail_msg("not instrumented: %s", out_report->missing);
  jitted it = jitted_open(module);
  mlirModuleDestroy(module);
  assay_arena_destroy(arena);
  return it;
}

// A function @f of `arity` numbers of the type, whose result is that of one operation.
static jitted open_operation(const char *type, const char *operation, int arity) {
  static const char *const parameters[] = {"", "%a: T", "%a: T, %b: T", "%a: T, %b: T, %c: T"};
  char text[2048] = "", form[512];
  snprintf(form, sizeof form, "llvm.func @f(%s) -> T { %%r = %s llvm.return %%r : T }\n",
           parameters[arity], operation);
  size_t length = 0;
  for (const char *c = form; *c != '\0'; c++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%.*s",
                               *c == 'T' ? (int)strlen(type) : 1, *c == 'T' ? type : c);
  assay_rounding_report report;
  jitted it = open_text(text, &report);
  assert_int_equal(report.instrumented, 1);
  return it;
}

enum { SAMPLES = 400 };

typedef struct statistics {
  double plain, mean, deviation; // of samples less plain
  double lowest, highest;        // less plain
} statistics;

typedef struct call {
  uintptr_t function;
  double arguments[3];
} call;

static double call_f32(const call *it) {
  float (*function)(float, float, float) = (float (*)(float, float, float))it->function;
  return (double)function((float)it->arguments[0], (float)it->arguments[1],
                          (float)it->arguments[2]);
}

static double call_f64(const call *it) {
  double (*function)(double, double, double) = (double (*)(double, double, double))it->function;
  return function(it->arguments[0], it->arguments[1], it->arguments[2]);
}

static statistics sample(const jitted *it, double (*run)(const call *), const call *of,
                         int amplitude) {
  *it->seed = 0;
  *it->amplitude = 0;
  statistics found = {.plain = run(of), .lowest = INFINITY, .highest = -INFINITY};
  double sum = 0, squares = 0;
  *it->amplitude = amplitude;
  for (int i = 0; i < SAMPLES; i++) {
    *it->seed = (uint64_t)i + 1;
    double moved = run(of) - found.plain;
    sum += moved;
    squares += moved * moved;
    found.lowest = fmin(found.lowest, moved);
    found.highest = fmax(found.highest, moved);
  }
  found.mean = sum / SAMPLES;
  found.deviation = sqrt(squares / SAMPLES - found.mean * found.mean);
  return found;
}

static const struct {
  const char *name, *operation;
  int arity;
  double arguments[3];
  long double exact; // of the f64 arguments
} rounded[] = {
    {"add", "llvm.fadd %a, %b : T", 2, {1, 0x1.8p-26}, 1 + 0x1.8p-26L},
    {"subtract", "llvm.fsub %a, %b : T", 2, {1, 0x1.8p-27}, 1 - 0x1.8p-27L},
    {"subtract", "llvm.fsub %a, %b : T", 2, {-1.5, 0x1.8p-26}, -1.5 - 0x1.8p-26L},
    {"multiply", "llvm.fmul %a, %b : T", 2, {1 + 0x1p-12, 1 + 0x1p-13}, 0},
    {"divide", "llvm.fdiv %a, %b : T", 2, {1, 3}, 1 / 3.0L},
    {"sqrt", "llvm.intr.sqrt(%a) : (T) -> T", 1, {2}, 0},
    {"fma", "llvm.intr.fma(%a, %b, %c) : (T, T, T) -> T", 3, {0.25, 1.5, 0x1.001p-26}, 0},
    {"exp", "llvm.intr.exp(%a) : (T) -> T", 1, {1}, 0},
    {"pow", "llvm.intr.pow(%a, %b) : (T, T) -> T", 2, {3, 0.5}, 0},
};

// Each result is one of the two neighbours of the exact one, on the average that one itself.
static void rounds_f32_to_neighbours_without_bias(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rounded / sizeof rounded[0]; i++) {
    jitted it = open_operation("f32", rounded[i].operation, rounded[i].arity);
    call of = {.function = jitted_find(&it, "f")};
    memcpy(of.arguments, rounded[i].arguments, sizeof of.arguments);
    statistics found = sample(&it, call_f32, &of, 0);
    const double *x = of.arguments;
    long double exact = (long double)rounded[i].exact;
    if (strcmp(rounded[i].name, "multiply") == 0)
      exact = (long double)x[0] * x[1];
    if (strcmp(rounded[i].name, "sqrt") == 0)
      exact = sqrtl(x[0]);
    if (strcmp(rounded[i].name, "fma") == 0)
      exact = (long double)x[0] * x[1] + x[2];
    if (strcmp(rounded[i].name, "exp") == 0)
      exact = expl(x[0]);
    if (strcmp(rounded[i].name, "pow") == 0)
      exact = powl(x[0], x[1]);
    double unit = (double)(nextafterf((float)found.plain, INFINITY) - (float)found.plain);
    double bias = (double)((long double)found.plain + found.mean - exact) / unit;
    if (!(found.deviation > 0) || !(fabs(bias) < 0.1) ||
        !(found.highest - found.lowest <= 1.01 * unit))
      fail_msg("%s: plain %.9g, bias %.3g ulp, range %.3g ulp", rounded[i].name, found.plain, bias,
               (found.highest - found.lowest) / unit);
    assert_true(found.plain == (double)(float)exact);
    jitted_close(&it);
  }
}

static void rounds_f64_to_neighbours_without_bias(void **state) {
  (void)state;
  static const struct {
    const char *operation;
    int arity;
    double arguments[3];
    double lost; // exact less nearest, in units of the result
  } rows[] = {
      {"llvm.fadd %a, %b : T", 2, {1, 0x1.8p-54}, 0.375},
      {"llvm.fsub %a, %b : T", 2, {1, -0x1.8p-54}, 0.375},
      {"llvm.fsub %a, %b : T", 2, {-1.5, 0x1.8p-54}, -0.375},
      {"llvm.fmul %a, %b : T", 2, {1 + 0x1p-27, 1 + 0x1p-27}, 0.25},
      {"llvm.fdiv %a, %b : T", 2, {1, 3}, 1.0 / 3},
      {"llvm.intr.fma(%a, %b, %c) : (T, T, T) -> T", 3, {0.5, 2, 0x1.8p-54}, 0.375},
      {"llvm.intr.fmuladd(%a, %b, %c) : (T, T, T) -> T", 3, {0.5, 2, 0x1.8p-54}, 0.375},
      {"llvm.intr.sqrt(%a) : (T) -> T", 1, {2}, -0.4354},
      {"llvm.intr.exp(%a) : (T) -> T", 1, {1}, 0.3255},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    jitted it = open_operation("f64", rows[i].operation, rows[i].arity);
    call of = {.function = jitted_find(&it, "f")};
    memcpy(of.arguments, rows[i].arguments, sizeof of.arguments);
    statistics found = sample(&it, call_f64, &of, 0);
    double unit = nextafter(found.plain, INFINITY) - found.plain;
    double range = (found.highest - found.lowest) / unit, mean = found.mean / unit;
    if (range != 1 || !(fabs(mean - rows[i].lost) < 0.1))
      fail_msg("%s: range %.3g, mean %.3g, want %.3g ulp", rows[i].operation, range, mean,
               rows[i].lost);
    jitted_close(&it);
  }
}

static void leaves_exact_results_alone(void **state) {
  (void)state;
  static const struct {
    const char *operation;
    int arity;
    double arguments[3];
  } rows[] = {
      {"llvm.fadd %a, %b : T", 2, {3, 5}},
      {"llvm.fadd %a, %b : T", 2, {1e30, 0}},
      {"llvm.fsub %a, %b : T", 2, {0.1f, 0.1f}},
      {"llvm.fmul %a, %b : T", 2, {3, 0.125}},
      {"llvm.fdiv %a, %b : T", 2, {90, 10}},
      {"llvm.fdiv %a, %b : T", 2, {1, 0}},
      {"llvm.fdiv %a, %b : T", 2, {0, 0}},
      {"llvm.fmul %a, %b : T", 2, {0x1p100, 0x1p100}},
      {"llvm.intr.sqrt(%a) : (T) -> T", 1, {9}},
      {"llvm.intr.sqrt(%a) : (T) -> T", 1, {-1}},
      {"llvm.intr.fma(%a, %b, %c) : (T, T, T) -> T", 3, {3, 4, 5}},
      {"llvm.intr.exp(%a) : (T) -> T", 1, {0}},
      {"llvm.intr.exp(%a) : (T) -> T", 1, {-INFINITY}},
      {"llvm.intr.log(%a) : (T) -> T", 1, {1}},
      {"llvm.intr.exp2(%a) : (T) -> T", 1, {5}},
      {"llvm.intr.pow(%a, %b) : (T, T) -> T", 2, {3, 3}},
      {"llvm.intr.tanh(%a) : (T) -> T", 1, {INFINITY}},
      {"llvm.intr.sin(%a) : (T) -> T", 1, {NAN}},
  };
  static const char *const types[] = {"f32", "f64"};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
    size_t row = i / 2;
    jitted it = open_operation(types[i % 2], rows[row].operation, rows[row].arity);
    call of = {.function = jitted_find(&it, "f")};
    memcpy(of.arguments, rows[row].arguments, sizeof of.arguments);
    double (*run)(const call *) = i % 2 == 0 ? call_f32 : call_f64;
    *it.seed = 0;
    double plain = run(&of);
    for (int seed = 1; seed < 40; seed++) {
      *it.seed = (uint64_t)seed;
      *it.amplitude = seed % 2 == 0 ? 16 : 0;
      double got = run(&of);
      if (got != plain && !(isnan(got) && isnan(plain)))
        fail_msg("%s %s: %.17g, plain %.17g", types[i % 2], rows[row].operation, got, plain);
    }
    jitted_close(&it);
  }
}

// Noise of 16 units wherever a result is inexact, though the wider format does not show it.
static void amplifies_what_is_inexact(void **state) {
  (void)state;
  static const struct {
    const char *operation;
    int arity;
    double arguments[3];
  } rows[] = {
      {"llvm.fadd %a, %b : T", 2, {1, 1e-20}},
      {"llvm.fsub %a, %b : T", 2, {1, 1e-30}},
      {"llvm.fdiv %a, %b : T", 2, {1, 3}},
      {"llvm.intr.fma(%a, %b, %c) : (T, T, T) -> T", 3, {1, 1, 1e-20}},
      {"llvm.intr.tanh(%a) : (T) -> T", 1, {25}},
      {"llvm.intr.exp(%a) : (T) -> T", 1, {1}},
  };
  static const char *const types[] = {"f32", "f64"};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
    size_t row = i / 2;
    jitted it = open_operation(types[i % 2], rows[row].operation, rows[row].arity);
    call of = {.function = jitted_find(&it, "f")};
    memcpy(of.arguments, rows[row].arguments, sizeof of.arguments);
    statistics found = sample(&it, i % 2 == 0 ? call_f32 : call_f64, &of, 16);
    double unit = i % 2 == 0
                      ? (double)(nextafterf((float)found.plain, INFINITY) - (float)found.plain)
                      : nextafter(found.plain, INFINITY) - found.plain;
    // Units are half as large below a power of two.
    double units = found.deviation / unit;
    if (!(units > 5 && units < 11.5) || found.highest > 17 * unit || found.lowest < -17 * unit)
      fail_msg("%s %s: %.3g units, from %.3g to %.3g", types[i % 2], rows[row].operation, units,
               found.lowest / unit, found.highest / unit);
    jitted_close(&it);
  }
}

// A text where f16 or bf16 come and go as bits.
static jitted open_half(const char *type, const char *operation) {
  char text[1024];
  snprintf(text, sizeof text,
           "llvm.func @f(%%x: i16, %%y: i16) -> i16 {\n"
           "%%a = llvm.bitcast %%x : i16 to %s\n%%b = llvm.bitcast %%y : i16 to %s\n"
           "%%r = %s : %s\n%%z = llvm.bitcast %%r : %s to i16\nllvm.return %%z : i16 }",
           type, type, operation, type, type);
  assay_rounding_report report;
  jitted it = open_text(text, &report);
  assert_int_equal(report.amplitude, 4);
  return it;
}

// Where rounding twice, to f64 and then to f32, gives another number.
static void rounds_once_without_a_sample(void **state) {
  (void)state;
  jitted it = open_operation("f32", "llvm.intr.fma(%a, %b, %c) : (T, T, T) -> T", 3);
  call of = {.function = jitted_find(&it, "f"),
             .arguments = {0x1p-24 + 0x1p-42, 1 - 0x1p-18, 1 + 0x1p-23}};
  assert_true(call_f32(&of) == 1 + 0x1p-23);
  jitted_close(&it);
}

// In the last place of the result; both neighbours come, about as often as the exact result says.
static void rounds_halves(void **state) {
  (void)state;
  static const struct {
    const char *type, *operation;
    uint16_t a, b, plain, up; // bits of the arguments, of the result below and above the exact one
    double part;              // how far the exact result is on the way up
  } rows[] = {
      {"f16", "llvm.fadd %a, %b", 0x3c00, 0x0c00, 0x3c00, 0x3c01, 0.25},    // 1 + 2^-12
      {"f16", "llvm.fmul %a, %b", 0x3c01, 0x3801, 0x3802, 0x3803, 0x1p-10}, // product of ulps
      {"f16", "llvm.fmul %a, %b", 0x0401, 0x3800, 0x0200, 0x0201, 0.5},     // subnormal
      {"bf16", "llvm.fadd %a, %b", 0x3f80, 0x3b00, 0x3f80, 0x3f81, 0.25},   // 1 + 2^-9
      {"bf16", "llvm.fdiv %a, %b", 0x3f80, 0x4040, 0x3eaa, 0x3eab, 0.6667}, // 1/3
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    jitted it = open_half(rows[i].type, rows[i].operation);
    uint16_t (*f)(uint16_t, uint16_t) =
        (uint16_t(*)(uint16_t, uint16_t))jitted_find(&it, "f");
    int ups = 0;
    for (int seed = 1; seed <= SAMPLES; seed++) {
      *it.seed = (uint64_t)seed;
      uint16_t got = f(rows[i].a, rows[i].b);
      if (got != rows[i].plain && got != rows[i].up)
        fail_msg("%s %s: %x", rows[i].type, rows[i].operation, got);
      ups += got == rows[i].up;
    }
    if (fabs((double)ups / SAMPLES - rows[i].part) > 0.1)
      fail_msg("%s %s: up %d of %d", rows[i].type, rows[i].operation, ups, SAMPLES);
    *it.seed = 0;
    uint16_t nearest = rows[i].part > 0.5 ? rows[i].up : rows[i].plain;
    assert_int_equal(f(rows[i].a, rows[i].b), nearest);
    // NaN and overflow.
    uint16_t infinity = strcmp(rows[i].type, "f16") == 0 ? 0x7c00 : 0x7f80;
    *it.seed = 7;
    assert_true((f(infinity + 1, rows[i].b) & 0x7fff) > infinity);
    assert_int_equal(f(infinity, rows[i].b), infinity);
    jitted_close(&it);
  }
}

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
      cmocka_unit_test(rounds_f32_to_neighbours_without_bias),
      cmocka_unit_test(rounds_f64_to_neighbours_without_bias),
      cmocka_unit_test(leaves_exact_results_alone),
      cmocka_unit_test(amplifies_what_is_inexact),
      cmocka_unit_test(rounds_once_without_a_sample),
      cmocka_unit_test(rounds_halves),
      cmocka_unit_test(instruments_everything_that_rounds),
      cmocka_unit_test(samples_are_independent),
      cmocka_unit_test(names_what_it_cannot_instrument),
      cmocka_unit_test(refuses_other_dialects),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
