// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/columns.h"
#include "results/formats/formats_testing.h"

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

// Of a simulator's benchmark there is a compilation, of what is skipped nothing.
static void what_was_not_measured_is_no_zero(void **state) {
  (void)state;
  assay_record records[] = {record_of("a", "matmul", "sim", ASSAY_PASS, NULL),
                            record_of("b", "linear", "sim", ASSAY_SKIP, "no i32")};
  const assay_environment device = {.cuda = "A GPU, CUDA 13.0", .ptxas = "Build 13.0"};
  records[0].environment = &device;
  records[0].seconds_run = NAN;
  records[0].compiles = 1;
  records[0].uncounted = ASSAY_UNCOUNTED_BLAS_CALLS | ASSAY_UNCOUNTED_LAUNCHES;
  records[0].clock = "device";
  records[1].seconds_compile = records[1].seconds_run = NAN;
  char *csv = written("csv", records, 2);
  assert_non_null(strstr(csv, ",assay,cuda,ptxas,clock\r\nrun,a,"));
  assert_non_null(strstr(csv, ",PASS,0.25,,0.5,,,,,0,"));
  assert_non_null(strstr(csv, ",,1,,,,,,")); // blas_calls compiles launches
  assert_non_null(strstr(csv, ",\"A GPU, CUDA 13.0\",Build 13.0,device\r\n"));
  assert_non_null(strstr(csv, ",SKIP,,,,,,,,0,"));
  free(csv);
  char *md = written("md", records, 2);
  assert_non_null(strstr(md, "| `matmul` | `sim` | 1 | 1 | 0 | 0 | 0 | 0.250 | 0.50 |"));
  assert_non_null(strstr(md, "| `linear` | `sim` | 1 | 0 | 0 | 0 | 1 | - | - |"));
  assert_non_null(strstr(md, "| `total` |  | 2 | 1 | 0 | 0 | 1 | 0.250 | 0.50 |"));
  free(md);
  char *text = written("text", records, 2);
  assert_non_null(strstr(text, "               -        -\n"));
  free(text);
  char *junit = written("junit", records, 2); // which must have a number
  assert_non_null(strstr(junit, "time=\"0.500000\""));
  assert_non_null(strstr(junit, "name=\"ptxas\" value=\"Build 13.0\""));
  free(junit);
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
      cmocka_unit_test(all_tell_where_a_nan_was_made),
      cmocka_unit_test(junit_maps_each_verdict),
      cmocka_unit_test(md_lists_totals_table_and_failures),
      cmocka_unit_test(text_lists_failures_table_and_totals),
      cmocka_unit_test(text_leaves_out_what_is_not_known),
      cmocka_unit_test(what_was_not_measured_is_no_zero),
      cmocka_unit_test(margins_have_three_decimals),
      cmocka_unit_test(json_is_an_array_of_the_records),
      cmocka_unit_test(a_full_disk_is_reported),
      cmocka_unit_test(formats_are_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
