// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a filter pattern cannot select anything, whatever the cases are.
#include "compiler/base/text.h"
#include "harness/case/suite.h"
#include "harness/case/words.h"

#include <string.h>

enum { MAX_NAMES = ASSAY_MAX_KEYS + 2 };

// The names that words of a record's key may begin with: the op's keys, then data and backend.
typedef struct key_names {
  const char *names[MAX_NAMES];
  int key_count, count;
} key_names;

static key_names names_of(const assay_suite_op *op) {
  key_names all = {.key_count = 0};
  for (; op->keys[all.key_count].name != NULL; all.key_count++)
    all.names[all.key_count] = op->keys[all.key_count].name;
  all.count = all.key_count;
  all.names[all.count++] = "data";
  all.names[all.count++] = "backend";
  return all;
}

static int find_name(const key_names *all, const char *name) {
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->names[i], name) == 0)
      return i;
  return -1;
}

static const char *explain_op(assay_arena *arena, const char *name) {
  const char *nearest = assay_suite_op_nearest(arena, name);
  if (nearest == NULL)
    return assay_arena_format(arena, "unknown op '%s'; 'assay list ops' names them", name);
  return assay_arena_format(arena, "unknown op '%s'; did you mean '%s'?", name, nearest);
}

static const char *explain_order(assay_arena *arena, const assay_suite_op *op) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "a prefix has the keys in order, '%s", op->name);
  for (const assay_key *key = op->keys; key->name != NULL; key++)
    assay_text_print(&text, " %s", key->name);
  assay_text_print(&text, "'; in another order all of");
  for (const assay_key *key = op->keys; key->name != NULL; key++)
    if (key->preset == NULL)
      assay_text_print(&text, " %s", key->name);
  assay_text_print(&text, " are needed");
  return assay_text_get(&text);
}

// The words after the op: each KEY=VALUE with a key that is known, and either a prefix of a
// record's key or a whole case line.
static const char *explain_keys(assay_arena *arena, const assay_suite_op *op, const char *cursor,
                                const char *end) {
  const key_names all = names_of(op);
  bool given[MAX_NAMES] = {false}, is_prefix = true, is_whole = true;
  for (int number = 0;; number++) {
    assay_word word = assay_word_next(&cursor, end);
    if (word.length == 0)
      break;
    const char *text = assay_arena_bytes(arena, word.start, word.length);
    const char *name = assay_arena_bytes(arena, text, strcspn(text, "="));
    int found = find_name(&all, name);
    if (found < 0)
      return assay_arena_format(arena, "%s has no key '%s'; %s", op->name, name,
                                assay_word_suggest(arena, name, all.names, (size_t)all.count));
    given[found] = true;
    is_prefix = is_prefix && found == number;
  }
  for (int i = 0; i < all.key_count; i++)
    is_whole = is_whole && (given[i] || op->keys[i].preset != NULL);
  return is_prefix || is_whole ? NULL : explain_order(arena, op);
}

const char *assay_filter_explain(assay_arena *arena, const char *pattern) {
  const char *cursor = pattern[0] == '!' ? pattern + 1 : pattern;
  const char *end = cursor + strlen(cursor);
  if (assay_word_is_glob((assay_word){.start = cursor, .length = (size_t)(end - cursor)}))
    return NULL;
  assay_word word = assay_word_next(&cursor, end);
  if (word.length == 0)
    return "it is empty";
  const char *name = assay_arena_bytes(arena, word.start, word.length);
  const assay_suite_op *op = assay_suite_op_find(name);
  return op == NULL ? explain_op(arena, name) : explain_keys(arena, op, cursor, end);
}
