// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records into the store: a transaction for each batch.
#include "results/store/internal.h"

#include "compiler/base/text.h"

#include <math.h>
#include <string.h>

// Memory for so many records is taken at a time.
enum { BATCH = 256 };

// The statements of a batch.
enum {
  FIND,
  ADD,
  ADD_DOCUMENT,
  LEARN,
  LEARN_DOCUMENT,
  FIND_ENVIRONMENT,
  ADD_ENVIRONMENT,
  FIND_COUNTERS,
  ADD_COUNTERS,
  GIVE_TAG,
  STATEMENT_COUNT
};

static const char *const statements[STATEMENT_COUNT] = {
    [FIND] = "SELECT id, first_bad_name IS NOT NULL FROM records"
             " WHERE kind = ?1 AND key = ?2 AND environment = ?3 AND started = ?4",
    [ADD] =
        "INSERT INTO records(kind, key, environment, started, invocation, line, op, backend, data,"
        " verdict, margin, reason, first_bad_n, first_bad_name, first_bad_class, seconds_compile,"
        " seconds_run, threads, cold, flop, bytes, samples_run, samples_compile, counter_set,"
        " counter_values, clock) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
        "?14, ?15,"
        " ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26)",
    [ADD_DOCUMENT] = "INSERT INTO documents(record, json) VALUES(?1, ?2)",
    [LEARN] = "UPDATE records SET first_bad_n = ?2, first_bad_name = ?3, first_bad_class = ?4"
              " WHERE id = ?1",
    [LEARN_DOCUMENT] = "UPDATE documents SET json = ?2 WHERE record = ?1",
    [FIND_ENVIRONMENT] = "SELECT id FROM environments WHERE identity = ?1",
    [ADD_ENVIRONMENT] =
        "INSERT INTO environments(cpu, llvm, blas, blas_core, cuda, revision, assay,"
        " peak_gflops_f32, peak_gflops_f64, peak_gbs, identity, ptxas)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [FIND_COUNTERS] = "SELECT id FROM counter_sets WHERE names = ?1",
    [ADD_COUNTERS] = "INSERT INTO counter_sets(names) VALUES(?1)",
    [GIVE_TAG] = "INSERT OR IGNORE INTO tagged(tag, record) VALUES(?1, ?2)",
};

typedef struct ingest {
  assay_store *store;
  assay_arena *arena; // of the batch
  sqlite3_stmt *at[STATEMENT_COUNT];
  int64_t invocation, tag; // tag: 0 for none
  // The last environment and the last counters looked up: most records share them.
  const assay_environment *environment;
  int64_t environment_id;
  char *names; // sqlite3_mprintf
  int64_t names_id;
  size_t added;
} ingest;

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
  sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC); // NULL binds NULL
}

static void bind_number(sqlite3_stmt *statement, int at, double number) {
  if (isnan(number))
    sqlite3_bind_null(statement, at);
  else
    sqlite3_bind_double(statement, at, number);
}

// Those that are times, as the document has them.
static void bind_samples(assay_arena *arena, sqlite3_stmt *statement, int at,
                         const double samples[], size_t count) {
  double *times = assay_arena_take(arena, count, sizeof *times);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (assay_sample_is_time(samples[i]))
      times[kept++] = samples[i];
  if (kept > 0)
    sqlite3_bind_blob64(statement, at, times, kept * sizeof *times, SQLITE_STATIC);
  else
    sqlite3_bind_null(statement, at);
}

// Runs a statement that gives no rows, and makes it ready for the next time.
static assay_code finish(ingest *it, sqlite3_stmt *statement, assay_error *err) {
  bool done = sqlite3_step(statement) == SQLITE_DONE;
  assay_code code = done ? ASSAY_OK : assay_store_fail(it->store, "write", err);
  sqlite3_reset(statement);
  return code;
}

// Runs one that gives a row number or nothing: 0.
static assay_code look_up(ingest *it, sqlite3_stmt *statement, int64_t *out_id, int *out_more,
                          assay_error *err) {
  int got = sqlite3_step(statement);
  *out_id = got == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  if (out_more != NULL)
    *out_more = got == SQLITE_ROW ? sqlite3_column_int(statement, 1) : 0;
  bool done = got == SQLITE_ROW || got == SQLITE_DONE;
  assay_code code = done ? ASSAY_OK : assay_store_fail(it->store, "read", err);
  sqlite3_reset(statement);
  return code;
}

static int64_t last_id(const ingest *it) {
  return sqlite3_last_insert_rowid(it->store->database);
}

// A field that is not known differs from an empty one.
static void identify(assay_text *text, const char *field) {
  assay_text_print(text, field != NULL ? "%zu:%s " : "- ", field != NULL ? strlen(field) : 0,
                   field);
}

static const char *identity_of(assay_arena *arena, const assay_environment *env) {
  const char *const fields[] = {env->cpu,  env->llvm,     env->blas, env->blas_core,
                                env->cuda, env->revision, env->assay};
  assay_text text = {.arena = arena};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    identify(&text, fields[i]);
  assay_text_print(&text, "%.17g %.17g %.17g", env->peak_gflops_f32, env->peak_gflops_f64,
                   env->peak_gbs);
  // Behind the others, and only where it is known: those of older stores stay what they are.
  if (env->ptxas != NULL) {
    assay_text_print(&text, " ");
    identify(&text, env->ptxas);
  }
  return assay_text_get(&text);
}

static assay_code add_environment(ingest *it, const assay_environment *env, const char *identity,
                                  assay_error *err) {
  const char *const fields[] = {env->cpu,  env->llvm,     env->blas, env->blas_core,
                                env->cuda, env->revision, env->assay};
  sqlite3_stmt *add = it->at[ADD_ENVIRONMENT];
  for (int i = 0; i < 7; i++)
    bind_text(add, i + 1, fields[i]);
  // No machine reaches nothing: 0 is not known.
  bind_number(add, 8, env->peak_gflops_f32 > 0 ? env->peak_gflops_f32 : NAN);
  bind_number(add, 9, env->peak_gflops_f64 > 0 ? env->peak_gflops_f64 : NAN);
  bind_number(add, 10, env->peak_gbs > 0 ? env->peak_gbs : NAN);
  bind_text(add, 11, identity);
  bind_text(add, 12, env->ptxas);
  return finish(it, add, err);
}

static assay_code find_environment(ingest *it, const assay_environment *environment,
                                   assay_error *err) {
  static const assay_environment unknown = {0};
  const assay_environment *env = environment != NULL ? environment : &unknown;
  if (env == it->environment)
    return ASSAY_OK;
  const char *identity = identity_of(it->arena, env);
  bind_text(it->at[FIND_ENVIRONMENT], 1, identity);
  TRY(look_up(it, it->at[FIND_ENVIRONMENT], &it->environment_id, NULL, err));
  if (it->environment_id == 0) {
    TRY(add_environment(it, env, identity, err));
    it->environment_id = last_id(it);
  }
  it->environment = env;
  return ASSAY_OK;
}

// The set of these names, one a line; *out_values in the batch's arena.
static assay_code find_counters(ingest *it, const assay_record *record, int64_t **out_values,
                                size_t *out_count, assay_error *err) {
  size_t count;
  const assay_counter *counters = assay_record_counters(it->arena, record, &count);
  assay_text names = {.arena = it->arena};
  *out_values = assay_arena_take(it->arena, count, sizeof **out_values);
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (strchr(counters[i].name, '\n') != NULL)
      continue; // no name that anybody gave: it stands in the document alone
    assay_text_print(&names, "%s\n", counters[i].name);
    (*out_values)[(*out_count)++] = counters[i].value;
  }
  const char *text = assay_text_get(&names);
  if (it->names != NULL && strcmp(it->names, text) == 0)
    return ASSAY_OK;
  bind_text(it->at[FIND_COUNTERS], 1, text);
  TRY(look_up(it, it->at[FIND_COUNTERS], &it->names_id, NULL, err));
  if (it->names_id == 0) {
    bind_text(it->at[ADD_COUNTERS], 1, text);
    TRY(finish(it, it->at[ADD_COUNTERS], err));
    it->names_id = last_id(it);
  }
  sqlite3_free(it->names);
  it->names = sqlite3_mprintf("%s", text);
  return ASSAY_OK;
}

static void bind_first_bad(sqlite3_stmt *statement, int at, const assay_first_bad *bad) {
  if (bad->n == 0) {
    for (int i = 0; i < 3; i++)
      sqlite3_bind_null(statement, at + i);
    return;
  }
  sqlite3_bind_int(statement, at, bad->n);
  bind_text(statement, at + 1, bad->name != NULL ? bad->name : "");
  bind_text(statement, at + 2, bad->fault);
}

static assay_code write_document(ingest *it, sqlite3_stmt *statement, int64_t id,
                                 const assay_record *record, assay_error *err) {
  sqlite3_bind_int64(statement, 1, id);
  bind_text(statement, 2, assay_record_print(it->arena, record));
  return finish(it, statement, err);
}

static void bind_bench(assay_arena *arena, sqlite3_stmt *add, const assay_record *record) {
  bind_number(add, 18, record->threads > 0 ? (double)record->threads : NAN);
  bind_number(add, 19, record->kind == ASSAY_RECORD_BENCH ? (double)record->cold : NAN);
  bind_number(add, 20, record->flop > 0 ? record->flop : NAN);
  bind_number(add, 21, record->bytes > 0 ? record->bytes : NAN);
  bind_samples(arena, add, 22, record->run_samples, record->run_sample_count);
  bind_samples(arena, add, 23, record->compile_samples, record->compile_sample_count);
}

static assay_code add_record(ingest *it, const assay_record *record, const char *started,
                             int64_t *out_id, assay_error *err) {
  sqlite3_stmt *add = it->at[ADD];
  int64_t *values;
  size_t count;
  TRY(find_counters(it, record, &values, &count, err));
  bind_text(add, 1, assay_record_kind_name(record->kind));
  bind_text(add, 2, record->key);
  sqlite3_bind_int64(add, 3, it->environment_id);
  bind_text(add, 4, started);
  sqlite3_bind_int64(add, 5, it->invocation);
  bind_text(add, 6, record->line);
  bind_text(add, 7, record->op);
  bind_text(add, 8, record->backend);
  bind_text(add, 9, record->data);
  bind_text(add, 10, assay_verdict_name(record->verdict));
  bind_number(add, 11, record->margin);
  bind_text(add, 12, record->reason);
  bind_first_bad(add, 13, &record->first_bad);
  bind_number(add, 16, record->seconds_compile);
  bind_number(add, 17, record->seconds_run);
  bind_bench(it->arena, add, record);
  sqlite3_bind_int64(add, 24, it->names_id);
  sqlite3_bind_blob64(add, 25, values, count * sizeof *values, SQLITE_STATIC);
  bind_text(add, 26, record->clock);
  TRY(finish(it, add, err));
  *out_id = last_id(it);
  it->added++;
  return write_document(it, it->at[ADD_DOCUMENT], *out_id, record, err);
}

static assay_code put(ingest *it, const assay_record *record, assay_error *err) {
  const char *started = record->started != NULL ? record->started : "";
  int64_t id;
  int knows_bad;
  TRY(find_environment(it, record->environment, err));
  bind_text(it->at[FIND], 1, assay_record_kind_name(record->kind));
  bind_text(it->at[FIND], 2, record->key);
  sqlite3_bind_int64(it->at[FIND], 3, it->environment_id);
  bind_text(it->at[FIND], 4, started);
  TRY(look_up(it, it->at[FIND], &id, &knows_bad, err));
  if (id == 0) {
    TRY(add_record(it, record, started, &id, err));
  } else if (!knows_bad && record->first_bad.n > 0) {
    sqlite3_bind_int64(it->at[LEARN], 1, id);
    bind_first_bad(it->at[LEARN], 2, &record->first_bad);
    TRY(finish(it, it->at[LEARN], err));
    TRY(write_document(it, it->at[LEARN_DOCUMENT], id, record, err));
  }
  if (it->tag == 0)
    return ASSAY_OK;
  sqlite3_bind_int64(it->at[GIVE_TAG], 1, it->tag);
  sqlite3_bind_int64(it->at[GIVE_TAG], 2, id);
  return finish(it, it->at[GIVE_TAG], err);
}

static assay_code open_tag(ingest *it, const char *tag, assay_error *err) {
  sqlite3_stmt *statement = NULL;
  TRY(assay_store_prepare(it->store, "INSERT OR IGNORE INTO tags(name) VALUES(?1)", &statement,
                          err));
  bind_text(statement, 1, tag);
  assay_code code = finish(it, statement, err);
  sqlite3_finalize(statement);
  TRY(code);
  TRY(assay_store_prepare(it->store, "SELECT id FROM tags WHERE name = ?1", &statement, err));
  bind_text(statement, 1, tag);
  code = look_up(it, statement, &it->tag, NULL, err);
  sqlite3_finalize(statement);
  return code;
}

// The whole of what goes into the transaction.
static assay_code put_all(ingest *it, const assay_record records[], size_t count, const char *tag,
                          assay_error *err) {
  for (size_t i = 0; i < STATEMENT_COUNT; i++)
    TRY(assay_store_prepare(it->store, statements[i], &it->at[i], err));
  TRY(assay_store_execute(it->store,
                          "INSERT INTO invocations(stored, records)"
                          " VALUES(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 0)",
                          "write", err));
  it->invocation = last_id(it);
  if (tag != NULL)
    TRY(open_tag(it, tag, err));
  for (size_t i = 0; i < count; i++) {
    TRY(put(it, &records[i], err));
    if (i % BATCH == BATCH - 1) {
      assay_arena_destroy(it->arena);
      it->arena = assay_arena_create();
    }
  }
  char *sql =
      it->added > 0
          ? sqlite3_mprintf("UPDATE invocations SET records = %lld WHERE id = %lld",
                            (long long)it->added, (long long)it->invocation)
          : sqlite3_mprintf("DELETE FROM invocations WHERE id = %lld", (long long)it->invocation);
  assay_code code = assay_store_execute(it->store, sql, "write", err);
  sqlite3_free(sql);
  return code;
}

// A file that was removed while we waited for its lock would take the records with it.
static assay_code check_place(const assay_store *store, assay_error *err) {
  int moved = 0;
  sqlite3_file_control(store->database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0)
    return assay_fail_at(err, ASSAY_FAILED, store->path, 0, 0,
                         "cannot write: the store was moved or removed meanwhile");
  return ASSAY_OK;
}

assay_code assay_store_ingest(assay_store *store, const assay_record records[], size_t count,
                              const char *tag, size_t *out_new, assay_error *err) {
  ingest it = {.store = store, .arena = assay_arena_create()};
  assay_code code = assay_store_execute(store, "BEGIN IMMEDIATE", "write", err);
  if (code == ASSAY_OK)
    code = put_all(&it, records, count, tag, err);
  if (code == ASSAY_OK)
    code = assay_store_execute(store, "COMMIT", "write", err);
  for (size_t i = 0; i < STATEMENT_COUNT; i++)
    sqlite3_finalize(it.at[i]);
  sqlite3_free(it.names);
  assay_arena_destroy(it.arena);
  if (code != ASSAY_OK)
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  TRY(code);
  *out_new = it.added;
  return check_place(store, err);
}
