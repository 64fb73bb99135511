// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/columns.h"
#include "results/formats/format.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const assay_environment environment = {.cpu = "a <fast> cpu", .llvm = "22.1.8"};

static assay_record record_of(const char *key, const char *op, const char *backend,
                              assay_verdict verdict, const char *reason) {
  return (assay_record){.key = key,
                        .line = "a line",
                        .op = op,
                        .backend = backend,
                        .data = "int",
                        .verdict = verdict,
                        .margin = verdict == ASSAY_PASS ? 0.25 : NAN,
                        .seconds_compile = 0.5,
                        .seconds_run = 0.25,
                        .reason = reason,
                        .repro = "assay run --filter 'KEY'",
                        .started = "2020-01-02T03:04:05.678Z",
                        .environment = &environment};
}

// One record of each verdict over two ops, with text that XML and Markdown must not take for
// markup.
enum { COUNT = ASSAY_VERDICT_COUNT };
static void make_records(assay_record records[COUNT]) {
  records[0] = record_of("matmul m=1 data=int backend=loop", "matmul", "loop", ASSAY_PASS, NULL);
  records[1] = record_of("matmul m=2 data=int backend=loop", "matmul", "loop", ASSAY_FAIL,
                         "got <1> & \"2\"\nwindow | row");
  records[2] = record_of("linear m=1 data=int backend=blas", "linear", "blas", ASSAY_CRASH,
                         "SIGSEGV after \x01\xff\xef\xbf\xbe\xe0\x81\x81 bytes \xc3\xa9");
  records[3] = record_of("linear m=2 data=int backend=blas", "linear", "blas", ASSAY_XFAIL, "gap");
  records[4] =
      record_of("linear m=3 data=int backend=blas", "linear", "blas", ASSAY_SKIP, "no i32");
  records[5] = record_of("linear m=4 data=int backend=blas", "linear", "blas", ASSAY_XPASS, "gone");
  records[6] = record_of("linear m=5 data=int backend=blas", "linear", "blas", ASSAY_WARN, "near");
  records[7] = record_of("linear m=6 data=int backend=blas", "linear", "blas", ASSAY_ERROR, "no");
  records[8] =
      record_of("linear m=7 data=int backend=blas", "linear", "blas", ASSAY_TIMEOUT, "1 s");
}

static char *written(const char *format, const assay_record records[], size_t count) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  assay_error err;
  assay_run_totals totals = {
      .seconds = 12.25, .peak_memory_bytes = 50000000, .records = "out/run.jsonl"};
  assert_int_equal(assay_format_find(format)->write(stream, records, count, &totals, &err),
                   ASSAY_OK);
  fclose(stream);
  return bytes;
}

// The XPath expression's value as text.
static void assert_xpath(xmlDocPtr document, const char *expression, const char *expected) {
  xmlXPathContextPtr context = xmlXPathNewContext(document);
  xmlXPathObjectPtr value = xmlXPathEvalExpression(BAD_CAST expression, context);
  assert_non_null(value);
  xmlChar *text = xmlXPathCastToString(value);
  assert_string_equal((const char *)text, expected);
  xmlFree(text);
  xmlXPathFreeObject(value);
  xmlXPathFreeContext(context);
}

static void all_tell_where_a_nan_was_made(void **state) {
  (void)state;
  static const char *const names[] = {"text", "md", "junit"};
  assay_record record = record_of("matmul m=1 data=int backend=loop", "matmul", "loop", ASSAY_FAIL,
                                  "result[2, 2]: got nan");
  for (int with = 0; with < 2; with++) {
    record.nan_origin = with == 0
                            ? NULL
                            : "{\"op\":\"arith.divf\",\"location\":\"module.mlir:5:8\","
                              "\"operands\":[\"0\",\"0\"],\"state\":\"input\",\"certain\":true}";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      char *text = written(names[i], &record, 1);
      bool told = strstr(text, "arith.divf at module.mlir:5:8 of 0, 0") != NULL;
      assert_int_equal(told, with);
      free(text);
    }
  }
}

static void junit_maps_each_verdict(void **state) {
  (void)state;
  assay_record records[COUNT];
  make_records(records);
  char *text = written("junit", records, COUNT);
  xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);
  assert_non_null(document);
  assert_xpath(document, "count(/testsuites/testsuite)", "2");
  assert_xpath(document, "sum(/testsuites/testsuite/@tests)", "9");
  assert_xpath(document, "sum(/testsuites/testsuite/@failures)", "2");
  assert_xpath(document, "sum(/testsuites/testsuite/@errors)", "3");
  assert_xpath(document, "sum(/testsuites/testsuite/@skipped)", "2");
  assert_xpath(document, "//testsuite[1]/@time", "5.250");
  assert_xpath(document, "//testsuite[2]/@id", "1");
  assert_xpath(document, "//testsuite[1]/@timestamp", "2020-01-02T03:04:05");
  assert_xpath(document, "/testsuites/testsuite[1]/@name", "linear blas");
  assert_xpath(document, "/testsuites/testsuite[2]/@tests", "2");
  assert_xpath(document, "//testsuite[1]/properties/property[@name='cpu']/@value", "a <fast> cpu");
  assert_xpath(document, "count(//testsuite[1]/properties/property)", "2");
  assert_xpath(document, "count(//failure)", "2");
  assert_xpath(document, "//failure[@type='XPASS']/@message", "gone");
  assert_xpath(document, "count(//testcase[@name='matmul m=1 data=int backend=loop']/*)", "0");
  assert_xpath(document, "count(//error)", "3");
  assert_xpath(document, "count(//skipped)", "2");
  assert_xpath(document, "//testcase[@name='matmul m=2 data=int backend=loop']/failure/@message",
               "got <1> & \"2\"\nwindow | row");
  assert_xpath(document, "//testcase[@name='matmul m=2 data=int backend=loop']/@time", "0.750000");
  assert_xpath(document, "//testcase[@name='matmul m=2 data=int backend=loop']/failure",
               "assay run --filter 'KEY'");
  assert_xpath(document, "//error[@type='CRASH']/@message",
               "SIGSEGV after ???????? bytes \xc3\xa9");
  assert_xpath(document, "//testcase[@name='linear m=2 data=int backend=blas']/skipped/@message",
               "known gap: gap");
  assert_xpath(document, "//system-out", "WARN linear m=5 data=int backend=blas: near\n");
  xmlFreeDoc(document);
  xmlCleanupParser();
  free(text);
}

static void md_lists_totals_table_and_failures(void **state) {
  (void)state;
  assay_record records[COUNT];
  make_records(records);
  char *text = written("md", records, 2);
  assert_string_equal(
      text, "# Assay\n\n\u274c 1 of 2 verdicts is bad: 1 FAIL. 12.2 s.\n\n"
            "| op | backend | verdicts | passed | failed | known gap | skipped | largest margin "
            "| seconds |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n"
            "| `matmul` | `loop` | 2 | 1 | 1 | 0 | 0 | 0.250 | 1.50 |\n"
            "| `total` |  | 2 | 1 | 1 | 0 | 0 | 0.250 | 1.50 |\n"
            "\n## Failures\n\n- **FAIL** `matmul m=2 data=int backend=loop`\n\n"
            "      got <1> & \"2\"\n      window | row\n\n      assay run --filter 'KEY'\n");
  free(text);
}

// What no format may let through: bytes that are no UTF-8, and what some syntax takes for its own.
static const char hostile[] = "<b>&amp;\"'`|,;:%\n\x1b[31m\xff\xfe\xc3 "
                              "\x07]]></script>\xf0\x9f\x98\x80\x7f\xc2\x9b\xef\xbf\xbe";

static assay_record hostile_record(assay_verdict verdict) {
  static const assay_environment all = {.cpu = hostile,
                                        .llvm = hostile,
                                        .blas = hostile,
                                        .blas_core = hostile,
                                        .revision = hostile,
                                        .assay = hostile,
                                        .peak_gflops_f32 = 1,
                                        .peak_gbs = 1};
  static const double samples[] = {1, 2, 3, NAN, INFINITY};
  static const assay_pass_row passes[] = {{.n = 1, .name = hostile, .seconds = 1, .margin = NAN},
                                          {.name = "", .seconds = NAN, .margin = INFINITY}};
  assay_record record = record_of(hostile, hostile, hostile, verdict, hostile);
  record.kind = ASSAY_RECORD_BENCH;
  record.line = record.data = record.repro = record.origin = record.started = hostile;
  record.environment = &all;
  record.first_bad = (assay_first_bad){3, hostile, hostile, hostile, hostile, hostile, hostile};
  record.run_samples = record.compile_samples = samples;
  record.run_sample_count = record.compile_sample_count = 5;
  record.passes = passes;
  record.pass_count = 2;
  record.flop = record.bytes = 1e9;
  return record;
}

static assay_code remember(void *user, assay_arena *arena, assay_record_kind kind, const char *key,
                           const assay_history_point **out_points, size_t *out_count,
                           assay_error *err) {
  static const assay_history_point points[] = {{hostile, hostile, hostile, ASSAY_PASS, 0.5, 2, 1},
                                               {NULL, NULL, NULL, ASSAY_FAIL, NAN, NAN, NAN},
                                               {"c", "", NULL, ASSAY_PASS, INFINITY, 3, NAN}};
  (void)arena;
  (void)err;
  assert_int_equal(kind, ASSAY_RECORD_BENCH);
  assert_string_equal(key, hostile);
  ++*(int *)user;
  *out_points = points;
  *out_count = 3;
  return ASSAY_OK;
}

static void hostile_text_stays_text(void **state) {
  (void)state;
  assay_record records[ASSAY_VERDICT_COUNT];
  for (int i = 0; i < ASSAY_VERDICT_COUNT; i++)
    records[i] = hostile_record((assay_verdict)i);
  const assay_baseline_row rows[] = {
      {hostile, hostile, hostile, hostile, 1.5, 1.25, 2, "SLOWER", hostile, false, true, true, 0},
      {hostile, "m", NULL, NULL, NAN, NAN, NAN, "CHANGED", NULL, false, false, true, 0},
      {hostile, "m", NULL, NULL, NAN, NAN, NAN, "NEW", NULL, false, false, false, 0},
      {"same", "m", NULL, NULL, 1, 1, 1, "SAME", NULL, true, false, false, 0}};
  const assay_baseline baseline = {.base = hostile, .note = hostile, .count = 4, .rows = rows};
  static const bool known[ASSAY_VERDICT_COUNT] = {true};
  static const char *const failures[] = {hostile};
  int asked = 0;
  const assay_history history = {&asked, remember};
  const assay_run_totals totals = {.comparison = &baseline,
                                   .history = &history,
                                   .known = known,
                                   .failures = failures,
                                   .failure_count = 1};
  for (const assay_format *const *format = assay_formats_get(); *format != NULL; format++) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    assay_error err;
    assert_int_equal((*format)->write(stream, records, ASSAY_VERDICT_COUNT, &totals, &err),
                     ASSAY_OK);
    fclose(stream);
    if (strcmp((*format)->name, "text") != 0) { // which prints what there is
      assert_true(xmlCheckUTF8(BAD_CAST bytes));
      assert_null(strchr(bytes, '\x1b'));
      assert_int_equal(strlen(bytes), size);
      assert_null(strstr(bytes, "\xc2\x9b"));
      assert_null(strstr(bytes, "\xef\xbf\xbe"));
      assert_int_equal(strchr(bytes, '\x7f') != NULL, strcmp((*format)->name, "json") == 0);
    }
    free(bytes);
  }
  assert_int_equal(asked, 6);
}

// What overflows on the way to a document is left out of it.
static void numbers_may_be_of_any_size(void **state) {
  (void)state;
  static const double samples[] = {1e308, 1.7e308, 1e-9};
  assay_record records[2];
  for (int i = 0; i < 2; i++) {
    records[i] = record_of("a", "matmul", "loop", ASSAY_PASS, NULL);
    records[i].kind = ASSAY_RECORD_BENCH;
    records[i].run_samples = records[i].compile_samples = samples;
    records[i].run_sample_count = records[i].compile_sample_count = i == 0 ? 3 : 2;
    records[i].flop = records[i].bytes = records[i].seconds_run = records[i].margin = 1.7e308;
    records[i].seconds_compile = 1e308;
  }
  const assay_baseline_row row = {"a",      "run", "1 s", "2 s", 1e300, 1e-300, INFINITY,
                                  "SLOWER", NULL,  false, true,  true,  0};
  const assay_baseline baseline = {.base = "b", .count = 1, .rows = &row};
  const assay_run_totals totals = {.seconds = 1e308, .comparison = &baseline};
  for (const assay_format *const *format = assay_formats_get(); *format != NULL; format++) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    assay_error err;
    assert_int_equal((*format)->write(stream, records, 2, &totals, &err), ASSAY_OK);
    fclose(stream);
    bool is_gbench = strcmp((*format)->name, "gbench") == 0;
    if (is_gbench) // the one sample that has a place
      assert_non_null(strstr(bytes, "\"repetitions\": 1,"));
    if (is_gbench || strcmp((*format)->name, "md") == 0)
      assert_null(strstr(bytes, "00000000000000000000"));
    free(bytes);
  }
}

// Whoever reads JUnit alone sees why a gate failed.
static void regressions_fail_in_junit_and_have_reasons_in_md(void **state) {
  (void)state;
  assay_record record = record_of("a key", "matmul", "loop", ASSAY_PASS, NULL);
  const assay_baseline_row rows[] = {
      {"a key", "run", "1 ms", "2 ms", 2, 1.5, 2.5, "SLOWER", "a reason", false, true, true, 0},
      {"gone", "verdict", "PASS", NULL, NAN, NAN, NAN, "VANISHED", NULL, false, true, true, 0},
      {"other", "run", "1 ms", "1 ms", 1, 0, INFINITY, "UNSURE", "too | few", false, false, false,
       0}};
  const assay_baseline baseline = {.base = "a <tag>", .count = 3, .rows = rows};
  const assay_run_totals totals = {.seconds = NAN, .comparison = &baseline};
  static const char *const names[] = {"junit", "md"};
  char *texts[2];
  for (int i = 0; i < 2; i++) {
    size_t size = 0;
    FILE *stream = open_memstream(&texts[i], &size);
    assay_error err;
    assert_int_equal(assay_format_find(names[i])->write(stream, &record, 1, &totals, &err),
                     ASSAY_OK);
    fclose(stream);
  }
  xmlDocPtr document = xmlReadMemory(texts[0], (int)strlen(texts[0]), NULL, NULL, XML_PARSE_NONET);
  assert_non_null(document);
  assert_xpath(document, "//testsuite[2]/@name", "baseline");
  assert_xpath(document, "//testsuite[2]/@failures", "2");
  assert_xpath(document, "//testsuite[2]/@id", "1");
  assert_xpath(document, "count(//testsuite[2]/testcase/failure)", "2");
  assert_xpath(document, "//testcase[@name='a key run']/failure/@message",
               "run: 2 ms, was 1 ms: a reason");
  assert_xpath(document, "//testcase[@name='gone verdict']/failure/@type", "VANISHED");
  xmlFreeDoc(document);
  assert_non_null(strstr(texts[1], "| `1 ms` | 1.000 [0.000, inf] | `too \\| few` |\n"));
  for (int i = 0; i < 2; i++)
    free(texts[i]);
}

// The page says what a comparison and a history hold; what is the same is only counted.
static void html_has_comparison_and_history(void **state) {
  (void)state;
  assay_record record = hostile_record(ASSAY_PASS);
  const assay_baseline_row rows[] = {
      {"a key", "run", "1 ms", "2 ms", 2, 1.5, 2.5, "SLOWER", NULL, false, true, true, 0},
      {"other", "run", "1 ms", "1 ms", 1, 1, 1, "SAME", NULL, true, false, false, 0}};
  const assay_baseline baseline = {.base = "a tag", .count = 2, .rows = rows};
  int asked = 0;
  const assay_history history = {&asked, remember};
  const assay_run_totals totals = {.comparison = &baseline, .history = &history};
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  assay_error err;
  assert_int_equal(assay_format_find("html")->write(stream, &record, 1, &totals, &err), ASSAY_OK);
  fclose(stream);
  htmlDocPtr page = htmlReadMemory(bytes, (int)size, NULL, "UTF-8",
                                   HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
  assert_non_null(page);
  assert_xpath(page, "count(//section[@id='comparison']//tbody/tr)", "1");
  assert_xpath(page, "//section[@id='comparison']//tbody/tr/td[5]", "2.000 [1.500, 2.500]");
  assert_xpath(page, "//section[@id='comparison']/p[last()]", "1 of 2 rows are the same.");
  assert_xpath(page, "substring-after(//p[@class='verdict bad'], 'PASS. ')",
               "1 regression against the baseline.");
  assert_xpath(page, "count(//section[@id='history']//tbody/tr)", "3");
  assert_xpath(page, "//section[@id='history']//tbody/tr[2]/td[3]", "FAIL");
  assert_xpath(page, "count(//section[@id='history']//svg)", "1");
  xmlFreeDoc(page);
  free(bytes);
}

static char *compared(const char *format, const assay_run_totals *totals) {
  const assay_record record = record_of("a key", "matmul", "loop", ASSAY_PASS, NULL);
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  assay_error err;
  assert_int_equal(assay_format_find(format)->write(stream, &record, 1, totals, &err), ASSAY_OK);
  fclose(stream);
  return bytes;
}

static void assert_says(const char *format, const assay_run_totals *totals, const char *said) {
  char *text = compared(format, totals);
  assert_non_null(strstr(text, said));
  free(text);
}

// One notion in all documents: a regression is what fails the gate.
static void what_is_worse_and_does_not_fail_is_a_warning(void **state) {
  (void)state;
  assay_baseline_row row = {"a key",   "margin", "0.1", "0.3", 3,    NAN, NAN,
                            "CHANGED", NULL,     false, false, true, 0};
  const assay_baseline baseline = {.base = "b", .count = 1, .rows = &row};
  const assay_run_totals totals = {.seconds = NAN, .comparison = &baseline};
  const char *sentence = "No regression against the baseline. 1 row is worse, within what the "
                         "thresholds allow.";
  assert_says("md", &totals, sentence);
  assert_says("md", &totals, "# Assay\n\n\u26a0\ufe0f ");
  assert_says("html", &totals, sentence);
  assert_says("html", &totals, "class=\"verdict look\"");
  assert_says("annotations", &totals, "::warning title=CHANGED a key::margin: 0.3, was 0.1\n");
  char *junit = compared("junit", &totals);
  assert_null(strstr(junit, "<failure"));
  free(junit);
  row.regression = true;
  row.others = 2; // of a whole kind, which one row stands for
  assert_says("md", &totals, "3 regressions against the baseline.");
  assert_says("md", &totals, "# Assay\n\n\u274c ");
  assert_says("html", &totals, "class=\"verdict bad\"");
  assert_says("annotations", &totals, "::error title=CHANGED a key::margin: 0.3, was 0.1\n");
  assert_says("junit", &totals, "<failure type=\"CHANGED\" message=\"margin: 0.3, was 0.1\"/>");
}

static void what_failed_besides_is_said_first(void **state) {
  (void)state;
  static const char *const failures[] = {"the gate cannot tell: no <disk>"};
  const assay_run_totals totals = {.seconds = NAN, .failures = failures, .failure_count = 1};
  assert_says("md", &totals,
              "# Assay\n\n\u274c the gate cannot tell: no \\<disk\\>. The only verdict");
  assert_says("html", &totals, "<p class=\"verdict bad\">\u2717 the gate cannot tell: no &lt;disk");
  assert_says("annotations", &totals, "::error title=assay::the gate cannot tell: no <disk>\n");
  assert_says("junit", &totals, "message=\"the gate cannot tell: no &lt;disk&gt;\"/>");
}

static void text_lists_failures_table_and_totals(void **state) {
  (void)state;
  assay_record records[COUNT];
  make_records(records);
  char *text = written("text", records, 2);
  assert_string_equal(
      text,
      "FAIL matmul m=2 data=int backend=loop\n  got <1> & \"2\"\\nwindow | row\n"
      "  assay run --filter 'KEY'\n\n"
      "op      backend  verdicts  passed  failed  known gap  skipped  largest margin  seconds\n"
      "matmul  loop            2       1       1          0        0           0.250     1.50\n"
      "total                   2       1       1          0        0           0.250     1.50\n"
      "\n2 verdicts in 12.2 s: 1 PASS, 1 FAIL; peak memory 50 MB; records in out/run.jsonl\n");
  free(text);
}

static void text_leaves_out_what_is_not_known(void **state) {
  (void)state;
  assay_record record = record_of("a", "matmul", "loop", ASSAY_PASS, NULL);
  record.kind = ASSAY_RECORD_BENCH;
  const assay_run_totals totals = {.seconds = NAN};
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  assay_error err;
  assert_int_equal(assay_format_find("text")->write(stream, &record, 1, &totals, &err), ASSAY_OK);
  fclose(stream);
  assert_non_null(strstr(bytes, "0.250        -\n"));
  assert_non_null(strstr(bytes, "\n\n1 verdicts: 1 PASS\n"));
  free(bytes);
}

static void margins_have_three_decimals(void **state) {
  (void)state;
  assert_string_equal(assay_margin_print(0.0625).text, "0.062");
  assert_string_equal(assay_margin_print(999999.5).text, "999999.500");
  assert_string_equal(assay_margin_print(1e6).text, "1e+06");
  assert_string_equal(assay_margin_print(INFINITY).text, "inf");
  assert_string_equal(assay_margin_print(NAN).text, "-");
}

static void json_is_an_array_of_the_records(void **state) {
  (void)state;
  assay_record records[COUNT];
  make_records(records);
  assay_arena *arena = assay_arena_create();
  char *text = written("json", records, 2);
  assert_string_equal(text, assay_arena_format(arena, "[\n%s,\n%s\n]\n",
                                               assay_record_print(arena, &records[0]),
                                               assay_record_print(arena, &records[1])));
  free(text);
  text = written("json", records, 0);
  assert_string_equal(text, "[\n]\n");
  free(text);
  assay_arena_destroy(arena);
}

static void a_full_disk_is_reported(void **state) {
  (void)state;
  assay_record records[COUNT];
  make_records(records);
  const assay_format *const *format = assay_formats_get();
  for (; *format != NULL; format++) {
    FILE *stream = fopen("/dev/full", "w");
    if (stream == NULL) {
      fail();
      return;
    }
    setvbuf(stream, NULL, _IONBF, 0);
    assay_error err;
    assay_run_totals totals = {.seconds = 1};
    assert_int_equal((*format)->write(stream, records, COUNT, &totals, &err), ASSAY_FAILED);
    fclose(stream);
  }
}

static void formats_are_found_by_name(void **state) {
  (void)state;
  assert_null(assay_format_find("xml"));
  const assay_format *const *formats = assay_formats_get();
  size_t count = 0;
  for (; formats[count] != NULL; count++)
    assert_ptr_equal(assay_format_find(formats[count]->name), formats[count]);
  assert_int_equal(count, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(junit_maps_each_verdict),
      cmocka_unit_test(all_tell_where_a_nan_was_made),
      cmocka_unit_test(md_lists_totals_table_and_failures),
      cmocka_unit_test(hostile_text_stays_text),
      cmocka_unit_test(html_has_comparison_and_history),
      cmocka_unit_test(what_is_worse_and_does_not_fail_is_a_warning),
      cmocka_unit_test(what_failed_besides_is_said_first),
      cmocka_unit_test(numbers_may_be_of_any_size),
      cmocka_unit_test(regressions_fail_in_junit_and_have_reasons_in_md),
      cmocka_unit_test(text_lists_failures_table_and_totals),
      cmocka_unit_test(text_leaves_out_what_is_not_known),
      cmocka_unit_test(margins_have_three_decimals),
      cmocka_unit_test(json_is_an_array_of_the_records),
      cmocka_unit_test(a_full_disk_is_reported),
      cmocka_unit_test(formats_are_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
