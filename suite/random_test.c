// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/random.h"

#include "compiler/language/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { PROGRAMS = 1000 };

static const assay_program *build(assay_arena *arena, uint64_t seed, int number) {
  assay_graph *graph = assay_graph_create(arena);
  assay_value results[ASSAY_MAX_RESULTS];
  int count = assay_random_build(seed, number, graph, results);
  assert_in_range(count, 1, ASSAY_MAX_RESULTS);
  const assay_program *program;
  assay_error err;
  if (assay_graph_finish(graph, count, results, &program, &err) != ASSAY_OK)
    fail_msg("seed %d, program %d: %s", (int)seed, number, err.text);
  return program;
}

static bool holds(const assay_program *program, const char *operation) {
  for (int i = 0; i < program->node_count; i++)
    if (strcmp(program->nodes[i].operation->name, operation) == 0)
      return true;
  return false;
}

// Nodes but for inputs and constants.
static int count_operations(const assay_program *program) {
  int count = 0;
  for (int i = 0; i < program->node_count; i++)
    count += strcmp(program->nodes[i].operation->name, "input") != 0 &&
             strcmp(program->nodes[i].operation->name, "constant") != 0;
  return count;
}

static void programs_are_valid_and_small(void **state) {
  (void)state;
  int typical = 0;
  for (int n = 1; n <= PROGRAMS; n++) {
    assay_arena *arena = assay_arena_create();
    const assay_program *program = build(arena, (uint64_t)(n % 7), n);
    int count = count_operations(program);
    assert_in_range(count, 0, 120);
    typical += count >= 5 && count <= 60;
    for (int i = 0; i < program->node_count; i++)
      assert_true(assay_shape_count(&program->nodes[i].shape) <= 1 << 16);
    assay_arena_destroy(arena);
  }
  assert_true(typical > PROGRAMS * 8 / 10);
}

static void programs_have_everything_in_them(void **state) {
  (void)state;
  static const char *const operations[] = {
      "add",     "subtract",  "multiply", "divide",      "power",  "minimum",      "maximum",
      "where",   "negative",  "absolute", "exp",         "log",    "tanh",         "sqrt",
      "erf",     "sum",       "max",      "causal_mask", "matmul", "batch_matmul", "slice",
      "reshape", "transpose", "cast",     "less",        "equal"};
  enum { OPERATIONS = sizeof operations / sizeof operations[0] };
  int found[OPERATIONS] = {0}, dtypes[ASSAY_DTYPE_COUNT] = {0};
  for (int n = 1; n <= PROGRAMS; n++) {
    assay_arena *arena = assay_arena_create();
    const assay_program *program = build(arena, 1, n);
    for (int i = 0; i < OPERATIONS; i++)
      found[i] += holds(program, operations[i]);
    dtypes[program->nodes[program->results[0]].dtype]++;
    assay_arena_destroy(arena);
  }
  for (int i = 0; i < OPERATIONS; i++)
    if (found[i] < PROGRAMS / 100)
      fail_msg("%s stands in %d programs", operations[i], found[i]);
  for (int i = 0; i < ASSAY_DTYPE_COUNT; i++)
    if (dtypes[i] < PROGRAMS / 100)
      fail_msg("%s is the result of %d programs", assay_dtype_get(i)->name, dtypes[i]);
}

static void a_seed_and_a_number_are_a_program(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  uint64_t first = assay_program_fingerprint(build(arena, 5, 12));
  assert_true(first == assay_program_fingerprint(build(arena, 5, 12)));
  assert_true(first != assay_program_fingerprint(build(arena, 5, 13)));
  assert_true(first != assay_program_fingerprint(build(arena, 6, 12)));
  assert_string_equal(assay_random_line(arena, 5, 12), "random seed=5 n=12");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_are_valid_and_small),
      cmocka_unit_test(programs_have_everything_in_them),
      cmocka_unit_test(a_seed_and_a_number_are_a_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
