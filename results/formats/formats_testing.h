// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of formats share: records, and documents of them.
#ifndef ASSAY_RESULTS_FORMATS_FORMATS_TESTING_H
#define ASSAY_RESULTS_FORMATS_FORMATS_TESTING_H

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

static inline assay_record record_of(const char *key, const char *op, const char *backend,
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
static inline void make_records(assay_record records[COUNT]) {
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

static inline char *written(const char *format, const assay_record records[], size_t count) {
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
static inline void assert_xpath(xmlDocPtr document, const char *expression, const char *expected) {
  xmlXPathContextPtr context = xmlXPathNewContext(document);
  xmlXPathObjectPtr value = xmlXPathEvalExpression(BAD_CAST expression, context);
  assert_non_null(value);
  xmlChar *text = xmlXPathCastToString(value);
  assert_string_equal((const char *)text, expected);
  xmlFree(text);
  xmlXPathFreeObject(value);
  xmlXPathFreeContext(context);
}

#endif
