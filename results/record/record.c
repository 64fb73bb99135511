// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/record.h"

#include "results/record/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdict_names[ASSAY_VERDICT_COUNT] = {
    [ASSAY_PASS] = "PASS",   [ASSAY_WARN] = "WARN",   [ASSAY_FAIL] = "FAIL",
    [ASSAY_SKIP] = "SKIP",   [ASSAY_XFAIL] = "XFAIL", [ASSAY_XPASS] = "XPASS",
    [ASSAY_ERROR] = "ERROR", [ASSAY_CRASH] = "CRASH", [ASSAY_TIMEOUT] = "TIMEOUT",
};

const char *assay_verdict_name(assay_verdict verdict) {
  return verdict_names[verdict];
}

bool assay_verdict_parse(const char *name, assay_verdict *out_verdict) {
  for (int i = 0; i < ASSAY_VERDICT_COUNT; i++) {
    if (strcmp(name, verdict_names[i]) == 0) {
      *out_verdict = (assay_verdict)i;
      return true;
    }
  }
  return false;
}

static const char *const kind_names[ASSAY_RECORD_KIND_COUNT] = {
    [ASSAY_RECORD_RUN] = "run",
    [ASSAY_RECORD_LEDGER] = "ledger",
    [ASSAY_RECORD_BENCH] = "bench",
};

const char *assay_record_kind_name(assay_record_kind kind) {
  return kind_names[kind];
}

bool assay_record_kind_parse(const char *name, assay_record_kind *out_kind) {
  for (int i = 0; i < ASSAY_RECORD_KIND_COUNT; i++) {
    if (strcmp(name, kind_names[i]) == 0) {
      *out_kind = (assay_record_kind)i;
      return true;
    }
  }
  return false;
}

bool assay_sample_is_time(double seconds) {
  return seconds > 0 && isfinite(seconds);
}

bool assay_verdict_is_bad(assay_verdict verdict) {
  return verdict == ASSAY_FAIL || verdict == ASSAY_ERROR || verdict == ASSAY_CRASH ||
         verdict == ASSAY_TIMEOUT || verdict == ASSAY_XPASS;
}

static json_t *number(double value) {
  if (isfinite(value))
    return json_real(value);
  return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static json_t *number_or_null(double value) {
  return isnan(value) ? json_null() : number(value);
}

static void set(json_t *object, const char *name, json_t *value) {
  // Fails only where memory ran out, as the arena does.
  if (json_object_set_new(object, name, value) != 0)
    abort();
}

static json_t *print_worst(const assay_worst *worst) {
  json_t *object = json_object();
  json_t *index = json_array();
  for (int i = 0; i < worst->rank; i++)
    json_array_append_new(index, json_integer(worst->index[i]));
  set(object, "part", assay_json_text(worst->part));
  set(object, "index", index);
  set(object, "got", worst->whole ? json_integer(worst->got_whole) : number(worst->got));
  set(object, "want", worst->whole ? json_integer(worst->want_whole) : number(worst->want));
  set(object, "scale", number(worst->scale));
  return object;
}

static json_t *print_first_bad(const assay_first_bad *bad) {
  if (bad->n == 0)
    return json_null();
  json_t *object = json_object();
  set(object, "n", json_integer(bad->n));
  set(object, "name", assay_json_text(bad->name));
  set(object, "class", assay_json_text(bad->fault));
  set(object, "step", assay_json_text(bad->step));
  set(object, "pattern", assay_json_text(bad->pattern));
  if (bad->before_excerpt != NULL)
    set(object, "before_excerpt", assay_json_text(bad->before_excerpt));
  if (bad->after_excerpt != NULL)
    set(object, "after_excerpt", assay_json_text(bad->after_excerpt));
  return object;
}

static json_t *print_environment(const assay_environment *environment) {
  static const assay_environment unknown = {0};
  const assay_environment *env = environment != NULL ? environment : &unknown;
  json_t *object = json_object();
  set(object, "cpu", assay_json_text(env->cpu));
  set(object, "llvm", assay_json_text(env->llvm));
  set(object, "blas", assay_json_text(env->blas));
  set(object, "blas_core", assay_json_text(env->blas_core));
  set(object, "cuda", assay_json_text(env->cuda));
  set(object, "ptxas", assay_json_text(env->ptxas));
  set(object, "revision", assay_json_text(env->revision));
  set(object, "assay", assay_json_text(env->assay));
  if (env->peak_gflops_f32 > 0)
    set(object, "peak_gflops_f32", number(env->peak_gflops_f32));
  if (env->peak_gflops_f64 > 0)
    set(object, "peak_gflops_f64", number(env->peak_gflops_f64));
  if (env->peak_gbs > 0)
    set(object, "peak_gbs", number(env->peak_gbs));
  return object;
}

static json_t *print_counters(const assay_record *record) {
  json_t *object = json_object();
  if ((record->uncounted & ASSAY_UNCOUNTED_BLAS_CALLS) == 0)
    set(object, "blas_calls", json_integer(record->blas_calls));
  if ((record->uncounted & ASSAY_UNCOUNTED_COMPILES) == 0)
    set(object, "compiles", json_integer(record->compiles));
  if ((record->uncounted & ASSAY_UNCOUNTED_LAUNCHES) == 0)
    set(object, "launches", json_integer(record->launches));
  for (size_t i = 0; i < record->counter_count; i++)
    set(object, record->counters[i].name, json_integer(record->counters[i].value));
  return object;
}

double assay_record_seconds(const assay_record *record) {
  if (isnan(record->seconds_compile))
    return record->seconds_run;
  return record->seconds_compile + (isnan(record->seconds_run) ? 0 : record->seconds_run);
}

bool assay_counter_is_of_ptxas(const char *name) {
  static const char start[] = "sm_";
  return strncmp(name, start, sizeof start - 1) == 0;
}

const assay_counter *assay_record_counters(assay_arena *arena, const assay_record *record,
                                           size_t *out_count) {
  const assay_counter own[] = {{"blas_calls", record->blas_calls},
                               {"compiles", record->compiles},
                               {"launches", record->launches}};
  enum { OWN = sizeof own / sizeof own[0] };
  assay_counter *all = assay_arena_take(arena, OWN + record->counter_count, sizeof *all);
  size_t count = 0;
  for (unsigned i = 0; i < OWN; i++)
    if ((record->uncounted >> i & 1U) == 0)
      all[count++] = own[i];
  if (record->counter_count > 0)
    memcpy(all + count, record->counters, record->counter_count * sizeof *all);
  *out_count = count + record->counter_count;
  return all;
}

// What is no time could not be read back: another build, or a damaged process, may tell anything.
static json_t *print_samples(const double samples[], size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    if (assay_sample_is_time(samples[i]))
      json_array_append_new(array, json_real(samples[i]));
  return array;
}

static json_t *print_passes(const assay_pass_row passes[], size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const assay_pass_row *row = &passes[i];
    json_t *object = json_object();
    set(object, "n", json_integer(row->n));
    set(object, "name", assay_json_text(row->name));
    set(object, "seconds", number_or_null(row->seconds));
    set(object, "ops_before", row->ops_before < 0 ? json_null() : json_integer(row->ops_before));
    set(object, "ops_after", row->ops_after < 0 ? json_null() : json_integer(row->ops_after));
    set(object, "changed", json_boolean(row->changed));
    set(object, "margin",
        isnan(row->margin) && !row->margin_nan ? json_null() : number(row->margin));
    set(object, "nan_added", json_integer(row->nan_added));
    set(object, "class", assay_json_text(row->fault));
    json_array_append_new(array, object);
  }
  return array;
}

static void print_bench(json_t *object, const assay_record *record) {
  set(object, "samples_run", print_samples(record->run_samples, record->run_sample_count));
  set(object, "samples_compile",
      print_samples(record->compile_samples, record->compile_sample_count));
  set(object, "threads", record->threads > 0 ? json_integer(record->threads) : json_null());
  set(object, "cold", json_boolean(record->cold));
  if (record->clock != NULL)
    set(object, "clock", assay_json_text(record->clock));
  if (record->seconds_upload > 0)
    set(object, "seconds_upload", number(record->seconds_upload));
  if (record->seconds_download > 0)
    set(object, "seconds_download", number(record->seconds_download));
  set(object, "flop", record->flop > 0 ? number(record->flop) : json_null());
  set(object, "bytes", record->bytes > 0 ? number(record->bytes) : json_null());
}

const char *assay_record_print(assay_arena *arena, const assay_record *record) {
  json_t *object = json_object();
  json_t *checks = json_array();
  for (int i = 0; i < record->check_count; i++)
    json_array_append_new(checks, assay_json_text(record->checks[i]));
  set(object, "schema", json_integer(ASSAY_RECORD_SCHEMA));
  set(object, "kind", assay_json_text(assay_record_kind_name(record->kind)));
  set(object, "key", assay_json_text(record->key));
  set(object, "case", assay_json_text(record->line));
  set(object, "op", assay_json_text(record->op));
  set(object, "backend", assay_json_text(record->backend));
  set(object, "data", assay_json_text(record->data));
  set(object, "verdict", assay_json_text(assay_verdict_name(record->verdict)));
  set(object, "checks", checks);
  set(object, "reference", assay_json_text(record->reference));
  set(object, "sampled", json_boolean(record->sampled));
  set(object, "first_bad", print_first_bad(&record->first_bad));
  json_t *origin = record->nan_origin != NULL ? json_loads(record->nan_origin, 0, NULL) : NULL;
  set(object, "nan_origin", origin != NULL ? origin : json_null());
  set(object, "margin", number_or_null(record->margin));
  if (record->worst.present)
    set(object, "worst", print_worst(&record->worst));
  set(object, "seconds_compile", number_or_null(record->seconds_compile));
  set(object, "seconds_run", number_or_null(record->seconds_run));
  if (record->kind == ASSAY_RECORD_BENCH)
    print_bench(object, record);
  if (record->pass_count > 0)
    set(object, "passes", print_passes(record->passes, record->pass_count));
  set(object, "reason", assay_json_text(record->reason));
  set(object, "repro", assay_json_text(record->repro));
  if (record->origin != NULL)
    set(object, "origin", assay_json_text(record->origin));
  set(object, "counters", print_counters(record));
  set(object, "env", print_environment(record->environment));
  set(object, "started", assay_json_text(record->started));
  json_t *others = record->others != NULL ? json_loads(record->others, 0, NULL) : NULL;
  if (others != NULL && json_object_update_recursive(object, others) != 0)
    abort();
  json_decref(others);
  char *printed = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(object);
  if (printed == NULL)
    abort();
  char *copy = assay_arena_string(arena, printed);
  free(printed);
  return copy;
}
