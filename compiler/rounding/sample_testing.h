// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: single operations instrumented, and many samples of them.
#ifndef ASSAY_COMPILER_ROUNDING_SAMPLE_TESTING_H
#define ASSAY_COMPILER_ROUNDING_SAMPLE_TESTING_H

#include "compiler/rounding/rounding_testing.h"

#include <math.h>
#include <mlir-c/Dialect/LLVM.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static MlirContext context; // of this test program

static inline int set_up(void **state) {
  (void)state;
  context = mlirContextCreateWithThreading(false);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__llvm__(), context);
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("llvm"));
  mlirRegisterAllLLVMTranslations(context);
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  mlirContextDestroy(context);
  return 0;
}

static inline MlirModule parse(const char *text) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  return module;
}

// Instruments a module of that text and compiles it.
static inline jitted open_text(const char *text, assay_rounding_report *out_report) {
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
static inline jitted open_operation(const char *type, const char *operation, int arity) {
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

static inline double call_f32(const call *it) {
  float (*function)(float, float, float) = (float (*)(float, float, float))it->function;
  return (double)function((float)it->arguments[0], (float)it->arguments[1],
                          (float)it->arguments[2]);
}

static inline double call_f64(const call *it) {
  double (*function)(double, double, double) = (double (*)(double, double, double))it->function;
  return function(it->arguments[0], it->arguments[1], it->arguments[2]);
}

static inline statistics sample(const jitted *it, double (*run)(const call *), const call *of,
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

#endif
