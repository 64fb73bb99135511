// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp do together.
#ifndef ASSAY_GPU_SIMULATOR_COLLECTIVE_H
#define ASSAY_GPU_SIMULATOR_COLLECTIVE_H

#include <stdint.h>

typedef enum assay_collect {
  ASSAY_COLLECT_SYNC,        // nothing but memory put in order: bar.warp.sync
  ASSAY_COLLECT_SHUFFLE_IDX, // value, lane operand, clamp
  ASSAY_COLLECT_SHUFFLE_UP,
  ASSAY_COLLECT_SHUFFLE_DOWN,
  ASSAY_COLLECT_SHUFFLE_BFLY,
  ASSAY_COLLECT_VOTE_ALL, // value: a bit
  ASSAY_COLLECT_VOTE_ANY,
  ASSAY_COLLECT_VOTE_UNI,
  ASSAY_COLLECT_VOTE_BALLOT,
  ASSAY_COLLECT_REDUX_ADD, // value
  ASSAY_COLLECT_REDUX_UMIN,
  ASSAY_COLLECT_REDUX_UMAX,
  ASSAY_COLLECT_REDUX_MIN,
  ASSAY_COLLECT_REDUX_MAX,
  ASSAY_COLLECT_REDUX_AND,
  ASSAY_COLLECT_REDUX_OR,
  ASSAY_COLLECT_REDUX_XOR,
  ASSAY_COLLECT_MATCH_ANY, // low and high word
  ASSAY_COLLECT_MATCH_ALL,
  ASSAY_COLLECT_MMA_TF32_K4, // fragments as PTX lays them out
  ASSAY_COLLECT_MMA_TF32_K8,
  ASSAY_COLLECT_MMA_F64_K4,
  ASSAY_COLLECT_COUNT
} assay_collect;

enum { ASSAY_COLLECT_WORDS = 20, ASSAY_WARP = 32 };

// What one lane brings and gets.
typedef struct assay_lane {
  uint32_t in[ASSAY_COLLECT_WORDS];
  uint32_t out[8]; // out[0]: the value, out[1]: the predicate of shuffles and matches
} assay_lane;

// "shfl.sync.bfly"
const char *assay_collect_name(assay_collect kind);

// Computes out of each lane of the mask from in of all of them. lanes[i] is lane i; those outside
// of the mask are not looked at, but for a source lane that a shuffle names, whose value is
// undefined in PTX: the lane gets 0xffffffff.
void assay_collect_compute(assay_collect kind, uint32_t mask, assay_lane *const lanes[]);

#endif
