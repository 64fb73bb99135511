// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const assay_opened loop, blas;

static const assay_case *parse(assay_arena *arena, const char *line) {
  assay_cases cases = {0};
  assay_error err;
  assert_int_equal(assay_cases_parse_line(arena, "--case", 0, line, &cases, &err), ASSAY_OK);
  assert_int_equal(cases.count, 1);
  return &cases.items[0];
}

static void check_group(const assay_group *group, size_t count, const size_t jobs[]) {
  assert_int_equal(group->count, count);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(group->jobs[i], jobs[i]);
}

static void groups_equal_programs_on_one_backend(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_case *square = parse(arena, "matmul m=3 k=3 n=3");
  const assay_case *wide = parse(arena, "matmul m=3 k=3 n=5");
  const assay_case *again = parse(arena, "matmul m=3 k=3 n=3 dtype=f32");
  const assay_case *rejected = parse(arena, "reject_matmul x=3x5 y=4x7");
  const assay_job jobs[] = {
      {.a_case = wide, .opened = &loop, .data = "int"},    // 0
      {.a_case = square, .opened = &loop, .data = "int"},  // 1
      {.a_case = square, .opened = &blas, .data = "int"},  // 2
      {.a_case = rejected},                                // 3
      {.a_case = square, .opened = &loop, .data = "real"}, // 4
      {.a_case = rejected},                                // 5
      {.a_case = again, .opened = &loop, .data = "int"},   // 6: as 1 and 4
      {.a_case = wide, .opened = &loop, .data = "real"},   // 7: as 0
  };
  const assay_plan *plan = assay_plan_make(arena, jobs, sizeof jobs / sizeof jobs[0]);
  assert_int_equal(plan->count, 5);
  check_group(&plan->groups[0], 2, (const size_t[]){0, 7});
  check_group(&plan->groups[1], 3, (const size_t[]){1, 4, 6});
  check_group(&plan->groups[2], 1, (const size_t[]){2});
  check_group(&plan->groups[3], 1, (const size_t[]){3});
  check_group(&plan->groups[4], 1, (const size_t[]){5});
  assert_non_null(plan->groups[1].program);
  assert_null(plan->groups[3].program);
  assay_arena_destroy(arena);
}

static void plans_nothing(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_int_equal(assay_plan_make(arena, NULL, 0)->count, 0);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_equal_programs_on_one_backend),
      cmocka_unit_test(plans_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
