// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a transformer reduced to what a question asks for, in few tries.
#include "compiler/bridge/cuts/cuts_testing.h"

typedef struct search {
  MlirModule module; // the smallest that answers so far
  bool (*answers)(MlirOperation module);
  int tries; // valid modules that were asked
} search;

static bool try_cut(search *at, assay_cut cut, int from, int to) {
  MlirModule copy = copy_of(at->module);
  bool taken = false;
  if (assay_cut_apply(copy, "main", cut, from, to) && verifies(copy)) {
    at->tries++;
    taken = at->answers(mlirModuleGetOperation(copy));
  }
  if (!taken) {
    mlirModuleDestroy(copy);
    return false;
  }
  mlirModuleDestroy(at->module);
  at->module = copy;
  return true;
}

static void bisect(search *at, assay_cut cut) {
  int from = 0, to = assay_cut_count(at->module, "main", cut);
  MlirModule whole = copy_of(at->module);
  int best = -1;
  while (from < to) {
    int middle = (from + to) / 2;
    mlirModuleDestroy(at->module);
    at->module = copy_of(whole);
    bool taken = try_cut(at, cut, middle, middle + 1);
    best = taken ? middle : best;
    if (taken == (cut == ASSAY_CUT_AFTER))
      to = middle;
    else
      from = middle + 1;
  }
  mlirModuleDestroy(at->module);
  at->module = whole;
  if (best >= 0 && try_cut(at, cut, best, best + 1))
    at->tries--; // asked before
}

static void cut_by_halves(search *at, assay_cut cut) {
  int size = assay_cut_count(at->module, "main", cut);
  for (; size > 0; size /= 2)
    for (int from = 0; from < assay_cut_count(at->module, "main", cut);)
      if (!try_cut(at, cut, from, from + size))
        from += size;
}

static void reduce(search *at) {
  for (int before = INT32_MAX; assay_module_size(at->module) < before;) {
    before = assay_module_size(at->module);
    bisect(at, ASSAY_CUT_AFTER);
    bisect(at, ASSAY_CUT_BEFORE);
    cut_by_halves(at, ASSAY_CUT_RESULTS);
    cut_by_halves(at, ASSAY_CUT_OPERATIONS);
    cut_by_halves(at, ASSAY_CUT_TO_ARGUMENTS);
    cut_by_halves(at, ASSAY_CUT_REGIONS);
  }
}

// ---- questions

typedef struct count {
  const char *name;
  int found;
} count;

static MlirWalkResult count_one(MlirOperation op, void *data) {
  count *to = data;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  to->found += strncmp(name.data, to->name, name.length) == 0 ? 1 : 0;
  return MlirWalkResultAdvance;
}

static int count_of(MlirOperation op, const char *name) {
  count counted = {name, 0};
  mlirOperationWalk(op, count_one, &counted, MlirWalkPreOrder);
  return counted.found;
}

static MlirWalkResult find_division(MlirOperation op, void *data) {
  bool *found = data;
  intptr_t operands = count_of(op, "arith.divf") > 0 ? mlirOperationGetNumOperands(op) : 0;
  for (intptr_t i = 0; i < operands; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(operand) && count_of(mlirOpResultGetOwner(operand), "math.exp") > 0)
      *found = true;
  }
  return MlirWalkResultAdvance;
}

static bool divides_an_exponential(MlirOperation module) {
  bool found = false;
  mlirOperationWalk(module, find_division, &found, MlirWalkPreOrder);
  return found;
}

static MlirWalkResult find_loop(MlirOperation op, void *data) {
  bool *found = data;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (strncmp(name.data, "affine.for", name.length) == 0 && count_of(op, "affine.store") >= 1 &&
      count_of(op, "math.tanh") >= 1)
    *found = true;
  return MlirWalkResultAdvance;
}

static bool stores_a_tanh_in_a_loop(MlirOperation module) {
  bool found = false;
  mlirOperationWalk(module, find_loop, &found, MlirWalkPreOrder);
  return found;
}

// ---- tests

static void expect_reduced(MlirModule module, bool (*answers)(MlirOperation module), int most_ops,
                           int most_tries) {
  search found = {module, answers, 0};
  assert_true(answers(mlirModuleGetOperation(module)));
  int before = assay_module_size(module);
  reduce(&found);
  char *text = text_of(found.module);
  int size = assay_module_size(found.module);
  print_message("%d operations of %d after %d tries\n", size, before, found.tries);
  if (size > most_ops || found.tries > most_tries)
    fail_msg("more than %d operations or %d tries:\n%s", most_ops, most_tries, text);
  free(text);
  mlirModuleDestroy(found.module);
}

static void a_block_on_tensors_is_reduced(void **state) {
  (void)state;
  expect_reduced(parse_file(CUTS_BLOCK), divides_an_exponential, 5, 100);
}

static void a_block_of_loops_is_reduced(void **state) {
  (void)state;
  MlirModule module = parse_file(CUTS_BLOCK);
  run_passes(module, "one-shot-bufferize{bufferize-function-boundaries=true "
                     "function-boundary-type-conversion=identity-layout-map},"
                     "convert-linalg-to-affine-loops");
  expect_reduced(module, stores_a_tanh_in_a_loop, 5, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_on_tensors_is_reduced),
      cmocka_unit_test(a_block_of_loops_is_reduced),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
