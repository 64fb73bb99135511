// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/fixture.h"
#include "results/store/source.h"

#include "compiler/base/file.h"

// Every field of a record comes back, those of other versions too.
static void keeps_records_whole(void **state) {
  fixture *it = *state;
  const double samples[] = {0.25, 0.5, 0.75, INFINITY, 0};
  const assay_counter counters[] = {{"object_bytes", INT64_C(1) << 40}, {"llvm_ops", 7}};
  const assay_pass_row passes[] = {
      {.n = 1, .name = "cse", .seconds = 0.5, .ops_after = 3, .changed = true, .margin = NAN}};
  assay_environment measured = here;
  measured.cuda = "a GPU, CUDA 13.0";
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
  record.run_sample_count = 5; // of which three are times
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
  record.clock = "device";
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
  const char *const bad[] = {"",   "latest", "a\nb",  "\x1b[31m",     "\xc2\x9b[", " ", "   ",
                             "\t", "\xff",   "a\xc3", "\xed\xa0\x80", "a@b",       "@", longest};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(assay_store_check_tag(bad[i], &err), ASSAY_INVALID);
  assert_int_equal(assay_store_check_tag(longest + 1, &err), ASSAY_OK);
  assert_int_equal(assay_store_check_tag("feature/x : 5 <&>", &err), ASSAY_OK);
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
  third.clock = "device";
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
  assert_false(points[0].on_device);
  assert_true(points[1].on_device);
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
                    "ALTER TABLE environments DROP COLUMN ptxas;"
                    "ALTER TABLE records DROP COLUMN clock; PRAGMA user_version=1");
  assert_int_equal(assay_source_read(it->arena, it->path, "", true, &got, &count, &err), ASSAY_OK);
  assert_int_equal(count, 1);
  assert_int_equal(ask_sql(it->path, "PRAGMA user_version"), 1);
  assert_int_equal(ingest_into(it->path, &record, 1, NULL), 0);
  assert_int_equal(ask_sql(it->path, "PRAGMA user_version"), ASSAY_STORE_SCHEMA);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM runs"), 1);
}

// What a store of before wrote of devices stands in its documents alone.
static void older_stores_know_their_devices(void **state) {
  fixture *it = *state;
  assay_error err;
  assay_environment first = {.cpu = "c", .ptxas = "old"}, second = {.cpu = "c", .ptxas = "newer"};
  assay_record records[] = {make_record("a", "2026-01-01T00:00:00.000Z"),
                            make_record("b", "2026-01-01T00:00:00.000Z"),
                            make_record("c", "2026-01-01T00:00:00.000Z")},
               *got;
  size_t count;
  records[0].clock = records[1].clock = "device";
  records[0].kind = records[1].kind = ASSAY_RECORD_BENCH;
  records[0].environment = &first;
  records[1].environment = &second;
  ingest_into(it->path, records, 3, NULL);
  run_sql(it->path,
          "UPDATE records SET environment = (SELECT environment FROM records WHERE key = 'a')"
          " WHERE key = 'b'; DELETE FROM environments WHERE ptxas = 'newer';"
          "UPDATE environments SET identity = replace(identity, ' 3:old ', '');"
          "DROP VIEW runs; ALTER TABLE environments DROP COLUMN ptxas;"
          "ALTER TABLE records DROP COLUMN clock; PRAGMA user_version=2");
  assert_int_equal(assay_source_read(it->arena, it->path, "", true, &got, &count, &err), ASSAY_OK);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(got[i].clock != NULL, strcmp(got[i].key, "c") != 0);
  assert_int_equal(ask_sql(it->path, "PRAGMA user_version"), 2);
  assert_int_equal(ingest_into(it->path, records, 3, NULL), 0);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM runs"), 3);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM runs WHERE clock = 'device'"), 2);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM runs WHERE key = 'a' AND ptxas = 'old'"
                                     " OR key = 'b' AND ptxas = 'newer'"),
                   2);
}

// A comparison reads columns alone.
static void keeps_devices_apart(void **state) {
  fixture *it = *state;
  assay_error err;
  assay_record records[] = {make_record("a", "2026-01-01T00:00:00.000Z"),
                            make_record("b", "2026-01-01T00:00:00.000Z")},
               *got;
  assay_environment other = here;
  size_t count;
  other.ptxas = "Build 13.0";
  records[0].environment = &other;
  records[0].kind = ASSAY_RECORD_BENCH;
  records[0].clock = "device";
  records[0].seconds_run = NAN;
  assert_int_equal(ingest_into(it->path, records, 2, NULL), 2);
  assert_int_equal(ingest_into(it->path, records, 2, NULL), 0);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM environments"), 2);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM runs WHERE seconds_run IS NULL AND"
                                     " ptxas = 'Build 13.0' AND clock = 'device'"),
                   1);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM records WHERE key = 'b' AND cold IS NULL"
                                     " AND threads IS NULL AND clock IS NULL"),
                   1);
  assay_environment third = other;
  third.ptxas = "Build 12.8";
  assay_record again = records[0];
  again.environment = &third;
  again.key = again.line = "c";
  assert_int_equal(ingest_into(it->path, &again, 1, NULL), 1);
  assert_int_equal(ask_sql(it->path, "SELECT count(*) FROM environments"), 3);
  for (int full = 0; full < 2; full++) {
    assert_int_equal(assay_source_read(it->arena, it->path, "", full != 0, &got, &count, &err),
                     ASSAY_OK);
    assert_int_equal(count, 3);
    const assay_record *device = strcmp(got[0].key, "a") == 0 ? &got[0] : &got[1];
    assert_string_equal(device->clock, "device");
    assert_string_equal(device->environment->ptxas, "Build 13.0");
    assert_true(isnan(device->seconds_run));
  }
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(keeps_records_whole),
      WITH_FOLDER(counts_a_record_once),
      WITH_FOLDER(learns_the_first_bad_pass),
      WITH_FOLDER(older_stores_know_their_devices),
      cmocka_unit_test(checks_tags),
      WITH_FOLDER(tells_the_past_of_a_key),
      WITH_FOLDER(brings_older_stores_up_to_date),
      WITH_FOLDER(keeps_devices_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
