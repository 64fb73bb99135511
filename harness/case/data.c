// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reference/GENERATOR.md in C. The NumPy oracle implements the same page on its own.
#include "harness/case/data.h"

#include "compiler/base/text.h"
#include "compiler/base/half.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const assay_data_names[] = {"int", "real", NULL};

// One stream of random words: Philox4x64-10.
typedef struct philox {
  uint64_t key;
  uint64_t block; // the counter's lowest word; the others stay 0 for any stream that fits in memory
  uint64_t word[4];
  int used; // words of the block that were taken
} philox;

static philox open_stream(uint64_t hash) {
  return (philox){.key = hash, .used = 4};
}

// The high 64 bits of a product; *out_low gets the low ones.
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *out_low) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  *out_low = (uint64_t)product;
  return (uint64_t)(product >> 64);
}

// Encrypts the counter (block, 0, 0, 0) under (key, 0) in ten rounds. Multipliers and Weyl
// constants: Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, SC'11.
static void next_block(philox *stream) {
  uint64_t key0 = stream->key, key1 = 0;
  uint64_t *x = stream->word;
  x[0] = ++stream->block;
  x[1] = x[2] = x[3] = 0;
  for (int round = 0; round < 10; round++) {
    uint64_t low0, low1;
    uint64_t high0 = multiply(UINT64_C(0xD2E7470EE14C6C93), x[0], &low0);
    uint64_t high1 = multiply(UINT64_C(0xCA5A826395121157), x[2], &low1);
    x[0] = high1 ^ x[1] ^ key0;
    x[1] = low1;
    x[2] = high0 ^ x[3] ^ key1;
    x[3] = low0;
    key0 += UINT64_C(0x9E3779B97F4A7C15);
    key1 += UINT64_C(0xBB67AE8584CAA73B);
  }
  stream->used = 0;
}

static uint64_t next_word(philox *stream) {
  if (stream->used == 4)
    next_block(stream);
  return stream->word[stream->used++];
}

static bool is_int(const char *data) {
  assert(strcmp(data, "int") == 0 || strcmp(data, "real") == 0);
  return strcmp(data, "int") == 0;
}

static uint64_t hash_more(uint64_t hash, const char *string) {
  return assay_hash_bytes(hash, string, strlen(string));
}

// The hash of "LINE data=DATA " and what follows, without joining the strings.
static uint64_t hash_name(const char *case_line, const char *data, const char *rest) {
  uint64_t hash = hash_more(hash_more(ASSAY_HASH_START, case_line), " data=");
  return hash_more(hash_more(hash_more(hash, data), " "), rest);
}

// An element of a floating dtype from its word, exact in it: small whole numbers, the same in every
// dtype, or full mantissas in [-1, 1).
static double number_of(uint64_t word, assay_dtype dtype, bool whole) {
  if (whole)
    return (int)(word % 17) - 8;
  switch (dtype) {
  case ASSAY_F16:
    return (double)(word >> 53) * 0x1p-10 - 1;
  case ASSAY_F32:
    return (double)(word >> 40) * 0x1p-23 - 1;
  default:
    return (double)(word >> 11) * 0x1p-52 - 1;
  }
}

// What the key `values` does to the elements of the argument x. number: in row-major order; first:
// its row's first element.
typedef double (*transformation)(double element, double first, size_t number);

static double plain(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return element;
}

static double positive(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return fabs(element);
}

static double constant(double element, double first, size_t number) {
  (void)element;
  (void)number;
  return first;
}

static double masked(double element, double first, size_t number) {
  (void)element;
  (void)first;
  (void)number;
  return -1e10;
}

static double lanes(double element, double first, size_t number) {
  (void)first;
  static const double lane[] = {0, NAN, 0, INFINITY, 0, -INFINITY, 0, 0};
  return lane[number % 8] != 0 ? lane[number % 8] : element;
}

// Below zero, in integer dtypes too.
static double negative(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return element < 0 ? element : -1 - element;
}

static double wide(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return element * 0x1p4;
}

static double large(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return element * 0x1p14;
}

static double huge(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return element * 0x1p100;
}

static double small(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return element * 0x1p-40;
}

static double offset(double element, double first, size_t number) {
  (void)first;
  (void)number;
  return rint(element * 8) * 0x1p-4 + 10000;
}

static const struct {
  const char *name;
  transformation transform;
} transformations[] = {
    {"positive", positive}, {"constant", constant}, {"masked", masked}, {"lanes", lanes},
    {"negative", negative}, {"wide", wide},         {"large", large},   {"huge", huge},
    {"small", small},       {"offset", offset},
};

// The transformation that the line asks for; plain where it asks for none.
static transformation find_transformation(const char *case_line, const char *argument) {
  const char *values = strstr(case_line, " values=");
  if (values == NULL || strcmp(argument, "x") != 0)
    return plain;
  values += strlen(" values=");
  size_t length = strcspn(values, " ");
  for (size_t i = 0; i < sizeof transformations / sizeof transformations[0]; i++)
    if (strlen(transformations[i].name) == length &&
        strncmp(transformations[i].name, values, length) == 0)
      return transformations[i].transform;
  return plain;
}

// The factor that keeps what a weight matrix of so many rows makes of order 1: 2^-s, s half the
// logarithm of rows, both rounded up; and 2^-3 for data "int".
static double weight_factor(const char *argument, const assay_shape *shape, bool whole) {
  static const char suffix[] = "_weight";
  size_t length = strlen(argument);
  if (length < strlen(suffix) || strcmp(argument + length - strlen(suffix), suffix) != 0)
    return 1;
  int bits = 0;
  for (int64_t rest = shape->dim[0] - 1; rest > 0; rest >>= 1)
    bits++;
  return ldexp(1, -((bits + 1) / 2 + (whole ? 3 : 0)));
}

static void store(const assay_buffer *buffer, size_t number, double element) {
  switch (buffer->dtype) {
  case ASSAY_F16:
    ((uint16_t *)buffer->data)[number] = assay_half_bits(element);
    break;
  case ASSAY_F32:
    ((float *)buffer->data)[number] = (float)element;
    break;
  default:
    ((double *)buffer->data)[number] = element;
  }
}

// An element of an integer dtype or of bool; data "real": over the dtype's full range.
static void store_whole(const assay_buffer *buffer, size_t number, uint64_t word, bool whole,
                        bool below_zero) {
  uint64_t element = whole ? (uint64_t)((int)(word % 17) - 8) : word;
  uint64_t sign = UINT64_C(1) << (buffer->dtype == ASSAY_I32 ? 31 : 63);
  if (below_zero && !(element & sign))
    element = ~element; // -1 - element
  switch (buffer->dtype) {
  case ASSAY_BOOL:
    ((uint8_t *)buffer->data)[number] = (uint8_t)(word >> 63);
    break;
  case ASSAY_I32:
    ((uint32_t *)buffer->data)[number] = (uint32_t)element;
    break;
  default:
    ((uint64_t *)buffer->data)[number] = element;
  }
}

void assay_data_fill(const char *case_line, const char *data, const char *argument,
                     const assay_buffer *buffer) {
  philox stream = open_stream(hash_more(hash_name(case_line, data, "arg="), argument));
  size_t count = (size_t)assay_shape_count(&buffer->shape);
  bool floating = assay_dtype_get(buffer->dtype)->floating, whole = is_int(data);
  transformation transform = find_transformation(case_line, argument);
  double factor = floating ? weight_factor(argument, &buffer->shape, whole) : 1, first = 0;
  int rank = buffer->shape.rank;
  size_t columns = rank > 0 ? (size_t)buffer->shape.dim[rank - 1] : 1;
  for (size_t i = 0; i < count; i++) {
    uint64_t word = next_word(&stream);
    if (!floating) {
      store_whole(buffer, i, word, whole, transform == negative);
      continue;
    }
    double element = number_of(word, buffer->dtype, whole) * factor;
    first = i % columns == 0 ? element : first;
    store(buffer, i, transform(element, first, i));
  }
}

void assay_data_probe(const char *case_line, const char *data, const char *probe, int result,
                      bool whole, size_t count, double out_weights[]) {
  char name[64];
  snprintf(name, sizeof name, "probe=%s result=%d", probe, result);
  philox stream = open_stream(hash_name(case_line, data, name));
  whole = whole || is_int(data);
  for (size_t i = 0; i < count; i++) {
    uint64_t word = next_word(&stream);
    double weight = whole ? (double)((word >> 1) % 15 + 1) : 0.5 + (double)(word >> 12) * 0x1p-53;
    out_weights[i] = word & 1 ? -weight : weight;
  }
}
