// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/stand_in_memory.h"

#include "compiler/tail/half.h"
#include "compiler/tail/recorder.h"
#include "compiler/tail/heap.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TAKEN = 1 << 16 }; // elements of one memref

static assay_element element_of(const char *name, size_t length) {
  static const struct {
    const char *name;
    assay_element element;
  } known[] = {{"f16", ASSAY_ELEMENT_F16},
               {"bf16", ASSAY_ELEMENT_BF16},
               {"f32", ASSAY_ELEMENT_F32},
               {"f64", ASSAY_ELEMENT_F64}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
      return known[i].element;
  return ASSAY_ELEMENT_INTEGER;
}

static const char *read_shape(const char *at, assay_given *given) {
  given->is_static = true;
  if (*at == '-')
    return at + 1;
  while (*at != ' ' && *at != '\0') {
    char *end = (char *)(uintptr_t)at;
    int64_t size = *at == '?' ? -1 : strtoll(at, &end, 10);
    at = *at == '?' ? at + 1 : end;
    if (given->rank < ASSAY_OBSERVED_MAX_RANK)
      given->dim[given->rank++] = size;
    given->is_static = given->is_static && size >= 0;
    at += *at == 'x';
  }
  return at;
}

const char *assay_given_read(const char *text, assay_given *out_given) {
  *out_given = (assay_given){.form = ASSAY_GIVEN_OTHER};
  if (*text == '\0')
    return NULL;
  char word = *text++;
  if (word == 'u')
    out_given->form = ASSAY_GIVEN_UNRANKED;
  if (word == 'm' || word == 'r') {
    text++;
    size_t length = strcspn(text, " ");
    out_given->element = element_of(text, length);
    out_given->form = word == 'm' ? ASSAY_GIVEN_FLOATS : ASSAY_GIVEN_MEMORY;
    text = read_shape(text + length + 1, out_given);
  }
  return text + strspn(text, " ");
}

static double value_of(assay_element element, const void *at) {
  assay_observed item = {.element = element, .data = (void *)(uintptr_t)at};
  return assay_observed_value(&item, 0);
}

static void put(assay_element element, double value, void *at) {
  float single = (float)value;
  uint16_t half = element == ASSAY_ELEMENT_F16 ? assay_half_from_double(value)
                                               : assay_bfloat_from_double(value);
  if (element == ASSAY_ELEMENT_F64)
    memcpy(at, &value, sizeof value);
  else if (element == ASSAY_ELEMENT_F32)
    memcpy(at, &single, sizeof single);
  else
    memcpy(at, &half, sizeof half);
}

static int bytes_of(assay_element element) {
  return element == ASSAY_ELEMENT_F64 ? 8 : element == ASSAY_ELEMENT_F32 ? 4 : 2;
}

// The first element of a memref that lies apart, row-major number i.
static char *place(const assay_descriptor *memref, int64_t rank, int64_t i, int bytes) {
  int64_t at = memref->offset;
  for (int64_t d = rank; d-- > 0;) {
    at += i % memref->numbers[d] * memref->numbers[rank + d];
    i /= memref->numbers[d];
  }
  return (char *)memref->aligned + at * bytes;
}

// What nobody wrote is nothing to show: the function may be there to write it.
static bool is_unwritten(const char *at, int bytes) {
  return assay_heap_is_fresh(at, (size_t)bytes);
}

static double made_up(int64_t i) {
  return (double)(i * 5 % 7 + 1);
}

static void take_down(assay_element element, int64_t rank, const assay_descriptor *memref,
                      int64_t count) {
  int bytes = bytes_of(element);
  char *copy = calloc((size_t)count + 1, (size_t)bytes);
  assay_recorded what = {
      .kind = ASSAY_OBSERVED_PRINTED, .element = element, .bytes = bytes, .rank = (int)rank};
  int64_t stride = 1;
  for (int64_t d = rank; d-- > 0;) {
    what.dim[d] = memref->numbers[d];
    what.stride[d] = stride;
    stride *= what.dim[d];
  }
  for (int64_t i = 0; copy != NULL && i < count; i++) {
    const char *from = place(memref, rank, i, bytes);
    if (!is_unwritten(from, bytes))
      memcpy(copy + i * bytes, from, (size_t)bytes);
  }
  if (copy != NULL)
    assay_recorder_add(&what, copy);
  free(copy);
}

void assay_stand_in_memory(int64_t element, int64_t rank, void *descriptor) {
  const assay_descriptor *memref = descriptor;
  int bytes = bytes_of((assay_element)element);
  int64_t count = 1;
  if (rank < 0 || rank >= ASSAY_OBSERVED_MAX_RANK)
    return;
  for (int64_t d = 0; d < rank; d++)
    count *= memref->numbers[d];
  if (assay_stand_in_is_taken() && count >= 0 && count <= MOST_TAKEN)
    take_down((assay_element)element, rank, memref, count);
  for (int64_t i = 0; i < count; i++) {
    char *at = place(memref, rank, i, bytes);
    double value = is_unwritten(at, bytes) ? made_up(i) : -value_of((assay_element)element, at);
    put((assay_element)element, value, at);
  }
}
