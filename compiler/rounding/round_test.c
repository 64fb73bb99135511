// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/sample_testing.h"

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
      {"llvm.intr.exp2(%a) : (T) -> T", 1, {0}},
      {"llvm.intr.pow(%a, %b) : (T, T) -> T", 2, {1, 3}},
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
      {"llvm.intr.exp2(%a) : (T) -> T", 1, {5}},
      {"llvm.intr.pow(%a, %b) : (T, T) -> T", 2, {3, 3}},
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
    uint16_t (*f)(uint16_t, uint16_t) = (uint16_t (*)(uint16_t, uint16_t))jitted_find(&it, "f");
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounds_f32_to_neighbours_without_bias),
      cmocka_unit_test(rounds_f64_to_neighbours_without_bias),
      cmocka_unit_test(leaves_exact_results_alone),
      cmocka_unit_test(amplifies_what_is_inexact),
      cmocka_unit_test(rounds_once_without_a_sample),
      cmocka_unit_test(rounds_halves),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
