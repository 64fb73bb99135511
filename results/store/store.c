// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The least schema that can be read as it is, without writing.
enum { OLDEST_READABLE = 1, HEADER_BYTES = 16 };

static const char header[HEADER_BYTES] = "SQLite format 3";

// One number that a statement gives.
static assay_code ask(assay_store *store, const char *sql, int64_t *out_number, assay_error *err) {
  sqlite3_stmt *statement = NULL;
  TRY(assay_store_prepare(store, sql, &statement, err));
  bool answered = sqlite3_step(statement) == SQLITE_ROW;
  *out_number = answered ? sqlite3_column_int64(statement, 0) : 0;
  assay_code code = answered ? ASSAY_OK : assay_store_fail(store, "read", err);
  sqlite3_finalize(statement);
  return code;
}

// What the file is: *out_schema is 0 where it holds nothing at all. In a transaction.
static assay_code identify(assay_store *store, int64_t *out_schema, assay_error *err) {
  int64_t application, objects;
  TRY(ask(store, "PRAGMA user_version", out_schema, err));
  TRY(ask(store, "PRAGMA application_id", &application, err));
  TRY(ask(store, "SELECT count(*) FROM sqlite_master", &objects, err));
  if (application == 0 && objects == 0 && *out_schema == 0)
    return ASSAY_OK;
  if (application != ASSAY_STORE_APPLICATION)
    return assay_fail_at(err, ASSAY_INVALID, store->path, 0, 0,
                         "expected a store, found another program's SQLite database");
  // A store is made in one transaction with its schema.
  if (*out_schema < 0 || (*out_schema == 0 && objects > 0))
    return assay_fail_at(
        err, ASSAY_INVALID, store->path, 0, 0,
        "found a store of schema %lld, known are those from 1 to %d: it is damaged",
        (long long)*out_schema, ASSAY_STORE_SCHEMA);
  if (*out_schema > ASSAY_STORE_SCHEMA)
    return assay_fail_at(err, ASSAY_INVALID, store->path, 0, 0,
                         "found a store of schema %lld, known are those up to %d: a newer assay "
                         "wrote it",
                         (long long)*out_schema, ASSAY_STORE_SCHEMA);
  return ASSAY_OK;
}

// The same in a transaction of its own: another process may just be making the store.
static assay_code look(assay_store *store, int64_t *out_schema, assay_error *err) {
  TRY(assay_store_execute(store, "BEGIN", "read", err));
  assay_code code = identify(store, out_schema, err);
  int failure = sqlite3_errcode(store->database);
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  store->failure = code == ASSAY_OK ? SQLITE_OK : failure;
  return code;
}

// In a transaction: the schema is looked at again, since another process may have been faster.
static assay_code migrate(assay_store *store, assay_error *err) {
  char pragma[96];
  int64_t schema;
  TRY(identify(store, &schema, err));
  for (int64_t i = schema; i < ASSAY_STORE_SCHEMA; i++)
    TRY(assay_store_execute(store, assay_store_migrations[i], "write", err));
  snprintf(pragma, sizeof pragma, "PRAGMA application_id=%d; PRAGMA user_version=%d",
           ASSAY_STORE_APPLICATION, ASSAY_STORE_SCHEMA);
  return schema < ASSAY_STORE_SCHEMA ? assay_store_execute(store, pragma, "write", err) : ASSAY_OK;
}

static assay_code bring_up_to_date(assay_store *store, assay_error *err) {
  int64_t schema;
  TRY(look(store, &schema, err));
  if (sqlite3_db_readonly(store->database, "main") == 1)
    return assay_fail_at(err, ASSAY_FAILED, store->path, 0, 0,
                         "cannot write: the store or its folder is read-only");
  TRY(assay_store_execute(store, "BEGIN IMMEDIATE", "write", err));
  assay_code code = migrate(store, err);
  if (code == ASSAY_OK)
    code = assay_store_execute(store, "COMMIT", "write", err);
  if (code != ASSAY_OK)
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  TRY(code);
  store->schema = ASSAY_STORE_SCHEMA;
  // Readers and a writer do not wait for each other then. Where another process holds the file, or
  // a file system cannot do it, the old way serves as well.
  sqlite3_exec(store->database, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
  return ASSAY_OK;
}

// SQLite's own waiting grows to naps of 100 ms, and one who naps so long among others who write all
// the time may never find the lock free.
static int wait_for_lock(void *user, int times) {
  enum { LONGEST_NAP = 10 };
  assay_store *store = user;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (times == 0)
    store->waiting = now;
  long waited = (long)(now.tv_sec - store->waiting.tv_sec) * 1000 +
                (now.tv_nsec - store->waiting.tv_nsec) / 1000000;
  if (waited >= ASSAY_STORE_PATIENCE)
    return 0;
  long nap = times < LONGEST_NAP ? times + 1 : LONGEST_NAP;
  nanosleep(&(struct timespec){.tv_nsec = nap * 1000000 - now.tv_nsec % 700000}, NULL);
  return 1;
}

static assay_code connect(assay_store *store, const char *name, int flags, assay_error *err) {
  int got = sqlite3_open_v2(name, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (store->database == NULL)
    abort(); // no memory, as in arenas
  if (got != SQLITE_OK)
    return assay_store_fail(store, "open", err);
  sqlite3_busy_handler(store->database, wait_for_lock, store);
  return ASSAY_OK;
}

static assay_store *create(const char *path) {
  assay_store *store = calloc(1, sizeof *store);
  if (store == NULL || (store->path = strdup(path)) == NULL)
    abort();
  return store;
}

// SQLite would follow a name to a pipe or a device and wait there. *out_exists: there is a file.
static assay_code check_file(const char *path, bool *out_exists, assay_error *err) {
  struct stat status;
  *out_exists = stat(path, &status) == 0;
  if (!*out_exists && errno != ENOENT)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot open: %s", strerror(errno));
  if (*out_exists && !S_ISREG(status.st_mode))
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "expected a store, found %s",
                         S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
  // SQLite takes a short file of somebody else's for an empty database.
  if (*out_exists && status.st_size > 0 && access(path, R_OK) == 0 &&
      !assay_store_is_database(path))
    return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "expected a store, found no SQLite file");
  return ASSAY_OK;
}

// Makes an empty file, which SQLite takes for an empty database, to learn here why it cannot be
// made. *out_made: nobody else was faster.
static assay_code make_file(const char *path, bool *out_made, assay_error *err) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *out_made = descriptor >= 0;
  if (descriptor < 0 && errno != EEXIST)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
  if (descriptor >= 0)
    close(descriptor);
  return ASSAY_OK;
}

assay_code assay_store_open(const char *path, assay_store **out_store, assay_error *err) {
  bool exists, made = false;
  TRY(check_file(path, &exists, err));
  if (!exists)
    TRY(make_file(path, &made, err));
  assay_store *store = create(path);
  store->made = made;
  assay_code code = connect(store, path, SQLITE_OPEN_READWRITE, err);
  if (code == ASSAY_OK)
    code = bring_up_to_date(store, err);
  if (code == ASSAY_OK)
    *out_store = store;
  else if (store->made)
    assay_store_remove_if_empty(store);
  else
    assay_store_close(store);
  return code;
}

// "file:PATH?immutable=1" with what has a meaning in such a name escaped; malloc.
static char *name_immutable(const char *path) {
  static const char tail[] = "?immutable=1";
  char *name = malloc(strlen("file:") + 3 * strlen(path) + sizeof tail);
  if (name == NULL)
    abort();
  size_t used = (size_t)sprintf(name, "file:");
  for (const char *byte = path; *byte != '\0'; byte++)
    used += (size_t)sprintf(name + used, strchr("%?#", *byte) != NULL ? "%%%02X" : "%c", *byte);
  memcpy(name + used, tail, sizeof tail);
  return name;
}

// Whether the store's file holds everything: no write-ahead log with more stands beside it.
static bool is_whole(const char *path) {
  struct stat status;
  char *log = malloc(strlen(path) + sizeof "-wal");
  if (log == NULL)
    abort();
  sprintf(log, "%s-wal", path);
  bool whole = stat(log, &status) != 0 || status.st_size == 0;
  free(log);
  return whole;
}

static assay_code identify_stored(assay_store *store, assay_error *err) {
  int64_t schema;
  TRY(look(store, &schema, err));
  store->schema = schema;
  if (schema < OLDEST_READABLE)
    return assay_fail_at(err, ASSAY_INVALID, store->path, 0, 0, "expected a store, found %s",
                         "an empty file");
  return ASSAY_OK;
}

// Where the folder is read-only SQLite cannot make the files that readers of a write-ahead log
// share. Nobody can be writing there, so it is told not to look for them.
static assay_code open_immutable(assay_store *store, assay_error *err) {
  if (!is_whole(store->path))
    return assay_fail_at(err, ASSAY_FAILED, store->path, 0, 0,
                         "cannot read: a write-ahead log (-wal) stands beside the store, which a "
                         "read-only folder keeps from being read; copy both elsewhere");
  sqlite3_close(store->database);
  char *name = name_immutable(store->path);
  assay_code code = connect(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
  free(name);
  TRY(code);
  return identify_stored(store, err);
}

assay_code assay_store_open_reading(const char *path, assay_store **out_store, assay_error *err) {
  bool exists;
  TRY(check_file(path, &exists, err));
  if (!exists)
    return assay_fail_at(err, ASSAY_MISSING, path, 0, 0, "cannot open: %s", strerror(ENOENT));
  assay_store *store = create(path);
  // Open for writing, where that can be, so that SQLite tidies up after itself; nothing is written.
  assay_code code = connect(store, path, SQLITE_OPEN_READWRITE, err);
  if (code == ASSAY_OK)
    code = identify_stored(store, err);
  if (code != ASSAY_OK && (store->failure == SQLITE_CANTOPEN || store->failure == SQLITE_READONLY))
    code = access(path, R_OK) == 0 ? open_immutable(store, err) : code;
  if (code == ASSAY_OK)
    code = assay_store_execute(store, "PRAGMA query_only=1", "read", err);
  if (code == ASSAY_OK)
    *out_store = store;
  else
    assay_store_close(store);
  return code;
}

void assay_store_close(assay_store *store) {
  if (store == NULL)
    return;
  sqlite3_close(store->database);
  free(store->path);
  free(store);
}

bool assay_store_was_made(const assay_store *store) {
  return store->made;
}

// A file of no bytes, or a store without records.
static bool is_empty(assay_store *store) {
  int64_t objects, records = 0;
  assay_error ignored;
  if (ask(store, "SELECT count(*) FROM sqlite_master", &objects, &ignored) != ASSAY_OK)
    return false;
  return objects == 0 ||
         (ask(store, "SELECT count(*) FROM invocations", &records, &ignored) == ASSAY_OK &&
          records == 0);
}

// Under a lock, so that nobody writes between the question and its answer; one that waits for the
// lock finds that its file has moved (assay_store_ingest). Out of the write-ahead mode first, so
// that no log is left; by a new connection then, since one that leaves that mode keeps in its cache
// what others have changed since.
static void remove_empty(assay_store *store) {
  assay_error ignored;
  sqlite3_exec(store->database, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
  sqlite3_close(store->database);
  if (connect(store, store->path, SQLITE_OPEN_READWRITE, &ignored) != ASSAY_OK ||
      sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
    return;
  if (is_empty(store))
    unlink(store->path);
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
}

void assay_store_remove_if_empty(assay_store *store) {
  remove_empty(store);
  assay_store_close(store);
}

bool assay_store_is_database(const char *path) {
  char bytes[HEADER_BYTES];
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return false;
  bool is = fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
            memcmp(bytes, header, sizeof bytes) == 0;
  fclose(file);
  return is;
}
