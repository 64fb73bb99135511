// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records back from the store's columns.
#include "results/store/internal.h"

#include "compiler/base/text.h"
#include "results/record/printable.h"

#include <math.h>
#include <string.h>

// In the order of the columns of `query` below.
enum {
  AT_ID,
  AT_KIND,
  AT_KEY,
  AT_LINE,
  AT_OP,
  AT_BACKEND,
  AT_DATA,
  AT_VERDICT,
  AT_MARGIN,
  AT_REASON,
  AT_BAD_N,
  AT_BAD_NAME,
  AT_BAD_CLASS,
  AT_COMPILE,
  AT_RUN,
  AT_STARTED,
  AT_THREADS,
  AT_COLD,
  AT_FLOP,
  AT_BYTES,
  AT_SAMPLES_RUN,
  AT_SAMPLES_COMPILE,
  AT_COUNTER_SET,
  AT_COUNTER_VALUES,
  AT_ENVIRONMENT,
  AT_INVOCATION,
  AT_CLOCK,
};

static const char query[] =
    "SELECT r.id, r.kind, r.key, r.line, r.op, r.backend, r.data, r.verdict, r.margin, r.reason,"
    " r.first_bad_n, r.first_bad_name, r.first_bad_class, r.seconds_compile, r.seconds_run,"
    " r.started, r.threads, r.cold, r.flop, r.bytes, r.samples_run, r.samples_compile,"
    " r.counter_set, r.counter_values, r.environment, r.invocation, %s FROM records r WHERE %s";

// Rows of a small table by their number, looked up once each.
typedef struct environment_row {
  int64_t id;
  const assay_environment *environment;
} environment_row;

typedef struct name_row {
  int64_t id;
  size_t count;
  const char **names;
} name_row;

// What few words are made of ("matmul", "blas", "int") is kept once for all records.
enum { WORDS = 256 };

typedef struct reading {
  assay_store *store;
  assay_arena *arena;
  environment_row *environments;
  size_t environment_count, environment_room;
  name_row *sets;
  size_t set_count, set_room;
  const char *words[WORDS];
  assay_record *records;
  int64_t *ids, *invocations;
  size_t count, room;
} reading;

const char *assay_column_text(assay_arena *arena, sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  if (text == NULL)
    return NULL;
  return assay_arena_bytes(arena, text, (size_t)sqlite3_column_bytes(statement, column));
}

assay_code assay_store_fail_field(const assay_store *store, assay_arena *arena, const char *key,
                                  const char *field, const char *how, assay_error *err) {
  return assay_fail_at(err, ASSAY_INVALID, store->path, 0, 0,
                       "the store is damaged: %s of the record '%.300s': %s", field,
                       assay_printable(arena, key), how);
}

assay_code assay_column_samples(const assay_store *store, assay_arena *arena,
                                sqlite3_stmt *statement, int column, const char *key,
                                const char *field, const double **out_samples, size_t *out_count,
                                assay_error *err) {
  const void *blob = sqlite3_column_blob(statement, column);
  size_t bytes = (size_t)sqlite3_column_bytes(statement, column);
  int type = sqlite3_column_type(statement, column);
  *out_count = bytes / sizeof(double);
  if ((type != SQLITE_BLOB && type != SQLITE_NULL) || bytes % sizeof(double) != 0)
    return assay_store_fail_field(
        store, arena, key, field,
        assay_arena_format(arena, "expected times of %zu bytes each, found %zu bytes",
                           sizeof(double), bytes),
        err);
  double *samples = assay_arena_take(arena, *out_count, sizeof *samples);
  if (*out_count > 0)
    memcpy(samples, blob, bytes);
  for (size_t i = 0; i < *out_count; i++)
    if (!assay_sample_is_time(samples[i]))
      return assay_store_fail_field(
          store, arena, key, field,
          assay_arena_format(arena, "expected times above 0, found %g", samples[i]), err);
  *out_samples = samples;
  return ASSAY_OK;
}

double assay_column_number(sqlite3_stmt *statement, int column) {
  if (sqlite3_column_type(statement, column) == SQLITE_NULL)
    return NAN;
  return sqlite3_column_double(statement, column);
}

static const char *word_of(reading *it, sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  if (text == NULL)
    return "";
  const char **kept = &it->words[assay_hash_string(text) % WORDS];
  if (*kept == NULL || strcmp(*kept, text) != 0)
    *kept = assay_arena_string(it->arena, text);
  return *kept;
}

// An array that doubles; what it held before stays in the arena.
static void *grow(assay_arena *arena, void *items, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return items;
  *room = *room == 0 ? 64 : 2 * *room;
  void *more = assay_arena_take(arena, *room, size);
  if (count > 0)
    memcpy(more, items, count * size);
  return more;
}

// Calls row for each row of a table.
static assay_code read_table(reading *it, const char *sql,
                             void (*row)(reading *it, sqlite3_stmt *statement), assay_error *err) {
  sqlite3_stmt *statement = NULL;
  TRY(assay_store_prepare(it->store, sql, &statement, err));
  int got;
  while ((got = sqlite3_step(statement)) == SQLITE_ROW)
    row(it, statement);
  assay_code code = got == SQLITE_DONE ? ASSAY_OK : assay_store_fail(it->store, "read", err);
  sqlite3_finalize(statement);
  return code;
}

static double known(double number) {
  return isnan(number) ? 0 : number;
}

static void keep_environment(reading *it, sqlite3_stmt *row) {
  assay_environment *env = assay_arena_take(it->arena, 1, sizeof *env);
  const char **const fields[] = {&env->cpu,  &env->llvm,     &env->blas, &env->blas_core,
                                 &env->cuda, &env->revision, &env->assay};
  for (int i = 0; i < 7; i++)
    *fields[i] = assay_column_text(it->arena, row, i + 1);
  env->peak_gflops_f32 = known(assay_column_number(row, 8));
  env->peak_gflops_f64 = known(assay_column_number(row, 9));
  env->peak_gbs = known(assay_column_number(row, 10));
  env->ptxas = assay_column_text(it->arena, row, 11);
  it->environments = grow(it->arena, it->environments, it->environment_count, &it->environment_room,
                          sizeof *it->environments);
  it->environments[it->environment_count++] = (environment_row){sqlite3_column_int64(row, 0), env};
}

static void keep_names(reading *it, sqlite3_stmt *row) {
  const char *text = assay_column_text(it->arena, row, 1);
  name_row set = {.id = sqlite3_column_int64(row, 0)};
  for (const char *byte = text; *byte != '\0'; byte++)
    set.count += *byte == '\n';
  set.names = assay_arena_take(it->arena, set.count, sizeof *set.names);
  for (size_t i = 0; i < set.count; i++) {
    size_t length = strcspn(text, "\n");
    set.names[i] = assay_arena_bytes(it->arena, text, length);
    text += length + 1;
  }
  it->sets = grow(it->arena, it->sets, it->set_count, &it->set_room, sizeof *it->sets);
  it->sets[it->set_count++] = set;
}

// Both tables are read in the order of their numbers. NULL where there is none of that number.
static const assay_environment *environment_of(const reading *it, int64_t id) {
  size_t low = 0, high = it->environment_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (it->environments[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < it->environment_count && it->environments[low].id == id
             ? it->environments[low].environment
             : NULL;
}

static const name_row *names_of(const reading *it, int64_t id) {
  for (size_t i = 0; i < it->set_count; i++)
    if (it->sets[i].id == id)
      return &it->sets[i];
  return NULL;
}

static assay_code fail_field(const reading *it, const assay_record *record, const char *field,
                             const char *how, assay_error *err) {
  return assay_store_fail_field(it->store, it->arena, record->key, field, how, err);
}

static assay_code read_counters(reading *it, sqlite3_stmt *row, assay_record *record,
                                assay_error *err) {
  const name_row *set = names_of(it, sqlite3_column_int64(row, AT_COUNTER_SET));
  const void *blob = sqlite3_column_blob(row, AT_COUNTER_VALUES);
  size_t bytes = (size_t)sqlite3_column_bytes(row, AT_COUNTER_VALUES);
  unsigned uncounted = ASSAY_UNCOUNTED_ALL;
  record->uncounted = ASSAY_UNCOUNTED_ALL;
  bool none = sqlite3_column_type(row, AT_COUNTER_SET) == SQLITE_NULL;
  size_t count = set != NULL ? set->count : 0;
  if ((set == NULL && !none) || bytes != count * sizeof(int64_t))
    return fail_field(it, record, "counter_values",
                      set == NULL && !none
                          ? "their names are not there"
                          : assay_arena_format(it->arena,
                                               "expected %zu numbers of %zu bytes, found %zu bytes",
                                               count, sizeof(int64_t), bytes),
                      err);
  assay_counter *others = assay_arena_take(it->arena, count, sizeof *others);
  record->counters = others;
  for (size_t i = 0; i < count; i++) {
    int64_t value;
    memcpy(&value, (const char *)blob + i * sizeof value, sizeof value);
    if (strcmp(set->names[i], "blas_calls") == 0) {
      record->blas_calls = value;
      uncounted &= ~(unsigned)ASSAY_UNCOUNTED_BLAS_CALLS;
    } else if (strcmp(set->names[i], "compiles") == 0) {
      record->compiles = value;
      uncounted &= ~(unsigned)ASSAY_UNCOUNTED_COMPILES;
    } else if (strcmp(set->names[i], "launches") == 0) {
      record->launches = value;
      uncounted &= ~(unsigned)ASSAY_UNCOUNTED_LAUNCHES;
    } else {
      others[record->counter_count++] = (assay_counter){set->names[i], value};
    }
  }
  record->uncounted = (uint8_t)uncounted;
  return ASSAY_OK;
}

// Kind and verdict, which are words of a list.
static assay_code read_words(reading *it, sqlite3_stmt *row, assay_record *record,
                             assay_error *err) {
  const char *kind = word_of(it, row, AT_KIND), *verdict = word_of(it, row, AT_VERDICT);
  if (!assay_record_kind_parse(kind, &record->kind))
    return fail_field(
        it, record, "kind",
        assay_arena_format(it->arena, "unknown kind '%.60s'", assay_printable(it->arena, kind)),
        err);
  if (!assay_verdict_parse(verdict, &record->verdict))
    return fail_field(it, record, "verdict",
                      assay_arena_format(it->arena, "unknown verdict '%.60s'",
                                         assay_printable(it->arena, verdict)),
                      err);
  return ASSAY_OK;
}

static assay_code read_record(reading *it, sqlite3_stmt *row, assay_record *out_record,
                              assay_error *err) {
  assay_arena *arena = it->arena;
  assay_record record = {
      .key = assay_column_text(arena, row, AT_KEY),
      .line = assay_column_text(arena, row, AT_LINE),
      .op = word_of(it, row, AT_OP),
      .backend = word_of(it, row, AT_BACKEND),
      .data = word_of(it, row, AT_DATA),
      .margin = assay_column_number(row, AT_MARGIN),
      .reason = assay_column_text(arena, row, AT_REASON),
      .first_bad = {.n = sqlite3_column_int(row, AT_BAD_N),
                    .name = assay_column_text(arena, row, AT_BAD_NAME),
                    .fault = assay_column_text(arena, row, AT_BAD_CLASS)},
      .seconds_compile = assay_column_number(row, AT_COMPILE),
      .seconds_run = assay_column_number(row, AT_RUN),
      .started = assay_column_text(arena, row, AT_STARTED),
      .threads = sqlite3_column_int(row, AT_THREADS),
      .cold = sqlite3_column_int(row, AT_COLD) != 0,
      .flop = sqlite3_column_double(row, AT_FLOP),
      .bytes = sqlite3_column_double(row, AT_BYTES),
      .clock = assay_column_text(arena, row, AT_CLOCK),
      .environment = environment_of(it, sqlite3_column_int64(row, AT_ENVIRONMENT)),
  };
  if (record.environment == NULL)
    return fail_field(it, &record, "environment", "it is not there", err);
  TRY(read_words(it, row, &record, err));
  TRY(assay_column_samples(it->store, arena, row, AT_SAMPLES_RUN, record.key, "samples_run",
                           &record.run_samples, &record.run_sample_count, err));
  TRY(assay_column_samples(it->store, arena, row, AT_SAMPLES_COMPILE, record.key, "samples_compile",
                           &record.compile_samples, &record.compile_sample_count, err));
  TRY(read_counters(it, row, &record, err));
  *out_record = record;
  return ASSAY_OK;
}

static assay_code keep_record(reading *it, sqlite3_stmt *row, assay_error *err) {
  size_t room = it->room, same = it->room, also = it->room;
  it->records = grow(it->arena, it->records, it->count, &room, sizeof *it->records);
  it->ids = grow(it->arena, it->ids, it->count, &same, sizeof *it->ids);
  it->invocations = grow(it->arena, it->invocations, it->count, &also, sizeof *it->invocations);
  it->room = room;
  it->ids[it->count] = sqlite3_column_int64(row, AT_ID);
  it->invocations[it->count] = sqlite3_column_int64(row, AT_INVOCATION);
  return read_record(it, row, &it->records[it->count++], err);
}

static assay_code read_records(reading *it, const char *condition, const char *parameter,
                               assay_error *err) {
  sqlite3_stmt *statement = NULL;
  const char *sql = assay_arena_format(it->arena, query, assay_store_clock(it->store), condition);
  TRY(assay_store_prepare(it->store, sql, &statement, err));
  if (sqlite3_bind_parameter_count(statement) > 0)
    sqlite3_bind_text(statement, 1, parameter, -1, SQLITE_STATIC);
  int got = SQLITE_DONE;
  assay_code code = ASSAY_OK;
  while (code == ASSAY_OK && (got = sqlite3_step(statement)) == SQLITE_ROW)
    code = keep_record(it, statement, err);
  if (code == ASSAY_OK && got != SQLITE_DONE)
    code = assay_store_fail(it->store, "read", err);
  sqlite3_finalize(statement);
  return code;
}

// The small tables first, in the caller's transaction, so that they know all that records name.
assay_code assay_store_select(assay_store *store, assay_arena *arena, const char *condition,
                              const char *parameter, assay_record **out_records, int64_t **out_ids,
                              int64_t **out_invocations, size_t *out_count, assay_error *err) {
  reading it = {.store = store, .arena = arena};
  const char *environments = assay_arena_format(
      arena,
      "SELECT id, cpu, llvm, blas, blas_core, cuda, revision, assay, peak_gflops_f32,"
      " peak_gflops_f64, peak_gbs, %s FROM environments ORDER BY id",
      store->schema >= 3
          ? "ptxas"
          : "(SELECT CASE WHEN json_valid(d.json) THEN d.json ->> '$.env.ptxas' END FROM records r"
            " JOIN documents d ON d.record = r.id WHERE r.environment = environments.id LIMIT 1)");
  TRY(read_table(&it, environments, keep_environment, err));
  TRY(read_table(&it, "SELECT id, names FROM counter_sets ORDER BY id", keep_names, err));
  TRY(read_records(&it, condition, parameter, err));
  *out_records = it.records;
  *out_ids = it.ids;
  *out_invocations = it.invocations;
  *out_count = it.count;
  return ASSAY_OK;
}
