// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/recorder.h"

#include "compiler/tail/heap.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096, LARGE = 512 };

// Compiled programs call by name and carry no context.
static struct {
  assay_shared *shared;
  assay_observed *items;
  int count, capacity;
  int printed;
  bool full;
  assay_record_look *look; // (optional) sees each float where it stands
  unsigned char *chunk;    // for small items, of shared memory
  size_t chunk_left;
} recorder;

void assay_record_open(assay_shared *shared) {
  memset(&recorder, 0, sizeof recorder);
  recorder.shared = shared;
}

void assay_record_watch(assay_record_look *look) {
  recorder.look = look;
}

// Elements where they stand, in their order.
static void look_at(const assay_recorded *what, int dim, const unsigned char *at,
                    int64_t *element) {
  assay_origin_format format = assay_element_format(what->element);
  int parts = what->is_complex ? 2 : 1, pitch = parts * what->bytes;
  if (dim < what->rank) {
    for (int64_t i = 0; i < what->dim[dim]; i++)
      look_at(what, dim + 1, at + i * what->stride[dim] * pitch, element);
    return;
  }
  int index = what->kind == ASSAY_OBSERVED_PRINTED ? recorder.printed : what->index;
  for (int k = 0; k < parts; k++)
    recorder.look((int)what->kind, index, (*element)++, format, at + (ptrdiff_t)k * what->bytes);
}

static void *take(size_t size) {
  if (size > LARGE)
    return assay_shared_take(recorder.shared, size);
  size_t rounded = size == 0 ? 8 : (size + 7) / 8 * 8;
  if (rounded > recorder.chunk_left) {
    recorder.chunk = assay_shared_take(recorder.shared, CHUNK);
    recorder.chunk_left = recorder.chunk == NULL ? 0 : CHUNK;
    if (recorder.chunk == NULL)
      return NULL;
  }
  void *piece = recorder.chunk;
  recorder.chunk += rounded;
  recorder.chunk_left -= rounded;
  return piece;
}

static assay_observed *add_item(void) {
  if (recorder.count == recorder.capacity) {
    int capacity = recorder.capacity == 0 ? 64 : 2 * recorder.capacity;
    assay_observed *items = realloc(recorder.items, (size_t)capacity * sizeof *items);
    if (items == NULL)
      return NULL;
    recorder.items = items;
    recorder.capacity = capacity;
  }
  return &recorder.items[recorder.count++];
}

// Bits of an integer that memory holds but the type has not.
static void mask(unsigned char *data, int64_t count, int bytes, int bits) {
  if (bits == 0 || bits == 8 * bytes)
    return;
  if (bits > 64) { // of the upper half
    data += sizeof(uint64_t);
    bits -= 64;
  }
  uint64_t kept = (UINT64_C(1) << bits) - 1;
  size_t held = bytes > 8 ? 8 : (size_t)bytes;
  for (int64_t i = 0; i < count; i++) {
    uint64_t value = 0;
    memcpy(&value, data + i * bytes, held);
    value &= kept;
    memcpy(data + i * bytes, &value, held);
  }
}

static void copy_strided(unsigned char *to, const unsigned char *from, int rank, const int64_t *dim,
                         const int64_t *stride, int pitch) {
  if (rank == 0) {
    memcpy(to, from, (size_t)pitch);
    return;
  }
  if (rank == 1 && stride[0] == 1) {
    memcpy(to, from, (size_t)(dim[0] * pitch));
    return;
  }
  int64_t inner = pitch;
  for (int i = 1; i < rank; i++)
    inner *= dim[i];
  for (int64_t i = 0; i < dim[0]; i++)
    copy_strided(to + i * inner, from + i * stride[0] * pitch, rank - 1, dim + 1, stride + 1,
                 pitch);
}

void assay_recorder_add(const assay_recorded *what, const void *first) {
  int64_t count = what->is_complex ? 2 : 1;
  for (int i = 0; i < what->rank; i++) {
    if (what->dim[i] < 0 || (what->dim[i] > 0 && count > (INT64_C(1) << 44) / what->dim[i])) {
      recorder.full = true; // a size that no memory could hold
      return;
    }
    count *= what->dim[i];
  }
  unsigned char *data = take((size_t)(count * what->bytes));
  assay_observed *item = data == NULL ? NULL : add_item();
  if (item == NULL) {
    recorder.full = true;
    return;
  }
  int pitch = what->is_complex ? 2 * what->bytes : what->bytes;
  if (count > 0)
    copy_strided(data, first, what->rank, what->dim, what->stride, pitch);
  int64_t element = 0;
  if (recorder.look != NULL)
    look_at(what, 0, first, &element);
  if (what->element == ASSAY_ELEMENT_INTEGER)
    mask(data, count, what->bytes, what->bits);
  *item = (assay_observed){.kind = what->kind,
                           .index = what->kind == ASSAY_OBSERVED_PRINTED ? recorder.printed++
                                                                         : what->index,
                           .element = what->element,
                           .bytes = what->bytes,
                           .rank = what->rank,
                           .count = count,
                           .data = data};
  memcpy(item->dim, what->dim, (size_t)what->rank * sizeof *item->dim);
  if (what->is_complex && item->rank >= 0 && item->rank < ASSAY_OBSERVED_MAX_RANK)
    item->dim[item->rank++] = 2;
}

static int compare_items(const void *a, const void *b) {
  const assay_observed *first = a, *second = b;
  if (first->kind != second->kind)
    return first->kind < second->kind ? -1 : 1;
  return (first->index > second->index) - (first->index < second->index);
}

bool assay_record_close(assay_observation *out_observation) {
  if (recorder.count > 0)
    qsort(recorder.items, (size_t)recorder.count, sizeof *recorder.items, compare_items);
  out_observation->items = assay_shared_copy(recorder.shared, recorder.items,
                                             (size_t)recorder.count * sizeof *recorder.items);
  out_observation->count = out_observation->items == NULL ? 0 : recorder.count;
  return !recorder.full && out_observation->items != NULL;
}

static assay_recorded described(const assay_value_type *type, assay_observed_kind kind, int index) {
  return (assay_recorded){.kind = kind,
                          .index = index,
                          .element = type->element,
                          .bytes = type->bytes,
                          .bits = type->bits,
                          .is_complex = type->is_complex,
                          .rank = type->rank};
}

void assay_record_memory(const assay_argument *argument, assay_observed_kind kind, int index,
                         const void *memory) {
  assay_recorded what = described(&argument->type, kind, index);
  memcpy(what.dim, argument->dim, sizeof what.dim);
  memcpy(what.stride, argument->stride, sizeof what.stride);
  const unsigned char *first = memory;
  assay_recorder_add(&what, first + argument->offset * assay_value_pitch(&argument->type));
}

void assay_recorder_add_descriptor(assay_recorded *what, int64_t rank, const void *descriptor) {
  const assay_descriptor *from = descriptor;
  if (rank < 0 || rank >= ASSAY_OBSERVED_MAX_RANK) {
    recorder.full = true;
    return;
  }
  what->rank = (int)rank;
  memcpy(what->dim, from->numbers, (size_t)rank * sizeof(int64_t));
  memcpy(what->stride, from->numbers + rank, (size_t)rank * sizeof(int64_t));
  int pitch = what->is_complex ? 2 * what->bytes : what->bytes;
  assay_recorder_add(what, (const char *)from->aligned + from->offset * pitch);
}

static void lay_out_densely(assay_recorded *what, const int64_t *dim) {
  int64_t step = 1;
  for (int i = ASSAY_OBSERVED_MAX_RANK - 1; i >= 0; i--)
    if (i < what->rank) {
      what->dim[i] = dim[i];
      what->stride[i] = step;
      step *= dim[i];
    }
}

// A bare pointer is that of the allocation; the elements begin at the alignment that was added to
// its size.
static const void *aligned_in_block(const void *pointer, size_t bytes) {
  assay_heap_block block;
  if (!assay_heap_find(pointer, &block) || block.start != pointer || block.size <= bytes)
    return pointer;
  size_t alignment = block.size - bytes;
  if ((alignment & (alignment - 1)) != 0)
    return pointer;
  return (const void *)(((uintptr_t)pointer + alignment - 1) / alignment * alignment);
}

void assay_record_result(const assay_result *result, int index, const void *pointer) {
  assay_recorded what = described(&result->type, ASSAY_OBSERVED_RESULT, index);
  int64_t rank;
  const void *inner;
  switch (result->form) {
  case ASSAY_RESULT_DENSE:
    lay_out_densely(&what, result->type.dim);
    assay_recorder_add(&what, pointer);
    return;
  case ASSAY_RESULT_RANKED:
    assay_recorder_add_descriptor(&what, result->type.rank, pointer);
    return;
  case ASSAY_RESULT_UNRANKED:
    memcpy(&rank, pointer, sizeof rank);
    memcpy(&inner, (const char *)pointer + sizeof rank, sizeof inner);
    assay_recorder_add_descriptor(&what, rank, inner);
    return;
  case ASSAY_RESULT_ALLOCATION:
    break;
  }
  memcpy(&inner, pointer, sizeof inner);
  lay_out_densely(&what, result->type.dim);
  size_t bytes = (size_t)assay_value_pitch(&result->type);
  for (int i = 0; i < what.rank; i++)
    bytes *= (size_t)what.dim[i];
  assay_recorder_add(&what, aligned_in_block(inner, bytes));
}
