// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/suite.h"

#include "compiler/base/text.h"
#include "harness/case/words.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 8, MAX_FILES = 1024 };

// Where a file is, and how it is named in messages and origins: relative to the project's root
// where it lies below it, so that these are the same on every machine.
typedef struct location {
  const char *path, *shown;
} location;

// What loading one suite works on.
typedef struct suite_loader {
  assay_arena *arena;
  const char *root;
  const char *const *folders; // looked through first; may be NULL
  assay_cases *cases;
} suite_loader;

static assay_code load_place(const suite_loader *loader, location place, int depth,
                             assay_error *err);

static bool exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

static bool ends_with(const char *string, const char *end) {
  size_t length = strlen(string), end_length = strlen(end);
  return length > end_length && strcmp(string + length - end_length, end) == 0;
}

static location below_root(const suite_loader *loader, const char *folder, const char *name,
                           const char *end) {
  const char *shown = assay_arena_format(loader->arena, "%s/%s%s", folder, name, end);
  return (location){.path = assay_arena_format(loader->arena, "%s/%s", loader->root, shown),
                    .shown = shown};
}

static bool find_in(const suite_loader *loader, const char *folder, const char *name,
                    location *out_place) {
  static const char *const ends[] = {".suite", ".cases"};
  for (int i = 0; i < 2; i++) {
    out_place->path = assay_arena_format(loader->arena, "%s/%s%s", folder, name, ends[i]);
    out_place->shown = out_place->path;
    if (exists(out_place->path))
      return true;
  }
  return false;
}

// The file of a suite in the folders or in suite/cases/; false where there is none of that name.
static bool find_named(const suite_loader *loader, const char *name, location *out_place) {
  if (strchr(name, '/') != NULL || *name == '\0')
    return false;
  for (const char *const *at = loader->folders; at != NULL && *at != NULL; at++)
    if (find_in(loader, *at, name, out_place))
      return true;
  *out_place = below_root(loader, "suite/cases", name, ".suite");
  if (exists(out_place->path))
    return true;
  *out_place = below_root(loader, "suite/cases", name, ".cases");
  return exists(out_place->path);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The sorted names in a folder that end so.
static assay_code list_folder(assay_arena *arena, location folder, const char *end,
                              const char *out_names[MAX_FILES], size_t *out_count,
                              assay_error *err) {
  DIR *stream = opendir(folder.path);
  if (stream == NULL)
    return assay_fail_at(err, ASSAY_MISSING, folder.shown, 0, 0, "cannot open: %s",
                         strerror(errno));
  *out_count = 0;
  for (struct dirent *entry = readdir(stream); entry != NULL && *out_count < MAX_FILES;
       entry = readdir(stream))
    if (entry->d_name[0] != '.' && ends_with(entry->d_name, end))
      out_names[(*out_count)++] = assay_arena_string(arena, entry->d_name);
  closedir(stream);
  qsort(out_names, *out_count, sizeof *out_names, compare_names);
  return ASSAY_OK;
}

// Adds the names of the suites in a folder.
static bool add_names(const suite_loader *loader, location folder, const char *names[], size_t most,
                      size_t *count) {
  static const char *const ends[] = {".suite", ".cases"};
  for (int i = 0; i < 2; i++) {
    const char *found[MAX_FILES];
    size_t found_count = 0;
    assay_error ignored;
    if (list_folder(loader->arena, folder, ends[i], found, &found_count, &ignored) != ASSAY_OK)
      return false;
    for (size_t k = 0; k < found_count && *count < most; k++)
      names[(*count)++] =
          assay_arena_bytes(loader->arena, found[k], strlen(found[k]) - strlen(ends[i]));
  }
  return true;
}

// The end of a message about an unknown suite.
static const char *suggest(const suite_loader *loader, const char *name) {
  location folder = {.path = assay_arena_format(loader->arena, "%s/suite/cases", loader->root),
                     .shown = "suite/cases"};
  enum { MOST = 2 * MAX_FILES };
  const char *names[MOST];
  size_t count = 0;
  for (const char *const *at = loader->folders; at != NULL && *at != NULL; at++)
    add_names(loader, (location){.path = *at, .shown = *at}, names, MOST, &count);
  if (!add_names(loader, folder, names, MOST, &count))
    return "suite/cases cannot be read";
  if (count == 0)
    return "there is none in suite/cases";
  return assay_word_suggest(loader->arena, name, names, count);
}

static assay_code load_folder(const suite_loader *loader, location folder, int depth,
                              assay_error *err) {
  const char *names[MAX_FILES];
  size_t count = 0;
  TRY(list_folder(loader->arena, folder, ".cases", names, &count, err));
  if (count == 0)
    return assay_fail_at(err, ASSAY_MISSING, folder.shown, 0, 0,
                         "the folder holds no case file (*.cases)");
  for (size_t i = 0; i < count; i++) {
    location file = {.path = assay_arena_format(loader->arena, "%s/%s", folder.path, names[i]),
                     .shown = assay_arena_format(loader->arena, "%s/%s", folder.shown, names[i])};
    TRY(load_place(loader, file, depth + 1, err));
  }
  return ASSAY_OK;
}

static assay_code load_list(const suite_loader *loader, const assay_file *file, int depth,
                            assay_error *err) {
  assay_lines lines = {.file = file};
  while (assay_lines_next(&lines)) {
    assay_line line;
    TRY(assay_line_open(file->path, lines.number, lines.start, lines.length, &line, err));
    const char *cursor = line.start;
    for (;;) {
      assay_word word = assay_word_next(&cursor, line.end);
      if (word.length == 0)
        break;
      const char *name = assay_arena_bytes(loader->arena, word.start, word.length);
      location member;
      if (!find_named(loader, name, &member))
        return assay_line_fail(err, &line, word.start, "unknown suite '%s'; %s", name,
                               suggest(loader, name));
      if (depth == MAX_DEPTH)
        return assay_line_fail(err, &line, word.start, "suite lists are nested too deeply");
      TRY(load_place(loader, member, depth + 1, err));
    }
  }
  return ASSAY_OK;
}

static assay_code load_place(const suite_loader *loader, location place, int depth,
                             assay_error *err) {
  if (assay_path_is_folder(place.path))
    return load_folder(loader, place, depth, err);
  assay_file file;
  TRY(assay_file_read(loader->arena, place.path, &file, err));
  file.path = assay_arena_string(loader->arena, place.shown);
  if (ends_with(place.path, ".suite"))
    return load_list(loader, &file, depth, err);
  return assay_cases_parse_file(loader->arena, &file, loader->cases, err);
}

// Nobody who gives such a name means a suite by its name.
static bool is_path(const char *name) {
  return strchr(name, '/') != NULL || ends_with(name, ".cases") || ends_with(name, ".suite");
}

static assay_code fail_no_file(const char *name, assay_error *err) {
  return assay_fail(err, ASSAY_MISSING, "suite '%s': no such file or folder", name);
}

static assay_code load_name(const suite_loader *loader, const char *name, assay_error *err) {
  location found;
  if (find_named(loader, name, &found))
    return load_place(loader, found, 0, err);
  if (*name == '\0') // "suite/" is not meant
    return fail_no_file(name, err);
  found = (location){.path = name, .shown = name};
  if (exists(found.path))
    return load_place(loader, found, 0, err);
  found = below_root(loader, "suite", name, "");
  if (exists(found.path))
    return load_place(loader, found, 0, err);
  if (is_path(name))
    return fail_no_file(name, err);
  if (strcmp(name, "faults") == 0)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "the suite 'faults' comes with a later version of assay");
  return assay_fail(err, ASSAY_MISSING, "unknown suite '%s'; %s", name, suggest(loader, name));
}

assay_code assay_suite_load(assay_arena *arena, const char *root, const char *name,
                            assay_cases *cases, assay_error *err) {
  return assay_suite_load_from(arena, &(assay_suite_places){.root = root}, name, cases, err);
}

assay_code assay_suite_load_from(assay_arena *arena, const assay_suite_places *places,
                                 const char *name, assay_cases *cases, assay_error *err) {
  suite_loader loader = {
      .arena = arena, .root = places->root, .folders = places->folders, .cases = cases};
  for (const char *const *at = places->folders; at != NULL && *at != NULL; at++)
    if (!assay_path_is_folder(*at))
      return assay_fail_at(err, ASSAY_MISSING, *at, 0, 0, "no folder of case files is here");
  TRY(load_name(&loader, name, err));
  assay_cases standard = {0};
  loader.cases = &standard;
  location list;
  if (find_named(&loader, "standard", &list))
    TRY(load_place(&loader, list, 0, err));
  for (size_t i = 0; i < cases->count; i++) {
    const assay_case *same = assay_cases_find(&standard, cases->items[i].line);
    cases->items[i].standard = same != NULL && assay_case_expects_same(same, &cases->items[i]);
  }
  return ASSAY_OK;
}
