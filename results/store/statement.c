// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SQLite's statements and failures.
#include "results/store/internal.h"

#include <string.h>

assay_code assay_store_fail(const assay_store *store, const char *doing, assay_error *err) {
  const char *path = store->path;
  int number = sqlite3_system_errno(store->database);
  switch (sqlite3_errcode(store->database)) {
  case SQLITE_NOTADB:
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "expected a store, found no SQLite file");
  case SQLITE_CORRUPT:
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "the store is damaged: %s",
                         sqlite3_errmsg(store->database));
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0,
                         "cannot %s: another process has kept the store locked for %g s", doing,
                         ASSAY_STORE_PATIENCE / 1000.0);
  case SQLITE_READONLY:
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0,
                         "cannot %s: the store or its folder is read-only", doing);
  case SQLITE_FULL:
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot %s: the disk is full", doing);
  case SQLITE_IOERR:
    if (sqlite3_extended_errcode(store->database) == SQLITE_IOERR_WRITE && number == 0)
      return assay_fail_at(err, ASSAY_FAILED, path, 0, 0,
                           "cannot %s: the disk is full, or the file may grow no more", doing);
    // fall through
  case SQLITE_CANTOPEN:
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot %s: %s", doing,
                         number != 0 ? strerror(number) : sqlite3_errmsg(store->database));
  default:
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot %s: %s", doing,
                         sqlite3_errmsg(store->database));
  }
}

assay_code assay_store_execute(assay_store *store, const char *sql, const char *doing,
                               assay_error *err) {
  if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
    return ASSAY_OK;
  return assay_store_fail(store, doing, err);
}

assay_code assay_store_prepare(assay_store *store, const char *sql, sqlite3_stmt **out_statement,
                               assay_error *err) {
  if (sqlite3_prepare_v2(store->database, sql, -1, out_statement, NULL) == SQLITE_OK)
    return ASSAY_OK;
  return assay_store_fail(store, "read", err);
}

const char *assay_store_clock(const assay_store *store) {
  return store->schema >= 3
             ? "r.clock"
             : "(SELECT 'device' FROM documents d WHERE d.record = r.id AND"
               " CASE WHEN json_valid(d.json) THEN d.json ->> '$.clock' END = 'device')";
}
