// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/fixture.h"
#include "results/store/source.h"

#include "compiler/base/file.h"
#include "compiler/base/text.h"

static const char MONDAY[] = "2026-01-05T00:00:00.000Z", TUESDAY[] = "2026-01-06T00:00:00.000Z",
                  FRIDAY[] = "2026-01-09T00:00:00.000Z";

static const char *in(const fixture *it, const char *name) {
  return assay_arena_format(it->arena, "%s/%s", it->folder, name);
}

static size_t read_word(const fixture *it, const char *word, assay_record **out_records) {
  size_t count = 0;
  for (int full = 0; full < 2; full++) {
    assay_error err = {.text = ""};
    size_t last = count;
    if (assay_source_read(it->arena, word, it->path, full != 0, out_records, &count, &err) !=
        ASSAY_OK)
      fail_msg("%s: %s: %s", word, err.where, err.text);
    if (full)
      assert_int_equal(count, last);
  }
  return count;
}

static void check_fails(const fixture *it, const char *word, assay_code code, const char *where,
                        const char *text) {
  assay_record *records;
  size_t count;
  assay_error err = {.text = ""};
  assert_int_equal(assay_source_read(it->arena, word, it->path, true, &records, &count, &err),
                   code);
  assert_string_equal(err.where, where);
  assert_string_equal(err.text, text);
}

static void write_lines(const fixture *it, const char *name, const assay_record records[],
                        size_t count, const char *tail) {
  assay_text text = {.arena = it->arena};
  assay_error err;
  for (size_t i = 0; i < count; i++)
    assay_text_print(&text, "%s\n", assay_record_print(it->arena, &records[i]));
  assay_text_print(&text, "%s", tail);
  assert_int_equal(assay_file_write(in(it, name), assay_text_get(&text), &err), ASSAY_OK);
}

static void reads_files_and_folders(void **state) {
  fixture *it = *state;
  const assay_record records[] = {make_record("a", MONDAY), make_record("b", MONDAY),
                                  make_record("a", TUESDAY)};
  assay_record *got;
  write_lines(it, "run.jsonl", records, 3, "");
  assert_int_equal(read_word(it, it->folder, &got), 2);
  assert_string_equal(got[0].key, "a");
  assert_string_equal(got[0].started, TUESDAY);
  // Any name will do, and a last line that merely lacks its newline is a record.
  write_lines(it, "else.jsonl", records, 2, assay_record_print(it->arena, &records[2]));
  assert_int_equal(read_word(it, in(it, "else.jsonl"), &got), 2);
  write_lines(it, "else.jsonl", records, 0, ""); // an empty shard
  assert_int_equal(read_word(it, in(it, "else.jsonl"), &got), 0);
}

static void rejects_what_is_cut_off_or_foreign(void **state) {
  fixture *it = *state;
  const assay_record record = make_record("a", MONDAY);
  const char *path = in(it, "run.jsonl");
  write_lines(it, "run.jsonl", &record, 1, "{\"schema\":1,\"key\":\"matm");
  check_fails(it, path, ASSAY_INVALID, assay_arena_format(it->arena, "%s:2", path),
              "the last line is cut off, as by a run that was killed: not a JSON record: premature "
              "end of input near '\"matm'");
  write_lines(it, "run.jsonl", &record, 1, "{\"name\":\"BM_x\"}\n");
  check_fails(it, path, ASSAY_INVALID, assay_arena_format(it->arena, "%s:2", path),
              "expected a record of schema 1, found none");
  write_lines(it, "run.jsonl", &record, 1, "{\"schema\":7}\n");
  check_fails(it, path, ASSAY_INVALID, assay_arena_format(it->arena, "%s:2", path),
              "expected a record of schema 1, found schema 7: a newer assay wrote it");
}

static assay_environment revision(const char *name) {
  assay_environment made = here;
  made.revision = name;
  return made;
}

// Puts one record of "a", named by its margin, under a revision.
static void add(const fixture *it, const char *name, const char *started, double margin,
                const char *tag) {
  const assay_environment environment = revision(name);
  assay_record record = make_record("a", started);
  record.environment = &environment;
  record.margin = margin;
  ingest_into(it->path, &record, 1, tag);
}

static double margin_of(const fixture *it, const char *word) {
  assay_record *got;
  assert_int_equal(read_word(it, word, &got), 1);
  return got[0].margin;
}

static void reads_tags_and_revisions(void **state) {
  fixture *it = *state;
  add(it, "aaaa11112222", FRIDAY, 1, "base");
  add(it, "aaaa11112222-dirty", MONDAY, 2, NULL);
  add(it, "aaaa33334444", MONDAY, 3, NULL);
  add(it, "v1.2-7-gbbbb55556666", TUESDAY, 4, "release @ 1/2");
  add(it, "cccc77778888-dirty", MONDAY, 5, "base");
  assert_float_equal(margin_of(it, it->path), 1, 0);
  const struct {
    const char *what;
    double margin;
  } rows[] = {
      {"base", 1},
      {"release @ 1/2", 4},
      {"latest", 1},
      {"aaaa11112222", 1},
      {"aaaa1111", 1},
      {"aaaa111122223333444455556666777788889999", 1}, // as git rev-parse has it
      {"aaaa11112222-dirty", 2},
      {"aaaa3", 3},
      {"bbbb", 4},
      {"v1.2-7", 4},
      {"cccc", 5},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assert_float_equal(margin_of(it, rows[i].what), rows[i].margin, 0);
    const char *word = assay_arena_format(it->arena, "%s@%s", it->path, rows[i].what);
    assert_float_equal(margin_of(it, word), rows[i].margin, 0);
  }
  check_fails(it, "aaaa", ASSAY_INVALID, it->path,
              "'aaaa' is the beginning of several revisions: aaaa33334444, aaaa11112222");
  check_fails(it, "bass", ASSAY_MISSING, it->path,
              "no tag or revision 'bass'; did you mean 'base'?");
  check_fails(it, "something-else", ASSAY_MISSING, it->path,
              "no tag or revision 'something-else'; tags: release @ 1/2, base; revisions, newest "
              "first: cccc77778888-dirty, v1.2-7-gbbbb55556666, aaaa33334444, aaaa11112222-dirty, "
              "aaaa11112222");
}

// A tag "*", from before tags were checked, is near to any letter; and there may be thousands.
static void lists_a_few_tags(void **state) {
  fixture *it = *state;
  for (int i = 0; i < 12; i++)
    add(it, "aaaa11112222", MONDAY, 1, assay_arena_format(it->arena, "nightly-%02d", i));
  add(it, "aaaa11112222", MONDAY, 1, "*");
  check_fails(it, "x", ASSAY_MISSING, it->path,
              "no tag or revision 'x'; tags: *, nightly-11, nightly-10, nightly-09, nightly-08, "
              "nightly-07, nightly-06, nightly-05, nightly-04, nightly-03 and 3 more; revisions, "
              "newest first: aaaa11112222");
}

static void says_what_a_word_could_have_been(void **state) {
  fixture *it = *state;
  check_fails(it, "", ASSAY_INVALID, "", "an empty word names no records");
  check_fails(it, "base", ASSAY_MISSING, "",
              assay_arena_format(it->arena,
                                 "'base' is no file or folder of records, and there is no store "
                                 "'%s' in which it could be a tag or a revision",
                                 it->path));
  check_fails(it, "runs/x.jsonl", ASSAY_MISSING, "runs/x.jsonl",
              "cannot open: no such file or folder of records");
  check_fails(it, it->folder, ASSAY_MISSING, in(it, "run.jsonl"),
              "cannot open: No such file or directory");
  const assay_record record = make_record("a", MONDAY);
  write_lines(it, "run.jsonl", &record, 1, "");
  check_fails(it, assay_arena_format(it->arena, "%s@base", in(it, "run.jsonl")), ASSAY_INVALID,
              in(it, "run.jsonl"), "expected a store before '@base', found no SQLite file");
  ingest_into(it->path, &record, 1, NULL);
  const char *word = assay_arena_format(it->arena, "%s@", it->path);
  check_fails(it, word, ASSAY_INVALID, "",
              assay_arena_format(
                  it->arena, "'%s': expected a tag, a revision or 'latest' behind the '@'", word));
  check_fails(it, "runs/x.jsonl", ASSAY_MISSING, "runs/x.jsonl",
              assay_arena_format(it->arena,
                                 "cannot open: no such file or folder of records, nor a tag of "
                                 "the store '%s'",
                                 it->path));
}

static assay_record timed(const assay_environment *environment, const char *started,
                          const double samples[], size_t count) {
  assay_record record = make_record("a", started);
  record.kind = ASSAY_RECORD_BENCH;
  record.environment = environment;
  record.run_samples = samples;
  record.run_sample_count = count;
  return record;
}

static void check_samples(const fixture *it, const char *word, const double samples[],
                          size_t count) {
  assay_record *got;
  assert_int_equal(read_word(it, word, &got), 1);
  assert_int_equal(got[0].run_sample_count, count);
  for (size_t i = 0; i < count; i++)
    assert_float_equal(got[0].run_samples[i], samples[i], 0);
}

// Samples of one revision on one machine in one state are put together.
static void puts_samples_together(void **state) {
  fixture *it = *state;
  const double samples[] = {1, 2, 3, 4, 5};
  assay_environment faster = here, other = here, dirty = here;
  faster.peak_gbs = 9; // here it was not measured
  other.cpu = "another cpu";
  dirty.revision = "dddd-dirty";
  assay_record friday = timed(&here, FRIDAY, samples + 3, 2),
               monday = timed(&faster, MONDAY, samples, 2),
               tuesday = timed(&other, TUESDAY, samples + 2, 1);
  ingest_into(it->path, &friday, 1, NULL);
  ingest_into(it->path, &monday, 1, NULL);
  ingest_into(it->path, &tuesday, 1, NULL);
  check_samples(it, it->path, (const double[]){1, 2, 4, 5}, 4);
  friday.started = "2026-01-10T00:00:00.000Z";
  friday.cold = true; // something else was measured
  ingest_into(it->path, &friday, 1, NULL);
  check_samples(it, it->path, samples + 3, 2);
  // Of what was not committed, only those of one invocation, or those that were put together by
  // their tag.
  friday = timed(&dirty, "2026-01-12T00:00:00.000Z", samples + 3, 2);
  monday = timed(&dirty, "2026-01-11T00:00:00.000Z", samples, 2);
  ingest_into(it->path, &friday, 1, NULL);
  ingest_into(it->path, &monday, 1, NULL);
  check_samples(it, "dddd", samples + 3, 2);
  ingest_into(it->path, &friday, 1, "mine");
  ingest_into(it->path, &monday, 1, "mine");
  check_samples(it, "mine", (const double[]){1, 2, 4, 5}, 4);
}

// The peaks of all that were put together are near to each other, not to the newest's alone.
static void keeps_states_of_the_machine_apart(void **state) {
  fixture *it = *state;
  static const double samples[] = {1, 2, 3, 4}, peaks[] = {130, 108, 92, 100};
  static const char *const starts[] = {MONDAY, TUESDAY, "2026-01-07T00:00:00.000Z", FRIDAY};
  assay_environment environments[4];
  assay_record records[4];
  for (int i = 0; i < 4; i++) {
    environments[i] = here;
    environments[i].peak_gbs = peaks[i];
    records[i] = timed(&environments[i], starts[i], &samples[i], 1);
    ingest_into(it->path, &records[i], 1, NULL);
  }
  check_samples(it, it->path, (const double[]){3, 4}, 2);
  write_lines(it, "run.jsonl", records, 4, "");
  check_samples(it, in(it, "run.jsonl"), (const double[]){3, 4}, 2);
}

// So are those of a device, and what another clock took.
static void keeps_clocks_apart(void **state) {
  fixture *it = *state;
  static const double samples[] = {1, 2, 3};
  static const char *const starts[] = {MONDAY, TUESDAY, FRIDAY};
  assay_environment with_gpu = here;
  with_gpu.cuda = "a GPU";
  assay_record records[3];
  for (int i = 0; i < 3; i++) {
    records[i] = timed(&with_gpu, starts[i], &samples[i], 1);
    records[i].clock = i == 1 ? NULL : "device";
    ingest_into(it->path, &records[i], 1, NULL);
  }
  check_samples(it, it->path, (const double[]){1, 3}, 2);
  write_lines(it, "run.jsonl", records, 3, "");
  check_samples(it, in(it, "run.jsonl"), (const double[]){1, 3}, 2);
}

// Copied files, and folders given twice, bring no samples.
static void counts_a_record_once(void **state) {
  fixture *it = *state;
  static const double samples[] = {1, 2, 3, 5};
  assay_environment later = here;
  later.peak_gbs = 9; // of another invocation, which began in the same millisecond
  const assay_record records[] = {
      timed(&here, MONDAY, samples, 2), timed(&here, MONDAY, samples, 2),
      timed(&later, TUESDAY, samples + 2, 1), timed(&here, TUESDAY, samples + 3, 1),
      timed(&later, TUESDAY, samples + 2, 1)};
  assay_record *got;
  write_lines(it, "run.jsonl", records, 5, "");
  check_samples(it, in(it, "run.jsonl"), (const double[]){1, 2, 5, 3}, 4);
  assert_int_equal(ingest_into(it->path, records, 5, NULL), 3);
  check_samples(it, it->path, (const double[]){1, 2, 3, 5}, 4);
  assert_int_equal(read_word(it, it->path, &got), 1);
  assert_float_equal(got[0].seconds_run, 2.5, 0); // of all of them
}

static void reads_each_as_it_is(void **state) {
  fixture *it = *state;
  static const double samples[] = {1, 2};
  const assay_record records[] = {timed(&here, MONDAY, samples, 1),
                                  timed(&here, TUESDAY, samples + 1, 1)};
  for (int i = 0; i < 2; i++)
    ingest_into(it->path, &records[i], 1, i == 0 ? "one" : NULL);
  write_lines(it, "run.jsonl", records, 2, "");
  const char *const words[] = {it->path, in(it, "run.jsonl"), "one"};
  for (int i = 0; i < 3; i++) {
    assay_record *got;
    int64_t *batches;
    size_t count;
    assay_error err = {.text = ""};
    assert_int_equal(
        assay_source_read_each(it->arena, words[i], it->path, &got, &batches, &count, &err),
        ASSAY_OK);
    assert_int_equal(count, i == 2 ? 1 : 2);
    assert_int_equal(batches[0] != batches[count - 1], i == 0);
    assert_true(i == 0 || batches[0] == 0);
    for (size_t k = 0; k < count; k++)
      assert_int_equal(got[k].run_sample_count, 1);
  }
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(reads_files_and_folders),
      WITH_FOLDER(rejects_what_is_cut_off_or_foreign),
      WITH_FOLDER(reads_tags_and_revisions),
      WITH_FOLDER(lists_a_few_tags),
      WITH_FOLDER(says_what_a_word_could_have_been),
      WITH_FOLDER(puts_samples_together),
      WITH_FOLDER(keeps_states_of_the_machine_apart),
      WITH_FOLDER(keeps_clocks_apart),
      WITH_FOLDER(counts_a_record_once),
      WITH_FOLDER(reads_each_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
