// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/columns.h"
#include "results/compare/compare.h"

#include "compiler/base/text.h"
#include "results/compare/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 24 };

static const assay_environment machine = {.cpu = "CPU",
                                          .llvm = "22.1.8",
                                          .blas = "libopenblas.so.0",
                                          .blas_core = "Zen",
                                          .peak_gflops_f32 = 50,
                                          .peak_gflops_f64 = 25,
                                          .peak_gbs = 10};

static int set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

static assay_record verdict(const char *key, assay_verdict verdict, double margin) {
  return (assay_record){.kind = ASSAY_RECORD_RUN,
                        .key = key,
                        .op = "op",
                        .backend = "blas",
                        .data = "real",
                        .verdict = verdict,
                        .margin = margin,
                        .environment = &machine};
}

// Noise of about 1 % that is the same each time, times `factor`; phase: another noise.
static assay_record bench(assay_arena *arena, const char *key, double factor, int phase) {
  double *samples = assay_arena_take(arena, SAMPLES, sizeof *samples);
  for (int i = 0; i < SAMPLES; i++)
    samples[i] = 1e-3 * factor * (1 + 0.01 * sin(i * 1.7 + phase * 0.9) + 1e-5 * i);
  assay_record record = verdict(key, ASSAY_PASS, NAN);
  record.kind = ASSAY_RECORD_BENCH;
  record.run_samples = samples;
  record.run_sample_count = SAMPLES;
  record.threads = 1;
  return record;
}

static const assay_comparison *compare(assay_arena *arena, const assay_record base[],
                                       size_t base_count, const assay_record new[],
                                       size_t new_count, bool paired) {
  assay_error err = {.text = ""};
  const assay_comparison *found = NULL;
  assay_comparison_request request = {
      .base = base, .new = new, .base_count = base_count, .new_count = new_count, .paired = paired};
  assert_int_equal(assay_thresholds_read(arena, NULL, &request.thresholds, &err), ASSAY_OK);
  assert_int_equal(assay_comparison_make(arena, &request, &found, &err), ASSAY_OK);
  return found;
}

static const assay_comparison_row *find(const assay_comparison *found, const char *key,
                                        const char *metric) {
  for (size_t i = 0; i < found->count; i++) {
    const assay_comparison_row *row = &found->rows[i];
    if (strcmp((row->new != NULL ? row->new : row->base)->key, key) == 0 &&
        strcmp(row->metric, metric) == 0)
      return row;
  }
  return NULL;
}

static void assert_row(const assay_comparison *found, const char *key, const char *metric,
                       assay_change change, bool worse, bool gates) {
  const assay_comparison_row *row = find(found, key, metric);
  assert_non_null(row);
  assert_string_equal(assay_change_name(row->change), assay_change_name(change));
  assert_true(row->worse == worse && row->gates == gates);
}

static const char *print(assay_arena *arena, const assay_comparison *found, bool verbose) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assay_comparison_print(stream, arena, found, false, verbose);
  fclose(stream);
  const char *kept = assay_arena_string(arena, text);
  free(text);
  return kept;
}

static void verdicts_that_change(void **state) {
  static const struct {
    assay_verdict base, new;
    bool worse, gates;
  } table[] = {{ASSAY_PASS, ASSAY_FAIL, true, true},      {ASSAY_FAIL, ASSAY_PASS, false, false},
               {ASSAY_WARN, ASSAY_CRASH, true, true},     {ASSAY_PASS, ASSAY_WARN, true, false},
               {ASSAY_PASS, ASSAY_SKIP, true, true},      {ASSAY_SKIP, ASSAY_PASS, false, false},
               {ASSAY_PASS, ASSAY_XFAIL, true, false},    {ASSAY_XFAIL, ASSAY_XPASS, true, true},
               {ASSAY_FAIL, ASSAY_TIMEOUT, false, false}, {ASSAY_XFAIL, ASSAY_SKIP, false, false},
               {ASSAY_FAIL, ASSAY_SKIP, true, true},      {ASSAY_XPASS, ASSAY_SKIP, true, true}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record base = verdict("k", table[i].base, NAN), new = verdict("k", table[i].new, NAN);
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "verdict", ASSAY_CHANGED, table[i].worse, table[i].gates);
    assert_int_equal(found->gates, table[i].gates);
    found = compare(*state, &base, 1, &base, 1, false);
    assert_row(found, "k", "verdict", ASSAY_SAME, false, false);
    assert_null(find(found, "k", "margin"));
  }
}

static void margins_that_drift(void **state) {
  static const struct {
    double base, new;
    assay_change change;
    bool worse, gates;
  } table[] = {
      {0.2, 0.4, ASSAY_CHANGED, true, false},        {0.2, 0.39, ASSAY_SAME, false, false},
      {0.3, 0.6, ASSAY_CHANGED, true, true},         {0.001, 0.09, ASSAY_SAME, false, false},
      {0, 0.2, ASSAY_CHANGED, true, false},          {0, 0, ASSAY_SAME, false, false},
      {0.4, 0.1, ASSAY_CHANGED, false, false},       {0.2, INFINITY, ASSAY_CHANGED, true, true},
      {0.2, NAN, ASSAY_CHANGED, true, true},         {NAN, 0.2, ASSAY_CHANGED, false, false},
      {INFINITY, INFINITY, ASSAY_SAME, false, false}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record base = verdict("k", ASSAY_PASS, table[i].base);
    assay_record new = verdict("k", ASSAY_PASS, table[i].new);
    assert_row(compare(*state, &base, 1, &new, 1, false), "k", "margin", table[i].change,
               table[i].worse, table[i].gates);
  }
}

static void counters_are_exact(void **state) {
  static const assay_counter before[] = {{"heap", 10}, {"gone", 1}, {"bytes", 100}};
  static const assay_counter after[] = {{"bytes", 99}, {"heap", 11}, {"fresh", 1}};
  assay_record base = verdict("k", ASSAY_PASS, 0), new = base;
  base.counters = before;
  new.counters = after;
  base.counter_count = new.counter_count = 3;
  base.blas_calls = 2;
  new.blas_calls = 1;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "heap", ASSAY_CHANGED, true, true);
  assert_row(found, "k", "bytes", ASSAY_CHANGED, false, false);
  assert_row(found, "k", "blas_calls", ASSAY_CHANGED, true, true);
  assert_row(found, "k", "compiles", ASSAY_SAME, false, false);
  assert_row(found, "k", "gone", ASSAY_CHANGED, true, true);
  assert_true(find(found, "k", "gone")->base_counter->value == 1);
  assert_null(find(found, "k", "gone")->new_counter);
  assert_row(found, "k", "fresh", ASSAY_NEW, false, false);
  assert_true(find(found, "k", "fresh")->new_counter->value == 1);
  assert_null(find(found, "k", "fresh")->base_counter);
  assert_true(find(found, "k", "heap")->ratio == 1.1);
  // A case that does not run any more counts nothing; its verdict says so.
  new.verdict = ASSAY_CRASH;
  found = compare(*state, &base, 1, &new, 1, false);
  assert_null(find(found, "k", "gone"));
  assert_null(find(compare(*state, &new, 1, &base, 1, false), "k", "gone"));
}

// Doubles do not tell these apart, nor print the largest.
static void counters_are_whole_numbers(void **state) {
  static const struct {
    int64_t base, new;
    const char *base_text, *new_text;
  } table[] = {{INT64_C(9007199254740992), INT64_C(9007199254740993), "9007199254740992",
                "9007199254740993"},
               {INT64_MIN, INT64_MAX, "-9223372036854775808", "9223372036854775807"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const assay_counter before = {"heap", table[i].base}, after = {"heap", table[i].new};
    assay_record base = verdict("k", ASSAY_PASS, 0), new = base;
    const char *base_text, *new_text;
    base.counters = &before;
    new.counters = &after;
    base.counter_count = new.counter_count = 1;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "heap", ASSAY_CHANGED, true, true);
    assay_comparison_values(*state, find(found, "k", "heap"), &base_text, &new_text);
    assert_string_equal(base_text, table[i].base_text);
    assert_string_equal(new_text, table[i].new_text);
    if (i == 0)
      assert_non_null(strstr(print(*state, found, false), "9007199254740993         +1\n"));
    char *json = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&json, &size);
    assay_comparison_print_json(stream, *state, found, NULL);
    fclose(stream);
    assert_non_null(
        strstr(json, assay_arena_format(*state, "\"base\":%s,\"new\":%s,", base_text, new_text)));
    free(json);
    assert_row(compare(*state, &base, 1, &base, 1, false), "k", "heap", ASSAY_SAME, false, false);
  }
}

static void timings_that_vanish(void **state) {
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 1, 1);
  new.run_sample_count = 0;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_VANISHED, true, true);
  assert_true(find(found, "k", "run")->base_value > 0 && isnan(find(found, "k", "run")->new_value));
  assert_int_equal(found->timings, 0);
  assert_null(find(found, "k", "compile"));
  new.verdict = ASSAY_FAIL; // a wrong answer is never timed
  assert_null(find(compare(*state, &base, 1, &new, 1, false), "k", "run"));
}

static void cases_that_come_and_go(void **state) {
  assay_record base[] = {verdict("a", ASSAY_PASS, 0), verdict("b", ASSAY_PASS, 0),
                         bench(*state, "b", 1, 0)};
  assay_record new[] = {verdict("c", ASSAY_FAIL, 0), verdict("b", ASSAY_PASS, 0)};
  new[0].reason = "wrong";
  const assay_comparison *found = compare(*state, base, 3, new, 2, false);
  assert_row(found, "a", "verdict", ASSAY_VANISHED, true, true);
  assert_row(found, "c", "verdict", ASSAY_NEW, true, true);
  assert_non_null(strstr(print(*state, found, false), "NEW       FAIL  c  (run)\n    wrong\n"));
  assert_int_equal(found->cases, 1);
  assert_int_equal(found->changes[ASSAY_VANISHED], 2);
}

// All timings are gone: each fails the gate, in one line.
static void kinds_that_come_and_go(void **state) {
  assay_record base[] = {verdict("a", ASSAY_PASS, 0), bench(*state, "a", 1, 0),
                         bench(*state, "b", 1, 0), bench(*state, "x backend=numpy", 1, 0)};
  const assay_comparison *found = compare(*state, base, 4, base, 1, false);
  assert_int_equal(found->gates, 2); // a peer's do not
  assert_int_equal(found->worse, 3);
  assert_null(strstr(print(*state, found, true), "VANISHED  "));
  assert_string_equal(print(*state, found, false),
                      "3 records of kind bench vanished: NEW has none\n"
                      "1 case: 3 VANISHED, 5 SAME; the gate fails on 2 rows\n");
  found = compare(*state, base, 1, base, 2, false);
  assert_row(found, "a", "verdict", ASSAY_SAME, false, false);
  assert_int_equal(found->gates, 0);
  assert_string_equal(print(*state, found, false), "1 record of kind bench is new: BASE has none\n"
                                                   "1 case: 1 NEW, 5 SAME; the gate passes\n");
  static const char text[] = "vanished.kind.gate = no\n";
  const assay_file file = {.path = "t", .bytes = text, .size = strlen(text)};
  assay_comparison_request request = {.base = base, .new = base, .base_count = 4, .new_count = 1};
  assay_error err;
  assert_int_equal(assay_thresholds_read(*state, &file, &request.thresholds, &err), ASSAY_OK);
  assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
  assert_int_equal(found->gates, 0);
  assert_int_equal(found->worse, 3);
  // Two of three timings is another matter.
  request.new_count = 2;
  assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
  assert_int_equal(found->gates, 1);
}

// Where all of a kind are new those that are bad are told each by itself, and can be let in.
static void new_cases_that_are_bad(void **state) {
  static const struct {
    assay_verdict verdict;
    bool bad;
  } table[] = {{ASSAY_PASS, false},  {ASSAY_WARN, false},   {ASSAY_SKIP, false},
               {ASSAY_XFAIL, false}, {ASSAY_FAIL, true},    {ASSAY_ERROR, true},
               {ASSAY_CRASH, true},  {ASSAY_TIMEOUT, true}, {ASSAY_XPASS, true}};
  static const char text[] = "[n]\nnew.gate = no\n";
  const assay_file file = {.path = "t", .bytes = text, .size = strlen(text)};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record both[] = {verdict("a", ASSAY_PASS, 0), bench(*state, "n", 1, 0)};
    both[1].verdict = table[i].verdict;
    const assay_comparison *found = compare(*state, both, 1, both, 2, false);
    assert_row(found, "n", "verdict", ASSAY_NEW, table[i].bad, table[i].bad);
    assert_true((strstr(print(*state, found, false), "(bench)") != NULL) == table[i].bad);
    assay_comparison_request request = {.base = both, .new = both, .base_count = 1, .new_count = 2};
    assay_error err;
    assert_int_equal(assay_thresholds_read(*state, &file, &request.thresholds, &err), ASSAY_OK);
    assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
    assert_row(found, "n", "verdict", ASSAY_NEW, table[i].bad, false);
  }
}

static void failures_that_change_their_place(void **state) {
  static const char text[] = "first-bad.gate = yes\n";
  const assay_file file = {.path = "t", .bytes = text, .size = strlen(text)};
  static const struct {
    assay_first_bad base, new;
    bool changed;
  } table[] = {{{3, .name = "cse", .fault = "loss"}, {5, .name = "sink", .fault = "wrong"}, true},
               {{3, .name = "cse", .fault = "loss"}, {3, .name = "cse", .fault = "wrong"}, true},
               {{3, .name = "cse", .fault = "loss"}, {4, .name = "cse", .fault = "loss"}, false},
               {{3, .name = "cse", .fault = "loss"}, {0}, false},
               {{0}, {3, .name = "cse", .fault = "loss"}, false}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record base = verdict("k", ASSAY_FAIL, NAN), new = base;
    base.first_bad = table[i].base;
    new.first_bad = table[i].new;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "verdict", table[i].changed ? ASSAY_CHANGED : ASSAY_SAME, false, false);
    assay_comparison_request request = {
        .base = &base, .new = &new, .base_count = 1, .new_count = 1};
    assay_error err;
    if (i == 0)
      assert_string_equal(find(found, "k", "verdict")->reason,
                          "FAIL at 3 cse (loss) -> FAIL at 5 sink (wrong)");
    assert_int_equal(assay_thresholds_read(*state, &file, &request.thresholds, &err), ASSAY_OK);
    assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_OK);
    assert_int_equal(found->gates, table[i].changed);
  }
}

static void the_last_record_of_a_key_counts(void **state) {
  assay_record base[] = {verdict("a", ASSAY_PASS, 0)};
  assay_record new[] = {verdict("a", ASSAY_PASS, 0), verdict("a", ASSAY_FAIL, 0)};
  assert_row(compare(*state, base, 1, new, 2, false), "a", "verdict", ASSAY_CHANGED, true, true);
}

static void nothing_in_common_is_no_answer(void **state) {
  assay_record base = verdict("a", ASSAY_PASS, 0), new = verdict("b", ASSAY_PASS, 0);
  assay_comparison_request request = {.base = &base, .new = &new, .base_count = 1, .new_count = 1};
  const assay_comparison *found;
  assay_error err;
  assert_int_equal(assay_thresholds_read(*state, NULL, &request.thresholds, &err), ASSAY_OK);
  assert_int_equal(assay_comparison_make(*state, &request, &found, &err), ASSAY_INVALID);
  assert_string_equal(err.text,
                      "no case is in both: none of BASE's records (run 1) has the kind and "
                      "key of one of NEW's (run 1)");
}

static void timings_by_samples(void **state) {
  assay_record base = bench(*state, "k", 1, 0);
  static const struct {
    double factor;
    assay_change unpaired, paired;
  } table[] = {{1, ASSAY_SAME, ASSAY_SAME},          {1.03, ASSAY_SAME, ASSAY_SLOWER},
               {1 / 1.03, ASSAY_SAME, ASSAY_FASTER}, {1.2, ASSAY_SLOWER, ASSAY_SLOWER},
               {0.8, ASSAY_FASTER, ASSAY_FASTER},    {1.05, ASSAY_SAME, ASSAY_SLOWER},
               {1.01, ASSAY_SAME, ASSAY_SAME}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record new = bench(*state, "k", table[i].factor, 1);
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    bool slower = table[i].unpaired == ASSAY_SLOWER;
    assert_row(found, "k", "run", table[i].unpaired, slower, slower);
    const assay_comparison_row *row = find(found, "k", "run");
    assert_true(row->low <= row->ratio && row->ratio <= row->high);
    assert_true(fabs(row->ratio - table[i].factor) < 0.01);
    assert_true(row->ratio == row->new_value / row->base_value);
    // Pairs: both have the same noise.
    new = bench(*state, "k", table[i].factor, 0);
    found = compare(*state, &base, 1, &new, 1, true);
    slower = table[i].paired == ASSAY_SLOWER;
    assert_row(found, "k", "run", table[i].paired, slower, slower);
    assert_true(found->false_alarm_rate > 0 && found->false_alarm_rate <= 0.01);
    assert_non_null(strstr(print(*state, found, false), "the median of the pairs' own ratios"));
  }
}

static void other_machines_are_never_slower(void **state) {
  for (int i = 0; i < 9; i++) {
    assay_environment other = machine;
    assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
    other.cpu = i == 0 ? "Another" : machine.cpu;
    other.llvm = i == 1 ? "23" : machine.llvm;
    other.blas = i == 2 ? NULL : machine.blas;
    other.blas_core = i == 3 ? "Haswell" : machine.blas_core;
    other.peak_gbs = i == 4 ? 8 : machine.peak_gbs;
    other.peak_gflops_f64 = i == 5 ? 30 : machine.peak_gflops_f64;
    new.environment = &other;
    new.threads = i == 6 ? 2 : 1;
    new.cold = i == 7;
    assay_change expected = i == 8 ? ASSAY_SLOWER : ASSAY_UNSURE;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "run", expected, i == 8, i == 8);
    assert_true((find(found, "k", "run")->reason != NULL) == (i != 8));
  }
}

// Runs that a device's clock timed are held against that device; what compiles is the processor.
static void other_devices_are_never_slower(void **state) {
  static const char *const reasons[] = {
      "another GPU: A, then B", "another clock: device, then none",
      "the device itself differed: 10 GB/s at its peak, then 8", NULL};
  for (int i = 0; i < 4; i++) {
    assay_environment one = machine, other = machine;
    assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
    one.cuda = "A";
    other.cuda = i == 0 ? "B" : "A";
    other.peak_gbs = i == 2 ? 8 : machine.peak_gbs;
    base.environment = &one;
    new.environment = &other;
    base.clock = "device";
    new.clock = i == 1 ? NULL : "device";
    base.compile_samples = base.run_samples;
    new.compile_samples = new.run_samples;
    base.compile_sample_count = base.run_sample_count;
    new.compile_sample_count = new.run_sample_count;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    const char *reason = find(found, "k", "run")->reason;
    assert_int_equal(find(found, "k", "run")->change, i == 3 ? ASSAY_SLOWER : ASSAY_UNSURE);
    assert_true((reason == NULL) == (reasons[i] == NULL));
    if (reason != NULL)
      assert_string_equal(reason, reasons[i]);
    assert_int_equal(find(found, "k", "compile")->change, ASSAY_SLOWER);
  }
}

static void few_or_bad_samples_tell_nothing(void **state) {
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
  base.run_sample_count = new.run_sample_count = 3;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, true);
  assert_row(found, "k", "run", ASSAY_UNSURE, false, false);
  assert_string_equal(find(found, "k", "run")->reason,
                      "3 pairs; at this false-alarm rate it takes 13");
  assert_true(find(found, "k", "run")->low == 0 && isinf(find(found, "k", "run")->high));
  ((double *)new.run_samples)[1] = 0;
  found = compare(*state, &base, 1, &new, 1, true);
  assert_string_equal(find(found, "k", "run")->reason,
                      "there are samples that are no times above 0");
  base.run_sample_count = 0;
  assert_null(find(compare(*state, &base, 1, &new, 1, true), "k", "run"));
}

// A neighbour that slows all but a few runs of one side is no change of the program.
static void a_disturbed_machine_is_not_slower(void **state) {
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 1.5, 0);
  ((double *)new.run_samples)[7] /= 1.5;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_UNSURE, false, false);
  assert_row(compare(*state, &new, 1, &base, 1, false), "k", "run", ASSAY_UNSURE, false, false);
  // Side by side both would have been disturbed.
  assert_row(compare(*state, &base, 1, &new, 1, true), "k", "run", ASSAY_SLOWER, true, true);
}

static size_t occurrences(const char *text, const char *word) {
  size_t count = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
    count++;
  return count;
}

// One is slower and one is not, one of each of the larger changes: each case is named once.
static void timings_of_a_case_stand_together(void **state) {
  static const double run[] = {1.3, 1.2, 1, 1.01}, compile[] = {1, 1.25, 1.4, 1};
  enum { CASES = 4 };
  assay_record base[CASES], new[CASES];
  for (int i = 0; i < CASES; i++) {
    const char *key = assay_arena_format(*state, "case-%d", i);
    base[i] = bench(*state, key, 1, 0);
    new[i] = bench(*state, key, run[i], 0);
    base[i].compile_samples = base[i].run_samples;
    new[i].compile_samples = bench(*state, key, compile[i], 0).run_samples;
    base[i].compile_sample_count = new[i].compile_sample_count = SAMPLES;
  }
  const char *text = print(*state, compare(*state, base, CASES, new, CASES, true), false);
  static const char *const order[] = {"case-2  (", "case-0  (", "case-1  (", "case-3  ("};
  for (int i = 0; i < CASES; i++) {
    assert_int_equal(occurrences(text, order[i]), 1);
    assert_true(i == 0 || strstr(text, order[i - 1]) < strstr(text, order[i]));
  }
  const char *second = strstr(text, "case-2");
  assert_true(strstr(second, "compile") < strstr(second, "  run "));
}

// Each is within its band, and all of them together are not.
static void timings_that_move_together(void **state) {
  enum { CASES = 50 };
  assay_record base[CASES], new[CASES];
  for (int i = 0; i < CASES; i++) {
    const char *key = assay_arena_format(*state, "k%03d", i);
    base[i] = bench(*state, key, 1, i);
    new[i] = bench(*state, key, 1.05, i + 1);
  }
  const assay_comparison *found = compare(*state, base, CASES, new, CASES, false);
  assert_int_equal(found->worse, 0);
  assert_int_equal(found->run_shift.count, CASES);
  assert_int_equal(found->compile_shift.count, 0);
  assert_non_null(strstr(print(*state, found, false), "run: median of 50 ratios: +5.0 %, 50 of "));
  // Few, or both ways: nothing is said.
  assert_int_equal(compare(*state, base, 5, new, 5, false)->run_shift.count, 0);
  for (int i = 0; i < CASES; i += 4)
    new[i] = bench(*state, new[i].key, 0.95, i + 1);
  found = compare(*state, base, CASES, new, CASES, false);
  assert_int_equal(found->run_shift.count, 0);
  assert_null(strstr(print(*state, found, false), "ratios"));
  // Another machine explains it.
  assay_environment other = machine;
  other.cpu = "Another";
  for (int i = 0; i < CASES; i++) {
    new[i] = bench(*state, new[i].key, 1.05, i + 1);
    new[i].environment = &other;
  }
  assert_int_equal(compare(*state, base, CASES, new, CASES, false)->run_shift.count, 0);
}

// The more rows, the wider each interval, so that the rate is that of all together.
static void rows_share_the_false_alarm_rate(void **state) {
  enum { CASES = 100 };
  assay_record base[CASES], new[CASES];
  for (int i = 0; i < CASES; i++) {
    const char *key = assay_arena_format(*state, "k%03d", i);
    base[i] = bench(*state, key, 1, i);
    new[i] = bench(*state, key, 1, i + 1);
  }
  const assay_comparison *one = compare(*state, base, 1, new, 1, false);
  const assay_comparison *all = compare(*state, base, CASES, new, CASES, false);
  assert_int_equal(all->timings, CASES);
  assert_true(fabs(all->false_alarm_rate - 0.01) < 1e-12);
  assert_true(one->false_alarm_rate < 0.01);
  assert_true(find(all, "k000", "run")->high > find(one, "k000", "run")->high);
}

// Keys and reasons of any length and with any bytes keep to the table's width and lines.
static void tables_keep_to_their_width(void **state) {
  const char *key = assay_arena_format(*state, "%040d\033[31m\n\"<&%09952d", 0, 0);
  assay_record base[] = {verdict(key, ASSAY_PASS, 0.2), verdict("b", ASSAY_PASS, NAN)};
  assay_record new[] = {verdict(key, ASSAY_FAIL, INFINITY)};
  new[0].reason = assay_arena_format(*state, "a\033[1m\n%s", key);
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assay_comparison_print(stream, *state, compare(*state, base, 2, new, 1, false), false, true);
  fclose(stream);
  for (char *line = text, *end; *line != '\0'; line = end + 1) {
    end = strchr(line, '\n');
    assert_in_range(end - line, 0, 100);
  }
  assert_null(strchr(text, '\033'));
  assert_non_null(
      strstr(text, "\n1 case: 1 VANISHED, 2 CHANGED, 3 SAME; the gate fails on 3 rows\n"));
  free(text);
}

static void columns_are_obeyed_by_no_terminal(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(assay_columns_fit(arena, "\x1b[2J\n", 100), "\\x1b[2J\\n");
  assert_string_equal(assay_columns_fit(arena, "\x1b\x1b\x1b", 9), "\\x1...x1b");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_obeyed_by_no_terminal),
      cmocka_unit_test(verdicts_that_change),
      cmocka_unit_test(margins_that_drift),
      cmocka_unit_test(counters_are_exact),
      cmocka_unit_test(counters_are_whole_numbers),
      cmocka_unit_test(timings_that_vanish),
      cmocka_unit_test(cases_that_come_and_go),
      cmocka_unit_test(kinds_that_come_and_go),
      cmocka_unit_test(new_cases_that_are_bad),
      cmocka_unit_test(failures_that_change_their_place),
      cmocka_unit_test(timings_of_a_case_stand_together),
      cmocka_unit_test(timings_that_move_together),
      cmocka_unit_test(the_last_record_of_a_key_counts),
      cmocka_unit_test(nothing_in_common_is_no_answer),
      cmocka_unit_test(timings_by_samples),
      cmocka_unit_test(other_machines_are_never_slower),
      cmocka_unit_test(other_devices_are_never_slower),
      cmocka_unit_test(few_or_bad_samples_tell_nothing),
      cmocka_unit_test(a_disturbed_machine_is_not_slower),
      cmocka_unit_test(rows_share_the_false_alarm_rate),
      cmocka_unit_test(tables_keep_to_their_width),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
