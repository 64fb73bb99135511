// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/resume.h"
#include "compiler/base/text.h"
#include "harness/cli/message.h"

#include <stdlib.h>
#include <string.h>

// Both unknown counts as equal: there is nothing to tell them apart.
static bool is_comparable(const assay_environment *a, const assay_environment *b) {
  return assay_text_equal(a->revision, b->revision) && assay_text_equal(a->llvm, b->llvm) &&
         assay_text_equal(a->blas, b->blas) && assay_text_equal(a->assay, b->assay);
}

// By key, and with one key in the order in which they were written.
static int compare_records(const void *a, const void *b) {
  const assay_record *left = *(const assay_record *const *)a;
  const assay_record *right = *(const assay_record *const *)b;
  int order = strcmp(left->key, right->key);
  return order != 0 ? order : left < right ? -1 : left > right;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The keys of the agenda's jobs, sorted.
static const char **sort_keys(assay_arena *arena, const assay_agenda *agenda) {
  const char **keys = assay_arena_take(arena, agenda->count, sizeof *keys);
  if (agenda->count > 0)
    memcpy(keys, agenda->keys, agenda->count * sizeof *keys);
  qsort(keys, agenda->count, sizeof *keys, compare_texts);
  return keys;
}

// Of each record: whether it still stands; whether, else, it is of another build. The others that
// do not are older ones of their key.
typedef struct verdicts {
  bool *kept, *outdated;
  size_t kept_count, outdated_count;
} verdicts;

static verdicts choose(assay_arena *arena, const assay_record records[], size_t count,
                       const assay_agenda *agenda, const assay_environment *environment) {
  const assay_record **sorted = assay_arena_take(arena, count, sizeof *sorted);
  const char **keys = sort_keys(arena, agenda);
  verdicts chosen = {.kept = assay_arena_take(arena, count, sizeof *chosen.kept),
                     .outdated = assay_arena_take(arena, count, sizeof *chosen.outdated)};
  for (size_t i = 0; i < count; i++)
    sorted[i] = &records[i];
  qsort(sorted, count, sizeof *sorted, compare_records);
  for (size_t i = 0; i < count; i++) {
    if (i + 1 < count && strcmp(sorted[i]->key, sorted[i + 1]->key) == 0)
      continue; // a newer one comes
    bool runs_again =
        !is_comparable(sorted[i]->environment, environment) &&
        bsearch(&sorted[i]->key, keys, agenda->count, sizeof *keys, compare_texts) != NULL;
    size_t number = (size_t)(sorted[i] - records);
    chosen.kept[number] = !runs_again;
    chosen.outdated[number] = runs_again;
    chosen.kept_count += !runs_again;
    chosen.outdated_count += runs_again;
  }
  return chosen;
}

assay_code assay_resume(const assay_session *session, assay_out *out,
                        const assay_environment *environment, assay_agenda *agenda,
                        assay_record *out_kept[], size_t *out_kept_count, assay_error *err) {
  assay_arena *arena = session->arena;
  assay_record *records;
  size_t count, left = 0;
  TRY(assay_journal_read(arena, &out->journal, &records, &count, err));
  verdicts chosen = choose(arena, records, count, agenda, environment);
  if (chosen.kept_count < count)
    TRY(assay_journal_keep(arena, &out->journal, chosen.kept, err));
  if (chosen.outdated_count > 0)
    assay_message_note("%zu %s in %s %s of another revision, LLVM, BLAS or assay; %s again",
                       chosen.outdated_count, chosen.outdated_count > 1 ? "records" : "record",
                       out->journal.path, chosen.outdated_count > 1 ? "are" : "is",
                       chosen.outdated_count > 1 ? "their cases run" : "its case runs");
  for (size_t i = 0; i < count; i++) {
    if (chosen.outdated[i])
      assay_out_forget(arena, out, records[i].key);
    if (chosen.kept[i])
      records[left++] = records[i];
  }
  assay_agenda_resume(arena, agenda, records, left, out_kept, out_kept_count);
  return ASSAY_OK;
}
