// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/selection.h"
#include "compiler/base/text.h"
#include "harness/case/data.h"
#include "harness/cli/machine.h"

#include <string.h>

assay_code assay_selection_suite(const assay_session *session, const char *name, assay_cases *cases,
                                 assay_error *err) {
  const assay_suite_places places = {.root = session->root, .folders = session->case_folders};
  return assay_suite_load_from(session->arena, &places, name, cases, err);
}

assay_code assay_selection_load(const assay_session *session, const char *preset,
                                assay_cases *out_cases, assay_error *err) {
  const assay_options *options = session->options;
  *out_cases = (assay_cases){0};
  for (size_t i = 0; i < options->suites.count; i++)
    TRY(assay_selection_suite(session, options->suites.items[i], out_cases, err));
  for (size_t i = 0; i < options->cases.count; i++)
    TRY(assay_cases_parse_line(session->arena, "--case", 0, options->cases.items[i], out_cases,
                               err));
  if (options->suites.count == 0 && options->cases.count == 0)
    TRY(assay_selection_suite(session, preset, out_cases, err));
  return ASSAY_OK;
}

assay_filter assay_selection_filter(const assay_session *session) {
  const assay_names *filters = &session->options->filters;
  return (assay_filter){.patterns = filters->items, .count = filters->count};
}

// The known names of a key's part, and "none" last: that of negative cases.
static assay_names known_names(const assay_session *session, const char *part) {
  bool of_data = strcmp(part, "data") == 0;
  assay_names known = {0};
  for (size_t i = 0; of_data && assay_data_names[i] != NULL; i++)
    assay_names_add(session->arena, &known, assay_data_names[i]);
  for (size_t i = 0; !of_data && session->backends[i] != NULL; i++)
    assay_names_add(session->arena, &known, session->backends[i]->name);
  for (size_t i = 0; !of_data && i < session->peers.count; i++)
    assay_names_add(session->arena, &known, session->peers.items[i]);
  assay_names_add(session->arena, &known, "none");
  return known;
}

// The values of a word PART=VALUE,VALUE of a pattern.
static assay_code check_values(const assay_session *session, const char *pattern, const char *part,
                               const char *values, assay_error *err) {
  assay_names known = known_names(session, part);
  char *rest = NULL, *list = assay_arena_string(session->arena, values);
  for (char *value = strtok_r(list, ",", &rest); value != NULL;
       value = strtok_r(NULL, ",", &rest)) {
    bool found = false;
    for (size_t i = 0; i < known.count; i++)
      found = found || strcmp(known.items[i], value) == 0;
    if (!found)
      return assay_fail(err, ASSAY_INVALID, "--filter '%s': unknown %s '%s'%s", pattern,
                        strcmp(part, "data") == 0 ? "data set" : part, value,
                        assay_hint(session->arena, value, known.items, known.count - 1));
  }
  return ASSAY_OK;
}

// A data set or backend that there is none of would select nothing wherever records are meant, and
// everything where only cases are.
static assay_code check_names(const assay_session *session, const char *pattern, assay_error *err) {
  static const char *const parts[] = {"data", "backend"};
  char *rest = NULL, *words = assay_arena_string(session->arena, pattern);
  for (char *word = strtok_r(words, " \t", &rest); word != NULL;
       word = strtok_r(NULL, " \t", &rest))
    for (int i = 0; i < 2; i++) {
      size_t length = strlen(parts[i]);
      if (strncmp(word, parts[i], length) == 0 && word[length] == '=' &&
          strpbrk(word, "*?[") == NULL)
        TRY(check_values(session, pattern, parts[i], word + length + 1, err));
    }
  return ASSAY_OK;
}

// Mistakes in patterns that are seen without any case. A name that is unknown here may be what an
// excluding pattern is for: scripts exclude backends that only some builds have.
static assay_code check_pattern(const assay_session *session, const char *pattern,
                                assay_error *err) {
  if (pattern[0] != '!')
    return check_names(session, pattern, err);
  const char *why = assay_filter_explain(session->arena, pattern);
  if (why != NULL)
    return assay_fail(err, ASSAY_INVALID, "--filter '%s' excludes no case: %s", pattern, why);
  return ASSAY_OK;
}

// Why a pattern selects nothing, as well as can be told.
static assay_code fail_empty(assay_arena *arena, const char *pattern, assay_error *err) {
  const char *why = assay_filter_explain(arena, pattern);
  return assay_fail(err, ASSAY_INVALID, "--filter '%s' selects no case%s%s", pattern,
                    why != NULL ? ": " : "", why != NULL ? why : "");
}

assay_code assay_selection_cases(const assay_session *session, const assay_cases *cases,
                                 assay_cases *out_selected, assay_error *err) {
  assay_filter filter = assay_selection_filter(session);
  *out_selected = (assay_cases){0};
  for (size_t p = 0; p < filter.count; p++)
    TRY(check_pattern(session, filter.patterns[p], err));
  for (size_t i = 0; i < cases->count; i++)
    if (assay_filter_selects(&filter, cases->items[i].line, NULL, NULL))
      assay_cases_add(session->arena, out_selected, &cases->items[i]);
  for (size_t p = 0; p < filter.count; p++) {
    if (filter.patterns[p][0] == '!')
      continue;
    assay_filter one = {.patterns = &filter.patterns[p], .count = 1};
    bool any = false;
    for (size_t i = 0; i < cases->count && !any; i++)
      any = assay_filter_selects(&one, cases->items[i].line, NULL, NULL);
    if (!any)
      return fail_empty(session->arena, filter.patterns[p], err);
  }
  if (out_selected->count == 0)
    return assay_fail(err, ASSAY_INVALID, "no case is selected: %s",
                      filter.count > 0 ? "the filters exclude them all" : "the suite is empty");
  return ASSAY_OK;
}

// FNV-1a mixes its low bits poorly: the finaliser is splitmix64's.
static uint64_t mix(uint64_t hash) {
  hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
  return hash ^ (hash >> 31);
}

bool assay_selection_in_shard(const assay_session *session, const char *line) {
  uint64_t count = (uint64_t)session->options->shard.count;
  return count <= 1 ||
         mix(assay_hash_string(line)) % count + 1 == (uint64_t)session->options->shard.index;
}

bool assay_selection_in_sample(const char *line, int one_in) {
  return mix(mix(assay_hash_string(line)) + 1) % (uint64_t)one_in == 0;
}

void assay_selection_shard(const assay_session *session, assay_cases *cases) {
  size_t left = 0;
  for (size_t i = 0; i < cases->count; i++)
    if (assay_selection_in_shard(session, cases->items[i].line))
      cases->items[left++] = cases->items[i];
  cases->count = left; // its hash table is of no use any more
}

assay_code assay_selection_data(const assay_session *session, assay_names *out_data,
                                assay_error *err) {
  size_t known = 0;
  while (assay_data_names[known] != NULL)
    known++;
  const assay_names *given = &session->options->data;
  const char **items = assay_arena_take(session->arena, known, sizeof *items);
  size_t count = 0;
  // In the order of the table, each once, however they were given.
  for (size_t k = 0; k < known; k++) {
    bool wanted = given->count == 0;
    for (size_t i = 0; i < given->count; i++)
      wanted = wanted || strcmp(given->items[i], assay_data_names[k]) == 0;
    if (wanted)
      items[count++] = assay_data_names[k];
  }
  for (size_t i = 0; i < given->count; i++) {
    bool found = false;
    for (size_t k = 0; k < known; k++)
      found = found || strcmp(given->items[i], assay_data_names[k]) == 0;
    if (!found)
      return assay_fail(err, ASSAY_INVALID, "--data: unknown data set '%s'%s", given->items[i],
                        assay_hint(session->arena, given->items[i], assay_data_names, known));
  }
  *out_data = (assay_names){.items = items, .count = count};
  return ASSAY_OK;
}
