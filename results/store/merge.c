// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several records of one kind and key as one.
#include "results/store/internal.h"
#include "results/store/source.h"

#include "compiler/base/numbers.h"
#include "compiler/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The records of one kind and key: first and last of a list through `next`.
typedef struct group {
  size_t first, last, size;
} group;

typedef struct merging {
  assay_arena *arena;
  const assay_record *records;
  const int64_t *batches;
  bool tagged;
  group *groups;
  size_t count; // of groups
  size_t *next; // of each record, in its group
} merging;

static uint64_t hash_of(const assay_record *record) {
  unsigned char kind = (unsigned char)record->kind;
  return assay_hash_bytes(assay_hash_string(record->key), &kind, 1);
}

// Gives each record its group; the table holds numbers of groups from 1, and is at most half full.
static void make_groups(merging *it, size_t count) {
  size_t room = 16;
  while (room < 2 * count)
    room *= 2;
  size_t *table = assay_arena_take(it->arena, room, sizeof *table);
  for (size_t i = 0; i < count; i++) {
    const assay_record *record = &it->records[i];
    size_t at = (size_t)hash_of(record) & (room - 1);
    for (; table[at] != 0; at = (at + 1) & (room - 1)) {
      const assay_record *other = &it->records[it->groups[table[at] - 1].first];
      if (other->kind == record->kind && strcmp(other->key, record->key) == 0)
        break;
    }
    if (table[at] == 0) {
      it->groups[it->count++] = (group){.first = i, .last = i};
      table[at] = it->count;
    }
    group *mine = &it->groups[table[at] - 1];
    it->next[mine->last] = i;
    mine->last = i;
    mine->size++;
  }
}

double assay_samples_median(assay_arena *arena, const double samples[], size_t count, double none) {
  if (count == 0)
    return none;
  double *sorted = assay_arena_take(arena, count, sizeof *sorted);
  memcpy(sorted, samples, count * sizeof *sorted);
  assay_numbers_sort(sorted, count);
  return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static const char *or_empty(const char *text) {
  return text != NULL ? text : "";
}

static int compare_starts(const void *a, const void *b) {
  const assay_record *left = *(const assay_record *const *)a;
  const assay_record *right = *(const assay_record *const *)b;
  int order = strcmp(or_empty(left->started), or_empty(right->started));
  return order != 0 ? order : left < right ? -1 : left > right;
}

// Whether the revision tells which program it was.
static bool is_certain(const char *revision) {
  static const char dirty[] = "-dirty";
  if (revision == NULL)
    return false;
  size_t length = strlen(revision), tail = sizeof dirty - 1;
  return length < tail || strcmp(revision + length - tail, dirty) != 0;
}

static bool is_measured_alike(const merging *it, const assay_record *a, const assay_record *b) {
  if (a->threads != b->threads || a->cold != b->cold || a->flop != b->flop ||
      a->bytes != b->bytes || !assay_text_equal(a->clock, b->clock) ||
      !assay_environment_equal(a->environment, b->environment))
    return false;
  if (it->tagged || it->batches == NULL ||
      is_certain(a->environment != NULL ? a->environment->revision : NULL))
    return true;
  return it->batches[a - it->records] == it->batches[b - it->records];
}

// The least and the largest of a peak in those that were taken; 0: none was measured.
typedef struct span {
  double least, most;
} span;

enum { PEAKS = 3 };

// Whether the peaks are within one state of the machine together with all that were taken, which
// they join then.
static bool join_peaks(const assay_environment *env, span of[PEAKS]) {
  static const double limit = ASSAY_SOURCE_PEAK_DIFFERENCE;
  if (env == NULL)
    return true;
  const double peaks[PEAKS] = {env->peak_gflops_f32, env->peak_gflops_f64, env->peak_gbs};
  for (int i = 0; i < PEAKS; i++)
    if (!assay_peak_alike(peaks[i], of[i].least, limit) ||
        !assay_peak_alike(peaks[i], of[i].most, limit))
      return false;
  for (int i = 0; i < PEAKS; i++) {
    if (!(peaks[i] > 0))
      continue;
    of[i].least = of[i].least > 0 && of[i].least < peaks[i] ? of[i].least : peaks[i];
    of[i].most = of[i].most > peaks[i] ? of[i].most : peaks[i];
  }
  return true;
}

// Whether a later one is the same record, read once more.
static bool is_repeat(const assay_record *const sorted[], size_t count, size_t at) {
  const char *started = or_empty(sorted[at]->started);
  for (size_t i = at + 1; i < count && strcmp(or_empty(sorted[i]->started), started) == 0; i++)
    if (assay_environment_same(sorted[i]->environment, sorted[at]->environment))
      return true;
  return false;
}

// Those whose samples count, from *out_first on: from the newest back, each that was measured as it
// was and is no repeat.
static const assay_record **take_alike(const merging *it, const assay_record *const sorted[],
                                       size_t count, size_t *out_first) {
  const assay_record **taken = assay_arena_take(it->arena, count, sizeof *taken);
  span peaks[PEAKS] = {{0}};
  *out_first = count;
  for (size_t i = count; i-- > 0;)
    if (is_measured_alike(it, sorted[i], sorted[count - 1]) && !is_repeat(sorted, count, i) &&
        join_peaks(sorted[i]->environment, peaks))
      taken[--*out_first] = sorted[i];
  return taken;
}

// Takes over the samples of those that were measured as the newest was; its seconds are theirs
// then, too.
static void pool(const merging *it, const assay_record *const sorted[], size_t count,
                 assay_record *newest) {
  size_t first, runs = 0, compiles = 0;
  const assay_record *const *taken = take_alike(it, sorted, count, &first);
  for (size_t i = first; i < count; i++) {
    runs += taken[i]->run_sample_count;
    compiles += taken[i]->compile_sample_count;
  }
  if (runs == newest->run_sample_count && compiles == newest->compile_sample_count)
    return;
  double *run = assay_arena_take(it->arena, runs, sizeof *run);
  double *compile = assay_arena_take(it->arena, compiles, sizeof *compile);
  runs = compiles = 0;
  for (size_t i = first; i < count; i++) {
    const assay_record *each = taken[i];
    for (size_t k = 0; k < each->run_sample_count; k++)
      run[runs++] = each->run_samples[k];
    for (size_t k = 0; k < each->compile_sample_count; k++)
      compile[compiles++] = each->compile_samples[k];
  }
  newest->run_samples = run;
  newest->run_sample_count = runs;
  newest->compile_samples = compile;
  newest->compile_sample_count = compiles;
  newest->seconds_run = assay_samples_median(it->arena, run, runs, newest->seconds_run);
  newest->seconds_compile =
      assay_samples_median(it->arena, compile, compiles, newest->seconds_compile);
}

// *out_origin: the number of the newest.
static assay_record merge_group(const merging *it, const group *of, size_t *out_origin) {
  *out_origin = of->first;
  if (of->size == 1)
    return it->records[of->first];
  const assay_record **sorted = assay_arena_take(it->arena, of->size, sizeof *sorted);
  size_t at = of->first;
  for (size_t i = 0; i < of->size; i++, at = it->next[at])
    sorted[i] = &it->records[at];
  qsort(sorted, of->size, sizeof *sorted, compare_starts);
  assay_record newest = *sorted[of->size - 1];
  *out_origin = (size_t)(sorted[of->size - 1] - it->records);
  pool(it, sorted, of->size, &newest);
  return newest;
}

void assay_merge(assay_arena *arena, const assay_record records[], const int64_t batches[],
                 size_t count, bool tagged, assay_record **out_merged, size_t **out_origins,
                 size_t *out_count) {
  merging it = {.arena = arena, .records = records, .batches = batches, .tagged = tagged};
  it.groups = assay_arena_take(arena, count, sizeof *it.groups);
  it.next = assay_arena_take(arena, count, sizeof *it.next);
  make_groups(&it, count);
  *out_merged = assay_arena_take(arena, it.count, sizeof **out_merged);
  *out_origins = assay_arena_take(arena, it.count, sizeof **out_origins);
  for (size_t i = 0; i < it.count; i++)
    (*out_merged)[i] = merge_group(&it, &it.groups[i], &(*out_origins)[i]);
  *out_count = it.count;
}

void assay_records_merge(assay_arena *arena, const assay_record records[], const int64_t batches[],
                         size_t count, assay_record **out_merged, size_t *out_count) {
  size_t *origins;
  assay_merge(arena, records, batches, count, false, out_merged, &origins, out_count);
}
