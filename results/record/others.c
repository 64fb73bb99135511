// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/others.h"

#include <stdlib.h>

// What is left of an object without the fields that are known; the caller's.
static json_t *rest_of(json_t *object, const char *const known[], size_t count) {
  json_t *rest = json_is_object(object) ? json_copy(object) : json_object();
  for (size_t i = 0; i < count; i++)
    json_object_del(rest, known[i]);
  return rest;
}

static void keep_rest(json_t *in, const char *name, json_t *rest) {
  if (json_object_size(rest) > 0)
    json_object_set(in, name, rest);
  json_decref(rest);
}

const char *assay_record_others(assay_arena *arena, json_t *object) {
  static const char *const known[] = {"schema",
                                      "kind",
                                      "key",
                                      "case",
                                      "op",
                                      "backend",
                                      "data",
                                      "verdict",
                                      "checks",
                                      "reference",
                                      "sampled",
                                      "first_bad",
                                      "nan_origin",
                                      "margin",
                                      "worst",
                                      "seconds_compile",
                                      "seconds_run",
                                      "samples_run",
                                      "samples_compile",
                                      "threads",
                                      "cold",
                                      "clock",
                                      "seconds_upload",
                                      "seconds_download",
                                      "flop",
                                      "bytes",
                                      "passes",
                                      "reason",
                                      "repro",
                                      "origin",
                                      "counters",
                                      "env",
                                      "started"};
  static const char *const environment[] = {
      "cpu",     "llvm",     "blas",  "blas_core",       "cuda",
      "ptxas",   "revision", "assay", "peak_gflops_f32", "peak_gflops_f64",
      "peak_gbs"};
  json_t *rest = rest_of(object, known, sizeof known / sizeof known[0]);
  keep_rest(rest, "env",
            rest_of(json_object_get(object, "env"), environment,
                    sizeof environment / sizeof environment[0]));
  char *text = json_object_size(rest) > 0 ? json_dumps(rest, JSON_COMPACT) : NULL;
  const char *copy = text != NULL ? assay_arena_string(arena, text) : NULL;
  free(text);
  json_decref(rest);
  return copy;
}
