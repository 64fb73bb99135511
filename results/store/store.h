// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The store: records of many runs in one SQLite file. docs/store.md says what stands where.
//
// Several processes may write to one store at a time; each batch of records is there whole or not
// at all. A connection must not be carried over a fork.
#ifndef ASSAY_RESULTS_STORE_STORE_H
#define ASSAY_RESULTS_STORE_STORE_H

#include "results/record/history.h"
#include "results/record/record.h"

enum {
  ASSAY_STORE_SCHEMA = 3,               // in the file's user_version
  ASSAY_STORE_APPLICATION = 0x41736179, // "Asay", in the file's application_id
  ASSAY_STORE_PATIENCE = 5000,          // ms that another process's lock is waited for
  ASSAY_STORE_LONGEST_TAG = 200,        // bytes
};

typedef struct assay_store assay_store;

// Opens a store for writing; makes the file where there is none (not its folder) and brings an
// older schema up to date. Fails where records could not be written now: ASSAY_INVALID for what is
// no store or of a newer schema, ASSAY_FAILED where it is locked, read-only, or the disk is full;
// each with the path, and with nothing changed. The store is closed by assay_store_close.
ASSAY_MUST_USE assay_code assay_store_open(const char *path, assay_store **out_store,
                                           assay_error *err);
// Opens a store that is there for reading; the file and its folder may be read-only. ASSAY_MISSING
// where there is none, else as above.
ASSAY_MUST_USE assay_code assay_store_open_reading(const char *path, assay_store **out_store,
                                                   assay_error *err);
void assay_store_close(assay_store *store); // NULL is allowed
// Whether opening made the file.
bool assay_store_was_made(const assay_store *store);
// Closes it, and removes the file where nobody has put records into it.
void assay_store_remove_if_empty(assay_store *store);

// Whether the file is some SQLite database, by its first bytes.
bool assay_store_is_database(const char *path);

// ASSAY_INVALID for what cannot be a tag: no UTF-8, longer than ASSAY_STORE_LONGEST_TAG, empty or
// of blanks alone, with control characters or '@', or "latest", which has a meaning of its own.
ASSAY_MUST_USE assay_code assay_store_check_tag(const char *tag, assay_error *err);

// Puts records into the store, in one transaction: all of them, or on failure none. One that is
// there already (same kind, key, environment and start) is not put in again; what was found out
// about its first bad pass since then is taken over. tag: (optional) given to all of them.
// *out_new: how many were not there before.
ASSAY_MUST_USE assay_code assay_store_ingest(assay_store *store, const assay_record records[],
                                             size_t count, const char *tag, size_t *out_new,
                                             assay_error *err);

// The newest `limit` records of a key, oldest first; in the arena. None is no failure.
ASSAY_MUST_USE assay_code assay_store_history(assay_store *store, assay_arena *arena,
                                              assay_record_kind kind, const char *key, size_t limit,
                                              assay_history_point **out_points, size_t *out_count,
                                              assay_error *err);

#endif
