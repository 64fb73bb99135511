// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include "compiler/base/half.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Generated from the file names in properties/.
extern const assay_property *const assay_property_table[];

const assay_property *const *assay_properties_get(void) {
  return assay_property_table;
}

static size_t size_of(const assay_buffer *buffer) {
  return (size_t)assay_shape_count(&buffer->shape) * assay_dtype_get(buffer->dtype)->size;
}

// A tensor like another, with elements of its own.
static assay_buffer make_like(assay_examination *it, const assay_buffer *other) {
  enum { ALIGNMENT = 64 };
  assay_buffer made = *other;
  char *bytes = assay_arena_take(it->arena, size_of(other) + ALIGNMENT, 1);
  made.data = bytes + (ALIGNMENT - (uintptr_t)bytes % ALIGNMENT) % ALIGNMENT;
  return made;
}

assay_buffer *assay_examine_inputs(assay_examination *it) {
  assay_buffer *inputs = assay_arena_take(it->arena, (size_t)it->input_count, sizeof *inputs);
  for (int i = 0; i < it->input_count; i++) {
    inputs[i] = make_like(it, &it->inputs[i]);
    memcpy(inputs[i].data, it->inputs[i].data, size_of(&inputs[i]));
  }
  return inputs;
}

assay_code assay_examine_run(assay_examination *it, const assay_buffer inputs[],
                             assay_buffer *out_result, assay_error *err) {
  *out_result = make_like(it, it->result);
  memset(out_result->data, 0xff, size_of(out_result)); // NaN: what is not written differs
  return it->run(it->user, inputs, out_result, err);
}

void assay_examine_object(assay_examination *it, const char *format, ...) {
  if (it->reason[0] != '\0')
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(it->reason, sizeof it->reason, format, arguments);
  va_end(arguments);
}

double assay_examine_get(const assay_buffer *buffer, int64_t element) {
  switch (buffer->dtype) {
  case ASSAY_F16:
    return assay_half_number(((const uint16_t *)buffer->data)[element]);
  case ASSAY_F32:
    return (double)((const float *)buffer->data)[element];
  case ASSAY_F64:
    return ((const double *)buffer->data)[element];
  case ASSAY_I32:
    return ((const int32_t *)buffer->data)[element];
  default:
    assert(buffer->dtype == ASSAY_I64);
    return (double)((const int64_t *)buffer->data)[element];
  }
}

void assay_examine_set(const assay_buffer *buffer, int64_t element, double value) {
  switch (buffer->dtype) {
  case ASSAY_F16:
    ((uint16_t *)buffer->data)[element] = assay_half_bits(value);
    break;
  case ASSAY_F32:
    ((float *)buffer->data)[element] = (float)value;
    break;
  case ASSAY_F64:
    ((double *)buffer->data)[element] = value;
    break;
  case ASSAY_I32:
    ((int32_t *)buffer->data)[element] = (int32_t)value;
    break;
  default:
    assert(buffer->dtype == ASSAY_I64);
    ((int64_t *)buffer->data)[element] = (int64_t)value;
  }
}

int64_t assay_examine_columns(const assay_buffer *buffer) {
  return buffer->shape.rank > 0 ? buffer->shape.dim[buffer->shape.rank - 1] : 1;
}

int64_t assay_examine_rows(const assay_buffer *buffer) {
  return assay_shape_count(&buffer->shape) / assay_examine_columns(buffer);
}

void assay_examine_disturb(const assay_buffer *buffer, int64_t row) {
  int64_t columns = assay_examine_columns(buffer), least = row * columns;
  double largest = 0;
  for (int64_t i = row * columns; i < (row + 1) * columns; i++) {
    double each = assay_examine_get(buffer, i);
    largest = fmax(largest, fabs(each));
    least = each < assay_examine_get(buffer, least) ? i : least;
  }
  assay_examine_set(buffer, least, 1 + 2 * largest);
}

// A number of either sign from 1/2 to 1 for each element, by the mixer of SplitMix64.
static double generic_number(uint64_t set, uint64_t input, uint64_t element) {
  uint64_t bits = ((set << 8 | input) << 40 | (element + 1)) * UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  bits ^= bits >> 31;
  double magnitude = 0.5 + ldexp((double)(bits >> 12), -53);
  return bits % 2 == 0 ? magnitude : -magnitude;
}

assay_buffer *assay_examine_generic(assay_examination *it, int set) {
  assay_buffer *inputs = assay_examine_inputs(it);
  for (int i = 0; i < it->input_count; i++) {
    bool weight = i > 0 && inputs[i].shape.rank > 1;
    double factor = weight ? 1 / sqrt((double)assay_examine_rows(&inputs[i])) : 1;
    for (int64_t at = 0; at < assay_shape_count(&inputs[i].shape); at++)
      assay_examine_set(&inputs[i], at,
                        factor * generic_number((uint64_t)set, (uint64_t)i, (uint64_t)at));
  }
  return inputs;
}

static void negate(const assay_buffer *x, assay_rows rows) {
  int64_t columns = assay_examine_columns(x);
  for (int64_t i = rows.first * columns; i < rows.end * columns; i++)
    assay_examine_set(x, i, -assay_examine_get(x, i));
}

assay_code assay_examine_changed(assay_examination *it, const assay_buffer *changed,
                                 assay_rows rows, assay_rows of_x, bool *out_changed,
                                 assay_error *err) {
  *out_changed = !assay_examine_same(changed, it->result, rows.first, rows.end);
  for (int set = 0; set < ASSAY_GENERIC_SETS && !*out_changed; set++) {
    assay_buffer *inputs = assay_examine_generic(it, set), before, after;
    TRY(assay_examine_run(it, inputs, &before, err));
    negate(&inputs[0], of_x);
    TRY(assay_examine_run(it, inputs, &after, err));
    *out_changed = !assay_examine_same(&before, &after, rows.first, rows.end);
  }
  return ASSAY_OK;
}

bool assay_examine_same(const assay_buffer *a, const assay_buffer *b, int64_t start, int64_t end) {
  size_t row = (size_t)assay_examine_columns(a) * assay_dtype_get(a->dtype)->size;
  return end <= start ||
         memcmp((const char *)a->data + (size_t)start * row,
                (const char *)b->data + (size_t)start * row, (size_t)(end - start) * row) == 0;
}

double assay_examine_distance(const assay_buffer *a, const assay_buffer *b) {
  double largest = 0;
  for (int64_t i = 0; i < assay_shape_count(&a->shape); i++) {
    double distance = fabs(assay_examine_get(a, i) - assay_examine_get(b, i));
    if (!(distance <= largest))
      largest = distance; // a NaN stays
  }
  return largest;
}

double assay_examine_roundoff(const assay_buffer *buffer) {
  return ldexp(1, -assay_dtype_get(buffer->dtype)->precision);
}

bool assay_params_of(const assay_params *params, const char *op) {
  return strcmp(params->op->name, op) == 0;
}

bool assay_params_floating(const assay_params *params) {
  return assay_dtype_get(assay_params_dtype(params, "dtype"))->floating;
}

bool assay_params_wide(const assay_params *params) {
  assay_dtype dtype = assay_params_dtype(params, "dtype");
  return dtype == ASSAY_F32 || dtype == ASSAY_F64;
}

static bool is_plain(const assay_params *params, const char *key) {
  return strcmp(assay_params_choice(params, key), "plain") == 0;
}

bool assay_params_rows(const assay_params *params, const char *op) {
  return assay_params_of(params, op) && assay_params_floating(params) &&
         assay_params_size(params, "n") > 1 && is_plain(params, "values");
}

bool assay_params_square(const assay_params *params) {
  enum { LARGEST = 33 };
  if (!assay_params_of(params, "matmul"))
    return false;
  int64_t m = assay_params_size(params, "m");
  return m <= LARGEST && m == assay_params_size(params, "k") &&
         m == assay_params_size(params, "n") && is_plain(params, "lhs") &&
         is_plain(params, "rhs") && is_plain(params, "result") &&
         assay_params_dtype(params, "dtype") == assay_params_dtype(params, "rhs_dtype") &&
         assay_params_dtype(params, "dtype") != ASSAY_F16 &&
         assay_params_dtype(params, "dtype") != ASSAY_BOOL;
}
