// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every site of every kind in many modules, alone and by halves: nothing crashes, and most of what
// is cut is valid.
#include "compiler/bridge/cuts/cuts_testing.h"

#include <glob.h>

typedef struct tally {
  int applied, verified;
} tally;

static tally tallies[ASSAY_CUT_COUNT];

static void try_cut(MlirModule module, const char *name, const char *entry, assay_cut cut, int from,
                    int to) {
  MlirModule copy = copy_of(module);
  if (assay_cut_apply(copy, entry, cut, from, to)) {
    bool verified = verifies(copy);
    tallies[cut].applied++;
    tallies[cut].verified += verified ? 1 : 0;
    if (!verified && getenv("CUTS_VERBOSE") != NULL) {
      print_message("%s: %s %d %d is invalid\n", name, assay_cut_name(cut), from, to);
      (void)mlirOperationVerify(mlirModuleGetOperation(copy));
    }
    free(text_of(copy));
    (void)assay_module_size(copy);
  }
  mlirModuleDestroy(copy);
}

// Single sites of a kind in a module. Sanitizers make each take many times as long.
#ifdef __SANITIZE_ADDRESS__
enum { TRIES = 1, LEAST = 1 };
#else
enum { TRIES = 10, LEAST = 60 };
#endif

static void try_all(MlirModule module, const char *name, const char *entry) {
  for (int i = 0; i < ASSAY_CUT_COUNT; i++) {
    assay_cut cut = (assay_cut)i;
    int count = assay_cut_count(module, entry, cut);
    int step = count > TRIES ? count / TRIES : 1;
    for (int site = 0; site < count; site += step)
      try_cut(module, name, entry, cut, site, site + 1);
    for (int size = (count + 1) / 2; size > count / TRIES + 1 && !assay_cut_is_positional(cut);
         size = (size + 1) / 2)
      for (int from = 0; from < count; from += size)
        try_cut(module, name, entry, cut, from, from + size);
  }
  MlirModule copy = copy_of(module);
  (void)assay_cut_clean(copy, entry);
  if (!verifies(copy))
    fail_msg("%s: invalid once it is clean", name);
  mlirModuleDestroy(copy);
}

// The first of these that the text defines; NULL where it has none.
static const char *entry_of(const char *text) {
  static const char *const names[] = {"main", "entry", "f", "test", "kernel"};
  char symbol[32];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    (void)snprintf(symbol, sizeof symbol, "@%s(", names[i]);
    if (strstr(text, symbol) != NULL)
      return names[i];
  }
  return NULL;
}

static void faults_are_cut_everywhere(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(ASSAY_SOURCE_DIR "/suite/faults/*.mlir", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    MlirModule module = parse_file(found.gl_pathv[i]);
    char *text = text_of(module);
    try_all(module, found.gl_pathv[i], entry_of(text));
    try_all(module, found.gl_pathv[i], NULL);
    free(text);
    mlirModuleDestroy(module);
  }
  globfree(&found);
}

static void lowered_programs_are_cut_everywhere(void **state) {
  (void)state;
  static const char *const stages[] = {
      "one-shot-bufferize{bufferize-function-boundaries=true "
      "function-boundary-type-conversion=identity-layout-map}",
      "convert-linalg-to-affine-loops", "lower-affine", "convert-scf-to-cf",
      "expand-strided-metadata,lower-affine,convert-math-to-libm,convert-math-to-llvm,"
      "finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
      "reconcile-unrealized-casts"};
  MlirModule module = parse_file(CUTS_BLOCK);
  try_all(module, "tensors", "main");
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
    run_passes(module, stages[i]);
    try_all(module, stages[i], "main");
  }
  mlirModuleDestroy(module);
}

// Of what each kind has cut so far: LEAST per cent.
static void most_cuts_are_valid(void **state) {
  (void)state;
  for (int i = 0; i < ASSAY_CUT_COUNT; i++)
    print_message("%-14s %5d of %5d are valid\n", assay_cut_name((assay_cut)i), tallies[i].verified,
                  tallies[i].applied);
  for (int i = 0; i < ASSAY_CUT_COUNT; i++)
    assert_true(tallies[i].applied > 0 && tallies[i].verified * 100 >= tallies[i].applied * LEAST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_are_cut_everywhere),
      cmocka_unit_test(lowered_programs_are_cut_everywhere),
      cmocka_unit_test(most_cuts_are_valid),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
