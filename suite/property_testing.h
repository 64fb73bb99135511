// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of properties share: programs, plain C functions here, and how one is examined.
#ifndef ASSAY_SUITE_PROPERTY_TESTING_H
#define ASSAY_SUITE_PROPERTY_TESTING_H

#include "suite/property.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 4, COLUMNS = 4, COUNT = ROWS * COLUMNS, INPUTS = 5 };

typedef void (*program)(const double *const inputs[], double result[]);

// ---- right programs: x and what they make of it, both ROWS x COLUMNS ----

static inline void softmax(const double *const inputs[], double result[]) {
  for (int row = 0; row < ROWS; row++) {
    const double *x = inputs[0] + row * COLUMNS;
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < COLUMNS; i++)
      largest = fmax(largest, x[i]);
    for (int i = 0; i < COLUMNS; i++)
      sum += exp(x[i] - largest);
    for (int i = 0; i < COLUMNS; i++)
      result[row * COLUMNS + i] = exp(x[i] - largest) / sum;
  }
}

static inline void layer_norm_with(const double *const inputs[], double result[], double divisor) {
  for (int row = 0; row < ROWS; row++) {
    const double *x = inputs[0] + row * COLUMNS;
    double mean = 0, variance = 0;
    for (int i = 0; i < COLUMNS; i++)
      mean += x[i] / COLUMNS;
    for (int i = 0; i < COLUMNS; i++)
      variance += (x[i] - mean) * (x[i] - mean) / divisor;
    for (int i = 0; i < COLUMNS; i++)
      result[row * COLUMNS + i] =
          (x[i] - mean) / sqrt(variance + 1e-5) * inputs[1][i] + inputs[2][i];
  }
}

static inline void layer_norm(const double *const inputs[], double result[]) {
  layer_norm_with(inputs, result, COLUMNS);
}

static inline void gelu(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    double x = inputs[0][i];
    result[i] = 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
  }
}

static inline void multiply(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    result[i] = 0;
    for (int k = 0; k < COLUMNS; k++)
      result[i] += inputs[0][i / COLUMNS * COLUMNS + k] * inputs[1][k * COLUMNS + i % COLUMNS];
  }
}

static inline void multiply_transposed(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    result[i] = 0;
    for (int k = 0; k < COLUMNS; k++)
      result[i] += inputs[0][i / COLUMNS * COLUMNS + k] * inputs[1][i % COLUMNS * COLUMNS + k];
  }
}

// A causal block: each row is the sum of itself and the rows before.
static inline void running_sum(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] + (i >= COLUMNS ? result[i - COLUMNS] : 0);
}

static inline void copy(const double *const inputs[], double result[]) {
  memcpy(result, inputs[0], COUNT * sizeof *result);
}

static inline void nothing(const double *const inputs[], double result[]) {
  (void)inputs;
  memset(result, 0, COUNT * sizeof *result);
}

// Adds the mean of all rows to each: tokens see all of them, in no order.
static inline void share(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++) {
    result[i] = inputs[0][i];
    for (int row = 0; row < ROWS; row++)
      result[i] += inputs[0][row * COLUMNS + i % COLUMNS] / ROWS;
  }
}

// Attention whose heads, of one column each, are their biases.
static inline void bare_biases(const double *const inputs[], double result[]) {
  for (int i = 0; i < COUNT; i++)
    result[i] = inputs[0][i] + inputs[2][i % COLUMNS] + inputs[2][2 * COLUMNS + i % COLUMNS];
}

// ---- running a property ----

typedef struct subject {
  const char *op;
  const char *data;
  program program;
} subject;

// How many arguments the op has here.
static inline int inputs_of(const char *op) {
  if (strcmp(op, "matmul") == 0)
    return 2;
  if (strcmp(op, "layer_norm") == 0)
    return 3;
  return strcmp(op, "attention") == 0 ? INPUTS : 1;
}

static inline assay_code run(const void *user, const assay_buffer inputs[],
                             const assay_buffer *result, assay_error *err) {
  (void)err;
  const subject *of = user;
  const double *elements[INPUTS] = {NULL};
  for (int i = 0; i < inputs_of(of->op); i++)
    elements[i] = inputs[i].data;
  of->program(elements, result->data);
  return ASSAY_OK;
}

static const assay_property *find(const char *name) {
  const assay_property *const *properties = assay_properties_get();
  int i = 0;
  while (properties[i] != NULL && strcmp(properties[i]->name, name) != 0)
    i++;
  assert_non_null(properties[i]);
  return properties[i];
}

// Keys of an op: sizes ROWS = COLUMNS, dtype f64, choices their presets.
static inline assay_params make_params(const char *op) {
  assay_params params = {.op = assay_suite_op_find(op)};
  assert_non_null(params.op);
  for (int i = 0; params.op->keys[i].name != NULL; i++) {
    params.value[i].size = ROWS;
    params.value[i].dtype = ASSAY_F64;
    params.value[i].choice = params.op->keys[i].preset;
  }
  return params;
}

// zero: an argument but x that is all zeros; 0: none.
static inline void examine(const char *property, const subject *of, int zero,
                           char reason[ASSAY_EXAMINATION_REASON]) {
  assay_arena *arena = assay_arena_create();
  static const int factor[INPUTS] = {5, 7, 3, 11, 13};
  static double elements[INPUTS][COUNT], result[COUNT];
  bool whole = strcmp(of->data, "int") == 0;
  for (int k = 0; k < INPUTS; k++) {
    for (int i = 0; i < COUNT; i++) {
      int number = k > 0 && k == zero ? 0 : i * factor[k] % 17 - 8;
      elements[k][i] = whole ? number : number / 8.0 + (k == 0 ? 0x1p-20 : 0);
    }
  }
  assay_shape shape = assay_shape_make(2, ROWS, COLUMNS);
  if (strcmp(of->op, "batch_matmul") == 0)
    shape = assay_shape_make(3, 2, 2, COLUMNS);
  assay_buffer inputs[INPUTS];
  for (int i = 0; i < INPUTS; i++)
    inputs[i] = (assay_buffer){elements[i], ASSAY_F64, shape};
  assay_buffer computed = {result, ASSAY_F64, shape};
  assay_params params = make_params(of->op);
  assay_examination it = {.arena = arena,
                          .params = &params,
                          .data = of->data,
                          .input_count = inputs_of(of->op),
                          .inputs = inputs,
                          .result = &computed,
                          .slack = 1e-12,
                          .run = run,
                          .user = of};
  assay_error err;
  assert_int_equal(run(of, inputs, &computed, &err), ASSAY_OK);
  assert_int_equal(find(property)->check(&it, &err), ASSAY_OK);
  snprintf(reason, ASSAY_EXAMINATION_REASON, "%s", it.reason);
  assay_arena_destroy(arena);
}

static inline void check_with(const char *property, const subject *of, int zero,
                              const char *reason) {
  char given[ASSAY_EXAMINATION_REASON];
  examine(property, of, zero, given);
  if (strncmp(given, reason, strlen(reason)) != 0 || (reason[0] == '\0') != (given[0] == '\0'))
    fail_msg("%s: '%s', want '%s'", property, given, reason);
}

static inline void check(const char *property, const subject *of, const char *reason) {
  check_with(property, of, 0, reason);
}

#endif
