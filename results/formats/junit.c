// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// junit: JUnit XML as CI systems read it: a testsuite per op and backend, a testcase per record;
// and one of the rows of a comparison that fail its gate. Valid by both schemas in use,
// checks/junit_jenkins.xsd and checks/junit_ant.xsd; what only one of them allows (totals of all
// suites, output of a single case) is left out, which no reader misses.
#include "results/formats/common/clean.h"
#include "results/formats/common/columns.h"
#include "results/formats/format.h"

#include <libxml/xmlwriter.h>

#include <errno.h>
#include <math.h>
#include <string.h>

// The writer with the first failure kept: libxml2 reports one on each call, and the document is
// lost by any of them.
typedef struct document {
  xmlTextWriterPtr writer;
  assay_arena *arena;
  bool failed;
} document;

static void check(document *xml, int result) {
  xml->failed = xml->failed || result < 0;
}

static void start(document *xml, const char *element) {
  check(xml, xmlTextWriterStartElement(xml->writer, BAD_CAST element));
}

static void end(document *xml) {
  check(xml, xmlTextWriterEndElement(xml->writer));
}

static void attribute(document *xml, const char *name, const char *value) {
  check(xml, xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name,
                                         BAD_CAST assay_clean(xml->arena, value)));
}

static void content(document *xml, const char *text) {
  check(xml, xmlTextWriterWriteString(xml->writer, BAD_CAST assay_clean(xml->arena, text)));
}

// A name, which must not be empty nor blank.
static void attribute_name(document *xml, const char *name, const char *value) {
  const char *line = assay_clean_line(xml->arena, value);
  attribute(xml, name, line[strspn(line, " ")] != '\0' ? line : "?");
}

// A decimal number; what is not known counts as no time.
static void attribute_seconds(document *xml, double seconds, int decimals) {
  bool known = isfinite(seconds) && seconds > 0;
  attribute(xml, "time", assay_arena_format(xml->arena, "%.*f", decimals, known ? seconds : 0.0));
}

static int64_t sum(const assay_summary_row *row, const assay_verdict verdicts[], size_t count) {
  int64_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += row->verdicts[verdicts[i]];
  return total;
}

static void attribute_count(document *xml, const char *name, int64_t count) {
  attribute(xml, name, assay_arena_format(xml->arena, "%lld", (long long)count));
}

static void attribute_counts(document *xml, const assay_summary_row *row) {
  static const assay_verdict failures[] = {ASSAY_FAIL, ASSAY_XPASS};
  static const assay_verdict errors[] = {ASSAY_ERROR, ASSAY_CRASH, ASSAY_TIMEOUT};
  static const assay_verdict skipped[] = {ASSAY_SKIP, ASSAY_XFAIL};
  attribute_count(xml, "tests", assay_columns_count(row).verdicts);
  attribute_count(xml, "failures", sum(row, failures, 2));
  attribute_count(xml, "errors", sum(row, errors, 3));
  attribute_count(xml, "skipped", sum(row, skipped, 2));
}

static void write_property(document *xml, const char *name, const char *value) {
  if (value == NULL)
    return;
  start(xml, "property");
  attribute(xml, "name", name);
  attribute(xml, "value", value);
  end(xml);
}

static void write_properties(document *xml, const assay_environment *given) {
  static const assay_environment unknown = {0};
  const assay_environment *environment = given != NULL ? given : &unknown;
  start(xml, "properties");
  write_property(xml, "cpu", environment->cpu);
  write_property(xml, "llvm", environment->llvm);
  write_property(xml, "blas", environment->blas);
  write_property(xml, "blas_core", environment->blas_core);
  write_property(xml, "cuda", environment->cuda);
  write_property(xml, "ptxas", environment->ptxas);
  write_property(xml, "revision", environment->revision);
  write_property(xml, "assay", environment->assay);
  end(xml);
}

// The element that JUnit has for a verdict, NULL where the testcase has none because it passed.
static const char *element_of(assay_verdict verdict) {
  switch (verdict) {
  case ASSAY_FAIL:
  case ASSAY_XPASS:
    return "failure";
  case ASSAY_ERROR:
  case ASSAY_CRASH:
  case ASSAY_TIMEOUT:
    return "error";
  case ASSAY_SKIP:
  case ASSAY_XFAIL:
    return "skipped";
  default:
    return NULL;
  }
}

static const char *or_empty(const char *text) {
  return text != NULL ? text : "";
}

// What a failure says below its message.
static const char *evidence(document *xml, const assay_record *record) {
  const char *said = or_empty(record->repro);
  if (record->first_bad.n > 0)
    said = assay_arena_format(xml->arena, "first bad pass: %d %s (%s)\n%s", record->first_bad.n,
                              or_empty(record->first_bad.name), or_empty(record->first_bad.fault),
                              said);
  const char *origin = assay_record_origin(xml->arena, record);
  return origin != NULL ? assay_arena_format(xml->arena, "nan origin: %s\n%s", origin, said) : said;
}

static void write_outcome(document *xml, const assay_record *record) {
  const char *element = element_of(record->verdict);
  if (element == NULL)
    return;
  const char *reason = or_empty(record->reason);
  start(xml, element);
  if (record->verdict == ASSAY_XFAIL)
    reason = assay_arena_format(xml->arena, "known gap: %s", reason);
  if (assay_verdict_is_bad(record->verdict))
    attribute(xml, "type", assay_verdict_name(record->verdict));
  attribute(xml, "message", reason);
  if (assay_verdict_is_bad(record->verdict))
    content(xml, evidence(xml, record));
  end(xml);
}

static void write_testcase(document *xml, const assay_record *record) {
  start(xml, "testcase");
  attribute_name(xml, "name", record->key);
  attribute_name(xml, "classname",
                 assay_arena_format(xml->arena, "%s.%s", record->op, record->backend));
  attribute_seconds(xml, assay_record_seconds(record), 6);
  write_outcome(xml, record);
  end(xml);
}

// Whether a text starts as "2020-01-02T03:04:05" does, with a day that there is.
static bool starts_with_time(const char *text) {
  static const char shape[] = "dddd-dd-ddTdd:dd:dd";
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int part[6] = {0}, parts = 0; // year to second
  for (int i = 0; shape[i] != '\0'; i++) {
    bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == 'd' ? !is_digit : text[i] != shape[i])
      return false;
    if (shape[i] == 'd')
      part[parts] = part[parts] * 10 + (text[i] - '0');
    else
      parts++;
  }
  bool leap = (part[0] % 4 == 0 && part[0] % 100 != 0) || part[0] % 400 == 0;
  return part[0] > 0 && part[1] >= 1 && part[1] <= 12 && part[2] >= 1 &&
         part[2] <= days[part[1] - 1] + (leap && part[1] == 2) && part[3] < 24 && part[4] < 60 &&
         part[5] < 60;
}

// When it was begun, without a zone, as the schema of Ant wants it; the start of all time where the
// record does not say.
static const char *timestamp_of(document *xml, const assay_record *record) {
  const char *started = or_empty(record->started);
  return starts_with_time(started) ? assay_arena_bytes(xml->arena, started, 19)
                                   : "1970-01-01T00:00:00";
}

// What warnings said: a case that passed has no place for it.
static void write_warnings(document *xml, const assay_record *const records[], size_t count) {
  start(xml, "system-out");
  for (size_t i = 0; i < count; i++)
    if (records[i]->verdict == ASSAY_WARN)
      content(xml, assay_arena_format(xml->arena, "WARN %s: %s\n", records[i]->key,
                                      or_empty(records[i]->reason)));
  end(xml);
}

// One row and its records.
static void write_testsuite(document *xml, const assay_summary_row *row, size_t number,
                            const assay_record *const records[], size_t count) {
  double seconds = 0;
  for (size_t i = 0; i < count; i++)
    seconds += fmax(0, assay_record_seconds(records[i])); // a NaN gives way
  start(xml, "testsuite");
  attribute_name(xml, "name", assay_arena_format(xml->arena, "%s %s", row->op, row->backend));
  attribute_name(xml, "package", row->op);
  attribute_count(xml, "id", (int64_t)number);
  attribute(xml, "hostname", "localhost"); // records do not name their machine
  attribute_counts(xml, row);
  attribute_seconds(xml, seconds, 3); // Jenkins takes no more of a suite
  attribute(xml, "timestamp", timestamp_of(xml, records[0]));
  write_properties(xml, records[0]->environment);
  for (size_t i = 0; i < count; i++)
    write_testcase(xml, records[i]);
  write_warnings(xml, records, count);
  start(xml, "system-err");
  end(xml);
  end(xml);
}

// What is said of more than one record: a suite of its own, with a case for each sentence.
typedef struct extra_case {
  const char *name, *type, *message;
} extra_case;

static void write_extra(document *xml, const char *name, const extra_case cases[], size_t count,
                        size_t number, const char *timestamp) {
  start(xml, "testsuite");
  attribute(xml, "name", name);
  attribute(xml, "package", name);
  attribute_count(xml, "id", (int64_t)number);
  attribute(xml, "hostname", "localhost");
  attribute_count(xml, "tests", (int64_t)count);
  attribute_count(xml, "failures", (int64_t)count);
  attribute_count(xml, "errors", 0);
  attribute_count(xml, "skipped", 0);
  attribute_seconds(xml, 0, 3);
  attribute(xml, "timestamp", timestamp);
  write_properties(xml, NULL);
  for (size_t i = 0; i < count; i++) {
    start(xml, "testcase");
    attribute_name(xml, "name", cases[i].name);
    attribute_name(xml, "classname", name);
    attribute_seconds(xml, 0, 6);
    start(xml, "failure");
    attribute(xml, "type", cases[i].type);
    attribute(xml, "message", cases[i].message);
    end(xml);
    end(xml);
  }
  start(xml, "system-out");
  end(xml);
  start(xml, "system-err");
  end(xml);
  end(xml);
}

static const char *print_row(document *xml, const assay_baseline_row *row) {
  return assay_arena_format(xml->arena, "%s: %s, was %s%s%s", row->metric,
                            row->now != NULL ? row->now : "-", row->base != NULL ? row->base : "-",
                            row->reason != NULL ? ": " : "", or_empty(row->reason));
}

// The rows of a comparison that fail its gate, and what failed besides.
static void write_extras(document *xml, const assay_run_totals *totals, size_t number,
                         const char *timestamp) {
  size_t room = totals->failure_count, count = 0;
  for (size_t i = 0; totals->comparison != NULL && i < totals->comparison->count; i++)
    room += totals->comparison->rows[i].regression;
  extra_case *cases = assay_arena_take(xml->arena, room + 1, sizeof *cases);
  for (size_t i = 0; totals->comparison != NULL && i < totals->comparison->count; i++) {
    const assay_baseline_row *row = &totals->comparison->rows[i];
    if (row->regression)
      cases[count++] = (extra_case){assay_arena_format(xml->arena, "%s %s", row->key, row->metric),
                                    row->verdict, print_row(xml, row)};
  }
  if (count > 0)
    write_extra(xml, "baseline", cases, count, number++, timestamp);
  for (size_t i = 0; i < totals->failure_count; i++)
    cases[i] = (extra_case){assay_arena_format(xml->arena, "failure %zu", i + 1), "ERROR",
                            totals->failures[i]};
  if (totals->failure_count > 0)
    write_extra(xml, "besides", cases, totals->failure_count, number, timestamp);
}

static void write_testsuites(document *xml, const assay_record records[], size_t count,
                             const assay_run_totals *totals) {
  const assay_summary *summary = assay_summary_make(xml->arena, records, count);
  const assay_record **sorted = assay_summary_sort(xml->arena, records, count);
  size_t first = 0;
  start(xml, "testsuites");
  for (size_t i = 0; i < summary->count; i++) {
    size_t rows = (size_t)assay_columns_count(&summary->rows[i]).verdicts;
    write_testsuite(xml, &summary->rows[i], i, sorted + first, rows);
    first += rows;
  }
  write_extras(xml, totals, summary->count,
               count > 0 ? timestamp_of(xml, &records[0]) : "1970-01-01T00:00:00");
  end(xml);
}

static assay_code write_junit(FILE *stream, const assay_record records[], size_t count,
                              const assay_run_totals *totals, assay_error *err) {
  // Through memory: libxml2 prints to stderr when it fails to write a file.
  xmlBufferPtr buffer = xmlBufferCreate();
  xmlTextWriterPtr writer = buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL;
  if (writer == NULL) {
    xmlBufferFree(buffer);
    return assay_fail(err, ASSAY_FAILED, "cannot write JUnit XML: libxml2 gave no writer");
  }
  document xml = {.writer = writer, .arena = assay_arena_create()};
  check(&xml, xmlTextWriterSetIndent(writer, 1));
  check(&xml, xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL));
  write_testsuites(&xml, records, count, totals);
  check(&xml, xmlTextWriterEndDocument(writer));
  xmlFreeTextWriter(writer);
  assay_arena_destroy(xml.arena);
  if (!xml.failed)
    fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), stream);
  xmlBufferFree(buffer);
  if (xml.failed)
    return assay_fail(err, ASSAY_FAILED, "cannot write JUnit XML: out of memory");
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write JUnit XML: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_junit;
const assay_format assay_format_junit = {
    .name = "junit",
    .summary = "JUnit XML: a testsuite per op and backend, a testcase per record",
    .write = write_junit,
};
