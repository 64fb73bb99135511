// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay report: records of runs, shards and benchmarks as one answer.
#include "harness/cli/baseline.h"
#include "harness/cli/color.h"
#include "harness/cli/known.h"
#include "harness/cli/message.h"
#include "harness/cli/reports.h"
#include "results/store/source.h"
#include "results/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What was read, as it was read, and what it comes to.
typedef struct gathering {
  assay_record *each, *records;
  int64_t *batches; // of each; a source's own where the source keeps them apart
  size_t each_count, count;
  assay_names files, folders; // of run.jsonl, and those that hold repro/
  assay_record *told;         // the records as documents show them
  const bool *known;          // NULL: nobody asked
} gathering;

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static const char *folder_of(assay_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL)
    return ".";
  return slash == path ? "/" : assay_arena_bytes(arena, path, (size_t)(slash - path));
}

static const char *store_of(const assay_session *session) {
  const char *given = session->options->store;
  return given != NULL ? given : ASSAY_DEFAULT_STORE;
}

// A longer array that begins as this one; what it held before stays in the arena.
static void *append(assay_arena *arena, const void *items, size_t count, const void *more,
                    size_t more_count, size_t size) {
  char *all = assay_arena_take(arena, count + more_count, size);
  if (count > 0)
    memcpy(all, items, count * size);
  if (more_count > 0)
    memcpy(all + count * size, more, more_count * size);
  return all;
}

// Invocations of different stores are different ones.
static void tell_batches_apart(int64_t batches[], size_t count, size_t source) {
  for (size_t i = 0; i < count; i++)
    if (batches[i] != 0)
      batches[i] += (int64_t)source << 40;
}

// What a word names, and where its bundles may be.
static assay_code read_source(const assay_session *session, const char *word, size_t number,
                              gathering *to, assay_error *err) {
  assay_arena *arena = session->arena;
  assay_record *records;
  int64_t *batches;
  size_t count;
  TRY(assay_source_read_each(arena, word, store_of(session), &records, &batches, &count, err));
  tell_batches_apart(batches, count, number);
  to->each = append(arena, to->each, to->each_count, records, count, sizeof *records);
  to->batches = append(arena, to->batches, to->each_count, batches, count, sizeof *batches);
  to->each_count += count;
  if (assay_path_is_folder(word)) {
    assay_names_add(arena, &to->files, assay_arena_format(arena, "%s/run.jsonl", word));
    assay_names_add(arena, &to->folders, word);
  } else if (is_file(word)) {
    assay_names_add(arena, &to->files, word);
    assay_names_add(arena, &to->folders, folder_of(arena, word));
  }
  return ASSAY_OK;
}

static int compare_keys(const void *a, const void *b) {
  const assay_record *left = a, *right = b;
  int order = strcmp(left->key, right->key);
  return order != 0 ? order : (left->kind > right->kind) - (left->kind < right->kind);
}

// One record for each kind and key, sorted by key: what came in parts is as what came at once.
static assay_code gather(const assay_session *session, gathering *out_found, assay_error *err) {
  static const char *latest[] = {"assay-out/latest"};
  const assay_names *given = &session->options->arguments;
  const assay_names usual = {latest, 1};
  const assay_names *words = given->count > 0 ? given : &usual;
  *out_found = (gathering){0};
  for (size_t i = 0; i < words->count; i++)
    TRY(read_source(session, words->items[i], i, out_found, err));
  if (out_found->each_count == 0)
    return assay_fail(err, ASSAY_INVALID, "there are no records in %s%s", words->items[0],
                      words->count > 1 ? " and the others" : "");
  assay_records_merge(session->arena, out_found->each, out_found->batches, out_found->each_count,
                      &out_found->records, &out_found->count);
  qsort(out_found->records, out_found->count, sizeof *out_found->records, compare_keys);
  return ASSAY_OK;
}

// The past of a case, from the store.
static assay_code find_history(void *user, assay_arena *arena, assay_record_kind kind,
                               const char *key, const assay_history_point **out_points,
                               size_t *out_count, assay_error *err) {
  enum { NEWEST = 60 };
  assay_history_point *points;
  TRY(assay_store_history(user, arena, kind, key, NEWEST, &points, out_count, err));
  *out_points = points;
  return ASSAY_OK;
}

static assay_code write_all(const assay_session *session, const gathering *found,
                            const assay_baseline *baseline, assay_store *store,
                            const assay_reports *reports, assay_error *err) {
  const assay_history history = {.user = store, .find = find_history};
  assay_run_totals totals = {.seconds = NAN, // records do not tell how long their runs took
                             .folders = found->folders.items,
                             .folder_count = found->folders.count,
                             .comparison = baseline,
                             .known = found->known,
                             .failures = session->options->failures.items,
                             .failure_count = session->options->failures.count,
                             .history = store != NULL ? &history : NULL};
  TRY(assay_reports_write(reports, found->told, found->count, &totals, err));
  if (reports->count > 0)
    return ASSAY_OK;
  totals.color = assay_color_wanted(session->options->color, stdout);
  return assay_format_find("text")->write(stdout, found->told, found->count, &totals, err);
}

// What was read goes into --store; without it a default store that is there tells the past.
static assay_code use_store(const assay_session *session, const gathering *found,
                            assay_store **out_store, assay_error *err) {
  const char *given = session->options->store;
  size_t added;
  *out_store = NULL;
  if (given == NULL)
    return is_file(ASSAY_DEFAULT_STORE)
               ? assay_store_open_reading(ASSAY_DEFAULT_STORE, out_store, err)
               : ASSAY_OK;
  TRY(assay_store_open(given, out_store, err));
  assay_code code = assay_store_ingest(*out_store, found->each, found->each_count,
                                       session->options->tag, &added, err);
  if (code != ASSAY_OK) {
    assay_store_close(*out_store);
    return code;
  }
  if (!session->options->quiet)
    assay_message_note("%zu of %zu records are new in %s", added, found->each_count, given);
  return ASSAY_OK;
}

static assay_code answer(const assay_session *session, const gathering *found,
                         const assay_baseline *baseline, assay_reports *reports, assay_error *err) {
  assay_store *store;
  TRY(assay_reports_open_beside(reports, &found->files, err));
  assay_code code = use_store(session, found, &store, err);
  if (code == ASSAY_OK) {
    code = write_all(session, found, baseline, store, reports, err);
    assay_store_close(store);
  }
  assay_reports_close(reports);
  return code;
}

// Everything is read and judged before the first file is opened.
static assay_code report(const assay_session *session, int *out_status, assay_error *err) {
  assay_reports reports;
  gathering found;
  const assay_baseline *baseline = NULL;
  bool gated = false;
  TRY(assay_reports_plan(session, &reports, err));
  if (session->options->tag != NULL)
    TRY(session->options->store == NULL
            ? assay_fail(err, ASSAY_INVALID, "--tag: nothing is stored without --store")
            : assay_store_check_tag(session->options->tag, err));
  TRY(gather(session, &found, err));
  if (session->options->baseline != NULL)
    TRY(assay_baseline_compare(session, found.records, found.count, &baseline, &gated, err));
  found.told = found.records;
  if (session->options->known != NULL)
    TRY(assay_known_mark(session, found.records, found.count, &found.told, &found.known, err));
  TRY(assay_reports_judge(found.told, found.count, out_status, err));
  if ((gated && session->options->gate) || session->options->failures.count > 0)
    *out_status = ASSAY_EXIT_BAD;
  return answer(session, &found, baseline, &reports, err);
}

static const char *const accepted[] = {"format", "baseline", "gate",    "thresholds", "store",
                                       "tag",    "known",    "failure", NULL};

const assay_verb assay_verb_report = {
    .name = "report",
    .summary = "records -> a page for people, CI summaries, JUnit, CSV, JSON; shards become one",
    .arguments = "[SOURCE...]",
    .about =
        "Reads records (FILE.jsonl, a folder that holds run.jsonl, a store, STORE@TAG or\n"
        "STORE@REVISION, a tag or revision of the default store; by default assay-out/latest) and\n"
        "writes them in the formats asked for; without --format, what `assay run` prints. Of "
        "several\n"
        "records of one case the newest counts, so that the shards of a run, or a run and what "
        "was\n"
        "run again, become one answer, sorted by key. With --store they are put into it as well.\n",
    .example = "  assay report shard-1 shard-2 --format html=report.html,junit=report.xml\n",
    .exits = "  0  everything is as expected\n"
             "  1  a FAIL, ERROR, CRASH, TIMEOUT or XPASS that is not --known; with --gate: the\n"
             "     baseline's gate fails; --failure\n"
             "  2  no records, everything skipped, or the question cannot be answered as asked\n",
    .options = accepted,
    .run = report,
};
