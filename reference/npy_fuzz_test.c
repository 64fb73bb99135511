// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutated .npy files: the parser answers each with an error or with a description that the file's
// bytes bear out. Meant for the sanitizers: every mutant is parsed in an allocation of exactly its
// size.
#include "reference/npy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MUTANTS = 200 * 1000, LARGEST = 400, PER_ARENA = 1000 };

// Files to start from: both versions, a plain and a structured dtype.
static const struct {
  int version;
  const char *header;
  size_t data_size;
} seeds[] = {
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }          \n", 24},
    {2, "{'descr': '<i8', 'fortran_order': False, 'shape': (), }\n", 8},
    {1,
     "{'descr': [('data', '|u1'), ('expected', '<f8')], 'fortran_order': False, 'shape': (4,)}\n",
     36},
    {1, "{'shape': (2305843009213693951, 3, 0), 'fortran_order': True, 'descr': '>f8'}\n", 0},
};

// What to write over a few bytes: what the grammar is made of, and the ends of the number ranges.
static const char *const tokens[] = {"'",    "\"",   "(",   ")",  "[",      "]",     ",",
                                     ":",    "{",    "}",   "-1", "True",   "False", "\\",
                                     "\xff", "9999", "0, ", "\n", "shape'", "<f8"};

// xorshift64* (Vigna, An experimental exploration of Marsaglia's xorshift generators, 2016).
static uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t make_seed(size_t number, char *bytes) {
  size_t length = strlen(seeds[number].header);
  size_t start = seeds[number].version == 1 ? 10 : 12;
  memset(bytes, 0, LARGEST);
  snprintf(bytes, LARGEST, "\x93NUMPY");
  bytes[6] = (char)seeds[number].version;
  bytes[8] = (char)length;
  snprintf(bytes + start, LARGEST - start, "%s", seeds[number].header);
  return start + length + seeds[number].data_size;
}

// Changes one to four places: a byte, a token, or the file's size. Its new size.
static size_t mutate(char *bytes, size_t size, uint64_t *random) {
  for (uint64_t changes = next_random(random) % 4 + 1; changes > 0 && size > 0; changes--) {
    size_t place = next_random(random) % size;
    const char *token = tokens[next_random(random) % (sizeof tokens / sizeof tokens[0])];
    switch (next_random(random) % 4) {
    case 0:
      bytes[place] = (char)next_random(random);
      break;
    case 1:
      for (size_t i = 0; token[i] != '\0' && place + i < size; i++)
        bytes[place + i] = token[i];
      break;
    case 2:
      memmove(bytes + place, bytes + place + 1, size - place - 1);
      size--;
      break;
    default:
      size = place;
      break;
    }
  }
  return size;
}

// True where the parser took the file; then what it says of it must be so.
static bool parse_and_check(assay_arena *arena, const char *bytes, size_t size) {
  assay_file file = {.path = "mutant.npy", .bytes = bytes, .size = size};
  assay_npy npy;
  assay_error err = {0};
  if (assay_npy_parse(arena, &file, &npy, &err) != ASSAY_OK) {
    assert_int_equal(err.code, ASSAY_INVALID);
    assert_true(strlen(err.text) > 0);
    return false;
  }
  assert_in_range(npy.rank, 0, ASSAY_NPY_MAX_RANK);
  assert_ptr_equal((const char *)npy.data + npy.data_size, bytes + size);
  assert_null(strchr(npy.descr, '>'));
  int64_t count = 1;
  for (int i = 0; i < npy.rank; i++)
    assert_false(npy.dim[i] < 0 || __builtin_mul_overflow(count, npy.dim[i], &count));
  bool fits = assay_npy_expect(&file, &npy, npy.descr, 4, &err) == ASSAY_OK;
  assert_int_equal(fits, npy.data_size % 4 == 0 && npy.data_size / 4 == (uint64_t)count);
  return true;
}

static void mutants_are_refused_or_understood(void **state) {
  (void)state;
  uint64_t random = 1;
  int taken = 0;
  assay_arena *arena = NULL;
  for (int i = 0; i < MUTANTS; i++) {
    if (i % PER_ARENA == 0) {
      assay_arena_destroy(arena);
      arena = assay_arena_create();
    }
    char bytes[LARGEST];
    size_t size = make_seed((size_t)i % (sizeof seeds / sizeof seeds[0]), bytes);
    size = mutate(bytes, size, &random);
    char *exact = malloc(size > 0 ? size : 1);
    memcpy(exact, bytes, size);
    taken += parse_and_check(arena, exact, size);
    free(exact);
  }
  assay_arena_destroy(arena);
  // Both answers must be exercised: were all refused, nothing above would have been checked.
  assert_in_range(taken, MUTANTS / 100, MUTANTS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mutants_are_refused_or_understood)};
  return cmocka_run_group_tests_name("npy_fuzz", tests, NULL, NULL);
}
