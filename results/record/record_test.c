// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/record.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const assay_environment machine = {.cpu = "Some CPU @ 2.0 GHz",
                                          .llvm = "22.1.8",
                                          .blas = "libopenblas.so.0",
                                          .blas_core = "Haswell",
                                          .revision = "0123abc",
                                          .assay = "0.1.0"};

static const assay_record passed = {.key = "matmul m=3 k=5 n=7 data=int backend=blas",
                                    .line = "matmul m=3 k=5 n=7",
                                    .op = "matmul",
                                    .backend = "blas",
                                    .data = "int",
                                    .verdict = ASSAY_PASS,
                                    .checks = {"exact", "named-op"},
                                    .check_count = 2,
                                    .reference = "stored",
                                    .margin = 0,
                                    .seconds_compile = 0.03125,
                                    .seconds_run = 0.5,
                                    .repro = "assay run --filter 'matmul m=3 k=5 n=7'",
                                    .compiles = 1,
                                    .blas_calls = 2,
                                    .started = "2026-01-02T03:04:05.678Z",
                                    .environment = &machine};

static const char passed_text[] =
    "{\"schema\":1,\"kind\":\"run\",\"key\":\"matmul m=3 k=5 n=7 data=int backend=blas\","
    "\"case\":\"matmul m=3 k=5 n=7\",\"op\":\"matmul\",\"backend\":\"blas\",\"data\":\"int\","
    "\"verdict\":\"PASS\",\"checks\":[\"exact\",\"named-op\"],\"reference\":\"stored\","
    "\"sampled\":false,\"first_bad\":null,\"nan_origin\":null,\"margin\":0.0,\"seconds_compile\":0."
    "03125,"
    "\"seconds_run\":0.5,\"reason\":null,\"repro\":\"assay run --filter 'matmul m=3 k=5 n=7'\","
    "\"counters\":{\"blas_calls\":2,\"compiles\":1,\"launches\":0},"
    "\"env\":{\"cpu\":\"Some CPU @ 2.0 GHz\",\"llvm\":\"22.1.8\",\"blas\":\"libopenblas.so.0\","
    "\"blas_core\":\"Haswell\",\"cuda\":null,\"ptxas\":null,\"revision\":\"0123abc\",\"assay\":\"0."
    "1.0\"},"
    "\"started\":\"2026-01-02T03:04:05.678Z\"}";

static void prints_a_pass(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(assay_record_print(arena, &passed), passed_text);
  assay_arena_destroy(arena);
}

// Everything that a failure adds: the worst element, non-finite numbers, a reason that is no UTF-8.
static void prints_a_failure(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_record record = {.key = "k",
                         .line = "c",
                         .op = "o",
                         .backend = "b",
                         .data = "real",
                         .verdict = ASSAY_FAIL,
                         .sampled = true,
                         .margin = INFINITY,
                         .worst = {.present = true,
                                   .part = "element",
                                   .rank = 2,
                                   .index = {1, 2},
                                   .got = NAN,
                                   .want = -INFINITY,
                                   .scale = 0.1},
                         .seconds_compile = 0.1,
                         .reason = "printed \xff\"\n",
                         .environment = NULL};
  assert_string_equal(
      assay_record_print(arena, &record),
      "{\"schema\":1,\"kind\":\"run\",\"key\":\"k\",\"case\":\"c\",\"op\":\"o\",\"backend\":\"b\","
      "\"data\":\"real\",\"verdict\":\"FAIL\",\"checks\":[],\"reference\":null,"
      "\"sampled\":true,\"first_bad\":null,\"nan_origin\":null,\"margin\":\"inf\","
      "\"worst\":{\"part\":\"element\",\"index\":[1,2],\"got\":\"nan\",\"want\":\"-inf\","
      "\"scale\":0.10000000000000001},\"seconds_compile\":0.10000000000000001,"
      "\"seconds_run\":0.0,\"reason\":\"printed ?\\\"\\n\",\"repro\":null,"
      "\"counters\":{\"blas_calls\":0,\"compiles\":0,\"launches\":0},"
      "\"env\":{\"cpu\":null,\"llvm\":null,\"blas\":null,\"blas_core\":null,\"cuda\":null,"
      "\"ptxas\":null,"
      "\"revision\":null,\"assay\":null},\"started\":null}");
  record.margin = NAN;
  record.worst = (assay_worst){.present = true,
                               .part = "probe rows",
                               .rank = 1,
                               .index = {4},
                               .whole = true,
                               .got_whole = INT64_MIN,
                               .want_whole = INT64_MAX};
  assert_non_null(strstr(assay_record_print(arena, &record),
                         "\"margin\":null,\"worst\":{\"part\":\"probe rows\",\"index\":[4],"
                         "\"got\":-9223372036854775808,\"want\":9223372036854775807,"
                         "\"scale\":0.0},"));
  assay_arena_destroy(arena);
}

// What was not measured is no number, neither here nor when it was read.
static void what_was_not_measured_is_null(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_environment toolkit = {.ptxas = "Build 13.0"};
  assay_record record = passed, back;
  assay_error err;
  record.kind = ASSAY_RECORD_BENCH;
  record.seconds_compile = record.seconds_run = NAN;
  record.environment = &toolkit;
  record.uncounted = ASSAY_UNCOUNTED_BLAS_CALLS | ASSAY_UNCOUNTED_LAUNCHES;
  const char *text = assay_record_print(arena, &record);
  static const char *const parts[] = {"\"seconds_compile\":null,\"seconds_run\":null,",
                                      "\"threads\":null,", "\"flop\":null,\"bytes\":null,",
                                      "\"counters\":{\"compiles\":1},",
                                      "\"ptxas\":\"Build 13.0\","};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    assert_non_null(strstr(text, parts[i]));
  assert_int_equal(assay_record_parse(arena, "f", 1, text, strlen(text), &back, &err), ASSAY_OK);
  assert_true(isnan(back.seconds_compile) && isnan(back.seconds_run));
  assert_string_equal(back.environment->ptxas, "Build 13.0");
  assert_string_equal(assay_record_print(arena, &back), text);
  assert_true(isnan(assay_record_seconds(&back)));
  back.seconds_run = 2;
  assert_true(assay_record_seconds(&back) == 2);
  back.seconds_compile = 1;
  assert_true(assay_record_seconds(&back) == 3);
  back.seconds_run = NAN;
  assert_true(assay_record_seconds(&back) == 1);
  assay_arena_destroy(arena);
}

// What was printed parses to the same record: printed again it is the same text.
static void parses_what_it_prints(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_record every = passed;
  every.verdict = ASSAY_XFAIL;
  every.sampled = true;
  every.margin = 1.0 / 3;
  every.reason = "known";
  every.launches = 3;
  every.first_bad = (assay_first_bad){.n = 3,
                                      .name = "cse",
                                      .fault = "miscompile",
                                      .step = "transform.a at f:1:2",
                                      .pattern = NULL};
  every.worst = (assay_worst){
      .present = true, .part = "element", .rank = 1, .index = {9}, .got = INFINITY, .want = 0.1};
  every.nan_origin = "{\"op\":\"arith.divf\",\"location\":\"module.mlir:3:8\","
                     "\"operands\":[\"0\",\"-inf\"],\"state\":{\"n\":3,\"name\":\"cse\"},"
                     "\"certain\":false}";
  assert_string_equal(
      assay_record_origin(arena, &every),
      "arith.divf at module.mlir:3:8 of 0, -inf, after cse, the first that was made");
  assert_null(assay_record_origin(arena, &passed));
  const assay_record *const records[] = {&passed, &every};
  for (size_t i = 0; i < 2; i++) {
    const char *text = assay_record_print(arena, records[i]);
    assay_record parsed;
    assay_error err;
    assert_int_equal(assay_record_parse(arena, "f", 1, text, strlen(text), &parsed, &err),
                     ASSAY_OK);
    assert_string_equal(assay_record_print(arena, &parsed), text);
  }
  assert_non_null(strstr(assay_record_print(arena, &every),
                         "\"first_bad\":{\"n\":3,\"name\":\"cse\",\"class\":\"miscompile\","
                         "\"step\":\"transform.a at f:1:2\",\"pattern\":null},"));
  assay_arena_destroy(arena);
}

// What a benchmark adds, and fields that some other version knows.
static void keeps_timings_passes_and_unknown_fields(void **state) {
  (void)state;
  static const assay_environment measured = {
      .cpu = "c", .peak_gflops_f32 = 110.5, .peak_gflops_f64 = 55.25, .peak_gbs = 12.5};
  static const assay_pass_row passes[] = {{.n = 1,
                                           .name = "cse",
                                           .seconds = 0.25,
                                           .ops_before = 9,
                                           .ops_after = 7,
                                           .changed = true,
                                           .margin = 0.125,
                                           .nan_added = 1,
                                           .fault = "nan-attribute"},
                                          {.name = "llvm-optimize",
                                           .seconds = 0.5,
                                           .ops_before = -1,
                                           .ops_after = -1,
                                           .margin = NAN,
                                           .margin_nan = true}};
  static const assay_counter counters[] = {{"object_bytes", 4096}, {"heap_peak", 77}};
  static const double runs[] = {0.5, 0.25, 0.75}, compiles[] = {1.5};
  assay_arena *arena = assay_arena_create();
  assay_record bench = passed;
  bench.kind = ASSAY_RECORD_BENCH;
  bench.environment = &measured;
  bench.counters = counters;
  bench.counter_count = 2;
  bench.passes = passes;
  bench.pass_count = 2;
  bench.run_samples = runs;
  bench.run_sample_count = 3;
  bench.compile_samples = compiles;
  bench.compile_sample_count = 1;
  bench.threads = 2;
  bench.cold = true;
  bench.clock = "device";
  bench.seconds_upload = 0.5;
  bench.flop = 210;
  bench.others = "{\"later\":[1,{\"x\":null}],\"env\":{\"gpu\":\"H\"}}";
  const char *text = assay_record_print(arena, &bench);
  assert_non_null(
      strstr(text, "\"samples_run\":[0.5,0.25,0.75],\"samples_compile\":[1.5],\"threads\":2,"
                   "\"cold\":true,\"clock\":\"device\",\"seconds_upload\":0.5,\"flop\":210.0,"
                   "\"bytes\":null,\"passes\":[{\"n\":1,\"name\":\"cse\","
                   "\"seconds\":0.25,\"ops_before\":9,\"ops_after\":7,\"changed\":true,"
                   "\"margin\":0.125,\"nan_added\":1,\"class\":\"nan-attribute\"},{\"n\":0,"));
  assert_non_null(strstr(text, "\"launches\":0,\"object_bytes\":4096,\"heap_peak\":77}"));
  assert_non_null(strstr(text, "\"margin\":\"nan\",\"nan_added\":0,"));
  assert_non_null(strstr(text, ",\"gpu\":\"H\"},\"started\""));
  assert_non_null(strstr(text, "\"later\":[1,{\"x\":null}]"));
  assay_record parsed;
  assay_error err;
  assert_int_equal(assay_record_parse(arena, "f", 1, text, strlen(text), &parsed, &err), ASSAY_OK);
  assert_string_equal(assay_record_print(arena, &parsed), text);
  assay_record copy = assay_record_copy(arena, &parsed);
  assert_string_equal(assay_record_print(arena, &copy), text);
  assert_ptr_not_equal(copy.key, parsed.key);
  size_t count;
  const assay_counter *all = assay_record_counters(arena, &parsed, &count);
  assert_int_equal(count, 5);
  assert_string_equal(all[0].name, "blas_calls");
  assert_int_equal(all[4].value, 77);
  assay_arena_destroy(arena);
}

static void check_rejected(const char *text, const char *message) {
  assay_arena *arena = assay_arena_create();
  assay_record record;
  assay_error err;
  assert_int_equal(assay_record_parse(arena, "run.jsonl", 7, text, strlen(text), &record, &err),
                   ASSAY_INVALID);
  assert_string_equal(err.where, "run.jsonl:7");
  assert_string_equal(err.text, message);
  assay_arena_destroy(arena);
}

static void rejects_what_is_no_record(void **state) {
  (void)state;
  check_rejected("[1]", "expected a record, a JSON object");
#define RECORD                                                                                     \
  "{\"schema\":1,\"key\":\"k\",\"case\":\"c\",\"op\":\"o\",\"backend\":\"b\",\"data\":\"real\","   \
  "\"verdict\":\"PASS\","
  check_rejected(RECORD "\"counters\":{\"heap\":\"7\"}}",
                 "counter \"heap\": expected a whole number, found \"7\"");
  check_rejected(RECORD "\"counters\":{\"a\\n\":null}}",
                 "counter \"a\\n\": expected a whole number, found null");
  check_rejected(RECORD "\"counters\":{\"compiles\":1.5}}",
                 "counter \"compiles\": expected a whole number, found 1.5");
  check_rejected(RECORD "\"counters\":7}", "counters: expected an object, found 7");
  check_rejected(RECORD "\"kind\":\"benches\"}",
                 "kind: expected \"run\", \"ledger\" or \"bench\", found \"benches\"");
  check_rejected(RECORD "\"kind\":null}",
                 "kind: expected \"run\", \"ledger\" or \"bench\", found null");
  check_rejected(RECORD "\"kind\":\"bench\",\"samples_run\":[1,\"nan\"]}",
                 "samples_run: expected times above 0, found \"nan\"");
  check_rejected(RECORD "\"kind\":\"bench\",\"samples_run\":[0.0]}",
                 "samples_run: expected times above 0, found 0.0");
  check_rejected(RECORD "\"kind\":\"bench\",\"samples_compile\":[-1]}",
                 "samples_compile: expected times above 0, found -1");
  check_rejected(RECORD "\"kind\":\"bench\",\"samples_compile\":[null]}",
                 "samples_compile: expected times above 0, found null");
  check_rejected(RECORD "\"kind\":\"bench\",\"samples_run\":0.5}",
                 "samples_run: expected an array, found 0.5");
  check_rejected(RECORD "\"clock\":7}", "clock: expected null or \"device\", found 7");
  check_rejected(RECORD "\"kind\":\"bench\",\"clock\":\"sundial\"}",
                 "clock: expected null or \"device\", found \"sundial\"");
  check_rejected(RECORD "\"reason\":\"a\\u0000b\"}",
                 "not a JSON record: a text holds \\u0000, the end of all texts");
  check_rejected(RECORD "\"margin\":-0.5}",
                 "margin: expected null, \"inf\" or a number from 0, found -0.5");
  check_rejected(RECORD "\"margin\":\"-inf\"}",
                 "margin: expected null, \"inf\" or a number from 0, found \"-inf\"");
  check_rejected("{\"schema\":2}",
                 "expected a record of schema 1, found schema 2: a newer assay wrote it");
  check_rejected("{\"schema\":0}", "expected a record of schema 1, found schema 0");
  check_rejected("{\"key\":\"k\"}", "expected a record of schema 1, found none");
  check_rejected("{\"schema\":1,\"key\":5}", "the record has no string 'key'");
  check_rejected("{\"schema\":1,\"key\":\"k\",\"case\":\"c\",\"op\":\"o\",\"backend\":\"b\","
                 "\"data\":\"d\",\"verdict\":\"GOOD\"}",
                 "unknown verdict 'GOOD'");
  check_rejected("{\"schema\":", "not a JSON record: unexpected token near end of file");
}

static assay_file file_of(const char *text) {
  return (assay_file){.path = "run.jsonl", .bytes = text, .size = strlen(text)};
}

// A killed run leaves its last line half written: it is dropped, also where it happens to be whole
// but for its newline, so that what is appended at *out_size always starts a line.
static void drops_a_half_written_last_line(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *text = assay_record_print(arena, &passed);
  size_t whole = strlen(text) + 1;
  const char *const tails[] = {"", "{\"schema\":1,\"key", text};
  for (size_t i = 0; i < 3; i++) {
    assay_file file = file_of(assay_arena_format(arena, "%s\n%s", text, tails[i]));
    assay_record *records;
    size_t count, size;
    assay_error err;
    assert_int_equal(assay_records_read(arena, &file, &records, &count, &size, &err), ASSAY_OK);
    assert_int_equal(count, 1);
    assert_int_equal(size, whole);
    assert_string_equal(records[0].key, passed.key);
  }
  assay_arena_destroy(arena);
}

static void names_the_line_that_is_broken(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_file file = file_of(assay_arena_format(arena, "%s\nnonsense\n", passed_text));
  assay_record *records;
  size_t count, size;
  assay_error err;
  assert_int_equal(assay_records_read(arena, &file, &records, &count, &size, &err), ASSAY_INVALID);
  assert_string_equal(err.where, "run.jsonl:2");
  assay_arena_destroy(arena);
}

static void knows_its_verdicts(void **state) {
  (void)state;
  static const bool bad[ASSAY_VERDICT_COUNT] = {
      [ASSAY_FAIL] = true,  [ASSAY_XPASS] = true,   [ASSAY_ERROR] = true,
      [ASSAY_CRASH] = true, [ASSAY_TIMEOUT] = true,
  };
  for (int i = 0; i < ASSAY_VERDICT_COUNT; i++) {
    assay_verdict verdict;
    assert_true(assay_verdict_parse(assay_verdict_name((assay_verdict)i), &verdict));
    assert_int_equal(verdict, i);
    assert_int_equal(assay_verdict_is_bad(verdict), bad[i]);
  }
  assay_verdict verdict;
  assert_false(assay_verdict_parse("pass", &verdict));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prints_a_pass),
      cmocka_unit_test(prints_a_failure),
      cmocka_unit_test(what_was_not_measured_is_null),
      cmocka_unit_test(parses_what_it_prints),
      cmocka_unit_test(keeps_timings_passes_and_unknown_fields),
      cmocka_unit_test(rejects_what_is_no_record),
      cmocka_unit_test(drops_a_half_written_last_line),
      cmocka_unit_test(names_the_line_that_is_broken),
      cmocka_unit_test(knows_its_verdicts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
