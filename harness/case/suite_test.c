// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/suite.h"
#include "harness/case/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- The project's own suites ----

static assay_cases load(assay_arena *arena, const char *name) {
  assay_cases cases = {0};
  assay_error err;
  if (assay_suite_load(arena, ASSAY_SOURCE_DIR, name, &cases, &err) != ASSAY_OK)
    fail_msg("%s: %s: %s", name, err.where, err.text);
  return cases;
}

static size_t count_products(const assay_cases *cases) {
  size_t count = 0;
  for (size_t i = 0; i < cases->count; i++)
    count += !cases->items[i].op->rejected;
  return count;
}

static void suites_have_their_sizes(void **state) {
  assay_cases standard = load(*state, "standard"), smoke = load(*state, "smoke");
  assay_cases full = load(*state, "full");
  assert_true(count_products(&standard) >= 600);
  assert_true(standard.count - count_products(&standard) >= 40);
  assert_in_range(smoke.count, 30, 60);
  assert_true(full.count > standard.count);
  for (size_t i = 0; i < standard.count; i++) {
    assert_true(standard.items[i].standard);
    assert_non_null(assay_cases_find(&full, standard.items[i].line));
  }
  // What smoke selects, a --filter finds again in the default suite, with the same message.
  for (size_t i = 0; i < smoke.count; i++) {
    const assay_case *found = assay_cases_find(&standard, smoke.items[i].line);
    assert_non_null(found);
    assert_true(smoke.items[i].standard);
    if (found->rejects != NULL)
      assert_string_equal(smoke.items[i].rejects, found->rejects);
  }
}

// Positive cases build; negative ones are rejected with exactly their message.
static void every_case_has_the_outcome_it_names(void **state) {
  assay_cases cases = load(*state, ASSAY_SOURCE_DIR "/suite/cases");
  assert_true(cases.count >= 600);
  for (size_t i = 0; i < cases.count; i++) {
    const assay_case *a_case = &cases.items[i];
    const assay_program *program;
    assay_error err = {0};
    assay_code code = assay_case_build(*state, a_case, &program, &err);
    if (a_case->rejects != NULL)
      assert_fails(code, ASSAY_INVALID, &err, a_case->origin, a_case->rejects);
    else if (code != ASSAY_OK)
      fail_msg("%s: %s: %s", a_case->origin, a_case->line, err.text);
  }
}

static void keys_are_unique_and_select_their_case_alone(void **state) {
  assay_cases cases = load(*state, "standard");
  for (size_t i = 0; i < cases.count; i += 37) {
    const char *key = assay_case_key(*state, &cases.items[i], "int", "blas");
    assay_filter filter = {.patterns = &key, .count = 1};
    for (size_t j = 0; j < cases.count; j++) {
      bool selected = assay_filter_selects(&filter, cases.items[j].line, "int", "blas");
      assert_int_equal(selected, i == j);
    }
    assert_false(assay_filter_selects(&filter, cases.items[i].line, "int", "loop"));
  }
}

// The number of a size in the list that matmul.cases covers, or -1.
static int size_number(int64_t size) {
  static const int64_t sizes[] = {1, 2, 3, 5, 7, 16, 17, 31, 33, 64, 65, 127};
  for (int i = 0; i < 12; i++)
    if (sizes[i] == size)
      return i;
  return -1;
}

static void every_pair_of_sizes_occurs(void **state) {
  assay_cases cases = load(*state, "matmul");
  bool seen[3][12][12] = {0};
  for (size_t i = 0; i < cases.count; i++) {
    const assay_params *params = &cases.items[i].params;
    int m = size_number(assay_params_size(params, "m"));
    int k = size_number(assay_params_size(params, "k"));
    int n = size_number(assay_params_size(params, "n"));
    if (m < 0 || k < 0 || n < 0)
      continue;
    seen[0][m][k] = seen[1][m][n] = seen[2][k][n] = true;
  }
  for (int pair = 0; pair < 3; pair++)
    for (int a = 0; a < 12; a++)
      for (int b = 0; b < 12; b++)
        assert_true(seen[pair][a][b]);
}

// ---- Suites of a project made here ----

typedef struct scratch {
  assay_arena *arena;
  char root[64];
  const char *made[32]; // files and folders, in the order in which they were made
  size_t made_count;
} scratch;

// The path of a file or folder that the test makes, to be removed at its end.
static const char *make(scratch *project, const char *name) {
  const char *path = assay_arena_format(project->arena, "%s/%s", project->root, name);
  project->made[project->made_count++] = path;
  return path;
}

static int make_project(void **state) {
  scratch *project = test_calloc(1, sizeof *project);
  project->arena = assay_arena_create();
  snprintf(project->root, sizeof project->root, "assay-suite-XXXXXX");
  if (mkdtemp(project->root) == NULL)
    return -1;
  const char *const folders[] = {"suite", "suite/cases", "suite/more", "suite/empty"};
  for (int i = 0; i < 4; i++)
    if (mkdir(make(project, folders[i]), 0777) != 0)
      return -1;
  *state = project;
  return 0;
}

static int remove_project(void **state) {
  scratch *project = *state;
  int failures = 0;
  while (project->made_count > 0)
    failures += remove(project->made[--project->made_count]) != 0;
  failures += rmdir(project->root) != 0;
  assay_arena_destroy(project->arena);
  test_free(project);
  return failures;
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    fail_msg("cannot write %s", path);
    return;
  }
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void put(scratch *project, const char *name, const char *text) {
  write_text(make(project, name), text);
}

static assay_code load_from(const scratch *project, const char *name, assay_cases *cases,
                            assay_error *err) {
  *cases = (assay_cases){0};
  return assay_suite_load(project->arena, project->root, name, cases, err);
}

static void names_lists_paths_and_folders_are_found(void **state) {
  scratch *project = *state;
  put(project, "suite/cases/a.cases", "linear m=1 k=1 n=1\nlinear m=2 k=1 n=1\n");
  put(project, "suite/cases/b.cases", "linear m=3 k=1 n=1\n");
  put(project, "suite/cases/standard.suite", "# the default\na # and no more\n");
  put(project, "suite/cases/all.suite", "standard\nb\n");
  // Neither in this order nor in its reverse.
  put(project, "suite/more/y.cases", "linear m=8 k=1 n=1\nlinear m=1 k=1 n=1");
  put(project, "suite/more/z.cases", "linear m=9 k=1 n=1\n");
  put(project, "suite/more/x.cases", "linear m=7 k=1 n=1\n");
  assay_cases cases;
  assay_error err;
  assert_int_equal(load_from(project, "all", &cases, &err), ASSAY_OK);
  assert_int_equal(cases.count, 3);
  assert_string_equal(cases.items[1].origin, "suite/cases/a.cases:2");
  assert_true(cases.items[1].standard);
  assert_false(cases.items[2].standard);

  assert_int_equal(load_from(project, "b", &cases, &err), ASSAY_OK);
  assert_int_equal(cases.count, 1);

  assert_int_equal(load_from(project, "more", &cases, &err), ASSAY_OK); // sorted by file name
  assert_int_equal(cases.count, 4);
  assert_string_equal(cases.items[0].origin, "suite/more/x.cases:1");
  assert_string_equal(cases.items[1].origin, "suite/more/y.cases:1");
  assert_string_equal(cases.items[3].origin, "suite/more/z.cases:1");
  assert_true(cases.items[2].standard); // where it stands, not where it was read

  assert_int_equal(load_from(project, "cases/b.cases", &cases, &err), ASSAY_OK);
  assert_string_equal(cases.items[0].origin, "suite/cases/b.cases:1");
  const char *path = assay_arena_format(project->arena, "%s/suite/more/z.cases", project->root);
  assert_int_equal(load_from(project, path, &cases, &err), ASSAY_OK);
  assert_string_equal(cases.items[0].origin, assay_arena_format(project->arena, "%s:1", path));
}

static void folders_are_looked_through_first(void **state) {
  scratch *project = *state;
  put(project, "suite/cases/a.cases", "linear m=1 k=1 n=1\n");
  put(project, "suite/cases/standard.suite", "a\n");
  put(project, "suite/more/a.cases", "linear m=2 k=1 n=1\nlinear m=3 k=1 n=1\n");
  put(project, "suite/more/mine.suite", "a\n");
  const char *more = assay_arena_format(project->arena, "%s/suite/more", project->root);
  const char *const folders[] = {more, NULL};
  const assay_suite_places places = {.root = project->root, .folders = folders};
  static const char *const names[] = {"a", "mine"};
  assay_error err;
  for (int i = 0; i < 2; i++) {
    assay_cases cases = {0};
    assert_int_equal(assay_suite_load_from(project->arena, &places, names[i], &cases, &err),
                     ASSAY_OK);
    assert_int_equal(cases.count, 2);
    assert_string_equal(cases.items[0].origin,
                        assay_arena_format(project->arena, "%s/a.cases:1", more));
    assert_true(cases.items[0].standard); // its list names the one that is found first
  }
  assay_cases cases = {0};
  assert_fails(assay_suite_load_from(project->arena, &places, "min", &cases, &err), ASSAY_MISSING,
               &err, "", "unknown suite 'min'; did you mean 'mine'?");
  const char *const nowhere[] = {"nowhere", NULL};
  const assay_suite_places lost = {.root = project->root, .folders = nowhere};
  assert_fails(assay_suite_load_from(project->arena, &lost, "a", &cases, &err), ASSAY_MISSING, &err,
               "nowhere", "no folder of case files is here");
}

static void what_cannot_be_loaded_is_reported(void **state) {
  scratch *project = *state;
  assay_cases cases;
  assay_error err;
  assert_fails(load_from(project, "smok", &cases, &err), ASSAY_MISSING, &err, "",
               "unknown suite 'smok'; there is none in suite/cases");
  put(project, "suite/cases/smoke.cases", "linear m=1 k=1 n=1\nlinear m=0 k=1 n=1\n");
  put(project, "suite/cases/some.suite", "smoke\n  smoky\n");
  put(project, "suite/cases/loop.suite", "loop\n");
  assert_fails(load_from(project, "smok", &cases, &err), ASSAY_MISSING, &err, "",
               "unknown suite 'smok'; did you mean 'smoke'?");
  assert_fails(load_from(project, "xyzzy", &cases, &err), ASSAY_MISSING, &err, "",
               "unknown suite 'xyzzy'; known: loop, some, smoke");
  static const char *const paths[] = {"", "faults/x", "smok.cases", "smok.suite"};
  for (int i = 0; i < 4; i++)
    assert_fails(
        load_from(project, paths[i], &cases, &err), ASSAY_MISSING, &err, "",
        assay_arena_format(project->arena, "suite '%s': no such file or folder", paths[i]));
  assert_fails(load_from(project, "faults", &cases, &err), ASSAY_UNSUPPORTED, &err, "",
               "the suite 'faults' comes with a later version of assay");
  assert_fails(load_from(project, "smoke", &cases, &err), ASSAY_INVALID, &err,
               "suite/cases/smoke.cases:2:10", "m=0: expected a whole number from 1 to 1048576");
  write_text(assay_arena_format(project->arena, "%s/suite/cases/smoke.cases", project->root),
             "linear m=1 k=1 n=1\n");
  assert_fails(load_from(project, "some", &cases, &err), ASSAY_INVALID, &err,
               "suite/cases/some.suite:2:3", "unknown suite 'smoky'; did you mean 'smoke'?");
  assert_fails(load_from(project, "loop", &cases, &err), ASSAY_INVALID, &err,
               "suite/cases/loop.suite:1:1", "suite lists are nested too deeply");
  assert_fails(load_from(project, "empty", &cases, &err), ASSAY_MISSING, &err, "suite/empty",
               "the folder holds no case file (*.cases)");
}

#define project_test(test) cmocka_unit_test_setup_teardown(test, make_project, remove_project)

int main(void) {
  const struct CMUnitTest tests[] = {
      arena_test(suites_have_their_sizes),
      arena_test(every_case_has_the_outcome_it_names),
      arena_test(keys_are_unique_and_select_their_case_alone),
      arena_test(every_pair_of_sizes_occurs),
      project_test(names_lists_paths_and_folders_are_found),
      project_test(folders_are_looked_through_first),
      project_test(what_cannot_be_loaded_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
