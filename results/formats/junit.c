// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// junit: JUnit XML as CI systems read it: a testsuite per op and backend, a testcase per record.
#include "results/formats/common/columns.h"
#include "results/formats/format.h"

#include <libxml/chvalid.h>
#include <libxml/xmlwriter.h>

#include <errno.h>
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

// Length of the UTF-8 sequence that starts here and may stand in XML 1.0, or 0.
static size_t sequence_length(const unsigned char *byte) {
  if (byte[0] < 0x80)
    return byte[0] >= 0x20 || byte[0] == '\t' || byte[0] == '\n';
  // libxml2 takes continuation bytes for first ones, and codes that are longer than need be.
  static const int least[] = {0, 0, 0x80, 0x800, 0x10000};
  int length = 4;
  int code = byte[0] >= 0xC0 ? xmlGetUTF8Char(byte, &length) : -1;
  return code >= 0 && code >= least[length] && xmlIsCharQ(code) ? (size_t)length : 0;
}

// The text with '?' for what XML 1.0 cannot hold: a dying compiler may have written any bytes.
static const xmlChar *clean(document *xml, const char *text) {
  char *copy = assay_arena_string(xml->arena, text);
  for (char *at = copy; *at != '\0';) {
    size_t length = sequence_length((const unsigned char *)at);
    if (length == 0)
      *at = '?';
    at += length > 0 ? length : 1;
  }
  return BAD_CAST copy;
}

static void start(document *xml, const char *element) {
  check(xml, xmlTextWriterStartElement(xml->writer, BAD_CAST element));
}

static void end(document *xml) {
  check(xml, xmlTextWriterEndElement(xml->writer));
}

static void attribute(document *xml, const char *name, const char *value) {
  check(xml, xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name, clean(xml, value)));
}

static void content(document *xml, const char *text) {
  check(xml, xmlTextWriterWriteString(xml->writer, clean(xml, text)));
}

static void attribute_seconds(document *xml, double seconds) {
  attribute(xml, "time", assay_arena_format(xml->arena, "%.6f", seconds));
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

static void write_properties(document *xml, const assay_environment *environment) {
  if (environment == NULL)
    return;
  start(xml, "properties");
  write_property(xml, "cpu", environment->cpu);
  write_property(xml, "llvm", environment->llvm);
  write_property(xml, "blas", environment->blas);
  write_property(xml, "blas_core", environment->blas_core);
  write_property(xml, "cuda", environment->cuda);
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

static void write_outcome(document *xml, const assay_record *record) {
  const char *element = element_of(record->verdict);
  const char *reason = record->reason != NULL ? record->reason : "";
  if (element == NULL) {
    if (record->verdict == ASSAY_WARN) {
      start(xml, "system-out");
      content(xml, reason);
      end(xml);
    }
    return;
  }
  start(xml, element);
  if (record->verdict == ASSAY_XFAIL)
    reason = assay_arena_format(xml->arena, "known gap: %s", reason);
  if (record->verdict != ASSAY_SKIP && record->verdict != ASSAY_XFAIL)
    attribute(xml, "type", assay_verdict_name(record->verdict));
  attribute(xml, "message", reason);
  const char *said = record->repro != NULL ? record->repro : "";
  if (record->first_bad.n > 0)
    said = assay_arena_format(xml->arena, "first bad pass: %d %s (%s)\n%s", record->first_bad.n,
                              record->first_bad.name, record->first_bad.fault, said);
  const char *origin = assay_record_origin(xml->arena, record);
  if (origin != NULL)
    said = assay_arena_format(xml->arena, "nan origin: %s\n%s", origin, said);
  if (assay_verdict_is_bad(record->verdict) && said[0] != '\0')
    content(xml, said);
  end(xml);
}

static void write_testcase(document *xml, const assay_record *record) {
  start(xml, "testcase");
  attribute(xml, "name", record->key);
  attribute(xml, "classname", assay_arena_format(xml->arena, "%s.%s", record->op, record->backend));
  attribute_seconds(xml, record->seconds_compile + record->seconds_run);
  write_outcome(xml, record);
  end(xml);
}

static bool belongs(const assay_record *record, const assay_summary_row *row) {
  return strcmp(record->op, row->op) == 0 && strcmp(record->backend, row->backend) == 0;
}

static void write_testsuite(document *xml, const assay_summary_row *row,
                            const assay_record records[], size_t count) {
  size_t first = 0;
  while (!belongs(&records[first], row))
    first++;
  start(xml, "testsuite");
  attribute(xml, "name", assay_arena_format(xml->arena, "%s %s", row->op, row->backend));
  attribute_counts(xml, row);
  attribute_seconds(xml, row->seconds);
  if (records[first].started != NULL)
    attribute(xml, "timestamp", records[first].started);
  write_properties(xml, records[first].environment);
  for (size_t i = first; i < count; i++)
    if (belongs(&records[i], row))
      write_testcase(xml, &records[i]);
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
  const assay_summary *summary = assay_summary_make(xml.arena, records, count);
  check(&xml, xmlTextWriterSetIndent(writer, 1));
  check(&xml, xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL));
  start(&xml, "testsuites");
  attribute(&xml, "name", "assay");
  attribute_counts(&xml, &summary->total);
  attribute_seconds(&xml, totals->seconds);
  for (size_t i = 0; i < summary->count; i++)
    write_testsuite(&xml, &summary->rows[i], records, count);
  end(&xml);
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
