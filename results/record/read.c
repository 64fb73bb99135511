// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading records back.
#include "results/record/others.h"
#include "results/record/record.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The field's string in the arena, or NULL where it is absent or no string.
static const char *get_text(assay_arena *arena, const json_t *object, const char *name) {
  const char *value = json_string_value(json_object_get(object, name));
  return value != NULL ? assay_arena_string(arena, value) : NULL;
}

static int64_t get_whole(const json_t *object, const char *name) {
  return json_integer_value(json_object_get(object, name));
}

// NaN for null and for what is no number.
static double as_number(const json_t *value) {
  if (json_is_number(value))
    return json_number_value(value);
  const char *word = json_string_value(value);
  if (word != NULL && strcmp(word, "inf") == 0)
    return INFINITY;
  if (word != NULL && strcmp(word, "-inf") == 0)
    return -INFINITY;
  return NAN;
}

static bool is_nan(const json_t *value) {
  const char *word = json_string_value(value);
  return word != NULL && strcmp(word, "nan") == 0;
}

static double get_number(const json_t *object, const char *name) {
  return as_number(json_object_get(object, name));
}

static assay_worst parse_worst(assay_arena *arena, const json_t *object) {
  assay_worst worst = {.present = json_is_object(object)};
  if (!worst.present)
    return worst;
  worst.part = get_text(arena, object, "part");
  const json_t *index = json_object_get(object, "index");
  size_t rank = json_array_size(index);
  worst.rank = (int)(rank < ASSAY_RECORD_MAX_RANK ? rank : ASSAY_RECORD_MAX_RANK);
  for (int i = 0; i < worst.rank; i++)
    worst.index[i] = json_integer_value(json_array_get(index, (size_t)i));
  worst.whole = json_is_integer(json_object_get(object, "got"));
  worst.got_whole = get_whole(object, "got");
  worst.want_whole = get_whole(object, "want");
  worst.got = get_number(object, "got");
  worst.want = get_number(object, "want");
  worst.scale = get_number(object, "scale");
  return worst;
}

static const assay_environment *parse_environment(assay_arena *arena, const json_t *object) {
  assay_environment *environment = assay_arena_take(arena, 1, sizeof *environment);
  environment->cpu = get_text(arena, object, "cpu");
  environment->llvm = get_text(arena, object, "llvm");
  environment->blas = get_text(arena, object, "blas");
  environment->blas_core = get_text(arena, object, "blas_core");
  environment->cuda = get_text(arena, object, "cuda");
  environment->ptxas = get_text(arena, object, "ptxas");
  environment->revision = get_text(arena, object, "revision");
  environment->assay = get_text(arena, object, "assay");
  environment->peak_gflops_f32 = json_number_value(json_object_get(object, "peak_gflops_f32"));
  environment->peak_gflops_f64 = json_number_value(json_object_get(object, "peak_gflops_f64"));
  environment->peak_gbs = json_number_value(json_object_get(object, "peak_gbs"));
  return environment;
}

static void parse_checks(assay_arena *arena, const json_t *array, assay_record *record) {
  for (size_t i = 0; i < json_array_size(array) && i < ASSAY_RECORD_MAX_CHECKS; i++) {
    const char *check = json_string_value(json_array_get(array, i));
    if (check != NULL)
      record->checks[record->check_count++] = assay_arena_string(arena, check);
  }
}

static const assay_pass_row *parse_passes(assay_arena *arena, const json_t *array,
                                          size_t *out_count) {
  *out_count = json_array_size(array);
  assay_pass_row *rows = assay_arena_take(arena, *out_count, sizeof *rows);
  for (size_t i = 0; i < *out_count; i++) {
    const json_t *object = json_array_get(array, i);
    const json_t *before = json_object_get(object, "ops_before");
    const json_t *after = json_object_get(object, "ops_after");
    const char *name = get_text(arena, object, "name");
    rows[i] =
        (assay_pass_row){.n = (int)get_whole(object, "n"),
                         .name = name != NULL ? name : "",
                         .seconds = get_number(object, "seconds"),
                         .ops_before = json_is_integer(before) ? json_integer_value(before) : -1,
                         .ops_after = json_is_integer(after) ? json_integer_value(after) : -1,
                         .changed = json_is_true(json_object_get(object, "changed")),
                         .margin = get_number(object, "margin"),
                         .margin_nan = is_nan(json_object_get(object, "margin")),
                         .nan_added = (int)get_whole(object, "nan_added"),
                         .fault = get_text(arena, object, "class")};
  }
  return rows;
}

// "found" for messages.
static const char *show_value(assay_arena *arena, const json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII |
                                     JSON_REAL_PRECISION(15));
  const char *kept = text == NULL ? "?" : assay_arena_format(arena, "%.60s", text);
  free(text);
  return kept;
}

static const char *show_text(assay_arena *arena, const char *text) {
  json_t *value = json_string(text);
  const char *shown = show_value(arena, value);
  json_decref(value);
  return shown;
}

// Times above 0, which is checked: a median or a rank of anything else says nothing.
static assay_code parse_samples(assay_arena *arena, const char *file, int line,
                                const json_t *object, const char *name, const double **out_samples,
                                size_t *out_count, assay_error *err) {
  const json_t *array = json_object_get(object, name);
  if (array != NULL && !json_is_array(array) && !json_is_null(array))
    return assay_fail_at(err, ASSAY_INVALID, file, line, 0, "%s: expected an array, found %s", name,
                         show_value(arena, array));
  size_t count = json_array_size(array);
  double *samples = assay_arena_take(arena, count, sizeof *samples);
  for (size_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(array, i);
    samples[i] = json_is_number(value) ? json_number_value(value) : NAN;
    if (!assay_sample_is_time(samples[i]))
      return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                           "%s: expected times above 0, found %s", name, show_value(arena, value));
  }
  *out_samples = samples;
  *out_count = count;
  return ASSAY_OK;
}

// Absent or null: the wall's.
static assay_code parse_clock(assay_arena *arena, const char *file, int line, const json_t *value,
                              const char **out_clock, assay_error *err) {
  const char *word = json_string_value(value);
  *out_clock = NULL;
  if (value == NULL || json_is_null(value))
    return ASSAY_OK;
  if (word == NULL || strcmp(word, "device") != 0)
    return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                         "clock: expected null or \"device\", found %s", show_value(arena, value));
  *out_clock = assay_arena_string(arena, word);
  return ASSAY_OK;
}

static assay_code parse_bench(assay_arena *arena, const char *file, int line, const json_t *object,
                              assay_record *record, assay_error *err) {
  TRY(parse_samples(arena, file, line, object, "samples_run", &record->run_samples,
                    &record->run_sample_count, err));
  TRY(parse_samples(arena, file, line, object, "samples_compile", &record->compile_samples,
                    &record->compile_sample_count, err));
  record->threads = (int)get_whole(object, "threads");
  record->cold = json_is_true(json_object_get(object, "cold"));
  record->seconds_upload = json_number_value(json_object_get(object, "seconds_upload"));
  record->seconds_download = json_number_value(json_object_get(object, "seconds_download"));
  record->flop = json_number_value(json_object_get(object, "flop"));
  record->bytes = json_number_value(json_object_get(object, "bytes"));
  return ASSAY_OK;
}

static assay_code check_counters(assay_arena *arena, const char *file, int line, json_t *object,
                                 assay_error *err) {
  const char *name;
  json_t *value;
  if (object != NULL && !json_is_object(object) && !json_is_null(object))
    return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                         "counters: expected an object, found %s", show_value(arena, object));
  json_object_foreach(object, name, value) {
    if (!json_is_integer(value))
      return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                           "counter %s: expected a whole number, found %s", show_text(arena, name),
                           show_value(arena, value));
  }
  return ASSAY_OK;
}

static assay_code check_margin(assay_arena *arena, const char *file, int line, const json_t *value,
                               assay_error *err) {
  const char *word = json_string_value(value);
  if (value == NULL || json_is_null(value) || (word != NULL && strcmp(word, "inf") == 0) ||
      (json_is_number(value) && json_number_value(value) >= 0))
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                       "margin: expected null, \"inf\" or a number from 0, found %s",
                       show_value(arena, value));
}

// Those that have fields of their own are left out.
static const assay_counter *parse_counters(assay_arena *arena, json_t *object, size_t *out_count) {
  assay_counter *counters = assay_arena_take(arena, json_object_size(object), sizeof *counters);
  const char *name;
  json_t *value;
  *out_count = 0;
  json_object_foreach(object, name, value) {
    if (strcmp(name, "blas_calls") == 0 || strcmp(name, "compiles") == 0 ||
        strcmp(name, "launches") == 0)
      continue;
    counters[(*out_count)++] =
        (assay_counter){assay_arena_string(arena, name), json_integer_value(value)};
  }
  return counters;
}

static uint8_t find_uncounted(const json_t *object) {
  unsigned found = 0;
  if (json_object_get(object, "blas_calls") == NULL)
    found |= ASSAY_UNCOUNTED_BLAS_CALLS;
  if (json_object_get(object, "compiles") == NULL)
    found |= ASSAY_UNCOUNTED_COMPILES;
  if (json_object_get(object, "launches") == NULL)
    found |= ASSAY_UNCOUNTED_LAUNCHES;
  return (uint8_t)found;
}

// Records from before there were kinds have none, and are of runs.
static assay_code parse_kind(assay_arena *arena, const char *file, int line, const json_t *object,
                             assay_record_kind *out_kind, assay_error *err) {
  const json_t *kind = json_object_get(object, "kind");
  *out_kind = ASSAY_RECORD_RUN;
  if (kind == NULL ||
      (json_is_string(kind) && assay_record_kind_parse(json_string_value(kind), out_kind)))
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                       "kind: expected \"run\", \"ledger\" or \"bench\", found %s",
                       show_value(arena, kind));
}

static assay_code parse_object(assay_arena *arena, const char *file, int line, json_t *object,
                               assay_record *out_record, assay_error *err) {
  if (!json_is_object(object))
    return assay_fail_at(err, ASSAY_INVALID, file, line, 0, "expected a record, a JSON object");
  const json_t *schema = json_object_get(object, "schema");
  if (!json_is_integer(schema))
    return assay_fail_at(err, ASSAY_INVALID, file, line, 0,
                         "expected a record of schema %d, found none", ASSAY_RECORD_SCHEMA);
  if (json_integer_value(schema) != ASSAY_RECORD_SCHEMA)
    return assay_fail_at(
        err, ASSAY_INVALID, file, line, 0, "expected a record of schema %d, found schema %lld%s",
        ASSAY_RECORD_SCHEMA, (long long)json_integer_value(schema),
        json_integer_value(schema) > ASSAY_RECORD_SCHEMA ? ": a newer assay wrote it" : "");
  static const char *const needed[] = {"key", "case", "op", "backend", "data", "verdict"};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (!json_is_string(json_object_get(object, needed[i])))
      return assay_fail_at(err, ASSAY_INVALID, file, line, 0, "the record has no string '%s'",
                           needed[i]);
  TRY(check_counters(arena, file, line, json_object_get(object, "counters"), err));
  TRY(check_margin(arena, file, line, json_object_get(object, "margin"), err));
  assay_record record = {.key = get_text(arena, object, "key")};
  TRY(parse_kind(arena, file, line, object, &record.kind, err));
  const char *verdict = json_string_value(json_object_get(object, "verdict"));
  if (!assay_verdict_parse(verdict, &record.verdict))
    return assay_fail_at(err, ASSAY_INVALID, file, line, 0, "unknown verdict '%s'", verdict);
  record.line = get_text(arena, object, "case");
  record.op = get_text(arena, object, "op");
  record.backend = get_text(arena, object, "backend");
  record.data = get_text(arena, object, "data");
  parse_checks(arena, json_object_get(object, "checks"), &record);
  record.reference = get_text(arena, object, "reference");
  const json_t *bad = json_object_get(object, "first_bad");
  if (json_is_object(bad))
    record.first_bad = (assay_first_bad){.n = (int)get_whole(bad, "n"),
                                         .name = get_text(arena, bad, "name"),
                                         .fault = get_text(arena, bad, "class"),
                                         .step = get_text(arena, bad, "step"),
                                         .pattern = get_text(arena, bad, "pattern"),
                                         .before_excerpt = get_text(arena, bad, "before_excerpt"),
                                         .after_excerpt = get_text(arena, bad, "after_excerpt")};
  const json_t *origin = json_object_get(object, "nan_origin");
  char *origin_text = json_is_object(origin) ? json_dumps(origin, JSON_COMPACT) : NULL;
  record.nan_origin = origin_text != NULL ? assay_arena_string(arena, origin_text) : NULL;
  free(origin_text);
  record.sampled = json_is_true(json_object_get(object, "sampled"));
  record.margin = get_number(object, "margin");
  record.worst = parse_worst(arena, json_object_get(object, "worst"));
  record.seconds_compile = get_number(object, "seconds_compile");
  record.seconds_run = get_number(object, "seconds_run");
  record.reason = get_text(arena, object, "reason");
  record.repro = get_text(arena, object, "repro");
  record.origin = get_text(arena, object, "origin");
  json_t *counters = json_object_get(object, "counters");
  record.blas_calls = get_whole(counters, "blas_calls");
  record.compiles = get_whole(counters, "compiles");
  record.launches = get_whole(counters, "launches");
  record.uncounted = find_uncounted(counters);
  record.counters = parse_counters(arena, counters, &record.counter_count);
  record.passes = parse_passes(arena, json_object_get(object, "passes"), &record.pass_count);
  TRY(parse_clock(arena, file, line, json_object_get(object, "clock"), &record.clock, err));
  if (record.kind == ASSAY_RECORD_BENCH)
    TRY(parse_bench(arena, file, line, object, &record, err));
  record.others = assay_record_others(arena, object);
  record.environment = parse_environment(arena, json_object_get(object, "env"));
  record.started = get_text(arena, object, "started");
  *out_record = record;
  return ASSAY_OK;
}

assay_code assay_record_parse(assay_arena *arena, const char *file, int line_number,
                              const char *text, size_t length, assay_record *out_record,
                              assay_error *err) {
  json_error_t fault;
  json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
  if (object == NULL)
    return assay_fail_at(err, ASSAY_INVALID, file, line_number, 0, "not a JSON record: %s",
                         json_error_code(&fault) == json_error_null_character ||
                                 json_error_code(&fault) == json_error_null_byte_in_key
                             ? "a text holds \\u0000, the end of all texts"
                             : fault.text);
  assay_code code = parse_object(arena, file, line_number, object, out_record, err);
  json_decref(object);
  return code;
}

assay_code assay_records_read(assay_arena *arena, const assay_file *file,
                              assay_record **out_records, size_t *out_count, size_t *out_size,
                              assay_error *err) {
  size_t lines_whole = 0, size = 0;
  for (size_t i = 0; i < file->size; i++) {
    if (file->bytes[i] == '\n') {
      lines_whole++;
      size = i + 1;
    }
  }
  assay_record *records = assay_arena_take(arena, lines_whole, sizeof *records);
  size_t count = 0;
  assay_file whole = {.path = file->path, .bytes = file->bytes, .size = size};
  assay_lines lines = {.file = &whole};
  while (assay_lines_next(&lines)) {
    TRY(assay_record_parse(arena, file->path, lines.number, lines.start, lines.length,
                           &records[count], err));
    count++;
  }
  *out_records = records;
  *out_count = count;
  *out_size = size;
  return ASSAY_OK;
}
