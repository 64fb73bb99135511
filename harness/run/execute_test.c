// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs to be rejected, from their case to the language's message, all in this process and none
// in a child: in the build with sanitizers its end is where LeakSanitizer looks, and a child leaves
// by _exit, unseen.
#include "harness/run/execute.h"

#include "harness/case/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void rejected_programs_say_why(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_cases cases = {0};
  assay_error err;
  assert_int_equal(assay_suite_load(arena, ASSAY_SOURCE_DIR, "full", &cases, &err), ASSAY_OK);
  size_t rejected = 0;
  for (size_t i = 0; i < cases.count; i++) {
    if (!cases.items[i].op->rejected)
      continue;
    assay_job job = {.a_case = &cases.items[i]};
    assay_outcome outcome;
    assay_execute_build(&job, &outcome);
    if (outcome.verdict != ASSAY_PASS)
      fail_msg("%s: %s", cases.items[i].line, outcome.reason);
    rejected++;
  }
  assert_true(rejected >= 40);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rejected_programs_say_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
