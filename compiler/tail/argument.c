// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/argument.h"

#include "compiler/tail/half.h"

#include <inttypes.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

enum { OFFSET = 3, GAP = 2 };
static const int64_t MOST = INT64_C(1) << 40; // elements

typedef struct dim_source {
  const assay_tail_request *request;
  int used; // of request->dims
} dim_source;

static int64_t next_dim(dim_source *dims) {
  const assay_tail_request *request = dims->request;
  if (request->dim_count <= 0 || request->dim_count > ASSAY_OBSERVED_MAX_RANK)
    return ASSAY_TAIL_DIM;
  int at = dims->used < request->dim_count ? dims->used : request->dim_count - 1;
  dims->used++;
  return request->dims[at];
}

// Row-major, without gaps.
static void lay_out_densely(assay_argument *argument) {
  int64_t step = 1;
  argument->offset = 0;
  for (int i = ASSAY_OBSERVED_MAX_RANK - 1; i >= 0; i--)
    if (i < argument->type.rank) {
      argument->stride[i] = step;
      step *= argument->dim[i];
    }
}

// Where the type leaves strides open, the program has no right to rely on any.
static void lay_out_apart(assay_argument *argument) {
  const assay_value_type *type = &argument->type;
  int64_t step = 1;
  argument->offset = type->offset == ASSAY_VALUE_DYNAMIC ? OFFSET : type->offset;
  for (int i = ASSAY_OBSERVED_MAX_RANK - 1; i >= 0; i--) {
    if (i >= type->rank)
      continue;
    bool open = type->stride[i] == ASSAY_VALUE_DYNAMIC;
    argument->stride[i] = open ? step * GAP : type->stride[i];
    int64_t stride = argument->stride[i] < 0 ? -argument->stride[i] : argument->stride[i];
    if (argument->dim[i] * stride > step)
      step = argument->dim[i] * stride;
  }
}

static assay_code measure(assay_argument *argument, assay_error *err) {
  argument->count = 1;
  int64_t last = argument->offset;
  for (int i = 0; i < argument->type.rank; i++) {
    if (argument->dim[i] < 0 || (argument->dim[i] > 0 && argument->count > MOST / argument->dim[i]))
      return assay_fail(err, ASSAY_UNSUPPORTED, "an argument is too large");
    argument->count *= argument->dim[i];
    if (argument->stride[i] < 0)
      return assay_fail(err, ASSAY_UNSUPPORTED, "an argument has a negative stride");
    last += (argument->dim[i] - 1) * argument->stride[i];
  }
  argument->extent = argument->count == 0 ? 0 : last + 1;
  return ASSAY_OK;
}

static bool is_identity(MlirType type) {
  return mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

// NumPy's name of an element; NULL where it has none.
static const char *descr_of(const assay_value_type *type) {
  static const char *const integers[] = {[1] = "|i1", [2] = "<i2", [4] = "<i4", [8] = "<i8"};
  switch (type->element) {
  case ASSAY_ELEMENT_F16:
    return type->is_complex ? NULL : "<f2";
  case ASSAY_ELEMENT_F32:
    return type->is_complex ? "<c8" : "<f4";
  case ASSAY_ELEMENT_F64:
    return type->is_complex ? "<c16" : "<f8";
  case ASSAY_ELEMENT_INTEGER:
    return type->bytes <= 8 && !type->is_complex ? integers[type->bytes] : NULL;
  default:
    return NULL;
  }
}

// An array of bools is one of single bytes; unsigned integers have the same bits as signed ones,
// and those of bf16, which NumPy does not have, are 16.
static bool is_descr(const assay_value_type *type, const char *descr) {
  const char *wanted = descr_of(type);
  if (type->element == ASSAY_ELEMENT_BF16)
    return strcmp(descr, "<u2") == 0;
  if (wanted == NULL)
    return false;
  bool is_integer = type->element == ASSAY_ELEMENT_INTEGER;
  return strcmp(descr, wanted) == 0 ||
         (is_integer && type->bytes == 1 && strcmp(descr, "|b1") == 0) ||
         (is_integer && descr[0] == wanted[0] && descr[1] == 'u' &&
          strcmp(descr + 2, wanted + 2) == 0);
}

static assay_code check_dtype(const assay_value_type *type, const assay_tail_input *input,
                              assay_error *err) {
  if (input->descr == NULL || is_descr(type, input->descr))
    return ASSAY_OK;
  const char *wanted =
      type->element == ASSAY_ELEMENT_BF16 ? "<u2 (the bits of bf16)" : descr_of(type);
  return assay_fail(err, ASSAY_INVALID, "found dtype %s, expected %s", input->descr,
                    wanted != NULL ? wanted : "none that NumPy has");
}

static assay_code plan(MlirType type, const assay_tail_input *input, dim_source *dims,
                       assay_argument *argument, assay_error *err) {
  TRY(assay_value_type_read(type, &argument->type, err));
  if (!argument->type.has_rank)
    return assay_fail(err, ASSAY_UNSUPPORTED, "it has no rank");
  bool given = input != NULL && input->data != NULL;
  if (given && input->rank != argument->type.rank)
    return assay_fail(err, ASSAY_INVALID, "found %d dimensions, expected %d", input->rank,
                      argument->type.rank);
  if (given)
    TRY(check_dtype(&argument->type, input, err));
  for (int i = 0; i < argument->type.rank; i++) {
    int64_t fixed = argument->type.dim[i];
    if (given && fixed >= 0 && input->dim[i] != fixed)
      return assay_fail(err, ASSAY_INVALID,
                        "found size %" PRId64 " in dimension %d, expected %" PRId64, input->dim[i],
                        i, fixed);
    argument->dim[i] = given ? input->dim[i] : fixed >= 0 ? fixed : next_dim(dims);
  }
  argument->input = given ? input->data : NULL;
  if (argument->type.form == ASSAY_VALUE_MEMREF && !is_identity(type))
    lay_out_apart(argument);
  else
    lay_out_densely(argument);
  return measure(argument, err);
}

assay_code assay_arguments_plan(const assay_tail_request *request, const assay_signature *signature,
                                assay_arena *arena, assay_argument **out_arguments,
                                assay_error *err) {
  dim_source dims = {.request = request};
  assay_argument *arguments =
      assay_arena_take(arena, (size_t)signature->input_count + 1, sizeof *arguments);
  if (request->inputs != NULL && request->input_count != signature->input_count)
    return assay_fail(err, ASSAY_INVALID,
                      "found %d inputs, expected %d: one for each argument of @%s",
                      request->input_count, signature->input_count, request->entry);
  for (int i = 0; i < signature->input_count; i++) {
    const assay_tail_input *input = request->inputs == NULL ? NULL : &request->inputs[i];
    assay_error why;
    arguments[i].is_cautious = request->cautious;
    assay_code code = plan(signature->inputs[i], input, &dims, &arguments[i], &why);
    if (code != ASSAY_OK && input != NULL && input->file != NULL)
      return assay_fail_at(err, code, input->file, 0, 0, "argument %d: %s", i, why.text);
    if (code != ASSAY_OK)
      return assay_fail(err, code, "argument %d: %s", i, why.text);
  }
  *out_arguments = arguments;
  return ASSAY_OK;
}

assay_code assay_argument_plan_output(MlirType type, const int64_t *like,
                                      assay_argument *out_argument, assay_error *err) {
  *out_argument = (assay_argument){.is_output = true};
  TRY(assay_value_type_read(type, &out_argument->type, err));
  if (out_argument->type.form != ASSAY_VALUE_MEMREF || !out_argument->type.has_rank)
    return assay_fail(err, ASSAY_UNSUPPORTED, "it is no memref of known rank");
  for (int i = 0; i < out_argument->type.rank; i++) {
    out_argument->dim[i] = out_argument->type.dim[i];
    if (out_argument->dim[i] < 0 && like == NULL)
      return assay_fail(err, ASSAY_UNSUPPORTED, "its size is not known");
    if (out_argument->dim[i] < 0)
      out_argument->dim[i] = like[i];
  }
  // Strides that are open are the callee's to take as they are, but its caller would have none.
  bool fixed = !is_identity(type);
  for (int i = 0; i < out_argument->type.rank; i++)
    fixed = fixed && out_argument->type.stride[i] != ASSAY_VALUE_DYNAMIC;
  if (fixed)
    lay_out_apart(out_argument);
  else
    lay_out_densely(out_argument);
  return measure(out_argument, err);
}

// splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static uint64_t draw(int number, int data, uint64_t seed, int64_t i, int part) {
  uint64_t x = mix(seed ^ UINT64_C(0x61737361792e3031));
  x = mix(x ^ (uint64_t)number << 8 ^ (uint64_t)data);
  return mix(mix(x ^ (uint64_t)i) ^ (uint64_t)part);
}

// -4 to 4 without 0: sums of many stay exact in every type, and nothing is divided by 0.
static int64_t small_number(uint64_t random) {
  int64_t value = (int64_t)(random >> 40) % 8 - 4;
  return value >= 0 ? value + 1 : value;
}

// A number that stands alone: 2, 3, 1 in turn go together as bounds and step, and as offset, size
// and stride.
static int64_t lone_number(int number) {
  static const int64_t values[] = {2, 3, 1};
  return values[number % 3];
}

static void put_float(assay_element element, double value, void *out) {
  float single = (float)value;
  uint16_t half;
  switch (element) {
  case ASSAY_ELEMENT_F64:
    memcpy(out, &value, sizeof value);
    return;
  case ASSAY_ELEMENT_F32:
    memcpy(out, &single, sizeof single);
    return;
  case ASSAY_ELEMENT_F16:
    half = assay_half_from_double(value);
    memcpy(out, &half, sizeof half);
    return;
  case ASSAY_ELEMENT_BF16:
    half = assay_bfloat_from_double(value);
    memcpy(out, &half, sizeof half);
    return;
  default:
    *(unsigned char *)out =
        assay_small_float_bits((assay_small_float)(element - ASSAY_ELEMENT_F8), value);
  }
}

// Of at most 16 bytes, the sign in all that are above the number's; none above its type's bits.
static void put_integer(int64_t value, const assay_value_type *type, void *out) {
  uint64_t halves[2] = {(uint64_t)value, value < 0 ? UINT64_MAX : 0};
  if (type->bits < 64)
    halves[0] &= (UINT64_C(1) << type->bits) - 1;
  else if (type->bits > 64 && type->bits < 128)
    halves[1] &= (UINT64_C(1) << (type->bits - 64)) - 1;
  memcpy(out, halves, (size_t)type->bytes);
}

static void put_part(const assay_argument *argument, int number, int data, uint64_t random,
                     void *out) {
  const assay_value_type *type = &argument->type;
  if (type->element != ASSAY_ELEMENT_INTEGER) {
    // 53 random bits over (-1, 1), zero mean.
    double real = (double)((int64_t)(random >> 11) - (INT64_C(1) << 52)) * 0x1p-52;
    put_float(type->element, data == 0 ? (double)small_number(random) : real, out);
    return;
  }
  int64_t value = small_number(random);
  if (type->bits == 1)
    value = (int64_t)(random >> 40 & 1);
  else if (type->form == ASSAY_VALUE_SCALAR && data == 1 && !argument->is_cautious &&
           !mlirTypeIsAIndex(type->element_type))
    value = (int64_t)(random | UINT64_C(1) << ((type->bits - 1) & 63)); // its sign, all its bits
  else if (type->form == ASSAY_VALUE_SCALAR)
    value = lone_number(number);
  else if (mlirTypeIsAIndex(type->element_type))
    value = value < 0 ? -value : value;
  put_integer(value, type, out);
}

void assay_argument_element(const assay_argument *argument, int number, int data, uint64_t seed,
                            int64_t i, void *out_element) {
  int pitch = assay_value_pitch(&argument->type);
  if (argument->input != NULL) {
    memcpy(out_element, (const char *)argument->input + i * pitch, (size_t)pitch);
    return;
  }
  for (int part = 0; part < (argument->type.is_complex ? 2 : 1); part++)
    put_part(argument, number, data, draw(number, data, seed, i, part),
             (char *)out_element + part * argument->type.bytes);
}

int64_t assay_argument_place(const assay_argument *argument, int64_t i) {
  int64_t place = argument->offset;
  for (int d = argument->type.rank - 1; d >= 0; d--) {
    place += i % argument->dim[d] * argument->stride[d];
    i /= argument->dim[d];
  }
  return place;
}
