// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reference/GENERATOR.md in C. The NumPy oracle implements the same page on its own.
#include "harness/case/data.h"

#include "compiler/base/text.h"

#include <assert.h>
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

// Element from word; "int": the same small whole numbers in every dtype.
static void fill_int(philox stream, assay_dtype dtype, void *elements, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int number = (int)(next_word(&stream) % 17) - 8;
    switch (dtype) {
    case ASSAY_F32:
      ((float *)elements)[i] = (float)number;
      break;
    case ASSAY_F64:
      ((double *)elements)[i] = number;
      break;
    case ASSAY_I32:
      ((int32_t *)elements)[i] = number;
      break;
    default:
      ((int64_t *)elements)[i] = number;
    }
  }
}

// "real": full mantissas in [-1, 1), and integers over their full range.
static void fill_real(philox stream, assay_dtype dtype, void *elements, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t word = next_word(&stream);
    switch (dtype) {
    case ASSAY_F32:
      ((float *)elements)[i] = (float)(word >> 40) * 0x1p-23f - 1;
      break;
    case ASSAY_F64:
      ((double *)elements)[i] = (double)(word >> 11) * 0x1p-52 - 1;
      break;
    case ASSAY_I32:
      ((uint32_t *)elements)[i] = (uint32_t)word;
      break;
    default:
      ((uint64_t *)elements)[i] = word;
    }
  }
}

void assay_data_fill(const char *case_line, const char *data, const char *argument,
                     const assay_buffer *buffer) {
  uint64_t hash = hash_more(hash_name(case_line, data, "arg="), argument);
  size_t count = (size_t)assay_shape_count(&buffer->shape);
  assert(buffer->dtype < ASSAY_DTYPE_COUNT);
  if (is_int(data))
    fill_int(open_stream(hash), buffer->dtype, buffer->data, count);
  else
    fill_real(open_stream(hash), buffer->dtype, buffer->data, count);
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
