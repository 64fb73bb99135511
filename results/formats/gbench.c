// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gbench: the timings as Google Benchmark's own JSON, which its tools/compare.py reads: one family
// per benchmark record, an entry per sample, and their mean, median, stddev and cv. Samples are
// wall clock, or a device's as the label says, so cpu_time is the same as real_time.
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/format.h"
#include "results/record/json_text.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NS = 1e9; // in a second

static void set(json_t *object, const char *name, json_t *value) {
  if (json_object_set_new(object, name, value) != 0)
    abort(); // out of memory, as in the arena
}

// What entries of one family share.
typedef struct family {
  json_t *entries;
  const assay_record *record;
  const char *name;
  size_t index, repetitions;
} family;

static json_t *start_entry(const family *of, const char *name, const char *type) {
  json_t *entry = json_object();
  set(entry, "name", assay_json_text(name));
  set(entry, "family_index", json_integer((json_int_t)of->index));
  set(entry, "per_family_instance_index", json_integer(0));
  set(entry, "run_name", assay_json_text(of->name));
  set(entry, "run_type", json_string(type));
  set(entry, "repetitions", json_integer((json_int_t)of->repetitions));
  set(entry, "threads", json_integer(of->record->threads > 0 ? of->record->threads : 1));
  if (of->record->clock != NULL)
    set(entry, "label", json_string("device clock"));
  return entry;
}

static void set_time(json_t *entry, double value) {
  set(entry, "real_time", json_real(value));
  set(entry, "cpu_time", json_real(value));
  set(entry, "time_unit", json_string("ns"));
}

// JSON has no place for what is not finite.
static void set_rate(json_t *entry, const char *name, double work, double seconds) {
  if (work > 0 && isfinite(work / seconds))
    set(entry, name, json_real(work / seconds));
}

// Whether a sample is one in nanoseconds, too.
static bool has_place(double seconds) {
  return seconds > 0 && isfinite(seconds * NS);
}

static void add_sample(const family *of, size_t number, double seconds) {
  json_t *entry = start_entry(of, of->name, "iteration");
  set(entry, "repetition_index", json_integer((json_int_t)number));
  set(entry, "iterations", json_integer(1));
  set_time(entry, seconds * NS);
  set_rate(entry, "items_per_second", of->record->flop, seconds);
  set_rate(entry, "bytes_per_second", of->record->bytes, seconds);
  json_array_append_new(of->entries, entry);
}

static void add_aggregate(assay_arena *arena, const family *of, const char *name, double value,
                          bool is_percentage) {
  double shown = is_percentage ? value : value * NS;
  if (!isfinite(shown))
    return;
  json_t *entry = start_entry(of, assay_arena_format(arena, "%s_%s", of->name, name), "aggregate");
  set(entry, "aggregate_name", json_string(name));
  set(entry, "aggregate_unit", json_string(is_percentage ? "percentage" : "time"));
  set(entry, "iterations", json_integer((json_int_t)of->repetitions));
  set_time(entry, shown);
  json_array_append_new(of->entries, entry);
}

static void add_family(assay_arena *arena, json_t *entries, const assay_record *record,
                       size_t *index) {
  double *samples = assay_arena_take(arena, record->run_sample_count, sizeof *samples);
  size_t count = 0;
  for (size_t i = 0; i < record->run_sample_count; i++)
    if (has_place(record->run_samples[i]))
      samples[count++] = record->run_samples[i];
  assay_measure run = assay_measure_make(arena, samples, count);
  if (run.count == 0)
    return;
  const family of = {.entries = entries,
                     .record = record,
                     .name = assay_clean_line(arena, record->key),
                     .index = (*index)++,
                     .repetitions = run.count};
  for (size_t i = 0; i < count; i++)
    add_sample(&of, i, samples[i]);
  if (run.count < 2)
    return;
  add_aggregate(arena, &of, "mean", run.mean, false);
  add_aggregate(arena, &of, "median", run.median, false);
  add_aggregate(arena, &of, "stddev", run.deviation, false);
  add_aggregate(arena, &of, "cv", run.mean > 0 ? run.deviation / run.mean : NAN, true);
}

static void set_text(assay_arena *arena, json_t *object, const char *name, const char *text) {
  set(object, name, text != NULL ? assay_json_text(assay_clean(arena, text)) : json_null());
}

// Of what machines are made besides, records do not tell: it is left out.
static json_t *make_context(assay_arena *arena, const assay_record records[], size_t count) {
  json_t *context = json_object();
  const assay_record *first = NULL;
  for (size_t i = 0; i < count && first == NULL; i++)
    if (records[i].kind == ASSAY_RECORD_BENCH)
      first = &records[i];
  const assay_environment *env = first != NULL ? first->environment : NULL;
  set_text(arena, context, "date", first != NULL && first->started != NULL ? first->started : "");
  set(context, "host_name", json_string("localhost"));
  set(context, "executable", json_string("assay"));
  set(context, "cpu_scaling_enabled", json_false());
  set(context, "caches", json_array());
  set(context, "load_avg", json_array());
  set(context, "library_build_type", json_string("release"));
  if (env != NULL) {
    set_text(arena, context, "cpu", env->cpu);
    set_text(arena, context, "llvm", env->llvm);
    set_text(arena, context, "blas_core", env->blas_core);
    set_text(arena, context, "cuda", env->cuda);
    set_text(arena, context, "ptxas", env->ptxas);
    set_text(arena, context, "revision", env->revision);
  }
  return context;
}

static assay_code write_gbench(FILE *stream, const assay_record records[], size_t count,
                               const assay_run_totals *totals, assay_error *err) {
  (void)totals; // there is no place for them
  assay_arena *arena = assay_arena_create();
  json_t *document = json_object(), *entries = json_array();
  size_t index = 0;
  for (size_t i = 0; i < count; i++)
    if (records[i].kind == ASSAY_RECORD_BENCH)
      add_family(arena, entries, &records[i], &index);
  set(document, "context", make_context(arena, records, count));
  set(document, "benchmarks", entries);
  bool written = json_dumpf(document, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0;
  fputc('\n', stream);
  json_decref(document);
  assay_arena_destroy(arena);
  if (!written || ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write Google Benchmark's JSON: %s",
                      strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_gbench;
const assay_format assay_format_gbench = {
    .name = "gbench",
    .summary = "timings as Google Benchmark's JSON, which its compare.py reads",
    .write = write_gbench,
};
