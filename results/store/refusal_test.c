// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are no store, or none that can be written to.
#include "results/store/fixture.h"
#include "results/store/source.h"

#include "compiler/base/file.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void check_open_fails(const char *path, assay_code code, const char *text) {
  assay_store *store;
  assay_error err = {.text = ""};
  assert_int_equal(assay_store_open(path, &store, &err), code);
  assert_string_equal(err.where, path);
  assert_string_equal(err.text, text);
}

static void rejects_what_is_no_store(void **state) {
  fixture *it = *state;
  assay_error err;
  assay_store *store;
  assert_int_equal(assay_file_write(it->path, "no database, whatever its name says\n", &err),
                   ASSAY_OK);
  check_open_fails(it->path, ASSAY_INVALID, "expected a store, found no SQLite file");
  assert_int_equal(assay_store_open_reading(it->path, &store, &err), ASSAY_INVALID);
  assert_int_equal(assay_file_write(it->path, "x", &err), ASSAY_OK); // SQLite would take it
  check_open_fails(it->path, ASSAY_INVALID, "expected a store, found no SQLite file");
  check_open_fails(it->folder, ASSAY_INVALID, "expected a store, found a folder");
  check_open_fails("/dev/null", ASSAY_INVALID, "expected a store, found no regular file");
  check_open_fails("/nowhere/at/all.db", ASSAY_FAILED, "cannot write: No such file or directory");
  unlink(it->path);
  assert_int_equal(assay_store_open_reading(it->path, &store, &err), ASSAY_MISSING);
  assert_int_equal(access(it->path, F_OK), -1);

  run_sql(it->path, "CREATE TABLE theirs(x)");
  check_open_fails(it->path, ASSAY_INVALID,
                   "expected a store, found another program's SQLite database");
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM sqlite_master"), 1);
}

static void rejects_a_newer_schema(void **state) {
  fixture *it = *state;
  assay_store_close(open_store(it->path));
  run_sql(it->path, "PRAGMA user_version=99");
  check_open_fails(it->path, ASSAY_INVALID,
                   "found a store of schema 99, known are those up to 3: a newer assay wrote it");
}

static void rejects_a_schema_that_never_was(void **state) {
  fixture *it = *state;
  assay_store_close(open_store(it->path));
  run_sql(it->path, "PRAGMA user_version=-3");
  check_open_fails(it->path, ASSAY_INVALID,
                   "found a store of schema -3, known are those from 1 to 3: it is damaged");
  run_sql(it->path, "PRAGMA user_version=0");
  check_open_fails(it->path, ASSAY_INVALID,
                   "found a store of schema 0, known are those from 1 to 3: it is damaged");
}

static void check_damage(const fixture *it, const char *sql, const char *text) {
  static const double sample = 0.5;
  static const assay_counter counter = {"object_bytes", 7};
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z"), *got;
  size_t count;
  assay_error err = {.text = ""};
  record.kind = ASSAY_RECORD_BENCH;
  record.run_samples = record.compile_samples = &sample;
  record.run_sample_count = record.compile_sample_count = 1;
  record.counters = &counter;
  record.counter_count = 1;
  unlink(it->path);
  ingest_into(it->path, &record, 1, NULL);
  run_sql(it->path, sql);
  for (int full = 0; full < 2; full++) {
    assert_int_equal(assay_source_read(it->arena, it->path, "", full != 0, &got, &count, &err),
                     ASSAY_INVALID);
    assert_string_equal(err.where, it->path);
    assert_string_equal(err.text, assay_arena_format(it->arena, "the store is damaged: %s", text));
  }
}

static void check_document(const fixture *it, const char *sql, const char *text) {
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z"), *got;
  size_t count;
  assay_error err = {.text = ""};
  unlink(it->path);
  ingest_into(it->path, &record, 1, NULL);
  run_sql(it->path, sql);
  assert_int_equal(assay_source_read(it->arena, it->path, "", true, &got, &count, &err),
                   ASSAY_INVALID);
  assert_string_equal(
      err.text,
      assay_arena_format(it->arena, "the store is damaged: document of the record 'a': %s", text));
}

static void rejects_damaged_documents(void **state) {
  fixture *it = *state;
  check_document(it, "UPDATE documents SET json = '{'",
                 "not a JSON record: string or '}' expected near end of file");
  check_document(it, "UPDATE documents SET json = replace(json, '\"key\":\"a\"', '\"key\":\"b\"')",
                 "it is another record's");
  check_document(it, "DELETE FROM documents", "it is not there");
}

// What fewer or other rows would hide.
static void rejects_damaged_fields(void **state) {
  fixture *it = *state;
  check_damage(it, "UPDATE records SET samples_run = x'0011223344'",
               "samples_run of the record 'a': expected times of 8 bytes each, found 5 bytes");
  check_damage(it, "UPDATE records SET samples_compile = zeroblob(8)",
               "samples_compile of the record 'a': expected times above 0, found 0");
  check_damage(it, "UPDATE records SET samples_run = '12345678'",
               "samples_run of the record 'a': expected times of 8 bytes each, found 8 bytes");
  check_damage(it, "UPDATE records SET counter_values = x'00'",
               "counter_values of the record 'a': expected 4 numbers of 8 bytes, found 1 bytes");
  check_damage(it, "PRAGMA foreign_keys = OFF; UPDATE records SET counter_set = 77",
               "counter_values of the record 'a': their names are not there");
  check_damage(it, "PRAGMA foreign_keys = OFF; UPDATE records SET environment = 77",
               "environment of the record 'a': it is not there");
  check_damage(it, "UPDATE records SET verdict = 'FINE'",
               "verdict of the record 'a': unknown verdict 'FINE'");
  check_damage(it, "UPDATE records SET kind = 'walk'",
               "kind of the record 'a': unknown kind 'walk'");
}

static void waits_for_a_lock_and_gives_up(void **state) {
  fixture *it = *state;
  sqlite3 *other = NULL;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z"), *got;
  size_t count;
  assay_error err;
  ingest_into(it->path, &record, 1, NULL);
  assert_int_equal(sqlite3_open(it->path, &other), SQLITE_OK);
  assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
  check_open_fails(it->path, ASSAY_FAILED,
                   "cannot write: another process has kept the store locked for 5 s");
  // Readers do not care.
  assert_int_equal(assay_source_read(it->arena, it->path, "", true, &got, &count, &err), ASSAY_OK);
  assert_int_equal(count, 1);
  sqlite3_close(other);
}

// In a child: as a user who may write nothing, where the tests run as root.
static int as_nobody(const fixture *it, int (*body)(const fixture *it)) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    _exit(getuid() == 0 && setuid(65534) != 0 ? 99 : body(it));
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static int read_and_fail_to_write(const fixture *it) {
  assay_arena *arena = assay_arena_create();
  assay_record *got;
  size_t count = 0;
  assay_store *store;
  assay_error err = {.text = ""};
  int failed = 0;
  if (assay_source_read(arena, it->path, "", true, &got, &count, &err) != ASSAY_OK || count != 1) {
    fprintf(stderr, "%s: %s\n", err.where, err.text);
    failed = 1;
  }
  if (assay_store_open(it->path, &store, &err) != ASSAY_FAILED ||
      (strstr(err.text, "read-only") == NULL && strstr(err.text, "cannot read") == NULL)) {
    fprintf(stderr, "%s: %s\n", err.where, err.text);
    failed |= 2;
  }
  assay_arena_destroy(arena);
  return failed;
}

static void reads_what_it_may_not_write(void **state) {
  fixture *it = *state;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z");
  ingest_into(it->path, &record, 1, NULL);
  chmod(it->path, 0444);
  chmod(it->folder, 0777); // SQLite's own files can be made
  assert_int_equal(as_nobody(it, read_and_fail_to_write), 0);
  unlink(assay_arena_format(it->arena, "%s-wal", it->path));
  unlink(assay_arena_format(it->arena, "%s-shm", it->path));
  chmod(it->folder, 0555); // they cannot
  assert_int_equal(as_nobody(it, read_and_fail_to_write), 0);
}

// What another process has written and not yet moved into the file itself is read, too, there.
static void reads_the_log_of_another_process(void **state) {
  fixture *it = *state;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z");
  assay_store_close(open_store(it->path));
  assay_store *writer = open_store(it->path);
  size_t added;
  assay_error err;
  assert_int_equal(assay_store_ingest(writer, &record, 1, NULL, &added, &err), ASSAY_OK);
  chmod(it->path, 0444);
  chmod(assay_arena_format(it->arena, "%s-wal", it->path), 0444);
  chmod(assay_arena_format(it->arena, "%s-shm", it->path), 0444);
  chmod(it->folder, 0555);
  assert_int_equal(as_nobody(it, read_and_fail_to_write), 0);
  chmod(it->folder, 0755);
  assay_store_close(writer);
}

enum { MANY = 400 };

static int fill_the_disk(const fixture *it) {
  static assay_record records[MANY];
  struct rlimit limit = {.rlim_cur = 200000, .rlim_max = 200000};
  assay_arena *arena = assay_arena_create();
  assay_store *store;
  size_t added;
  assay_error err = {.text = ""};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  for (int i = 0; i < MANY; i++)
    records[i] = make_record(assay_arena_format(arena, "key %d", i), "2026-01-02T00:00:00.000Z");
  int failed = assay_store_open(it->path, &store, &err) == ASSAY_OK ? 0 : 1;
  if (failed == 0 && assay_store_ingest(store, records, MANY, "all", &added, &err) != ASSAY_FAILED)
    failed = 2;
  if (failed == 0)
    assay_store_close(store);
  if (strstr(err.text, "may grow no more") == NULL && failed == 0)
    failed = 3;
  if (failed != 0)
    fprintf(stderr, "%s: %s\n", err.where, err.text);
  assay_arena_destroy(arena);
  return failed;
}

static int find_no_room(const fixture *it) {
  struct rlimit limit = {.rlim_cur = 10000, .rlim_max = 10000};
  assay_store *store;
  assay_error err;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  return assay_store_open(it->path, &store, &err) == ASSAY_FAILED ? 0 : 1;
}

static void writes_nothing_where_not_all_fits(void **state) {
  fixture *it = *state;
  chmod(it->folder, 0777);
  assert_int_equal(as_nobody(it, find_no_room), 0);
  assert_int_equal(access(it->path, F_OK), -1);
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z");
  ingest_into(it->path, &record, 1, NULL);
  chmod(it->path, 0666);
  assert_int_equal(as_nobody(it, fill_the_disk), 0);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM records"), 1);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM tags"), 0);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM invocations"), 1);
}

static void removes_only_an_empty_store(void **state) {
  fixture *it = *state;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z");
  assay_store *store = open_store(it->path);
  assert_true(assay_store_was_made(store));
  assay_store_remove_if_empty(store);
  assert_int_equal(access(it->path, F_OK), -1);
  store = open_store(it->path);
  ingest_into(it->path, &record, 1, NULL); // somebody else
  assay_store_remove_if_empty(store);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM records"), 1);
  store = open_store(it->path);
  assert_false(assay_store_was_made(store));
  assay_store_close(store);
}

static void tells_that_the_file_was_removed(void **state) {
  fixture *it = *state;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z");
  assay_store *store = open_store(it->path);
  size_t added;
  assay_error err;
  unlink(it->path);
  assert_int_equal(assay_store_ingest(store, &record, 1, NULL, &added, &err), ASSAY_FAILED);
  assay_store_close(store);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(rejects_what_is_no_store),         WITH_FOLDER(rejects_a_newer_schema),
      WITH_FOLDER(rejects_a_schema_that_never_was),  WITH_FOLDER(rejects_damaged_fields),
      WITH_FOLDER(rejects_damaged_documents),        WITH_FOLDER(rejects_a_schema_that_never_was),
      WITH_FOLDER(waits_for_a_lock_and_gives_up),    WITH_FOLDER(reads_what_it_may_not_write),
      WITH_FOLDER(reads_the_log_of_another_process), WITH_FOLDER(writes_nothing_where_not_all_fits),
      WITH_FOLDER(removes_only_an_empty_store),      WITH_FOLDER(tells_that_the_file_was_removed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
