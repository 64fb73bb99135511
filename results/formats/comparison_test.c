// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/formats_testing.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(regressions_fail_in_junit_and_have_reasons_in_md),
      cmocka_unit_test(what_is_worse_and_does_not_fail_is_a_warning),
      cmocka_unit_test(what_failed_besides_is_said_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
