// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/guard.h"

#include <stdlib.h>
#include <string.h>

// A canary holds whole elements of any dtype and is wide enough for a short row written too far.
enum { ALIGNMENT = 64, CANARY = 4096 };

// Bits of one poisoned element, by dtype and round.
static const uint64_t poison[ASSAY_DTYPE_COUNT][2] = {
    [ASSAY_F32] = {UINT64_C(0xffe5c3a5), UINT64_C(0x7fda3c5b)}, // quiet NaNs
    [ASSAY_F64] = {UINT64_C(0xfffda5c31e87d2b5), UINT64_C(0x7ffe5a3ce1782d4b)},
    [ASSAY_F16] = {UINT64_C(0xfea5), UINT64_C(0x7e5b)},
    [ASSAY_I32] = {UINT64_C(0xa5c31e87), UINT64_C(0x5a3ce179)},
    [ASSAY_I64] = {UINT64_C(0xa5c31e87d2b4f697), UINT64_C(0x5a3ce1782d4b0969)},
    [ASSAY_BOOL] = {UINT64_C(0xa5), UINT64_C(0x5a)}, // neither 0 nor 1
};

static unsigned char *elements(const assay_guarded *guarded) {
  return guarded->buffer.data;
}

static size_t element_size(const assay_guarded *guarded) {
  return assay_dtype_get(guarded->buffer.dtype)->size;
}

static void fill(unsigned char *bytes, size_t size, assay_dtype dtype, int round) {
  size_t width = assay_dtype_get(dtype)->size;
  // Little-endian, as the machines Assay runs on: the low bytes come first.
  for (size_t i = 0; i < size; i += width)
    memcpy(bytes + i, &poison[dtype][round], width);
}

assay_code assay_guarded_create(assay_dtype dtype, const assay_shape *shape,
                                assay_guarded *out_guarded, assay_error *err) {
  size_t size = (size_t)assay_shape_count(shape) * assay_dtype_get(dtype)->size;
  size_t whole = (size + 2 * CANARY + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  unsigned char *block = aligned_alloc(ALIGNMENT, whole);
  if (block == NULL)
    return assay_fail(err, ASSAY_FAILED, "out of memory: a tensor of %zu bytes", size);
  *out_guarded =
      (assay_guarded){.buffer = {.data = block + CANARY, .dtype = dtype, .shape = *shape},
                      .block = block,
                      .size = size};
  fill(block, size + 2 * CANARY, dtype, 0);
  return ASSAY_OK;
}

void assay_guarded_destroy(assay_guarded *guarded) {
  free(guarded->block);
  free(guarded->copy);
  *guarded = (assay_guarded){0};
}

void assay_guarded_poison(assay_guarded *guarded, int round) {
  guarded->round = round;
  fill(elements(guarded), guarded->size, guarded->buffer.dtype, round);
}

assay_code assay_guarded_seal(assay_guarded *guarded, assay_error *err) {
  if (guarded->copy == NULL)
    guarded->copy = malloc(guarded->size);
  if (guarded->copy == NULL)
    return assay_fail(err, ASSAY_FAILED, "out of memory: a tensor of %zu bytes", guarded->size);
  memcpy(guarded->copy, guarded->buffer.data, guarded->size);
  return ASSAY_OK;
}

int64_t assay_guarded_overrun(const assay_guarded *guarded) {
  unsigned char canary[CANARY];
  fill(canary, CANARY, guarded->buffer.dtype, 0);
  const unsigned char *before = guarded->block, *after = elements(guarded) + guarded->size;
  for (int64_t i = 0; i < CANARY; i++)
    if (after[i] != canary[i])
      return i + 1;
  for (int64_t i = CANARY - 1; i >= 0; i--)
    if (before[i] != canary[i])
      return i - CANARY;
  return 0;
}

// The first element that differs between two arrays of size bytes, or -1.
static int64_t first_difference(const unsigned char *a, const unsigned char *b, size_t size,
                                size_t width) {
  if (memcmp(a, b, size) == 0)
    return -1;
  size_t i = 0;
  while (a[i] == b[i])
    i++;
  return (int64_t)(i / width);
}

int64_t assay_guarded_changed(const assay_guarded *guarded) {
  return first_difference(elements(guarded), guarded->copy, guarded->size, element_size(guarded));
}

int64_t assay_guarded_unwritten(const assay_guarded *first, const assay_guarded *second) {
  size_t width = element_size(first);
  unsigned char poisoned[2][sizeof(uint64_t)];
  fill(poisoned[0], width, first->buffer.dtype, first->round);
  fill(poisoned[1], width, second->buffer.dtype, second->round);
  for (size_t i = 0; i < first->size; i += width)
    if (memcmp(elements(first) + i, poisoned[0], width) == 0 &&
        memcmp(elements(second) + i, poisoned[1], width) == 0)
      return (int64_t)(i / width);
  return -1;
}

int64_t assay_guarded_differs(const assay_guarded *first, const assay_guarded *second) {
  return first_difference(elements(first), elements(second), first->size, element_size(first));
}
