// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/known.h"

#include "compiler/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int assay_words_split(assay_arena *arena, const char *text, const char *const **out_words) {
  const char **words = assay_arena_take(arena, strlen(text) + 1, sizeof *words);
  int count = 0;
  for (const char *at = text + strspn(text, " \t"); *at != '\0'; at += strspn(at, " \t")) {
    assay_text word = {.arena = arena};
    char quote = '\0';
    for (; *at != '\0' && (quote != '\0' || strchr(" \t", *at) == NULL); at++) {
      if (quote == '\0' && (*at == '"' || *at == '\''))
        quote = *at;
      else if (*at == quote)
        quote = '\0';
      else if (quote == '\0' && *at == '\\' && at[1] != '\0')
        assay_text_append(&word, ++at, 1);
      else
        assay_text_append(&word, at, 1);
    }
    words[count++] = assay_text_get(&word);
  }
  *out_words = words;
  return count;
}

enum { TITLE, SOURCE, PIPELINE, VALUES, ENTRY, BAD_PASS, CLASS, STEP, PATTERN, KEYS };
static const char *const keys[KEYS] = {"fault",    "source", "pipeline", "values", "entry",
                                       "bad-pass", "class",  "step",     "pattern"};

// "// KEY: VALUE"; false for any other line.
static bool parse_line(assay_arena *arena, const assay_lines *lines, int *out_key,
                       const char **out_value) {
  const char *line = assay_arena_bytes(arena, lines->start, lines->length);
  const char *colon = strchr(line, ':');
  if (strncmp(line, "// ", 3) != 0 || colon == NULL)
    return false;
  for (int i = 0; i < KEYS; i++)
    if (strlen(keys[i]) == (size_t)(colon - line) - 3 &&
        strncmp(line + 3, keys[i], strlen(keys[i])) == 0) {
      *out_key = i;
      *out_value = colon + 1 + strspn(colon + 1, " \t");
      return true;
    }
  return false;
}

static assay_code parse_class(const assay_known_fault *known, const char *word, assay_fault *out,
                              assay_error *err) {
  for (int i = ASSAY_FAULT_MISCOMPILE; i <= ASSAY_FAULT_NONDETERMINISTIC; i++)
    if (strcmp(word, assay_fault_name(i)) == 0) {
      *out = i;
      return ASSAY_OK;
    }
  return assay_fail_at(err, ASSAY_INVALID, known->file.path, 0, 0, "unknown class '%s'", word);
}

assay_code assay_known_fault_read(assay_arena *arena, const char *path,
                                  assay_known_fault *out_fault, assay_error *err) {
  const char *values[KEYS] = {NULL};
  assay_known_fault known = {0};
  TRY(assay_file_read(arena, path, &known.file, err));
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  known.name = assay_arena_bytes(arena, base, strcspn(base, "."));
  assay_lines lines = {.file = &known.file};
  while (assay_lines_next(&lines) && lines.length >= 2 && strncmp(lines.start, "//", 2) == 0) {
    int key;
    const char *value;
    if (!parse_line(arena, &lines, &key, &value))
      continue; // prose
    if (values[key] != NULL)
      return assay_fail_at(err, ASSAY_INVALID, path, lines.number, 1, "%s is given twice",
                           keys[key]);
    values[key] = value;
  }
  static const int needed[] = {TITLE, PIPELINE, BAD_PASS};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (values[needed[i]] == NULL)
      return assay_fail_at(err, ASSAY_INVALID, path, 1, 1, "no line '// %s: ...'", keys[needed[i]]);
  known.title = values[TITLE];
  known.word_count = assay_words_split(arena, values[PIPELINE], &known.words);
  known.values = values[VALUES];
  known.entry = values[ENTRY];
  known.step = values[STEP];
  known.pattern = values[PATTERN];
  known.bad_pass = strcmp(values[BAD_PASS], "none") != 0 ? values[BAD_PASS] : NULL;
  if ((known.bad_pass != NULL) != (values[CLASS] != NULL))
    return assay_fail_at(err, ASSAY_INVALID, path, 1, 1,
                         "found %s class, expected one with a bad pass only",
                         values[CLASS] != NULL ? "a" : "no");
  for (int key = STEP; key <= PATTERN; key++)
    if (known.bad_pass == NULL && values[key] != NULL)
      return assay_fail_at(err, ASSAY_INVALID, path, 1, 1,
                           "found a %s, expected one with a bad pass only", keys[key]);
  if (values[CLASS] != NULL)
    TRY(parse_class(&known, values[CLASS], &known.fault, err));
  *out_fault = known;
  return ASSAY_OK;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const assay_known_fault *)a)->name, ((const assay_known_fault *)b)->name);
}

assay_code assay_known_faults_read(assay_arena *arena, const char *folder,
                                   assay_known_fault *out_faults[], size_t *out_count,
                                   assay_error *err) {
  DIR *stream = opendir(folder);
  if (stream == NULL)
    return assay_fail_at(err, ASSAY_MISSING, folder, 0, 0, "cannot read: %s", strerror(errno));
  assay_known_fault *faults = NULL;
  size_t count = 0;
  assay_code code = ASSAY_OK;
  for (struct dirent *entry; code == ASSAY_OK && (entry = readdir(stream)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot == NULL || strcmp(dot, ".mlir") != 0 || entry->d_name[0] == '.')
      continue;
    if ((count & (count - 1)) == 0) {
      assay_known_fault *more = assay_arena_take(arena, count > 0 ? 2 * count : 1, sizeof *more);
      if (count > 0)
        memcpy(more, faults, count * sizeof *more);
      faults = more;
    }
    code = assay_known_fault_read(arena, assay_arena_format(arena, "%s/%s", folder, entry->d_name),
                                  &faults[count++], err);
  }
  closedir(stream);
  if (count > 0)
    qsort(faults, count, sizeof *faults, compare_names);
  *out_faults = faults;
  *out_count = count;
  return code;
}
