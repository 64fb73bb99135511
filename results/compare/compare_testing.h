// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of comparisons share: records, and what is found of them.
#ifndef ASSAY_RESULTS_COMPARE_COMPARE_TESTING_H
#define ASSAY_RESULTS_COMPARE_COMPARE_TESTING_H

#include "results/compare/compare.h"
#include "results/compare/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 24 };

static const assay_environment machine = {.cpu = "CPU",
                                          .llvm = "22.1.8",
                                          .blas = "libopenblas.so.0",
                                          .blas_core = "Zen",
                                          .peak_gflops_f32 = 50,
                                          .peak_gflops_f64 = 25,
                                          .peak_gbs = 10};

static inline int compare_set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static inline int compare_tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

static inline assay_record verdict(const char *key, assay_verdict verdict, double margin) {
  return (assay_record){.kind = ASSAY_RECORD_RUN,
                        .key = key,
                        .op = "op",
                        .backend = "blas",
                        .data = "real",
                        .verdict = verdict,
                        .margin = margin,
                        .environment = &machine};
}

// Noise of about 1 % that is the same each time, times `factor`; phase: another noise.
static inline assay_record bench(assay_arena *arena, const char *key, double factor, int phase) {
  double *samples = assay_arena_take(arena, SAMPLES, sizeof *samples);
  for (int i = 0; i < SAMPLES; i++)
    samples[i] = 1e-3 * factor * (1 + 0.01 * sin(i * 1.7 + phase * 0.9) + 1e-5 * i);
  assay_record record = verdict(key, ASSAY_PASS, NAN);
  record.kind = ASSAY_RECORD_BENCH;
  record.run_samples = samples;
  record.run_sample_count = SAMPLES;
  record.threads = 1;
  return record;
}

static inline const assay_comparison *compare(assay_arena *arena, const assay_record base[],
                                              size_t base_count, const assay_record new[],
                                              size_t new_count, bool paired) {
  assay_error err = {.text = ""};
  const assay_comparison *found = NULL;
  assay_comparison_request request = {
      .base = base, .new = new, .base_count = base_count, .new_count = new_count, .paired = paired};
  assert_int_equal(assay_thresholds_read(arena, NULL, &request.thresholds, &err), ASSAY_OK);
  assert_int_equal(assay_comparison_make(arena, &request, &found, &err), ASSAY_OK);
  return found;
}

static inline const assay_comparison_row *find(const assay_comparison *found, const char *key,
                                               const char *metric) {
  for (size_t i = 0; i < found->count; i++) {
    const assay_comparison_row *row = &found->rows[i];
    if (strcmp((row->new != NULL ? row->new : row->base)->key, key) == 0 &&
        strcmp(row->metric, metric) == 0)
      return row;
  }
  return NULL;
}

static inline void assert_row(const assay_comparison *found, const char *key, const char *metric,
                              assay_change change, bool worse, bool gates) {
  const assay_comparison_row *row = find(found, key, metric);
  assert_non_null(row);
  assert_string_equal(assay_change_name(row->change), assay_change_name(change));
  assert_true(row->worse == worse && row->gates == gates);
}

static inline const char *print(assay_arena *arena, const assay_comparison *found, bool verbose) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assay_comparison_print(stream, arena, found, false, verbose);
  fclose(stream);
  const char *kept = assay_arena_string(arena, text);
  free(text);
  return kept;
}

#endif
