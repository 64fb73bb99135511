// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recorded noise, and comparisons drawn from it.
#ifndef ASSAY_RESULTS_COMPARE_PROOF_NOISE_H
#define ASSAY_RESULTS_COMPARE_PROOF_NOISE_H

#include "results/compare/compare.h"

#include <stdint.h>

// Rounds that stay together: what disturbs a machine lasts longer than one.
enum { ASSAY_NOISE_BLOCK = 4 };

// One case in one recording: seconds of both sides, which ran the same, by round.
typedef struct assay_noise_pairs {
  const char *key;
  const double *base, *new;
  size_t count;
} assay_noise_pairs;

typedef struct assay_noise {
  size_t recordings, cases, least_pairs;
  assay_noise_pairs *pairs; // [recordings][cases]
} assay_noise;

// Reads files in twos: the BASE and the NEW of a recording. ASSAY_INVALID where they do not have
// the same cases, fewer than two recordings are given, or one is too short to be cut.
ASSAY_MUST_USE assay_code assay_noise_read(assay_arena *arena, int count, char *files[],
                                           assay_noise *out_noise, assay_error *err);

typedef enum assay_draw {
  ASSAY_DRAW_PAIRS, // pairs of one recording, the sides of a block swapped by chance
  ASSAY_DRAW_ONE,   // samples of both sides from all of one recording's
  ASSAY_DRAW_TWO,   // each side from a recording of its own
} assay_draw;

// Fills the request's records: every case, or (alone) one of them by chance, with `pairs` samples a
// side (0: as many as recorded); NEW's times are multiplied by planted.
void assay_noise_draw(assay_arena *arena, const assay_noise *noise, assay_draw draw, size_t pairs,
                      bool alone, double planted, uint64_t *random,
                      assay_comparison_request *request);

#endif
