// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/places.h"

#include "harness/cli/out.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file that is not to be overwritten.
typedef struct kept {
  const char *path, *what;
} kept;

typedef struct keeping {
  assay_arena *arena;
  kept *items;
  size_t count, room;
} keeping;

static void keep(keeping *all, const char *path, const char *what) {
  if (path == NULL)
    return;
  if (all->count == all->room) {
    kept *more = assay_arena_take(all->arena, 2 * all->room + 16, sizeof *more);
    if (all->count > 0)
      memcpy(more, all->items, all->count * sizeof *more);
    all->items = more;
    all->room = 2 * all->room + 16;
  }
  all->items[all->count++] = (kept){path, what};
}

static void keep_store(keeping *all, const char *path, const char *what) {
  static const char *const beside[] = {"-wal", "-shm", "-journal"};
  keep(all, path, what);
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
    keep(all, assay_arena_format(all->arena, "%s%s", path, beside[i]), "a part of the store");
}

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Whatever file a word may name records in: see assay_source_read.
static void keep_source(keeping *all, const char *word, const char *what) {
  if (word == NULL)
    return;
  if (is_file(word))
    keep_store(all, word, what);
  else if (assay_path_is_folder(word))
    keep(all, assay_arena_format(all->arena, "%s/run.jsonl", word), what);
  for (const char *at = strchr(word, '@'); at != NULL; at = strchr(at + 1, '@')) {
    const char *store = assay_arena_bytes(all->arena, word, (size_t)(at - word));
    if (is_file(store))
      keep_store(all, store, what);
  }
}

static keeping inputs(const assay_session *session) {
  const assay_options *options = session->options;
  keeping all = {.arena = session->arena};
  for (size_t i = 0; i < options->arguments.count; i++)
    keep_source(&all, options->arguments.items[i], "a source of records");
  keep_source(&all, options->baseline, "the baseline");
  keep(&all, options->thresholds, "the thresholds");
  for (size_t i = 0; i < options->suites.count; i++)
    if (is_file(options->suites.items[i]))
      keep(&all, options->suites.items[i], "a suite");
  keep(&all, options->against, "the other build");
  return all;
}

// What a path leads to: the nearest folder above it that is there, or the file itself, and the
// rest.
typedef struct place {
  struct stat status;
  const char *rest; // "" where the file is there
} place;

static const char *join(assay_arena *arena, const char *folder, const char *name) {
  return name[0] == '/' ? name : assay_arena_format(arena, "%s/%s", folder, name);
}

static place find(assay_arena *arena, const char *path, int links) {
  place found = {.rest = ""};
  while (stat(path, &found.status) != 0) {
    char target[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *above = slash == NULL   ? "."
                        : slash == path ? "/"
                                        : assay_arena_bytes(arena, path, (size_t)(slash - path));
    ssize_t length = links > 0 ? readlink(path, target, sizeof target - 1) : -1;
    if (length > 0) { // to what is not there yet
      links--;
      path = join(arena, above, assay_arena_bytes(arena, target, (size_t)length));
      continue;
    }
    if (name[0] != '\0')
      found.rest = assay_arena_format(arena, "%s/%s", name, found.rest);
    if (strcmp(path, above) == 0)
      break; // not even that can be looked at
    path = above;
  }
  return found;
}

// Of devices and pipes nothing is lost.
static bool is_same(assay_arena *arena, const char *a, const char *b) {
  enum { LINKS = 8 };
  place one = find(arena, a, LINKS), other = find(arena, b, LINKS);
  bool there = one.rest[0] == '\0';
  return one.status.st_dev == other.status.st_dev && one.status.st_ino == other.status.st_ino &&
         strcmp(one.rest, other.rest) == 0 && (!there || S_ISREG(one.status.st_mode));
}

static assay_code check(const keeping *all, const char *option, const char *path,
                        assay_error *err) {
  for (size_t i = 0; i < all->count; i++)
    if (is_same(all->arena, path, all->items[i].path))
      return assay_fail_at(err, ASSAY_INVALID, path, 0, 0, "%s: this file is %s", option,
                           all->items[i].what);
  return ASSAY_OK;
}

static bool is_stdout(const char *path) {
  return strcmp(path, "-") == 0;
}

assay_code assay_places_check_reports(const assay_session *session, const char *const paths[],
                                      size_t count, assay_error *err) {
  const assay_options *options = session->options;
  assay_arena *arena = session->arena;
  keeping all = inputs(session);
  keep_store(&all, options->store != NULL ? options->store : ASSAY_DEFAULT_STORE, "the store");
  keep(&all, assay_arena_format(arena, "%s/run.jsonl", options->out), "the run's own");
  keep(&all, assay_arena_format(arena, "%s/" ASSAY_BASE_RECORDS, options->out), "the run's own");
  for (size_t i = 0; i < count; i++) {
    if (is_stdout(paths[i]))
      continue;
    TRY(check(&all, "--format", paths[i], err));
    for (size_t k = 0; k < i; k++)
      if (!is_stdout(paths[k]) && is_same(arena, paths[i], paths[k]))
        return assay_fail_at(err, ASSAY_INVALID, paths[i], 0, 0,
                             "--format: two reports to one file");
  }
  return ASSAY_OK;
}

assay_code assay_places_check_out(const assay_session *session, assay_error *err) {
  static const char *const names[] = {"run.jsonl", "summary.txt", ASSAY_BASE_RECORDS};
  keeping all = inputs(session);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    TRY(check(&all, "--out",
              assay_arena_format(session->arena, "%s/%s", session->options->out, names[i]), err));
  return ASSAY_OK;
}
