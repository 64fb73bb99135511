// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a word names in a store: a tag, a revision, or "latest".
#include "results/store/internal.h"

#include "compiler/base/text.h"
#include "results/record/printable.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEAST_PREFIX = 4, // of a revision, as git has it
  LISTED = 10,      // names in a message
};

// What is asked of the store.
typedef struct selection {
  const char *condition, *parameter;
  bool tagged;
} selection;

typedef struct names {
  const char **items;
  size_t count;
} names;

// The first column of all rows.
static assay_code read_names(assay_store *store, assay_arena *arena, const char *sql,
                             names *out_names, assay_error *err) {
  sqlite3_stmt *statement = NULL;
  size_t room = 16;
  *out_names = (names){.items = assay_arena_take(arena, room, sizeof *out_names->items)};
  TRY(assay_store_prepare(store, sql, &statement, err));
  int got;
  while ((got = sqlite3_step(statement)) == SQLITE_ROW) {
    if (out_names->count == room) {
      const char **more = assay_arena_take(arena, 2 * room, sizeof *more);
      memcpy(more, out_names->items, room * sizeof *more);
      out_names->items = more;
      room *= 2;
    }
    out_names->items[out_names->count++] = assay_column_text(arena, statement, 0);
  }
  assay_code code = got == SQLITE_DONE ? ASSAY_OK : assay_store_fail(store, "read", err);
  sqlite3_finalize(statement);
  return code;
}

// "NAME, NAME and 3 more"; "none".
static const char *list(assay_arena *arena, const names *of) {
  assay_text text = {.arena = arena};
  for (size_t i = 0; i < of->count && i < LISTED; i++)
    assay_text_print(&text, "%s%s", i > 0 ? ", " : "", of->items[i]);
  if (of->count > LISTED)
    assay_text_print(&text, " and %zu more", of->count - LISTED);
  return of->count > 0 ? assay_text_get(&text) : "none";
}

static bool is_dirty(const char *revision) {
  return strstr(revision, "-dirty") != NULL;
}

static bool begins_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// A hash alone, such as `git rev-parse HEAD` prints: longer than what is stored.
static bool is_hash(const char *word) {
  size_t digits = strspn(word, "0123456789abcdef");
  return word[digits] == '\0' && digits >= 2 * LEAST_PREFIX;
}

// Whether the word means this revision: "cd3231f12345", "v1.2-3-gcd3231f", either with "-dirty".
static bool means(const char *word, const char *revision) {
  if (strlen(word) < LEAST_PREFIX)
    return false;
  const char *behind = strstr(revision, "-g");
  const char *hash = behind != NULL ? behind + 2 : revision;
  if (begins_with(revision, word) || begins_with(hash, word))
    return true;
  size_t digits = strspn(hash, "0123456789abcdef");
  return is_hash(word) && digits >= LEAST_PREFIX && strncmp(word, hash, digits) == 0;
}

// The revision that a beginning of one stands for; NULL where there is none. A commit goes before
// what was changed since; several of equal rank are ambiguous.
static assay_code find_revision(assay_store *store, assay_arena *arena, const char *word,
                                const names *revisions, const char **out_revision,
                                assay_error *err) {
  names clean = {.items = assay_arena_take(arena, revisions->count, sizeof *clean.items)};
  names dirty = {.items = assay_arena_take(arena, revisions->count, sizeof *dirty.items)};
  for (size_t i = 0; i < revisions->count; i++) {
    const char *revision = revisions->items[i];
    names *into = is_dirty(revision) ? &dirty : &clean;
    if (means(word, revision))
      into->items[into->count++] = revision;
  }
  const names *found = clean.count > 0 ? &clean : &dirty;
  *out_revision = found->count > 0 ? found->items[0] : NULL;
  if (found->count > 1)
    return assay_fail_at(err, ASSAY_INVALID, store->path, 0, 0,
                         "'%s' is the beginning of several revisions: %s", word,
                         list(arena, found));
  return ASSAY_OK;
}

static bool has(const names *of, const char *word) {
  for (size_t i = 0; i < of->count; i++)
    if (strcmp(of->items[i], word) == 0)
      return true;
  return false;
}

// "*" is near to any short word.
static bool is_word(const char *name) {
  bool is = false;
  for (; *name != '\0'; name++)
    is = is || isalnum((unsigned char)*name) || (unsigned char)*name >= 0x80;
  return is;
}

static assay_code fail_unknown(const assay_store *store, assay_arena *arena, const char *what,
                               const names *tags, const names *revisions, assay_error *err) {
  size_t count = 0;
  const char **all = assay_arena_take(arena, tags->count + revisions->count, sizeof *all);
  for (size_t i = 0; i < tags->count + revisions->count; i++) {
    const char *name = i < tags->count ? tags->items[i] : revisions->items[i - tags->count];
    if (is_word(name))
      all[count++] = name;
  }
  const char *nearest = assay_nearest(what, all, count);
  if (nearest != NULL)
    return assay_fail_at(err, ASSAY_MISSING, store->path, 0, 0,
                         "no tag or revision '%s'; did you mean '%s'?", what, nearest);
  return assay_fail_at(err, ASSAY_MISSING, store->path, 0, 0,
                       "no tag or revision '%s'; tags: %s; revisions, newest first: %s", what,
                       list(arena, tags), list(arena, revisions));
}

static assay_code choose(assay_store *store, assay_arena *arena, const char *what,
                         selection *out_selection, assay_error *err) {
  static const char of_revision[] =
      "r.environment IN (SELECT id FROM environments WHERE revision IS ?1)";
  names tags, revisions, latest;
  *out_selection = (selection){.condition = "1"};
  if (what == NULL)
    return ASSAY_OK;
  out_selection->condition = of_revision;
  if (strcmp(what, "latest") == 0) {
    TRY(read_names(store, arena,
                   "SELECT e.revision FROM records r JOIN environments e ON e.id = r.environment"
                   " ORDER BY r.started DESC, r.id DESC LIMIT 1",
                   &latest, err));
    out_selection->parameter = latest.count > 0 ? latest.items[0] : NULL;
    return ASSAY_OK;
  }
  TRY(read_names(store, arena, "SELECT name FROM tags ORDER BY id DESC", &tags, err));
  TRY(read_names(store, arena,
                 "SELECT revision FROM environments WHERE revision IS NOT NULL"
                 " GROUP BY revision ORDER BY max(id) DESC",
                 &revisions, err));
  out_selection->parameter = what;
  if (has(&tags, what)) {
    out_selection->tagged = true;
    out_selection->condition =
        "r.id IN (SELECT record FROM tagged WHERE tag = (SELECT id FROM tags WHERE name = ?1))";
    return ASSAY_OK;
  }
  if (has(&revisions, what))
    return ASSAY_OK;
  TRY(find_revision(store, arena, what, &revisions, &out_selection->parameter, err));
  if (out_selection->parameter == NULL)
    return fail_unknown(store, arena, what, &tags, &revisions, err);
  return ASSAY_OK;
}

// What the document of the statement's record says, which has its key already.
static assay_code read_document(assay_store *store, assay_arena *arena, sqlite3_stmt *statement,
                                assay_record *record, assay_error *err) {
  const char *key = record->key;
  assay_error inside;
  int got = sqlite3_step(statement);
  if (got == SQLITE_DONE)
    return assay_store_fail_field(store, arena, key, "document", "it is not there", err);
  if (got != SQLITE_ROW)
    return assay_store_fail(store, "read", err);
  const char *text = (const char *)sqlite3_column_text(statement, 0);
  size_t length = (size_t)sqlite3_column_bytes(statement, 0);
  if (assay_record_parse(arena, store->path, 0, text != NULL ? text : "", length, record,
                         &inside) != ASSAY_OK)
    return assay_store_fail_field(store, arena, key, "document", inside.text, err);
  if (strcmp(record->key, key) != 0)
    return assay_store_fail_field(store, arena, key, "document", "it is another record's", err);
  return ASSAY_OK;
}

// Puts what the documents say besides into records; samples, and what they say together, stay those
// that were put together. origins: of which row each is; NULL: of its own.
static assay_code read_documents(assay_store *store, assay_arena *arena, assay_record records[],
                                 const size_t origins[], const int64_t ids[], size_t count,
                                 assay_error *err) {
  sqlite3_stmt *statement = NULL;
  TRY(assay_store_prepare(store, "SELECT json FROM documents WHERE record = ?1", &statement, err));
  assay_code code = ASSAY_OK;
  for (size_t i = 0; i < count && code == ASSAY_OK; i++) {
    const assay_record light = records[i];
    sqlite3_bind_int64(statement, 1, ids[origins != NULL ? origins[i] : i]);
    code = read_document(store, arena, statement, &records[i], err);
    sqlite3_reset(statement);
    records[i].seconds_run = light.seconds_run;
    records[i].seconds_compile = light.seconds_compile;
    records[i].run_samples = light.run_samples;
    records[i].run_sample_count = light.run_sample_count;
    records[i].compile_samples = light.compile_samples;
    records[i].compile_sample_count = light.compile_sample_count;
  }
  sqlite3_finalize(statement);
  return code;
}

static assay_code read_selected(assay_store *store, assay_arena *arena, const char *what,
                                assay_reading how, assay_found *out_found, assay_error *err) {
  selection selected;
  assay_record *records;
  int64_t *ids, *batches;
  size_t count, *origins;
  TRY(choose(store, arena, what, &selected, err));
  TRY(assay_store_select(store, arena, selected.condition, selected.parameter, &records, &ids,
                         &batches, &count, err));
  if (how == ASSAY_READ_EACH) {
    for (size_t i = 0; i < count && selected.tagged; i++)
      batches[i] = 0;
    *out_found = (assay_found){.records = records, .batches = batches, .count = count};
    return read_documents(store, arena, records, NULL, ids, count, err);
  }
  assay_merge(arena, records, batches, count, selected.tagged, &out_found->records, &origins,
              &out_found->count);
  return how == ASSAY_READ_FULL
             ? read_documents(store, arena, out_found->records, origins, ids, out_found->count, err)
             : ASSAY_OK;
}

assay_code assay_store_read(assay_arena *arena, const char *path, const char *what,
                            assay_reading how, assay_found *out_found, assay_error *err) {
  assay_store *store;
  TRY(assay_store_open_reading(path, &store, err));
  // One transaction: all statements see the same store.
  assay_code code = assay_store_execute(store, "BEGIN", "read", err);
  if (code == ASSAY_OK)
    code = read_selected(store, arena, what, how, out_found, err);
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  assay_store_close(store);
  return code;
}

// Those of ASCII, and of Unicode's second block, U+0080 to U+009F.
static bool is_control(const char *byte) {
  unsigned char first = (unsigned char)byte[0], second = (unsigned char)byte[1];
  return first < 0x20 || first == 0x7f || (first == 0xc2 && second >= 0x80 && second < 0xa0);
}

assay_code assay_store_check_tag(const char *tag, assay_error *err) {
  if (strcmp(tag, "latest") == 0)
    return assay_fail(err, ASSAY_INVALID,
                      "a tag cannot be 'latest': that is the revision that ran last");
  if (tag[0] == '\0' || strlen(tag) > ASSAY_STORE_LONGEST_TAG)
    return assay_fail(err, ASSAY_INVALID, "a tag has 1 to %d bytes, found %zu",
                      ASSAY_STORE_LONGEST_TAG, strlen(tag));
  if (tag[strspn(tag, " ")] == '\0')
    return assay_fail(err, ASSAY_INVALID, "a tag cannot be of blanks alone");
  if (!assay_is_utf8(tag))
    return assay_fail(err, ASSAY_INVALID, "a tag is a text in UTF-8");
  for (const char *byte = tag; *byte != '\0'; byte++) {
    if (is_control(byte))
      return assay_fail(err, ASSAY_INVALID, "a tag holds no control characters");
    if (*byte == '@')
      return assay_fail(err, ASSAY_INVALID,
                        "a tag holds no '@': in STORE@TAG it ends the store's name");
  }
  return ASSAY_OK;
}
