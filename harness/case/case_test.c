// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/testing.h"

static const assay_case *parse(assay_arena *arena, const char *line) {
  assay_cases *cases = assay_arena_take(arena, 1, sizeof *cases);
  assay_error err;
  assert_int_equal(assay_cases_parse_line(arena, "x.cases", 4, line, cases, &err), ASSAY_OK);
  return &cases->items[0];
}

static void a_program_is_built(void **state) {
  const assay_program *program = NULL;
  assay_error err;
  const assay_case *a_case = parse(*state, "linear m=3 k=5 n=7");
  assert_int_equal(assay_case_build(*state, a_case, &program, &err), ASSAY_OK);
  assert_int_equal(program->input_count, 3);
  assert_int_equal(program->result_count, 1);
}

static void violations_carry_the_languages_message_and_the_origin(void **state) {
  const assay_program *program;
  assay_error err;
  const assay_case *a_case = parse(*state, "reject_reshape x=3x5 to=4x4 rejects=\"no\"");
  assert_fails(
      assay_case_build(*state, a_case, &program, &err), ASSAY_INVALID, &err, "x.cases:4",
      "reshape: 3x5xf32 to 4x4: the count of elements must stay the same, found 15 and 16");
}

static void programs_beyond_memory_are_rejected(void **state) {
  const assay_program *program;
  assay_error err;
  const assay_case *large = parse(*state, "matmul m=32768 k=1 n=32767");
  assert_fails(assay_case_build(*state, large, &program, &err), ASSAY_INVALID, &err, "x.cases:4",
               "matmul m=32768 k=1 n=32767 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain "
               "result=plain: arguments and results have 1073774591 elements; at most 1073741824");
  // Below the limit by as little: 32768 * 32766 + 32768 + 32766 = 2^30 - 2.
  const assay_case *largest = parse(*state, "matmul m=32768 k=1 n=32766");
  assert_int_equal(assay_case_build(*state, largest, &program, &err), ASSAY_OK);
  const assay_case *huge = parse(*state, "matmul m=1048576 k=1048576 n=1");
  assert_fails(assay_case_build(*state, huge, &program, &err), ASSAY_INVALID, &err, "x.cases:4",
               "input: lhs of 1048576x1048576xf32: the count of elements must be below 2^40");
}

static void keys_name_data_and_backend(void **state) {
  const assay_case *a_case = parse(*state, "linear n=7 m=3 k=5");
  assert_string_equal(assay_case_key(*state, a_case, "int", "blas"),
                      "linear m=3 k=5 n=7 dtype=f32 data=int backend=blas");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      arena_test(a_program_is_built),
      arena_test(violations_carry_the_languages_message_and_the_origin),
      arena_test(programs_beyond_memory_are_rejected),
      arena_test(keys_name_data_and_backend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
