// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

// Every field of a record comes back, those of other versions too.
static void keeps_records_whole(void **state) {
  fixture *it = *state;
  const double samples[] = {0.25, 0.5, INFINITY};
  const assay_counter counters[] = {{"object_bytes", INT64_C(1) << 40}, {"llvm_ops", 7}};
  const assay_pass_row passes[] = {
      {.n = 1, .name = "cse", .seconds = 0.5, .ops_after = 3, .changed = true, .margin = NAN}};
  assay_environment measured = here;
  measured.peak_gbs = 1e9 / 3;
  measured.peak_gflops_f32 = 0.1;
  measured.peak_gflops_f64 = 2;
  assay_record record = make_record("a 'key' \" with <&> and \xc3\xa9", "2026-01-01T00:00:00.000Z");
  record.kind = ASSAY_RECORD_BENCH;
  record.verdict = ASSAY_FAIL;
  record.margin = INFINITY;
  record.reason = "wrong";
  record.first_bad = (assay_first_bad){.n = 3, .name = "cse", .fault = "miscompile", .step = "s"};
  record.run_samples = samples;
  record.run_sample_count = 3;
  record.compile_samples = samples;
  record.compile_sample_count = 1;
  record.counters = counters;
  record.counter_count = 2;
  record.blas_calls = 5;
  record.pass_count = 1;
  record.passes = passes;
  record.threads = 2;
  record.cold = true;
  record.flop = 1e9;
  record.others = "{\"newer\":[1,null]}";
  record.environment = &measured;
  assert_int_equal(ingest_into(it->path, &record, 1, NULL), 1);

  assay_record *got;
  size_t count;
  assay_error err;
  assert_int_equal(assay_source_read(it->arena, it->path, "none.db", true, &got, &count, &err),
                   ASSAY_OK);
  assert_int_equal(count, 1);
  assert_string_equal(assay_record_print(it->arena, &got[0]),
                      assay_record_print(it->arena, &record));
  // From columns alone: all but what only the document has.
  assert_int_equal(assay_source_read(it->arena, it->path, "none.db", false, &got, &count, &err),
                   ASSAY_OK);
  record.pass_count = 0;
  record.others = NULL;
  record.first_bad.step = NULL;
  assert_string_equal(assay_record_print(it->arena, &got[0]),
                      assay_record_print(it->arena, &record));
}

static void counts_a_record_once(void **state) {
  fixture *it = *state;
  assay_record records[] = {make_record("a", "2026-01-01T00:00:00.000Z"),
                            make_record("b", "2026-01-01T00:00:00.000Z"),
                            make_record("a", "2026-01-02T00:00:00.000Z")};
  assert_int_equal(ingest_into(it->path, records, 3, NULL), 3);
  assert_int_equal(ingest_into(it->path, records, 3, NULL), 0);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM invocations"), 1);
  records[0].kind = ASSAY_RECORD_BENCH; // another record by its kind
  assay_environment other = here;
  other.cuda = ""; // differs from one that is not known
  records[1].environment = &other;
  assert_int_equal(ingest_into(it->path, records, 3, NULL), 2);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM environments"), 2);
  // A record twice in one batch, and one without a start.
  assay_record same[] = {make_record("c", NULL), make_record("c", NULL)};
  assert_int_equal(ingest_into(it->path, same, 2, NULL), 1);
}

// A run that was stopped and goes on finds the bad pass of a record that is stored already.
static void learns_the_first_bad_pass(void **state) {
  fixture *it = *state;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z"), *got;
  size_t count;
  assay_error err;
  ingest_into(it->path, &record, 1, NULL);
  record.first_bad = (assay_first_bad){.n = 3, .name = "cse", .fault = "miscompile"};
  assert_int_equal(ingest_into(it->path, &record, 1, NULL), 0);
  record.first_bad = (assay_first_bad){0}; // nothing is forgotten again
  assert_int_equal(ingest_into(it->path, &record, 1, NULL), 0);
  for (int full = 0; full < 2; full++) {
    assert_int_equal(assay_source_read(it->arena, it->path, "", full != 0, &got, &count, &err),
                     ASSAY_OK);
    assert_string_equal(got[0].first_bad.name, "cse");
  }
}

static void checks_tags(void **state) {
  (void)state;
  char longest[ASSAY_STORE_LONGEST_TAG + 2];
  assay_error err;
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  const char *const bad[] = {"", "latest", "a\nb", "\x1b[31m", longest};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(assay_store_check_tag(bad[i], &err), ASSAY_INVALID);
  assert_int_equal(assay_store_check_tag(longest + 1, &err), ASSAY_OK);
  assert_int_equal(assay_store_check_tag("feature/x @ 5 <&>", &err), ASSAY_OK);
}

static void tells_the_past_of_a_key(void **state) {
  fixture *it = *state;
  const double samples[] = {4, 1, 2, 3};
  assay_record first = make_record("a", "2026-01-01T00:00:00.000Z"),
               second = make_record("a", "2026-01-02T00:00:00.000Z"),
               third = make_record("a", "2026-01-03T00:00:00.000Z");
  second.verdict = ASSAY_FAIL;
  second.margin = NAN;
  third.run_samples = samples;
  third.run_sample_count = 4;
  ingest_into(it->path, &third, 1, "later");
  ingest_into(it->path, &third, 1, "last");
  ingest_into(it->path, &first, 1, NULL);
  ingest_into(it->path, &second, 1, NULL);
  assay_store *store = open_store(it->path);
  assay_history_point *points;
  size_t count;
  assay_error err;
  assert_int_equal(
      assay_store_history(store, it->arena, ASSAY_RECORD_RUN, "a", 2, &points, &count, &err),
      ASSAY_OK);
  assert_int_equal(count, 2);
  assert_string_equal(points[0].started, "2026-01-02T00:00:00.000Z");
  assert_int_equal(points[0].verdict, ASSAY_FAIL);
  assert_true(isnan(points[0].margin));
  assert_float_equal(points[0].seconds_run, 0.125, 0);
  assert_null(points[0].tag);
  assert_string_equal(points[1].revision, "cd3231f12345");
  assert_string_equal(points[1].tag, "last");
  assert_float_equal(points[1].seconds_run, 2.5, 0);
  assert_float_equal(points[1].seconds_compile, 0.5, 0);
  assert_int_equal(
      assay_store_history(store, it->arena, ASSAY_RECORD_BENCH, "a", 2, &points, &count, &err),
      ASSAY_OK);
  assert_int_equal(count, 0);
  assay_store_close(store);
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
                   "found a store of schema 99, known are those up to 2: a newer assay wrote it");
}

// An empty file is what mktemp makes, and becomes a store; an older store is brought up to date,
// and can be read without that.
static void brings_older_stores_up_to_date(void **state) {
  fixture *it = *state;
  assay_error err;
  assay_record record = make_record("a", "2026-01-01T00:00:00.000Z"), *got;
  size_t count;
  assert_int_equal(assay_file_write(it->path, "", &err), ASSAY_OK);
  ingest_into(it->path, &record, 1, NULL);
  run_sql(it->path, "DROP VIEW runs; DROP VIEW counters; DROP VIEW passes; DROP VIEW samples;"
                    "PRAGMA user_version=1");
  assert_int_equal(assay_source_read(it->arena, it->path, "", true, &got, &count, &err), ASSAY_OK);
  assert_int_equal(count, 1);
  assert_int_equal(ask_sql(it->path, "PRAGMA user_version"), 1);
  assert_int_equal(ingest_into(it->path, &record, 1, NULL), 0);
  assert_int_equal(ask_sql(it->path, "PRAGMA user_version"), ASSAY_STORE_SCHEMA);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM runs"), 1);
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
      WITH_FOLDER(keeps_records_whole),
      WITH_FOLDER(counts_a_record_once),
      WITH_FOLDER(learns_the_first_bad_pass),
      cmocka_unit_test(checks_tags),
      WITH_FOLDER(tells_the_past_of_a_key),
      WITH_FOLDER(rejects_what_is_no_store),
      WITH_FOLDER(rejects_a_newer_schema),
      WITH_FOLDER(brings_older_stores_up_to_date),
      WITH_FOLDER(waits_for_a_lock_and_gives_up),
      WITH_FOLDER(reads_what_it_may_not_write),
      WITH_FOLDER(reads_the_log_of_another_process),
      WITH_FOLDER(writes_nothing_where_not_all_fits),
      WITH_FOLDER(removes_only_an_empty_store),
      WITH_FOLDER(tells_that_the_file_was_removed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
