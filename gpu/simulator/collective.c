// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/collective.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const char *assay_collect_name(assay_collect kind) {
  static const char *const names[] = {
      "bar.warp.sync",   "shfl.sync.idx",   "shfl.sync.up",   "shfl.sync.down", "shfl.sync.bfly",
      "vote.all",        "vote.any",        "vote.uni",       "vote.ballot",    "redux.sync.add",
      "redux.sync.umin", "redux.sync.umax", "redux.sync.min", "redux.sync.max", "redux.sync.and",
      "redux.sync.or",   "redux.sync.xor",  "match.any",      "match.all",      "mma.m16n8k4",
      "mma.m16n8k8",     "mma.m8n8k4"};
  return names[kind];
}

// PTX ISA, shfl.sync: b is the lane, delta or mask; c holds the clamp and the segment's mask.
static void shuffle(assay_collect kind, uint32_t mask, int self, assay_lane *const lanes[]) {
  uint32_t b = lanes[self]->in[1] & 31, c = lanes[self]->in[2];
  uint32_t segment = (c >> 8) & 31, clamp = c & 31, lane = (uint32_t)self;
  int max = (int)((lane & segment) | (clamp & ~segment));
  int min = (int)(lane & segment), from = 0;
  bool valid = false;
  switch (kind) {
  case ASSAY_COLLECT_SHUFFLE_UP:
    from = self - (int)b;
    valid = from >= max;
    break;
  case ASSAY_COLLECT_SHUFFLE_DOWN:
    from = self + (int)b;
    valid = from <= max;
    break;
  case ASSAY_COLLECT_SHUFFLE_BFLY:
    from = self ^ (int)b;
    valid = from <= max;
    break;
  default:
    from = min | (int)(b & ~segment);
    valid = from <= max;
    break;
  }
  if (!valid)
    from = self;
  lanes[self]->out[0] = (mask >> from & 1) != 0 ? lanes[from]->in[0] : UINT32_MAX;
  lanes[self]->out[1] = valid;
}

static uint32_t reduce(assay_collect kind, uint32_t a, uint32_t b) {
  switch (kind) {
  case ASSAY_COLLECT_REDUX_ADD:
    return a + b;
  case ASSAY_COLLECT_REDUX_UMIN:
    return a < b ? a : b;
  case ASSAY_COLLECT_REDUX_UMAX:
    return a > b ? a : b;
  case ASSAY_COLLECT_REDUX_MIN:
    return (int32_t)a < (int32_t)b ? a : b;
  case ASSAY_COLLECT_REDUX_MAX:
    return (int32_t)a > (int32_t)b ? a : b;
  case ASSAY_COLLECT_REDUX_AND:
    return a & b;
  case ASSAY_COLLECT_REDUX_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

// What all lanes of the mask get alike: a vote or a reduction.
static uint32_t common(assay_collect kind, uint32_t mask, assay_lane *const lanes[]) {
  uint32_t ballot = 0, reduced = 0;
  bool first = true;
  for (int i = 0; i < ASSAY_WARP; i++) {
    if ((mask >> i & 1) == 0)
      continue;
    uint32_t value = lanes[i]->in[0];
    ballot |= (value & 1) << i;
    reduced = first ? value : reduce(kind, reduced, value);
    first = false;
  }
  switch (kind) {
  case ASSAY_COLLECT_VOTE_ALL:
    return ballot == mask;
  case ASSAY_COLLECT_VOTE_ANY:
    return ballot != 0;
  case ASSAY_COLLECT_VOTE_UNI:
    return ballot == mask || ballot == 0;
  case ASSAY_COLLECT_VOTE_BALLOT:
    return ballot;
  default:
    return reduced;
  }
}

static void match(assay_collect kind, uint32_t mask, int self, assay_lane *const lanes[]) {
  uint32_t same = 0;
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((mask >> i & 1) != 0 && memcmp(lanes[i]->in, lanes[self]->in, 8) == 0)
      same |= 1U << i;
  bool all = same == mask;
  lanes[self]->out[0] = kind == ASSAY_COLLECT_MATCH_ANY || all ? same : 0;
  lanes[self]->out[1] = all;
}

// Tensor cores read the upper 19 bits of a tf32.
static float tf32(uint32_t bits) {
  float value;
  bits &= 0xffffe000U;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// PTX ISA, fragments of mma.m16n8k4 and m16n8k8 of tf32: lane = 4 * group + place. A holds rows
// group and group + 8 of column place (and place + 4); B rows place (and place + 4) of column
// group; C rows group and group + 8 of columns 2 * place and the next one.
static void multiply_tf32(int depth, int self, assay_lane *const lanes[]) {
  int group = self / 4, place = self % 4, a_count = depth / 2;
  for (int i = 0; i < 4; i++) {
    int row = group + i / 2 * 8, column = place * 2 + i % 2;
    float c;
    memcpy(&c, &lanes[self]->in[a_count + depth / 4 + i], sizeof c);
    double sum = c;
    for (int k = 0; k < depth; k++) {
      uint32_t a = lanes[row % 8 * 4 + k % 4]->in[row / 8 + k / 4 * 2];
      uint32_t b = lanes[column * 4 + k % 4]->in[a_count + k / 4];
      sum += (double)tf32(a) * tf32(b);
    }
    float result = (float)sum;
    memcpy(&lanes[self]->out[i], &result, sizeof result);
  }
}

// mma.m8n8k4 of f64: A row group, column place; B row place, column group; C row group, columns
// 2 * place and the next one.
static void multiply_f64(int self, assay_lane *const lanes[]) {
  int group = self / 4, place = self % 4;
  for (int i = 0; i < 2; i++) {
    double sum, a, b;
    memcpy(&sum, &lanes[self]->in[4 + i * 2], sizeof sum);
    for (int k = 0; k < 4; k++) {
      memcpy(&a, &lanes[group * 4 + k]->in[0], sizeof a);
      memcpy(&b, &lanes[(place * 2 + i) * 4 + k]->in[2], sizeof b);
      sum += a * b;
    }
    memcpy(&lanes[self]->out[i * 2], &sum, sizeof sum);
  }
}

static void compute_lane(assay_collect kind, uint32_t mask, int self, assay_lane *const lanes[]) {
  switch (kind) {
  case ASSAY_COLLECT_SYNC:
    break;
  case ASSAY_COLLECT_SHUFFLE_IDX:
  case ASSAY_COLLECT_SHUFFLE_UP:
  case ASSAY_COLLECT_SHUFFLE_DOWN:
  case ASSAY_COLLECT_SHUFFLE_BFLY:
    shuffle(kind, mask, self, lanes);
    break;
  case ASSAY_COLLECT_MATCH_ANY:
  case ASSAY_COLLECT_MATCH_ALL:
    match(kind, mask, self, lanes);
    break;
  case ASSAY_COLLECT_MMA_TF32_K4:
    multiply_tf32(4, self, lanes);
    break;
  case ASSAY_COLLECT_MMA_TF32_K8:
    multiply_tf32(8, self, lanes);
    break;
  case ASSAY_COLLECT_MMA_F64_K4:
    multiply_f64(self, lanes);
    break;
  default:
    lanes[self]->out[0] = common(kind, mask, lanes);
    break;
  }
}

void assay_collect_compute(assay_collect kind, uint32_t mask, assay_lane *const lanes[]) {
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((mask >> i & 1) != 0)
      compute_lane(kind, mask, i, lanes);
}
