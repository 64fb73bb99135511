// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of random.c alone: what a random program is made of while it grows, and its dice.
#ifndef ASSAY_SUITE_RANDOM_POOL_H
#define ASSAY_SUITE_RANDOM_POOL_H

#include "compiler/language/graph.h"

#include <math.h>
#include <stdio.h>

enum { MAX_VALUES = 64, MAX_INPUTS = 10, LARGEST_SIZE = 17, LARGEST_TENSOR = 4096 };

// Arguments of either data set are below 5; i32 and i64 count as what they may wrap to.
static const double INPUT_BOUND = 5, I32_BOUND = 0x1p31, I64_BOUND = 0x1p63;
// Above this a number is brought down before anything is done with it: f16 ends at 65504.
static const double TAME_BOUND = 64;

typedef struct made {
  assay_value value;
  double bound; // of the magnitude of its elements
} made;

typedef struct builder {
  assay_graph *graph;
  uint64_t state;
  made pool[MAX_VALUES]; // all that was made, in order
  int count, inputs;
} builder;

// splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
static inline uint64_t next(builder *it) {
  uint64_t x = it->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

// From 0 to below.
static inline int draw(builder *it, int below) {
  return (int)(next(it) % (uint64_t)below);
}

// Sizes at which vectorising and tiling have something to get wrong, and 1.
static inline int64_t draw_size(builder *it) {
  static const int64_t liked[] = {1, 1, 2, 3, 4, 5, 7, 8, 16, 17};
  enum { LIKED = sizeof liked / sizeof liked[0] };
  return draw(it, 3) == 0 ? 1 + draw(it, LARGEST_SIZE) : liked[draw(it, LIKED)];
}

static inline assay_dtype dtype_of(const builder *it, made x) {
  return assay_value_dtype(it->graph, x.value);
}

static inline assay_shape shape_of(const builder *it, made x) {
  return assay_value_shape(it->graph, x.value);
}

static inline bool is_floating(const builder *it, made x) {
  return assay_dtype_get(dtype_of(it, x))->floating;
}

static inline double natural_bound(assay_dtype dtype) {
  return dtype == ASSAY_BOOL ? 1 : dtype == ASSAY_I32 ? I32_BOUND : I64_BOUND;
}

// What an operation gave: integers wrap, bools are 0 or 1, f16 is never close to its end.
static inline made keep(const builder *it, assay_value value, double bound) {
  assay_dtype dtype = assay_value_dtype(it->graph, value);
  made kept = {.value = value, .bound = bound};
  if (!assay_dtype_get(dtype)->floating && !(bound <= natural_bound(dtype)))
    kept.bound = natural_bound(dtype);
  return kept;
}

static inline made push(builder *it, made x) {
  if (it->count < MAX_VALUES)
    it->pool[it->count++] = x;
  return x;
}

static inline made make_input(builder *it, assay_dtype dtype, assay_shape shape) {
  char name[16];
  snprintf(name, sizeof name, "x%d", it->inputs++);
  return push(it, keep(it, assay_input(it->graph, name, dtype, shape),
                       dtype == ASSAY_BOOL ? 1 : INPUT_BOUND));
}

static inline made draw_constant(builder *it, made beside) {
  assay_dtype dtype = dtype_of(it, beside);
  int whole = 1 + draw(it, 3);
  if (is_floating(it, beside) && draw(it, 2) == 0)
    return (made){assay_weak_float(it->graph, 0.25 * whole), 0.25 * whole};
  if (dtype == ASSAY_BOOL)
    return (made){assay_weak_bool(it->graph, whole > 1), 1};
  if (draw(it, 3) == 0)
    return (made){assay_strong_int(it->graph, dtype, whole), whole};
  return (made){assay_weak_int(it->graph, whole), whole};
}

// Floating, whatever it was: bools and integers by a cast.
static inline made as_floating(builder *it, made x) {
  static const assay_dtype dtypes[] = {ASSAY_F32, ASSAY_F32, ASSAY_F64};
  if (is_floating(it, x))
    return x;
  return keep(it, assay_cast(it->graph, x.value, dtypes[draw(it, 3)]), x.bound);
}

// Floating and at most TAME_BOUND: by tanh, or by what a program would do, division.
static inline made tame(builder *it, made x) {
  x = as_floating(it, x);
  if (x.bound <= TAME_BOUND)
    return x;
  if (dtype_of(it, x) == ASSAY_F16 || x.bound > 1e6 || draw(it, 2) == 0)
    return (made){assay_tanh(it->graph, x.value), 1};
  double divisor = exp2(ceil(log2(x.bound / 4)));
  return (made){assay_divide(it->graph, x.value, assay_weak_float(it->graph, divisor)), 4};
}

// Recent values more often than old ones, so that programs are deep.
static inline made pick(builder *it) {
  int back = draw(it, 3) > 0 ? draw(it, it->count < 3 ? it->count : 3) : draw(it, it->count);
  return it->pool[it->count - 1 - back];
}

// Which of a shape's axes another one has too when both are broadcast together.
static inline bool broadcasts(const assay_shape *a, const assay_shape *b) {
  int64_t count = 1;
  int rank = a->rank > b->rank ? a->rank : b->rank;
  for (int i = 1; i <= rank; i++) {
    int64_t left = i <= a->rank ? a->dim[a->rank - i] : 1;
    int64_t right = i <= b->rank ? b->dim[b->rank - i] : 1;
    if (left != right && left != 1 && right != 1)
      return false;
    count *= left > right ? left : right;
  }
  return count <= LARGEST_TENSOR;
}

static inline assay_dtype draw_dtype(builder *it) {
  static const assay_dtype dtypes[] = {ASSAY_F32, ASSAY_F32, ASSAY_F32, ASSAY_F64,
                                       ASSAY_F16, ASSAY_I32, ASSAY_I64, ASSAY_BOOL};
  return dtypes[draw(it, sizeof dtypes / sizeof dtypes[0])];
}

// Another argument whose shape is x's with axes of size 1, or without the first ones.
static inline made draw_beside(builder *it, made x) {
  assay_shape shape = shape_of(it, x), cut = {0};
  int dropped = shape.rank > 0 ? draw(it, shape.rank + 1) : 0;
  for (int i = draw(it, 2) == 0 ? dropped : 0; i < shape.rank; i++)
    cut.dim[cut.rank++] = draw(it, 4) == 0 ? 1 : shape.dim[i];
  assay_dtype dtype = draw(it, 3) > 0 ? dtype_of(it, x) : draw_dtype(it);
  return make_input(it, dtype, cut);
}

// Something that goes together with x: of the pool, a constant, or a new argument.
static inline made draw_partner(builder *it, made x) {
  assay_shape shape = shape_of(it, x);
  if (draw(it, 4) == 0)
    return draw_constant(it, x);
  for (int tries = 0; tries < 4; tries++) {
    made other = pick(it);
    assay_shape others = shape_of(it, other);
    if (broadcasts(&shape, &others))
      return other;
  }
  return it->inputs < MAX_INPUTS ? draw_beside(it, x) : draw_constant(it, x);
}

static inline made clean(builder *it, made x) {
  return is_floating(it, x) ? tame(it, x) : x;
}

#endif
