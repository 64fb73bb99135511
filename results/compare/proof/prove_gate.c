// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// prove_gate [--rows N] [--seed S] BASE.jsonl NEW.jsonl [BASE.jsonl NEW.jsonl]...: how often a
// comparison cries wolf, and how often it finds what was planted, on recorded noise. README.md says
// what is drawn, and why that is honest. Exits with 1 where a bound is not kept.
#include "results/compare/proof/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct proof_of_gate {
  assay_noise noise;
  const assay_thresholds *thresholds;
  size_t rows; // of each trial
  uint64_t seed;
} proof_of_gate;

// One kind of trial.
typedef struct trial_of_gate {
  const char *name;
  assay_draw draw;
  bool alone;     // each row is a comparison of its own
  double planted; // factor of NEW's times
  size_t pairs;   // 0: as many as were recorded
  size_t most_called;
  double least_found; // of rows; 0: no bound
} trial_of_gate;

typedef struct tally_of_gate {
  size_t rows, slower, faster, unsure;
} tally_of_gate;

static assay_code compare(const proof_of_gate *proof, const trial_of_gate *trial, uint64_t *random,
                          tally_of_gate *into, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  assay_comparison_request request = {.thresholds = proof->thresholds,
                                      .paired = trial->draw == ASSAY_DRAW_PAIRS};
  assay_noise_draw(arena, &proof->noise, trial->draw, trial->pairs, trial->alone, trial->planted,
                   random, &request);
  const assay_comparison *found;
  assay_code code = assay_comparison_make(arena, &request, &found, err);
  if (code == ASSAY_OK) {
    into->rows += found->timings;
    into->slower += found->changes[ASSAY_SLOWER];
    into->faster += found->changes[ASSAY_FASTER];
    into->unsure += found->changes[ASSAY_UNSURE];
  }
  assay_arena_destroy(arena);
  return code;
}

static assay_code run(const proof_of_gate *proof, const trial_of_gate *trial, bool *all_kept,
                      assay_error *err) {
  tally_of_gate tally = {0};
  uint64_t random = proof->seed;
  while (tally.rows < proof->rows)
    TRY(compare(proof, trial, &random, &tally, err));
  bool kept = trial->planted > 1
                  ? (double)tally.slower >= trial->least_found * (double)tally.rows
                  : (tally.slower + tally.faster) * 10000 <= trial->most_called * tally.rows;
  bool bounded = trial->planted > 1 ? trial->least_found > 0 : trial->most_called > 0;
  printf("%-38s %6zu rows: %5zu SLOWER, %4zu FASTER, %5zu UNSURE", trial->name, tally.rows,
         tally.slower, tally.faster, tally.unsure);
  if (trial->planted > 1)
    printf(": %.1f %%%s\n", 100.0 * (double)tally.slower / (double)tally.rows,
           !bounded ? ""
           : kept   ? ", at least 95 %: kept"
                    : ", at least 95 %: NOT KEPT");
  else
    printf("%s\n", !bounded ? "" : kept ? ", at most 10 in 10000: kept" : ": NOT KEPT");
  *all_kept = *all_kept && (kept || !bounded);
  return ASSAY_OK;
}

static const trial_of_gate trials[] = {
    {"A/A, paired, all cases together", ASSAY_DRAW_PAIRS, false, 1, 0, 10, 0},
    {"A/A, paired, each case alone", ASSAY_DRAW_PAIRS, true, 1, 0, 10, 0},
    {"A/A, unpaired, within a recording", ASSAY_DRAW_ONE, false, 1, 0, 10, 0},
    {"A/A, unpaired, between two recordings", ASSAY_DRAW_TWO, false, 1, 0, 10, 0},
    {"+3 %, paired, 20 pairs", ASSAY_DRAW_PAIRS, false, 1.03, 20, 0, 0},
    {"+3 %, paired, 40 pairs", ASSAY_DRAW_PAIRS, false, 1.03, 40, 0, 0},
    {"+3 %, paired, 80 pairs", ASSAY_DRAW_PAIRS, false, 1.03, 80, 0, 0.95},
    {"+10 %, paired, 20 pairs", ASSAY_DRAW_PAIRS, false, 1.10, 20, 0, 0},
    {"+10 %, paired, 40 pairs", ASSAY_DRAW_PAIRS, false, 1.10, 40, 0, 0.95},
    {"+20 %, unpaired, within a recording", ASSAY_DRAW_ONE, false, 1.20, 0, 0, 0},
};

static assay_code prove(assay_arena *arena, int count, char *files[], proof_of_gate *proof,
                        bool *out_kept, assay_error *err) {
  TRY(assay_noise_read(arena, count, files, &proof->noise, err));
  TRY(assay_thresholds_read(arena, NULL, &proof->thresholds, err));
  printf("noise of %zu recordings, %zu cases, %zu pairs or more each; blocks of %d; seed %llu\n",
         proof->noise.recordings, proof->noise.cases, proof->noise.least_pairs, ASSAY_NOISE_BLOCK,
         (unsigned long long)proof->seed);
  *out_kept = true;
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
    TRY(run(proof, &trials[i], out_kept, err));
  return ASSAY_OK;
}

int main(int argc, char *argv[]) {
  proof_of_gate proof = {.rows = 10000, .seed = 1};
  int first = 1;
  for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
    unsigned long long value = strtoull(argv[first + 1], NULL, 10);
    if (strcmp(argv[first], "--rows") == 0)
      proof.rows = (size_t)value;
    else if (strcmp(argv[first], "--seed") == 0)
      proof.seed = value;
    else
      break;
  }
  if (first >= argc || (argc - first) % 2 != 0) {
    fputs("usage: prove_gate [--rows N] [--seed S] BASE.jsonl NEW.jsonl [BASE NEW]...\n", stderr);
    return 2;
  }
  assay_arena *arena = assay_arena_create();
  assay_error err;
  bool kept = false;
  assay_code code = prove(arena, argc - first, argv + first, &proof, &kept, &err);
  if (code != ASSAY_OK)
    fprintf(stderr, "prove_gate: %s%serror: %s\n", err.where, err.where[0] != '\0' ? ": " : "",
            err.text);
  assay_arena_destroy(arena);
  return code != ASSAY_OK ? 2 : kept ? 0 : 1;
}
