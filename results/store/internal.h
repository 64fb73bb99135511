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
  int64_t schema;          // that the file has
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
// A column's times in the arena. ASSAY_INVALID for what no ingest wrote, with the store's path: it
// is damaged. key: of the record; field: of the column, for the message.
ASSAY_MUST_USE assay_code assay_column_samples(const assay_store *store, assay_arena *arena,
                                               sqlite3_stmt *statement, int column, const char *key,
                                               const char *field, const double **out_samples,
                                               size_t *out_count, assay_error *err);
// Says that this field of a record is damaged, and how: ASSAY_INVALID.
ASSAY_MUST_USE assay_code assay_store_fail_field(const assay_store *store, assay_arena *arena,
                                                 const char *key, const char *field,
                                                 const char *how, assay_error *err);
// Their median; `none` where there are no samples.
double assay_samples_median(assay_arena *arena, const double samples[], size_t count, double none);
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

// SQL for the clock of the record `r`, which stores of before schema 3 have in documents alone.
const char *assay_store_clock(const assay_store *store);

// How much is read: for a comparison by columns, with all fields, or without merging, too.
typedef enum assay_reading { ASSAY_READ_LIGHT, ASSAY_READ_FULL, ASSAY_READ_EACH } assay_reading;

typedef struct assay_found {
  assay_record *records;
  int64_t *batches; // of ASSAY_READ_EACH, as assay_source_read_each has it
  size_t count;
} assay_found;

// Reads the records of a store that `what` names: NULL for all. As assay_source_read.
ASSAY_MUST_USE assay_code assay_store_read(assay_arena *arena, const char *path, const char *what,
                                           assay_reading how, assay_found *out_found,
                                           assay_error *err);

#endif
