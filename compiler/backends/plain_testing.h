// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For unit tests only: a program evaluated plainly, node by node and element by element, with C's
// own arithmetic and libm in double, rounded to the node's dtype. Includes cmocka.
#ifndef ASSAY_COMPILER_BACKENDS_PLAIN_TESTING_H
#define ASSAY_COMPILER_BACKENDS_PLAIN_TESTING_H

#include "compiler/language/operation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLAIN_NODES = 256 };

// The elements of each node: `real` of floating ones, `integer` of others.
typedef struct plain {
  assay_scalar *node[PLAIN_NODES];
} plain;

static inline int64_t plain_flatten(const assay_shape *shape, const int64_t index[]) {
  int64_t at = 0;
  for (int axis = 0; axis < shape->rank; axis++)
    at = at * shape->dim[axis] + index[axis];
  return at;
}

static inline void plain_unflatten(const assay_shape *shape, int64_t at, int64_t index[]) {
  for (int axis = shape->rank - 1; axis >= 0; axis--) {
    index[axis] = at % shape->dim[axis];
    at /= shape->dim[axis];
  }
}

// The element of a broadcast operand that belongs to an index of the result.
static inline assay_scalar plain_broadcast(const assay_node *operand, const assay_scalar *data,
                                           const assay_shape *shape, const int64_t index[]) {
  int64_t own[ASSAY_MAX_RANK];
  int ahead = shape->rank - operand->shape.rank;
  for (int axis = 0; axis < operand->shape.rank; axis++)
    own[axis] = operand->shape.dim[axis] == 1 ? 0 : index[axis + ahead];
  return data[plain_flatten(&operand->shape, own)];
}

static inline bool plain_is(const assay_node *node, const char *name) {
  return strcmp(node->operation->name, name) == 0;
}

static inline assay_scalar plain_real(double value, assay_dtype dtype) {
  assay_scalar exact = {.real = value};
  return assay_scalar_cast(&exact, ASSAY_F64, dtype);
}

// Low bits of a dtype; of bool whether it is anything but 0.
static inline assay_scalar plain_integer(uint64_t value, assay_dtype dtype) {
  assay_scalar exact = {.integer = (int64_t)value};
  return assay_scalar_cast(&exact, ASSAY_I64, dtype);
}

static inline uint64_t plain_integer_power(uint64_t base, int64_t exponent) {
  uint64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    result *= exponent % 2 != 0 ? base : 1;
    base *= base;
  }
  return result;
}

// The smaller or the larger of two; NaN if either is.
static inline double plain_extreme_real(bool lower, double a, double b) {
  if (isnan(a) || isnan(b))
    return NAN;
  return (a < b) == lower ? a : b;
}

static inline int64_t plain_extreme_integer(bool lower, int64_t a, int64_t b) {
  return (a < b) == lower ? a : b;
}

static inline double plain_binary_real(const char *name, double a, double b) {
  if (strcmp(name, "add") == 0)
    return a + b;
  if (strcmp(name, "subtract") == 0)
    return a - b;
  if (strcmp(name, "multiply") == 0)
    return a * b;
  if (strcmp(name, "divide") == 0)
    return a / b;
  if (strcmp(name, "power") == 0)
    return pow(a, b);
  bool lower = strcmp(name, "minimum") == 0;
  assert_true(lower || strcmp(name, "maximum") == 0);
  return plain_extreme_real(lower, a, b);
}

static inline uint64_t plain_binary_integer(const char *name, int64_t a, int64_t b) {
  if (strcmp(name, "add") == 0)
    return (uint64_t)a + (uint64_t)b;
  if (strcmp(name, "subtract") == 0)
    return (uint64_t)a - (uint64_t)b;
  if (strcmp(name, "multiply") == 0)
    return (uint64_t)a * (uint64_t)b;
  if (strcmp(name, "power") == 0)
    return plain_integer_power((uint64_t)a, b);
  bool lower = strcmp(name, "minimum") == 0;
  assert_true(lower || strcmp(name, "maximum") == 0);
  return (uint64_t)plain_extreme_integer(lower, a, b);
}

// -1, 0, 1, or 2 where one of them is NaN.
static inline int plain_order(assay_dtype dtype, assay_scalar a, assay_scalar b) {
  if (!assay_dtype_get(dtype)->floating)
    return (a.integer > b.integer) - (a.integer < b.integer);
  return isnan(a.real) || isnan(b.real) ? 2 : (a.real > b.real) - (a.real < b.real);
}

static inline bool plain_compare(const char *symbol, int order) {
  if (strcmp(symbol, "==") == 0)
    return order == 0;
  if (strcmp(symbol, "!=") == 0)
    return order != 0;
  if (symbol[0] == '<')
    return order == -1 || (order == 0 && symbol[1] == '=');
  return order == 1 || (order == 0 && symbol[1] == '=');
}

static inline double plain_unary_real(const char *name, double x) {
  const struct {
    const char *name;
    double (*function)(double);
  } functions[] = {{"exp", exp},   {"log", log}, {"tanh", tanh},
                   {"sqrt", sqrt}, {"erf", erf}, {"absolute", fabs}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(name, functions[i].name) == 0)
      return functions[i].function(x);
  assert_string_equal(name, "negative");
  return -x;
}

static inline assay_scalar plain_elementwise(const assay_node *node, assay_dtype from,
                                             const assay_scalar x[]) {
  const char *name = node->operation->name;
  bool floating = assay_dtype_get(from)->floating;
  if (plain_is(node, "cast"))
    return assay_scalar_cast(&x[0], from, node->dtype);
  if (plain_is(node, "where"))
    return x[0].integer != 0 ? x[1] : x[2];
  if (node->dtype == ASSAY_BOOL && node->operation->symbol != NULL &&
      strchr("=!<>", node->operation->symbol[0]) != NULL)
    return (assay_scalar){
        .integer = plain_compare(node->operation->symbol, plain_order(from, x[0], x[1]))};
  if (node->operand_count == 2)
    return floating
               ? plain_real(plain_binary_real(name, x[0].real, x[1].real), node->dtype)
               : plain_integer(plain_binary_integer(name, x[0].integer, x[1].integer), node->dtype);
  if (floating)
    return plain_real(plain_unary_real(name, x[0].real), node->dtype);
  bool turns = plain_is(node, "negative") || x[0].integer < 0;
  return plain_integer(turns ? -(uint64_t)x[0].integer : (uint64_t)x[0].integer, node->dtype);
}

static inline assay_scalar plain_reduce(const assay_node *node, const assay_node *x,
                                        const assay_scalar *data, const int64_t index[]) {
  int64_t at[ASSAY_MAX_RANK];
  int axis = node->attribute.axis;
  for (int i = 0, kept = 0; i < x->shape.rank; i++)
    at[i] = i == axis ? 0 : index[kept++];
  assay_scalar result = {.integer = 0};
  for (int64_t i = 0; i < x->shape.dim[axis]; i++) {
    at[axis] = i;
    assay_scalar next = data[plain_flatten(&x->shape, at)];
    if (i == 0) {
      result = next;
    } else if (plain_is(node, "sum")) {
      result.real += next.real;
      result.integer = (int64_t)((uint64_t)result.integer + (uint64_t)next.integer);
    } else {
      result.real = plain_extreme_real(false, result.real, next.real);
      result.integer = plain_extreme_integer(false, result.integer, next.integer);
    }
  }
  return assay_dtype_get(node->dtype)->floating
             ? plain_real(result.real, node->dtype)
             : plain_integer((uint64_t)result.integer, node->dtype);
}

static inline assay_scalar plain_contract(const assay_program *program, const assay_node *node,
                                          const plain *all, const int64_t index[]) {
  const assay_shape *a = &program->nodes[node->operand[0]].shape;
  const assay_shape *b = &program->nodes[node->operand[1]].shape;
  int last = a->rank - 1;
  int64_t left[ASSAY_MAX_RANK], right[ASSAY_MAX_RANK];
  memcpy(left, index, sizeof left);
  memcpy(right, index, sizeof right);
  double sum = 0;
  uint64_t count = 0;
  for (int64_t k = 0; k < a->dim[last]; k++) {
    left[last] = k;
    right[last - 1] = k;
    const assay_scalar *x = &all->node[node->operand[0]][plain_flatten(a, left)];
    const assay_scalar *y = &all->node[node->operand[1]][plain_flatten(b, right)];
    sum += x->real * y->real;
    count += (uint64_t)x->integer * (uint64_t)y->integer;
  }
  return assay_dtype_get(node->dtype)->floating ? plain_real(sum, node->dtype)
                                                : plain_integer(count, node->dtype);
}

static inline assay_scalar plain_element(const assay_program *program, const assay_node *node,
                                         const plain *all, int64_t at) {
  const assay_node *x = &program->nodes[node->operand[0]];
  const assay_scalar *data = all->node[node->operand[0]];
  int64_t index[ASSAY_MAX_RANK] = {0}, source[ASSAY_MAX_RANK] = {0};
  plain_unflatten(&node->shape, at, index);
  if (assay_node_scalar(node) != NULL)
    return *assay_node_scalar(node);
  if (node->operation->contraction)
    return plain_contract(program, node, all, index);
  if (plain_is(node, "causal_mask"))
    return plain_real(index[1] <= index[0] ? 0 : -1e10, node->dtype);
  if (plain_is(node, "sum") || plain_is(node, "max"))
    return plain_reduce(node, x, data, index);
  if (plain_is(node, "reshape"))
    return data[at];
  if (node->operation->element != NULL) {
    assay_scalar elements[ASSAY_MAX_OPERANDS] = {{.integer = 0}};
    for (int i = 0; i < node->operand_count; i++)
      elements[i] = plain_broadcast(&program->nodes[node->operand[i]], all->node[node->operand[i]],
                                    &node->shape, index);
    int last = node->operand_count > 0 ? node->operand_count - 1 : 0;
    assay_dtype from = program->nodes[node->operand[last]].dtype;
    return plain_elementwise(node, from, elements);
  }
  for (int axis = 0; axis < node->shape.rank; axis++) {
    if (plain_is(node, "slice"))
      source[axis] = index[axis] + node->attribute.range[axis].start;
    else if (plain_is(node, "transpose"))
      source[node->attribute.permutation[axis]] = index[axis];
    else
      fail_msg("this test cannot evaluate '%s'", node->operation->name);
  }
  return data[plain_flatten(&x->shape, source)];
}

// Element i of argument `number`, of the dtype.
typedef assay_scalar plain_input(assay_dtype dtype, int number, int64_t i);

static inline void plain_evaluate(const assay_program *program, plain_input *input, plain *all) {
  assert_true(program->node_count <= PLAIN_NODES);
  int argument = 0;
  for (int number = 0; number < program->node_count; number++) {
    const assay_node *node = &program->nodes[number];
    int64_t count = assay_shape_count(&node->shape);
    all->node[number] = calloc((size_t)count, sizeof(assay_scalar));
    bool given = plain_is(node, "input");
    for (int64_t i = 0; i < count; i++)
      all->node[number][i] =
          given ? input(node->dtype, argument, i) : plain_element(program, node, all, i);
    argument += given;
  }
}

static inline void plain_release(const assay_program *program, plain *all) {
  for (int i = 0; i < program->node_count; i++)
    free(all->node[i]);
}

// ---- elements in memory ----

static inline uint16_t plain_to_half(double value) {
  unsigned sign = signbit(value) ? 0x8000U : 0;
  double size = fabs(value);
  if (isnan(value))
    return 0x7e00;
  if (isinf(value))
    return (uint16_t)(sign | 0x7c00U);
  if (size < 0x1p-14)
    return (uint16_t)(sign | (unsigned)(size * 0x1p24));
  int exponent;
  double fraction = frexp(size, &exponent); // in [0.5, 1)
  return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 | ((unsigned)(fraction * 2048) - 1024U));
}

static inline double plain_from_half(uint16_t bits) {
  unsigned exponent = (bits >> 10) & 31U, fraction = bits & 1023U;
  double size = exponent == 0 ? fraction * 0x1p-24 : ldexp(1024.0 + fraction, (int)exponent - 25);
  if (exponent == 31)
    size = fraction != 0 ? NAN : INFINITY;
  return (bits & 0x8000U) != 0 ? -size : size;
}

static inline assay_scalar plain_get(const void *data, assay_dtype dtype, int64_t at) {
  switch (dtype) {
  case ASSAY_F64:
    return (assay_scalar){.real = ((const double *)data)[at]};
  case ASSAY_F32:
    return (assay_scalar){.real = ((const float *)data)[at]};
  case ASSAY_F16:
    return (assay_scalar){.real = plain_from_half(((const uint16_t *)data)[at])};
  case ASSAY_I64:
    return (assay_scalar){.integer = ((const int64_t *)data)[at]};
  case ASSAY_I32:
    return (assay_scalar){.integer = ((const int32_t *)data)[at]};
  default:
    return (assay_scalar){.integer = ((const uint8_t *)data)[at]};
  }
}

static inline void plain_put(void *data, assay_dtype dtype, int64_t at, assay_scalar value) {
  switch (dtype) {
  case ASSAY_F64:
    ((double *)data)[at] = value.real;
    break;
  case ASSAY_F32:
    ((float *)data)[at] = (float)value.real;
    break;
  case ASSAY_F16:
    ((uint16_t *)data)[at] = plain_to_half(value.real);
    break;
  case ASSAY_I64:
    ((int64_t *)data)[at] = value.integer;
    break;
  case ASSAY_I32:
    ((int32_t *)data)[at] = (int32_t)value.integer;
    break;
  default:
    ((uint8_t *)data)[at] = (uint8_t)value.integer;
  }
}

#endif
