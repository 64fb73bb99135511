// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/proof/noise.h"

#include "results/compare/join.h"

#include <math.h>

static assay_code read_records(assay_arena *arena, const char *path, assay_record **out_records,
                               size_t *out_count, assay_error *err) {
  assay_file file;
  size_t size;
  TRY(assay_file_read(arena, path, &file, err));
  return assay_records_read(arena, &file, out_records, out_count, &size, err);
}

static bool is_usable(const assay_joined *joined) {
  return joined->base != NULL && joined->new != NULL && joined->base->run_sample_count > 0 &&
         joined->base->run_sample_count == joined->new->run_sample_count;
}

static assay_code read_recording(assay_arena *arena, char *files[2], assay_noise_pairs **out_pairs,
                                 size_t *out_count, assay_error *err) {
  assay_record *base, *new;
  size_t base_count, new_count, joined_count, count = 0;
  TRY(read_records(arena, files[0], &base, &base_count, err));
  TRY(read_records(arena, files[1], &new, &new_count, err));
  const assay_joined *joined = assay_join(arena, base, base_count, new, new_count, &joined_count);
  assay_noise_pairs *pairs = assay_arena_take(arena, joined_count, sizeof *pairs);
  for (size_t i = 0; i < joined_count; i++) {
    if (!is_usable(&joined[i]))
      continue;
    size_t rounds = joined[i].base->run_sample_count;
    if (rounds < 2 * (size_t)ASSAY_NOISE_BLOCK)
      return assay_fail_at(err, ASSAY_INVALID, files[0], 0, 0, "expected %d rounds or more of '%s'",
                           2 * ASSAY_NOISE_BLOCK, joined[i].base->key);
    pairs[count++] = (assay_noise_pairs){joined[i].base->key, joined[i].base->run_samples,
                                         joined[i].new->run_samples, rounds};
  }
  *out_pairs = pairs;
  *out_count = count;
  return ASSAY_OK;
}

assay_code assay_noise_read(assay_arena *arena, int count, char *files[], assay_noise *out_noise,
                            assay_error *err) {
  assay_noise noise = {.recordings = (size_t)count / 2, .least_pairs = SIZE_MAX};
  if (noise.recordings < 2)
    return assay_fail(err, ASSAY_INVALID, "expected two recordings or more");
  for (size_t i = 0; i < noise.recordings; i++) {
    assay_noise_pairs *pairs = NULL;
    size_t cases = 0;
    TRY(read_recording(arena, files + 2 * i, &pairs, &cases, err));
    if (i == 0) {
      noise.cases = cases;
      noise.pairs = assay_arena_take(arena, noise.recordings * cases, sizeof *noise.pairs);
    }
    if (cases != noise.cases || cases == 0)
      return assay_fail_at(err, ASSAY_INVALID, files[2 * i], 0, 0,
                           "expected the %zu timed cases of the first recording, found %zu",
                           noise.cases, cases);
    for (size_t k = 0; k < cases; k++) {
      noise.pairs[i * cases + k] = pairs[k];
      if (pairs[k].count < noise.least_pairs)
        noise.least_pairs = pairs[k].count;
    }
  }
  *out_noise = noise;
  return ASSAY_OK;
}

// Knuth's MMIX generator, its upper bits: repeatable everywhere.
static size_t below(uint64_t *random, size_t count) {
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)(*random >> 33) % count;
}

// Blocks of rounds, each with its sides as they were or swapped.
static void draw_pairs(const assay_noise_pairs *from, size_t pairs, uint64_t *random, double *base,
                       double *new) {
  static const size_t block = ASSAY_NOISE_BLOCK;
  for (size_t i = 0; i < pairs; i += block) {
    size_t start = below(random, from->count - block + 1);
    bool swapped = below(random, 2) != 0;
    for (size_t k = 0; k < block && i + k < pairs; k++) {
      base[i + k] = swapped ? from->new[start + k] : from->base[start + k];
      new[i + k] = swapped ? from->base[start + k] : from->new[start + k];
    }
  }
}

// Blocks of rounds, of each the samples of one side, by chance.
static void draw_samples(const assay_noise_pairs *from, size_t count, uint64_t *random,
                         double *into) {
  static const size_t block = ASSAY_NOISE_BLOCK;
  for (size_t i = 0; i < count; i += block) {
    size_t start = below(random, from->count - block + 1);
    const double *side = below(random, 2) != 0 ? from->new : from->base;
    for (size_t k = 0; k < block && i + k < count; k++)
      into[i + k] = side[start + k];
  }
}

static assay_record record_of(const assay_noise_pairs *pairs, const double *samples, size_t count) {
  return (assay_record){.kind = ASSAY_RECORD_BENCH,
                        .key = pairs->key,
                        .line = pairs->key,
                        .op = "",
                        .backend = "",
                        .data = "",
                        .margin = NAN,
                        .run_samples = samples,
                        .run_sample_count = count};
}

void assay_noise_draw(assay_arena *arena, const assay_noise *noise, assay_draw draw, size_t pairs,
                      bool alone, double planted, uint64_t *random,
                      assay_comparison_request *request) {
  size_t first = below(random, noise->recordings), cases = alone ? 1 : noise->cases;
  size_t other = (first + 1 + below(random, noise->recordings - 1)) % noise->recordings;
  size_t second = draw == ASSAY_DRAW_TWO ? other : first;
  size_t start = alone ? below(random, noise->cases) : 0;
  assay_record *base = assay_arena_take(arena, cases, sizeof *base);
  assay_record *new = assay_arena_take(arena, cases, sizeof *new);
  for (size_t i = 0; i < cases; i++) {
    const assay_noise_pairs *of_base = &noise->pairs[first * noise->cases + start + i];
    const assay_noise_pairs *of_new = &noise->pairs[second * noise->cases + start + i];
    size_t count = pairs > 0 ? pairs : of_base->count;
    double *old = assay_arena_take(arena, count, sizeof *old);
    double *now = assay_arena_take(arena, count, sizeof *now);
    if (draw == ASSAY_DRAW_PAIRS) {
      draw_pairs(of_base, count, random, old, now);
    } else {
      draw_samples(of_base, count, random, old);
      draw_samples(of_new, count, random, now);
    }
    for (size_t k = 0; k < count; k++)
      now[k] *= planted;
    base[i] = record_of(of_base, old, count);
    new[i] = record_of(of_base, now, count);
  }
  request->base = base;
  request->new = new;
  request->base_count = request->new_count = cases;
}
