// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/formats_testing.h"

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
  static const assay_history_point points[] = {
      {hostile, hostile, hostile, ASSAY_PASS, false, 0.5, 2, 1},
      {NULL, NULL, NULL, ASSAY_FAIL, true, NAN, NAN, NAN},
      {"d", "", NULL, ASSAY_PASS, true, 1, 9, 1},
      {"c", "", NULL, ASSAY_PASS, false, INFINITY, 3, NAN}};
  (void)arena;
  (void)err;
  assert_int_equal(kind, ASSAY_RECORD_BENCH);
  assert_string_equal(key, hostile);
  ++*(int *)user;
  *out_points = points;
  *out_count = 4;
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
  assert_xpath(page, "count(//section[@id='history']//td[contains(., '(device)')])", "0");
  xmlFreeDoc(page);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hostile_text_stays_text),
      cmocka_unit_test(numbers_may_be_of_any_size),
      cmocka_unit_test(html_has_comparison_and_history),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
