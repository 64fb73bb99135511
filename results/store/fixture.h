// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this room's tests stand on: a folder of their own, and records.
#ifndef ASSAY_RESULTS_STORE_FIXTURE_H
#define ASSAY_RESULTS_STORE_FIXTURE_H

#include "results/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

typedef struct fixture {
  assay_arena *arena;
  const char *folder;
  const char *path; // of a store that is not there yet
} fixture;

static inline int fixture_set_up(void **state) {
  fixture *it = calloc(1, sizeof *it);
  if (it == NULL)
    return 1;
  it->arena = assay_arena_create();
  // Not below this folder, which another user may not reach: a project may lie in a private one.
  const char *place = getenv("TMPDIR");
  it->folder = mkdtemp(
      assay_arena_format(it->arena, "%s/store_test_XXXXXX", place != NULL ? place : "/tmp"));
  it->path = assay_arena_format(it->arena, "%s/assay.db", it->folder);
  *state = it;
  return 0;
}

static inline int fixture_tear_down(void **state) {
  fixture *it = *state;
  static const char *const names[] = {"assay.db",         "assay.db-wal", "assay.db-shm",
                                      "assay.db-journal", "run.jsonl",    "else.jsonl"};
  chmod(it->folder, 0700);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    unlink(assay_arena_format(it->arena, "%s/%s", it->folder, names[i]));
  int failed = rmdir(it->folder); // nothing else was left there
  assay_arena_destroy(it->arena);
  free(it);
  return failed;
}

static const assay_environment here = {
    .cpu = "a cpu", .llvm = "22.1.8", .revision = "cd3231f12345", .assay = "0.1.0"};

static inline assay_record make_record(const char *key, const char *started) {
  return (assay_record){.kind = ASSAY_RECORD_RUN,
                        .key = key,
                        .line = key,
                        .op = "matmul",
                        .backend = "loop",
                        .data = "int",
                        .margin = 0.25,
                        .seconds_compile = 0.5,
                        .seconds_run = 0.125,
                        .started = started,
                        .environment = &here};
}

static inline assay_store *open_store(const char *path) {
  assay_store *store = NULL;
  assay_error err = {.text = ""};
  if (assay_store_open(path, &store, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  return store;
}

// Puts them in; how many were new.
static inline size_t ingest_into(const char *path, const assay_record records[], size_t count,
                                 const char *tag) {
  assay_store *store = open_store(path);
  size_t added = 0;
  assay_error err = {.text = ""};
  if (assay_store_ingest(store, records, count, tag, &added, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  assay_store_close(store);
  return added;
}

// Runs SQL on a file without this room's help.
static inline void run_sql(const char *path, const char *sql) {
  sqlite3 *database = NULL;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
}

static inline int64_t ask_sql(const char *path, const char *sql) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  sqlite3_busy_timeout(database, 5000);
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
    fail_msg("%s: %s", sql, sqlite3_errmsg(database));
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  int64_t number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return number;
}

#endif
