// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/random.h"

#include "suite/compositions.h"
#include "suite/random_pool.h"

#include <inttypes.h>

static made step_unary(builder *it, made x) {
  assay_graph *graph = it->graph;
  if (!is_floating(it, x) && dtype_of(it, x) != ASSAY_BOOL && draw(it, 2) == 0)
    return keep(it,
                draw(it, 2) == 0 ? assay_negative(graph, x.value) : assay_absolute(graph, x.value),
                x.bound);
  x = tame(it, x);
  assay_value one = assay_weak_float(graph, 1), size = assay_absolute(graph, x.value);
  switch (draw(it, 8)) {
  case 0:
    return keep(it, assay_negative(graph, x.value), x.bound);
  case 1:
    return keep(it, size, x.bound);
  case 2: // exp of what is at most 1 in magnitude, or of its softer form
    return x.bound <= 5 ? keep(it, assay_exp(graph, x.value), exp(x.bound))
                        : keep(it, assay_exp(graph, assay_negative(graph, size)), 1);
  case 3:
    return keep(it, assay_log(graph, assay_add(graph, size, one)), log1p(x.bound));
  case 4:
    return keep(it, assay_tanh(graph, x.value), 1);
  case 5:
    return keep(it, assay_sqrt(graph, assay_add(graph, size, one)), sqrt(x.bound + 1));
  case 6:
    return keep(it, assay_rsqrt(graph, assay_add(graph, size, one)), 1);
  default:
    return keep(it, assay_erf(graph, x.value), 1);
  }
}

static assay_value compare(builder *it, assay_value a, assay_value b) {
  switch (draw(it, 6)) {
  case 0:
    return assay_equal(it->graph, a, b);
  case 1:
    return assay_not_equal(it->graph, a, b);
  case 2:
    return assay_less(it->graph, a, b);
  case 3:
    return assay_less_equal(it->graph, a, b);
  case 4:
    return assay_greater(it->graph, a, b);
  default:
    return assay_greater_equal(it->graph, a, b);
  }
}

static made step_binary(builder *it, made x) {
  assay_graph *graph = it->graph;
  x = clean(it, x);
  made y = clean(it, draw_partner(it, x));
  assay_dtype both = assay_dtype_promote(dtype_of(it, x), dtype_of(it, y));
  switch (draw(it, 7)) {
  case 0:
    return keep(it, assay_add(graph, x.value, y.value), x.bound + y.bound);
  case 1:
    if (both == ASSAY_BOOL)
      return keep(it, assay_maximum(graph, x.value, y.value), 1);
    return keep(it, assay_subtract(graph, x.value, y.value), x.bound + y.bound);
  case 2:
    return keep(it, assay_multiply(graph, x.value, y.value), x.bound * y.bound);
  case 3:
    return keep(it, assay_minimum(graph, x.value, y.value), fmax(x.bound, y.bound));
  case 4:
    return keep(it, assay_maximum(graph, x.value, y.value), fmax(x.bound, y.bound));
  case 5: { // by what is at least 1
    x = tame(it, x);
    y = tame(it, y);
    assay_value below =
        assay_add(graph, assay_absolute(graph, y.value), assay_weak_float(graph, 1));
    return keep(it, assay_divide(graph, x.value, below), x.bound);
  }
  default:
    if (both == ASSAY_BOOL)
      return keep(it, assay_multiply(graph, x.value, y.value), 1);
    if (dtype_of(it, x) == ASSAY_BOOL)
      x = tame(it, x);
    return keep(it, assay_power(graph, x.value, assay_weak_int(graph, 2)), x.bound * x.bound);
  }
}

// A condition, and the choice between two values by it.
static made step_choice(builder *it, made x) {
  x = clean(it, x);
  made beside = draw_partner(it, x), other = clean(it, draw_partner(it, x));
  assay_value condition = compare(it, x.value, beside.value);
  assay_shape chosen = assay_value_shape(it->graph, condition), others = shape_of(it, other);
  if (draw(it, 4) == 0 || !broadcasts(&chosen, &others))
    return keep(it, condition, 1);
  return keep(it, assay_where(it->graph, condition, x.value, other.value),
              fmax(x.bound, other.bound));
}

static made step_reduction(builder *it, made x) {
  assay_shape shape = shape_of(it, x);
  if (shape.rank == 0)
    return step_unary(it, x);
  x = clean(it, x);
  int axis = draw(it, shape.rank);
  bool keepdims = draw(it, 2) == 0;
  double count = (double)shape.dim[axis];
  switch (draw(it, 3)) {
  case 0:
    return keep(it, assay_sum(it->graph, x.value, axis, keepdims), count * x.bound);
  case 1:
    return keep(it, assay_mean(it->graph, x.value, axis, keepdims), x.bound);
  default:
    return keep(it, assay_max(it->graph, x.value, axis, keepdims), x.bound);
  }
}

static assay_shape draw_split(builder *it, assay_shape shape) {
  assay_shape split = {0};
  for (int i = 0; i < shape.rank; i++) {
    int64_t size = shape.dim[i], factor = 2 + draw(it, 3);
    bool splits = size % factor == 0 && shape.rank < 4 && draw(it, 2) == 0 && split.rank < 6;
    if (splits)
      split.dim[split.rank++] = factor;
    bool merges = !splits && split.rank > 0 && draw(it, 3) == 0;
    if (merges)
      split.dim[split.rank - 1] *= size;
    else
      split.dim[split.rank++] = splits ? size / factor : size;
  }
  if (draw(it, 4) == 0 && split.rank < 5)
    split.dim[split.rank++] = 1;
  return split;
}

static made step_view(builder *it, made x) {
  assay_shape shape = shape_of(it, x);
  int permutation[ASSAY_MAX_RANK];
  assay_range ranges[ASSAY_MAX_RANK];
  switch (draw(it, 3)) {
  case 0:
    return keep(it, assay_reshape(it->graph, x.value, draw_split(it, shape)), x.bound);
  case 1:
    for (int i = 0; i < shape.rank; i++) {
      int at = draw(it, i + 1);
      if (at < i)
        permutation[i] = permutation[at];
      permutation[at] = i;
    }
    return keep(it, assay_transpose(it->graph, x.value, shape.rank, permutation), x.bound);
  default:
    for (int i = 0; i < shape.rank; i++) {
      int start = draw(it, (int)shape.dim[i]);
      ranges[i] = (assay_range){start, start + 1 + draw(it, (int)shape.dim[i] - start), 1};
      if (draw(it, 2) == 0)
        ranges[i] = (assay_range){0, shape.dim[i], 1};
    }
    return keep(it, assay_slice(it->graph, x.value, shape.rank, ranges), x.bound);
  }
}

static assay_value flip(builder *it, assay_value x, int rank) {
  static const int plain[] = {1, 0}, batched[] = {0, 2, 1};
  return assay_transpose(it->graph, x, rank, rank == 2 ? plain : batched);
}

// x @ w, x @ x^T, and both in batches.
static made step_contraction(builder *it, made x) {
  assay_graph *graph = it->graph;
  assay_shape shape = shape_of(it, x);
  if (shape.rank != 2 && shape.rank != 3) {
    int64_t count = assay_shape_count(&shape), rows = shape.rank > 0 ? shape.dim[0] : 1;
    x = keep(it, assay_reshape(graph, x.value, assay_shape_make(2, rows, count / rows)), x.bound);
    shape = shape_of(it, x);
  }
  x = clean(it, x);
  int rank = shape.rank;
  double depth = (double)shape.dim[rank - 1];
  if (it->inputs == MAX_INPUTS || draw(it, 3) == 0) {
    assay_value other = flip(it, x.value, rank);
    return keep(it,
                rank == 2 ? assay_matmul(graph, x.value, other)
                          : assay_batch_matmul(graph, x.value, other),
                depth * x.bound * x.bound);
  }
  int64_t columns = draw_size(it);
  bool turned = draw(it, 2) == 0;
  assay_shape weight = shape;
  weight.dim[rank - 2] = turned ? columns : shape.dim[rank - 1];
  weight.dim[rank - 1] = turned ? shape.dim[rank - 1] : columns;
  assay_dtype dtype = draw(it, 4) > 0 ? dtype_of(it, x) : draw_dtype(it);
  made w = make_input(it, dtype, weight);
  assay_value right = turned ? flip(it, w.value, rank) : w.value;
  return keep(it,
              rank == 2 ? assay_matmul(graph, x.value, right)
                        : assay_batch_matmul(graph, x.value, right),
              depth * x.bound * w.bound);
}

static made step_composition(builder *it, made x) {
  assay_graph *graph = it->graph;
  assay_shape shape = shape_of(it, x);
  x = tame(it, x);
  int kind = draw(it, 3);
  if (kind == 0 || shape.rank == 0)
    return keep(it, assay_gelu(graph, x.value), x.bound);
  // Of widely spread numbers a softmax is a one among zeros, exact or not as rounding will have it.
  if (kind == 1)
    return keep(it, assay_softmax(graph, x.bound > 16 ? assay_tanh(graph, x.value) : x.value), 1);
  assay_shape last = assay_shape_make(1, shape.dim[shape.rank - 1]);
  made gain = {assay_weak_float(graph, 1), 1}, bias = {assay_weak_float(graph, 0.5), 0.5};
  if (it->inputs + 2 <= MAX_INPUTS) {
    gain = make_input(it, dtype_of(it, x), last);
    bias = make_input(it, dtype_of(it, x), last);
  }
  double spread = sqrt((double)last.dim[0]);
  return keep(it, assay_layer_norm(graph, x.value, gain.value, bias.value),
              spread * gain.bound + bias.bound);
}

static made step_cast(builder *it, made x) {
  assay_dtype to = draw_dtype(it);
  bool whole = !assay_dtype_get(to)->floating;
  if (to == ASSAY_F16 && x.bound > TAME_BOUND)
    x = tame(it, x);
  // A float beyond the integers' range converts to anything; a tanh of 20 is just below a whole
  // number or not, as rounding will have it.
  if (whole && is_floating(it, x)) {
    x = tame(it, x);
    x = keep(it, assay_multiply(it->graph, x.value, assay_weak_float(it->graph, 3.25)),
             3.25 * x.bound);
  }
  return keep(it, assay_cast(it->graph, x.value, to), to == ASSAY_BOOL ? 1 : x.bound);
}

static made step_mask(builder *it, made x) {
  assay_shape shape = shape_of(it, x);
  int rank = shape.rank;
  if (rank < 2 || shape.dim[rank - 1] != shape.dim[rank - 2])
    return step_reduction(it, x);
  x = tame(it, x);
  if (dtype_of(it, x) == ASSAY_F16) // whose largest number is below what hides a token
    return step_composition(it, x);
  assay_value mask = assay_causal_mask(it->graph, shape.dim[rank - 1], dtype_of(it, x));
  return keep(it, assay_softmax(it->graph, assay_add(it->graph, x.value, mask)), 1);
}

typedef made step(builder *it, made x);

static void take_step(builder *it) {
  static step *const steps[] = {step_unary,  step_unary,       step_binary,      step_binary,
                                step_binary, step_choice,      step_reduction,   step_view,
                                step_view,   step_contraction, step_composition, step_cast,
                                step_mask};
  made x = pick(it);
  push(it, steps[draw(it, sizeof steps / sizeof steps[0])](it, x));
}

int assay_random_build(uint64_t seed, int number, assay_graph *graph, assay_value results[]) {
  builder it = {.graph = graph, .state = seed};
  it.state = next(&it) ^ (uint64_t)(unsigned)number * UINT64_C(0xd1342543de82ef95);
  assay_shape shape = {.rank = 1 + draw(&it, 3)};
  for (int i = 0; i < shape.rank; i++)
    shape.dim[i] = draw_size(&it);
  make_input(&it, draw_dtype(&it), shape);
  for (int left = 6 + draw(&it, 11); left > 0; left--)
    take_step(&it);
  // The last one needs most of what was made; others show what is on the way.
  int wanted = 1 + draw(&it, 3), count = 0;
  results[count++] = it.pool[it.count - 1].value;
  while (count < wanted)
    results[count++] = pick(&it).value;
  return count;
}

const char *assay_random_line(assay_arena *arena, uint64_t seed, int number) {
  return assay_arena_format(arena, "random seed=%" PRIu64 " n=%d", seed, number);
}
