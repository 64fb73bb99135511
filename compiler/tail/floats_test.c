// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tails' arithmetic on floats at its corners, against C: signed zeros, the ends of the range,
// ties, NaN, and numbers between.
#include "compiler/tail/half.h"
#include "compiler/tail/tail_testing.h"

#include <math.h>

typedef struct row {
  const char *name;
  const char *body;                // computes %r of %a and %b; TYPE stands for their type
  double (*right)(double, double); // in double; the result is rounded to the type
  double ulps;                     // that the result may be off, of f32
} row;

static double add(double a, double b) {
  return a + b;
}
static double multiply(double a, double b) {
  return a * b;
}
static double divide(double a, double b) {
  return a / b;
}
static double maximum(double a, double b) { // propagates NaN, -0 < +0
  return a != a || b != b ? (double)NAN : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static double minimum(double a, double b) {
  return a != a || b != b ? (double)NAN : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static double is_less(double a, double b) {
  return a < b;
}
static double is_unordered_or_equal(double a, double b) {
  return !(a < b) && !(a > b);
}
static double negate(double a, double b) {
  (void)b;
  return -a;
}
#define OF_ONE(name, function)                                                                     \
  static double name(double a, double b) {                                                         \
    (void)b;                                                                                       \
    return function(a);                                                                            \
  }
OF_ONE(right_round, round)
OF_ONE(right_roundeven, nearbyint)
OF_ONE(right_trunc, trunc)
OF_ONE(right_ceil, ceil)
OF_ONE(right_floor, floor)
OF_ONE(right_fabs, fabs)
OF_ONE(right_sqrt, sqrt)
OF_ONE(right_exp, exp)
OF_ONE(right_expm1, expm1)
OF_ONE(right_log, log)
OF_ONE(right_log1p, log1p)
OF_ONE(right_log2, log2)
OF_ONE(right_exp2, exp2)
OF_ONE(right_tanh, tanh)
OF_ONE(right_erf, erf)
OF_ONE(right_sin, sin)
OF_ONE(right_cos, cos)
OF_ONE(right_atan, atan)
OF_ONE(right_cbrt, cbrt)
static double right_rsqrt(double a, double b) {
  (void)b;
  return 1 / sqrt(a);
}
static double identity(double a, double b) {
  (void)b;
  return a;
}
static double cube(double a, double b) {
  (void)b;
  return a * a * a;
}

#define BINARY(op) "%r = " op " %a, %b : TYPE"
#define UNARY(op) "%r = " op " %a : TYPE"
#define CHOOSE                                                                                     \
  "%one = arith.constant 1.0 : TYPE\n%zero = arith.constant 0.0 : TYPE\n"                          \
  "%r = arith.select %c, %one, %zero : TYPE"

static const row rows[] = {
    {"addf", BINARY("arith.addf"), add, 0},
    {"mulf", BINARY("arith.mulf"), multiply, 0},
    {"divf", BINARY("arith.divf"), divide, 0},
    {"remf", BINARY("arith.remf"), fmod, 0},
    {"negf", UNARY("arith.negf"), negate, 0},
    {"maximumf", BINARY("arith.maximumf"), maximum, 0},
    {"minimumf", BINARY("arith.minimumf"), minimum, 0},
    {"maxnumf", BINARY("arith.maxnumf"), fmax, 0},
    {"minnumf", BINARY("arith.minnumf"), fmin, 0},
    {"cmpf olt", "%c = arith.cmpf olt, %a, %b : TYPE\n" CHOOSE, is_less, 0},
    {"cmpf ueq", "%c = arith.cmpf ueq, %a, %b : TYPE\n" CHOOSE, is_unordered_or_equal, 0},
    {"round", UNARY("math.round"), right_round, 0},
    {"roundeven", UNARY("math.roundeven"), right_roundeven, 0},
    {"trunc", UNARY("math.trunc"), right_trunc, 0},
    {"ceil", UNARY("math.ceil"), right_ceil, 0},
    {"floor", UNARY("math.floor"), right_floor, 0},
    {"absf", UNARY("math.absf"), right_fabs, 0},
    {"copysign", BINARY("math.copysign"), copysign, 0},
    {"sqrt", UNARY("math.sqrt"), right_sqrt, 0},
    {"rsqrt", UNARY("math.rsqrt"), right_rsqrt, 1},
    {"exp", UNARY("math.exp"), right_exp, 1},
    {"expm1", UNARY("math.expm1"), right_expm1, 1},
    {"exp2", UNARY("math.exp2"), right_exp2, 1},
    {"log", UNARY("math.log"), right_log, 1},
    {"log1p", UNARY("math.log1p"), right_log1p, 1},
    {"log2", UNARY("math.log2"), right_log2, 1},
    {"tanh", UNARY("math.tanh"), right_tanh, 2},
    {"erf", UNARY("math.erf"), right_erf, 2},
    {"sin", UNARY("math.sin"), right_sin, 1},
    {"cos", UNARY("math.cos"), right_cos, 1},
    {"atan", UNARY("math.atan"), right_atan, 1},
    {"cbrt", UNARY("math.cbrt"), right_cbrt, 1},
    {"powf", BINARY("math.powf"), pow, 1},
    {"atan2", BINARY("math.atan2"), atan2, 1},
    {"fpowi", "%n = arith.constant 3 : i32\n%r = math.fpowi %a, %n : TYPE, i32", cube, 2},
    {"through a vector",
     "%v = vector.broadcast %a : TYPE to vector<5xTYPE>\n"
     "%w = math.roundeven %v : vector<5xTYPE>\n"
     "%r = vector.extract %w[4] : TYPE from vector<5xTYPE>",
     right_roundeven, 0},
    {"through f64", "%w = arith.extf %a : TYPE to f64\n%r = arith.truncf %w : f64 to TYPE",
     identity, 0},
};

static const double corners[] = {
    0.0,     -0.0,     1,         -1,       0.5,           -0.5,
    1.5,     2.5,      -2.5,      3.5,      0x1.fffffep-2, -0x1.fffffep-2,
    3,       7,        -7,        0.1,      -0.3,          1e-3,
    -1e-8,   1e-20,    0x1p-126,  0x1p-133, -0x1p-149,     0x1p-24,
    8388609, 0x1.8p23, 1e10,      65504,    -65520,        3.3e38,
    -3.3e38, INFINITY, -INFINITY, NAN,
};
enum { CORNERS = sizeof corners / sizeof *corners };

typedef struct format {
  const char *type;
  int bytes;
  int fraction; // bits
  int least;    // exponent of the least subnormal number
} format;

static const format formats[] = {
    {"f32", 4, 23, -149}, {"f64", 8, 52, -1074}, {"f16", 2, 10, -24}, {"bf16", 2, 7, -133}};

static double store(const format *to, unsigned char *out, int64_t i, double value) {
  float single = (float)value;
  uint16_t half =
      to->fraction == 10 ? assay_half_from_double(value) : assay_bfloat_from_double(value);
  const void *bits = &half;
  if (to->bytes > 2)
    bits = to->bytes == 8 ? (void *)&value : (void *)&single;
  memcpy(out + i * to->bytes, bits, (size_t)to->bytes);
  if (to->bytes > 2)
    return to->bytes == 8 ? value : (double)single;
  return to->fraction == 10 ? assay_half_to_double(half) : assay_bfloat_to_double(half);
}

static bool close_enough(double got, double want, double ulps, const format *of) {
  if (want != want || got != got)
    return want != want && got != got;
  if (got == want)
    return signbit(got) == signbit(want);
  if (ulps == 0)
    return false;
  int exponent = want == 0 ? of->least : ilogb(want) - of->fraction;
  return fabs(got - want) <= ulps * ldexp(1, exponent < of->least ? of->least : exponent);
}

// The body with its type put in.
static const char *spell(const char *body, const char *type) {
  static char text[4096];
  size_t length = 0;
  for (const char *at = body; *at != '\0';) {
    bool is_type = strncmp(at, "TYPE", 4) == 0;
    length += (size_t)sprintf(text + length, "%.*s", is_type ? 8 : 1, is_type ? type : at);
    at += is_type ? 4 : 1;
  }
  return text;
}

static const char *program_of(const row *what, const char *type) {
  static char source[8192];
  snprintf(source, sizeof source,
           "func.func private @f(%%a: %s, %%b: %s) -> %s {\n%s\nreturn %%r : %s\n}\n"
           "func.func @main(%%x: memref<?x%s>, %%y: memref<?x%s>, %%z: memref<?x%s>) {\n"
           "%%c0 = arith.constant 0 : index\n%%c1 = arith.constant 1 : index\n"
           "%%n = memref.dim %%x, %%c0 : memref<?x%s>\nscf.for %%i = %%c0 to %%n step %%c1 {\n"
           "%%a = memref.load %%x[%%i] : memref<?x%s>\n%%b = memref.load %%y[%%i] : memref<?x%s>\n"
           "%%r = func.call @f(%%a, %%b) : (%s, %s) -> %s\n"
           "memref.store %%r, %%z[%%i] : memref<?x%s>\n}\nreturn\n}\n",
           type, type, type, spell(what->body, type), type, type, type, type, type, type, type,
           type, type, type, type);
  return source;
}

static void check(const row *what, const format *of, assay_tail tail) {
  static unsigned char a[CORNERS * CORNERS * 8], b[CORNERS * CORNERS * 8];
  static double x[CORNERS * CORNERS], y[CORNERS * CORNERS];
  int64_t count = (int64_t)CORNERS * CORNERS;
  for (int64_t i = 0; i < count; i++) {
    x[i] = store(of, a, i, corners[i / CORNERS]);
    y[i] = store(of, b, i, corners[i % CORNERS]);
  }
  assay_tail_input inputs[] = {{.data = a, .rank = 1, .dim = {count}},
                               {.data = b, .rank = 1, .dim = {count}},
                               {.data = a, .rank = 1, .dim = {count}}};
  testing_request request = {
      .source = program_of(what, of->type), .tail = tail, .inputs = inputs, .input_count = 3};
  const assay_observation *seen = testing_see(&request);
  assert_int_equal(seen->count, 3);
  for (int64_t i = 0; i < count; i++) {
    unsigned char bits[8];
    double want = store(of, bits, 0, what->right(x[i], y[i]));
    double got = assay_observed_value(&seen->items[2], i);
    if (!close_enough(got, want, what->ulps, of))
      fail_msg("%s, %s, tail %d: %a, %a gives %a, not %a", what->name, of->type, tail, x[i], y[i],
               got, want);
  }
}

static void test_row(void **state) {
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++)
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
      if (formats[i].fraction != 52 || strstr(((const row *)*state)->body, "f64") == NULL)
        check(*state, &formats[i], (assay_tail)tail);
}

int main(void) {
  enum { COUNT = sizeof rows / sizeof *rows };
  struct CMUnitTest tests[COUNT];
  for (int i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){
        .name = rows[i].name, .test_func = test_row, .initial_state = (void *)(uintptr_t)&rows[i]};
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
