// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay report: records of runs, shards and benchmarks as one answer.
#include "harness/cli/color.h"
#include "harness/cli/reports.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What was read.
typedef struct gathering {
  assay_record *records;
  size_t count, room;
  assay_names files, folders; // of run.jsonl, and those that hold repro/
} gathering;

static void add_name(assay_arena *arena, assay_names *names, const char *name) {
  const char **items = assay_arena_take(arena, names->count + 1, sizeof *items);
  if (names->count > 0)
    memcpy(items, names->items, names->count * sizeof *items);
  items[names->count++] = name;
  names->items = items;
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static const char *folder_of(assay_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL)
    return ".";
  return slash == path ? "/" : assay_arena_bytes(arena, path, (size_t)(slash - path));
}

// All records of a file. A last line without its end is one, too, where it is whole.
static assay_code read_file(assay_arena *arena, const char *path, assay_record **out_records,
                            size_t *out_count, assay_error *err) {
  assay_file file;
  size_t size;
  TRY(assay_file_read(arena, path, &file, err));
  TRY(assay_records_read(arena, &file, out_records, out_count, &size, err));
  if (size == file.size)
    return ASSAY_OK;
  assay_record *all = assay_arena_take(arena, *out_count + 1, sizeof *all);
  if (*out_count > 0)
    memcpy(all, *out_records, *out_count * sizeof *all);
  TRY(assay_record_parse(arena, path, (int)*out_count + 1, file.bytes + size, file.size - size,
                         &all[*out_count], err));
  ++*out_count;
  *out_records = all;
  return ASSAY_OK;
}

// What a word names: a file of records, or a folder with run.jsonl.
static assay_code read_source(assay_arena *arena, const char *word, gathering *to,
                              assay_error *err) {
  bool folder = is_folder(word);
  const char *path = folder ? assay_arena_format(arena, "%s/run.jsonl", word) : word;
  assay_record *records;
  size_t count;
  TRY(read_file(arena, path, &records, &count, err));
  if (to->count + count > to->room) {
    to->room = 2 * (to->count + count);
    assay_record *larger = assay_arena_take(arena, to->room, sizeof *larger);
    if (to->count > 0)
      memcpy(larger, to->records, to->count * sizeof *larger);
    to->records = larger;
  }
  if (count > 0)
    memcpy(to->records + to->count, records, count * sizeof *records);
  to->count += count;
  add_name(arena, &to->files, path);
  add_name(arena, &to->folders, folder ? word : folder_of(arena, path));
  return ASSAY_OK;
}

// By key and kind, and then the newest last; what has no start is the oldest, and of two alike the
// one that was read later is the newer.
static int compare_records(const void *a, const void *b) {
  const assay_record *left = *(const assay_record *const *)a;
  const assay_record *right = *(const assay_record *const *)b;
  int order = strcmp(left->key, right->key);
  if (order == 0)
    order = (left->kind > right->kind) - (left->kind < right->kind);
  if (order == 0)
    order = strcmp(left->started != NULL ? left->started : "",
                   right->started != NULL ? right->started : "");
  return order != 0 ? order : left < right ? -1 : left > right;
}

static bool is_of_one(const assay_record *a, const assay_record *b) {
  return a->kind == b->kind && strcmp(a->key, b->key) == 0;
}

// One record for each kind and key, the newest, sorted by key: what came in parts is as what came
// at once.
static void merge(assay_arena *arena, gathering *of) {
  const assay_record **sorted = assay_arena_take(arena, of->count, sizeof *sorted);
  assay_record *merged = assay_arena_take(arena, of->count, sizeof *merged);
  size_t kept = 0;
  for (size_t i = 0; i < of->count; i++)
    sorted[i] = &of->records[i];
  if (of->count > 0)
    qsort(sorted, of->count, sizeof *sorted, compare_records);
  for (size_t i = 0; i < of->count; i++)
    if (i + 1 == of->count || !is_of_one(sorted[i], sorted[i + 1]))
      merged[kept++] = *sorted[i];
  of->records = merged;
  of->count = kept;
}

static assay_code gather(const assay_session *session, gathering *out_found, assay_error *err) {
  static const char *latest[] = {"assay-out/latest"};
  const assay_names *given = &session->options->arguments;
  const assay_names usual = {latest, 1};
  const assay_names *words = given->count > 0 ? given : &usual;
  *out_found = (gathering){0};
  for (size_t i = 0; i < words->count; i++)
    TRY(read_source(session->arena, words->items[i], out_found, err));
  merge(session->arena, out_found);
  if (out_found->count == 0)
    return assay_fail(err, ASSAY_INVALID, "there are no records in %s%s", words->items[0],
                      words->count > 1 ? " and the others" : "");
  return ASSAY_OK;
}

static double sum_seconds(const gathering *found) {
  double seconds = 0;
  for (size_t i = 0; i < found->count; i++) {
    double one = found->records[i].seconds_compile + found->records[i].seconds_run;
    seconds += one > 0 ? one : 0;
  }
  return seconds;
}

static assay_code write_all(const assay_session *session, const gathering *found,
                            const assay_reports *reports, assay_error *err) {
  assay_run_totals totals = {.seconds = sum_seconds(found),
                             .folders = found->folders.items,
                             .folder_count = found->folders.count};
  TRY(assay_reports_write(reports, found->records, found->count, &totals, err));
  if (reports->count > 0)
    return ASSAY_OK;
  totals.color = assay_color_wanted(session->options->color, stdout);
  return assay_format_find("text")->write(stdout, found->records, found->count, &totals, err);
}

// Everything is read and judged before the first file is opened.
static assay_code report(const assay_session *session, int *out_status, assay_error *err) {
  assay_reports reports;
  gathering found;
  TRY(assay_reports_plan(session, &reports, err));
  if (session->options->baseline != NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED, "--baseline comes with a later version of assay");
  TRY(gather(session, &found, err));
  TRY(assay_reports_judge(found.records, found.count, out_status, err));
  TRY(assay_reports_open_beside(&reports, &found.files, err));
  assay_code code = write_all(session, &found, &reports, err);
  assay_reports_close(&reports);
  return code;
}

static const char *const accepted[] = {"format", "baseline", NULL};

const assay_verb assay_verb_report = {
    .name = "report",
    .summary = "records -> a page for people, CI summaries, JUnit, CSV, JSON; shards become one",
    .arguments = "[SOURCE...]",
    .about =
        "Reads records (FILE.jsonl, or a folder that holds run.jsonl; by default "
        "assay-out/latest)\n"
        "and writes them in the formats asked for; without --format, what `assay run` prints. Of\n"
        "several records of one case the newest counts, so that the shards of a run, or a run and\n"
        "what was run again, become one answer. Records are sorted by their keys.\n",
    .example = "  assay report shard-1 shard-2 --format html=report.html,junit=report.xml\n",
    .exits = "  0  everything is as expected\n"
             "  1  a FAIL, ERROR, CRASH, TIMEOUT or XPASS\n"
             "  2  no records, everything skipped, or the question cannot be answered as asked\n",
    .options = accepted,
    .run = report,
};
