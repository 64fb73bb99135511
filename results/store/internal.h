// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this room share.
#ifndef ASSAY_RESULTS_STORE_INTERNAL_H
#define ASSAY_RESULTS_STORE_INTERNAL_H

#include "results/store/store.h"

#include <sqlite3.h>
#include <time.h>

struct assay_store {
  sqlite3 *database;
  char *path; // malloc
  bool made;
  int failure;             // SQLite's code, of looking at what the file is
  struct timespec waiting; // since when another process's lock is waited for
};

// Step i brings a store from schema i to i + 1; each is several statements of SQL.
extern const char *const assay_store_migrations[ASSAY_STORE_SCHEMA];

// Turns what SQLite last said into an error with the store's path. doing: "read", "write".
ASSAY_MUST_USE assay_code assay_store_fail(const assay_store *store, const char *doing,
                                           assay_error *err);
// Runs statements without results.
ASSAY_MUST_USE assay_code assay_store_execute(assay_store *store, const char *sql,
                                              const char *doing, assay_error *err);
// Prepares one statement, which the caller finalizes.
ASSAY_MUST_USE assay_code assay_store_prepare(assay_store *store, const char *sql,
                                              sqlite3_stmt **out_statement, assay_error *err);

// A column's text in the arena; NULL for NULL.
const char *assay_column_text(assay_arena *arena, sqlite3_stmt *statement, int column);
// A column's doubles in the arena.
const double *assay_column_samples(assay_arena *arena, sqlite3_stmt *statement, int column,
                                   size_t *out_count);
// A column's number; NaN for NULL.
double assay_column_number(sqlite3_stmt *statement, int column);

// Those records that a condition of SQL on r (records) selects, without merging: *out_ids are their
// row numbers. parameter: the value of ?1, or NULL. Only what stands in columns is filled in.
ASSAY_MUST_USE assay_code assay_store_select(assay_store *store, assay_arena *arena,
                                             const char *condition, const char *parameter,
                                             assay_record **out_records, int64_t **out_ids,
                                             int64_t **out_invocations, size_t *out_count,
                                             assay_error *err);

// assay_records_merge with more said: tagged, the records have the tag that was asked for.
// *out_origins: of each merged record the number of the newest.
void assay_merge(assay_arena *arena, const assay_record records[], const int64_t batches[],
                 size_t count, bool tagged, assay_record **out_merged, size_t **out_origins,
                 size_t *out_count);

// Reads the records of a store that `what` names: NULL for all. As assay_source_read.
ASSAY_MUST_USE assay_code assay_store_read(assay_arena *arena, const char *path, const char *what,
                                           bool full, assay_record **out_records, size_t *out_count,
                                           assay_error *err);

#endif
