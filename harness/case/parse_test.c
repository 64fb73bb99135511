// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"
#include "harness/case/testing.h"

#define PLAIN " lhs=plain rhs=plain result=plain"

static assay_cases parse(assay_arena *arena, const char *text) {
  assay_cases cases = {0};
  assay_error err;
  assay_file file = file_of("a.cases", text);
  assay_code code = assay_cases_parse_file(arena, &file, &cases, &err);
  if (code != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  return cases;
}

static void check_line(assay_arena *arena, const char *text, const char *canonical) {
  assay_cases cases = parse(arena, text);
  assert_int_equal(cases.count, 1);
  assert_string_equal(cases.items[0].line, canonical);
}

static void defaults_and_order(void **state) {
  const char *canonical = "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32" PLAIN;
  check_line(*state, "matmul m=3 k=5 n=7", canonical);
  check_line(*state, "matmul n=7 k=5 m=3", canonical);
  check_line(*state, "\t matmul  m=3\tk=5 n=7 lhs=plain dtype=f32 \r\n", canonical);
  check_line(*state, "matmul m=003 k=5 n=7# comment", canonical);
  check_line(*state, "matmul m=3 k=5 n=7 dtype=i64",
             "matmul m=3 k=5 n=7 dtype=i64 rhs_dtype=i64" PLAIN);
  check_line(*state, "matmul rhs_dtype=f32 m=3 k=5 n=7 dtype=f64",
             "matmul m=3 k=5 n=7 dtype=f64 rhs_dtype=f32" PLAIN);
  check_line(*state, "linear m=1 k=1048576 n=1", "linear m=1 k=1048576 n=1 dtype=f32");
  check_line(*state, "reject_slice x=3x5 start=-1x0 stop=2147483647x0 step=1 rejects=\"no\"",
             "reject_slice x=3x5 start=-1x0 stop=2147483647x0 step=1");
}

// So that lines from before there was the key keep their names.
static void an_implied_default_is_left_out(void **state) {
  const char *canonical = "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32" PLAIN;
  check_line(*state, "matmul m=3 k=5 n=7 precision=exact", canonical);
  check_line(*state, "matmul precision=tf32 m=3 k=5 n=7",
             "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32" PLAIN " precision=tf32");
  assay_cases cases = parse(*state, "linear m=1 k=1 n=1 precision=exact,tf32,exact");
  assert_int_equal(cases.count, 2);
  assert_string_equal(cases.items[0].line, "linear m=1 k=1 n=1 dtype=f32");
  assert_int_equal(assay_params_precision(&cases.items[0].params), ASSAY_PRECISION_EXACT);
  assert_string_equal(cases.items[1].line, "linear m=1 k=1 n=1 dtype=f32 precision=tf32");
  assert_int_equal(assay_params_precision(&cases.items[1].params), ASSAY_PRECISION_TF32);
}

static void values_are_parsed(void **state) {
  assay_cases cases =
      parse(*state, "batch_matmul b=2 m=3 k=5 n=7 dtype=i32 rhs_dtype=f64 lhs=heads");
  const assay_params *params = &cases.items[0].params;
  assert_ptr_equal(cases.items[0].op, params->op);
  assert_string_equal(params->op->name, "batch_matmul");
  assert_int_equal(assay_params_size(params, "b"), 2);
  assert_int_equal(assay_params_dtype(params, "dtype"), ASSAY_I32);
  assert_int_equal(assay_params_dtype(params, "rhs_dtype"), ASSAY_F64);
  assert_string_equal(assay_params_choice(params, "lhs"), "heads");
  cases = parse(*state, "reject_reshape x=3x5 to=0x-15x2 rejects=\"no\"");
  assay_shape to = assay_params_dims(&cases.items[0].params, "to");
  assert_true(assay_shape_equal(&to, &assay_shape_make(3, 0, -15, 2)));
}

static void lists_multiply_with_the_last_key_fastest(void **state) {
  assay_cases cases = parse(*state, "linear m=1,2 k=3 n=4,5,6 dtype=f64,f32");
  const char *const expected[] = {"linear m=1 k=3 n=4 dtype=f64", "linear m=1 k=3 n=4 dtype=f32",
                                  "linear m=1 k=3 n=5 dtype=f64", "linear m=1 k=3 n=5 dtype=f32",
                                  "linear m=1 k=3 n=6 dtype=f64", "linear m=1 k=3 n=6 dtype=f32",
                                  "linear m=2 k=3 n=4 dtype=f64", "linear m=2 k=3 n=4 dtype=f32",
                                  "linear m=2 k=3 n=5 dtype=f64", "linear m=2 k=3 n=5 dtype=f32",
                                  "linear m=2 k=3 n=6 dtype=f64", "linear m=2 k=3 n=6 dtype=f32"};
  assert_int_equal(cases.count, 12);
  for (size_t i = 0; i < cases.count; i++)
    assert_string_equal(cases.items[i].line, expected[i]);
}

// "rhs_dtype" follows "dtype" in each case of a list.
static void a_default_follows_its_key_through_a_list(void **state) {
  assay_cases cases = parse(*state, "matmul m=1 k=1 n=1 dtype=f32,i64");
  assert_int_equal(cases.count, 2);
  assert_string_equal(cases.items[1].line, "matmul m=1 k=1 n=1 dtype=i64 rhs_dtype=i64" PLAIN);
}

static void annotations_and_places(void **state) {
  assay_cases cases = parse(*state, "# first\n"
                                    "\n"
                                    "linear m=1,2 k=1 n=1 xfail=\"a # \\\"b\\\" \\\\ c\" # why\r\n"
                                    "reject_add x=3 y=4 rejects=\"add: no\" xfail=\"later\"");
  assert_int_equal(cases.count, 3);
  assert_string_equal(cases.items[1].xfail, "a # \"b\" \\ c");
  assert_null(cases.items[1].rejects);
  assert_string_equal(cases.items[1].origin, "a.cases:3");
  assert_string_equal(cases.items[2].rejects, "add: no");
  assert_string_equal(cases.items[2].xfail, "later");
  assert_string_equal(cases.items[2].line, "reject_add x=3 y=4");
  assert_string_equal(cases.items[2].origin, "a.cases:4");
  assert_false(cases.items[2].standard);
}

static void the_first_of_equal_lines_is_kept(void **state) {
  assay_cases cases = parse(*state, "linear m=1,1 k=1 n=1 xfail=\"x\"\n"
                                    "linear n=1 k=1 m=1 xfail=\"x\"\nlinear n=1 k=1 m=2\n");
  assert_int_equal(cases.count, 2);
  assert_string_equal(cases.items[0].origin, "a.cases:1");
  assert_string_equal(cases.items[0].xfail, "x");
  assert_null(cases.items[1].xfail);
  assert_ptr_equal(assay_cases_find(&cases, "linear m=2 k=1 n=1 dtype=f32"), &cases.items[1]);
  assert_null(assay_cases_find(&cases, "linear m=2 k=1 n=1"));
  assert_null(assay_cases_find(&(assay_cases){0}, "linear m=2 k=1 n=1 dtype=f32"));
}

static void a_byte_order_mark_is_no_part_of_the_first_word(void **state) {
  assay_cases cases = parse(*state, "\xef\xbb\xbflinear m=1 k=1 n=1\n");
  assert_int_equal(cases.count, 1);
}

// Else one of the two would silently never be asserted.
static void equal_lines_that_expect_something_else_are_refused(void **state) {
  static const char *const lines[] = {
      "linear m=1 k=1 n=1\nlinear k=1 n=1,2 m=1 xfail=\"x\"",
      "reject_add x=3 y=4 rejects=\"a\"\nreject_add x=3 y=4 rejects=\"b\"",
  };
  static const char *const messages[] = {
      "the case 'linear m=1 k=1 n=1 dtype=f32' was given before, at a.cases:1, with other "
      "annotations",
      "the case 'reject_add x=3 y=4' was given before, at a.cases:1, with other annotations",
  };
  for (int i = 0; i < 2; i++) {
    assay_file file = {.path = "a.cases", .bytes = lines[i], .size = strlen(lines[i])};
    assay_cases cases = {0};
    assay_error err;
    assert_fails(assay_cases_parse_file(*state, &file, &cases, &err), ASSAY_INVALID, &err,
                 "a.cases:2:1", messages[i]);
  }
}

// What a case expects survives being printed and parsed, quotes and all.
static void annotations_are_printed_as_they_are_read(void **state) {
  const char *line = "reject_add x=3 y=4 rejects=\"a \\\"b\\\" \\\\ c\" xfail=\"why\"";
  assay_cases cases = parse(*state, line);
  assert_string_equal(cases.items[0].rejects, "a \"b\" \\ c");
  assert_string_equal(assay_case_annotated(*state, &cases.items[0]), line);
}

// Thousands of cases: the table grows, the numbers of items stay right.
static void large_lists_are_found_again(void **state) {
  assay_text text = {.arena = *state};
  assay_text_print(&text, "linear k=1,2,3 n=1,2,3 m=1");
  for (int m = 2; m <= 1000; m++)
    assay_text_print(&text, ",%d", m);
  assay_cases cases = parse(*state, assay_text_get(&text));
  assert_int_equal(cases.count, 9000);
  for (size_t i = 0; i < cases.count; i++)
    assert_ptr_equal(assay_cases_find(&cases, cases.items[i].line), &cases.items[i]);
}

typedef struct broken {
  const char *line;
  int column;
  const char *text;
} broken;

static const broken broken_lines[] = {
    {"matmull m=3", 1, "unknown op 'matmull'; did you mean 'matmul'?"},
    {"  fft n=3", 3, "unknown op 'fft'; 'assay list ops' names them"},
    {"matmul m=3 k=5 q=7", 16,
     "matmul has no key 'q'; known: m, k, n, dtype, rhs_dtype, lhs, rhs, result, precision"},
    {"matmul m=3 k=5 n=7 dtypes=f32", 20, "matmul has no key 'dtypes'; did you mean 'dtype'?"},
    {"matmul m=3 k=5 n=7 data=int", 20,
     "'data' belongs to a record's key, not to a case: choose it with --data"},
    {"matmul m=3 k=5 n=7 backend=blas", 20,
     "'backend' belongs to a record's key, not to a case: choose it with --backend"},
    {"matmul m=3 k=5", 1, "matmul needs the key 'n'"},
    {"matmul", 1, "matmul needs the key 'm'"},
    {"matmul m=3 k=5 m=3 n=7", 16, "key 'm' is given twice"},
    {"matmul m=3 k=5 7", 16, "expected KEY=VALUE, found '7'"},
    {"matmul m=3 k=5 =7", 16,
     "matmul has no key ''; known: m, k, n, dtype, rhs_dtype, lhs, rhs, result, precision"},
    {"matmul m= k=5 n=7", 10, "key 'm' has an empty value"},
    {"matmul m=3, k=5 n=7", 12, "key 'm' has an empty value"},
    {"matmul m=3,,5 k=5 n=7", 12, "key 'm' has an empty value"},
    {"matmul m=0 k=5 n=7", 10, "m=0: expected a whole number from 1 to 1048576"},
    {"matmul m=3 k=4,-5 n=7", 16, "k=-5: expected a whole number from 1 to 1048576"},
    {"matmul m=1048577 k=5 n=7", 10, "m=1048577: expected a whole number from 1 to 1048576"},
    {"matmul m=99999999999999999999 k=5 n=7", 10,
     "m=99999999999999999999: expected a whole number from 1 to 1048576"},
    {"matmul m=3x k=5 n=7", 10, "m=3x: expected a whole number from 1 to 1048576"},
    {"matmul m=3.0 k=5 n=7", 10, "m=3.0: expected a whole number from 1 to 1048576"},
    {"matmul m=+3 k=5 n=7", 10, "m=+3: expected a whole number from 1 to 1048576"},
    {"matmul m=\"3 4\" k=5 n=7", 10, "m=\"3 4\": expected a whole number from 1 to 1048576"},
    {"matmul m=3 k=5 n=7 dtype=f31", 26, "dtype=f31: no such value; did you mean 'f32'?"},
    {"matmul m=3 k=5 n=7 dtype=complex", 26,
     "dtype=complex: no such value; known: f64, f32, f16, i64, i32, bool"},
    {"softmax m=3 n=5 dtype=i32", 23, "dtype=i32: softmax is defined for f16, f32, f64 only"},
    {"layer_norm m=3 n=5 dtype=f32,bool", 30,
     "dtype=bool: layer_norm is defined for f16, f32, f64 only"},
    {"gelu m=3 n=5 dtype=i64", 20, "dtype=i64: gelu is defined for f16, f32, f64 only"},
    {"attention t=5 c=8 heads=2 dtype=i32", 33,
     "dtype=i32: attention is defined for f16, f32, f64 only"},
    {"attend t=5 c=8 heads=2 dtype=i64", 30, "dtype=i64: attend is defined for f16, f32, f64 only"},
    {"feedforward t=5 c=8 dtype=bool", 27,
     "dtype=bool: feedforward is defined for f16, f32, f64 only"},
    {"gpt2_block t=5 c=8 heads=2 dtype=bool", 34,
     "dtype=bool: gpt2_block is defined for f16, f32, f64 only"},
    {"softmax m=3 n=5 dtype=f31", 23, "dtype=f31: no such value; did you mean 'f32'?"},
    {"matmul m=3 k=5 n=7 lhs=slice", 24, "lhs=slice: no such value; did you mean 'sliced'?"},
    {"matmul m=3 k=5 n=7 lhs=heads", 24,
     "lhs=heads: no such value; known: plain, sliced, transposed, sliced_transposed, reshaped"},
    {"reject_add x=3xx5 y=1 rejects=\"no\"", 14,
     "x=3xx5: expected 1 to 8 whole numbers joined by 'x'"},
    {"reject_add x=3x y=1 rejects=\"no\"", 14, "x=3x: expected 1 to 8 whole numbers joined by 'x'"},
    {"reject_add x=- y=1 rejects=\"no\"", 14, "x=-: expected 1 to 8 whole numbers joined by 'x'"},
    {"reject_add x=2147483648 y=1 rejects=\"no\"", 14,
     "x=2147483648: expected 1 to 8 whole numbers joined by 'x'"},
    {"reject_add x=1x1x1x1x1x1x1x1x1 y=1 rejects=\"no\"", 14,
     "x=1x1x1x1x1x1x1x1x1: expected 1 to 8 whole numbers joined by 'x'"},
    {"linear m=1 k=1 n=1 xfail=later", 26,
     "'xfail' needs a text in double quotes, and nothing after it"},
    {"linear m=1 k=1 n=1 xfail=\"\"", 26,
     "'xfail' needs a text in double quotes, and nothing after it"},
    {"linear m=1 k=1 n=1 xfail=\"a\"b", 26,
     "'xfail' needs a text in double quotes, and nothing after it"},
    {"linear m=1 k=1 n=1 xfail=\"a\" xfail=\"b\"", 30, "'xfail' is given twice"},
    {"linear m=1 k=1 xfail=\"a\" n=1", 26,
     "'n=1' after an annotation: xfail=\"...\" and rejects=\"...\" end a line"},
    {"linear m=1 k=1 n=1 xfail=\"a", 26, "this quote is not closed"},
    {"linear m=1 k=1 n=1 xfail=\"a\\\"", 26, "this quote is not closed"},
    {"linear m=1 k=1 n=1 rejects=\"a\"", 1,
     "rejects=\"...\" is for ops whose programs are rejected; linear is none"},
    {"reject_add x=1 y=1", 1, "reject_add needs the message it is rejected with: rejects=\"...\""},
    {"linear m=1 k=1 n=\x01", 18, "unexpected byte 0x01"},
    {"linear m=1 k=1 \x7f", 16, "unexpected byte 0x7f"},
};

static void broken_lines_are_reported_where_they_break(void **state) {
  for (size_t i = 0; i < sizeof broken_lines / sizeof broken_lines[0]; i++) {
    const broken *expected = &broken_lines[i];
    assay_file file =
        file_of("dir/b.cases", assay_arena_format(*state, "# first\nlinear m=1 k=1 n=1\n%s\nlinear",
                                                  expected->line));
    assay_cases cases = {0};
    assay_error err;
    assay_code code = assay_cases_parse_file(*state, &file, &cases, &err);
    assert_fails(code, ASSAY_INVALID, &err,
                 assay_arena_format(*state, "dir/b.cases:3:%d", expected->column), expected->text);
    assert_int_equal(cases.count, 1);
  }
}

static void a_nul_byte_ends_nothing(void **state) {
  static const char text[] = "linear m=1 k=1\0 n=1";
  assay_file file = {.path = "a.cases", .bytes = text, .size = sizeof text - 1};
  assay_cases cases = {0};
  assay_error err;
  assert_fails(assay_cases_parse_file(*state, &file, &cases, &err), ASSAY_INVALID, &err,
               "a.cases:1:15", "unexpected byte 0x00");
}

static void a_line_stands_for_a_bounded_number_of_cases(void **state) {
  assay_text text = {.arena = *state};
  const char *const keys[] = {"linear m=1", " k=1", " n=1"};
  for (int key = 0; key < 3; key++) {
    assay_text_print(&text, "%s", keys[key]);
    for (int i = 2; i <= 47; i++) // 47^3 = 103823
      assay_text_print(&text, ",%d", i);
  }
  assay_cases cases = {0};
  assay_error err;
  assert_fails(assay_cases_parse_line(*state, "a.cases", 9, assay_text_get(&text), &cases, &err),
               ASSAY_INVALID, &err, "a.cases:9:1", "the line stands for more than 100000 cases");
  assert_int_equal(cases.count, 0);
}

static void lines_of_the_command_line(void **state) {
  assay_cases cases = {0};
  assay_error err;
  assert_int_equal(assay_cases_parse_line(*state, "--case", 0, "linear m=1 k=2 n=3", &cases, &err),
                   ASSAY_OK);
  assert_string_equal(cases.items[0].origin, "--case");
  assert_int_equal(assay_cases_parse_line(*state, "--case", 0, "reject_add x=3 y=4", &cases, &err),
                   ASSAY_OK);
  assert_null(cases.items[1].rejects);
  assert_fails(assay_cases_parse_line(*state, "--case", 0, "linear m=1 k=2 n=x", &cases, &err),
               ASSAY_INVALID, &err, "--case:1:18",
               "n=x: expected a whole number from 1 to 1048576");
  assert_fails(assay_cases_parse_line(*state, "--case", 0, " ", &cases, &err), ASSAY_INVALID, &err,
               "--case:1:1", "expected a case line such as 'matmul m=3 k=5 n=7', found none");
  assert_fails(assay_cases_parse_line(*state, "--case", 0, "# no", &cases, &err), ASSAY_INVALID,
               &err, "--case:1:1", "expected a case line such as 'matmul m=3 k=5 n=7', found none");
  assert_fails(
      assay_cases_parse_line(*state, "--case", 0, "linear m=1 k=1 n=1\nlinear", &cases, &err),
      ASSAY_INVALID, &err, "--case:1:19", "unexpected byte 0x0a");
  assert_int_equal(cases.count, 2);
}

// A canonical line is its own canonical line.
static void canonical_lines_parse_to_themselves(void **state) {
  assay_cases cases =
      parse(*state, "matmul m=1,7 k=2 n=1048576 dtype=f32,i64 rhs_dtype=f64,i32 lhs=plain,sliced\n"
                    "batch_matmul b=3 m=1 k=1 n=1 rhs=heads,reshaped result=sliced_transposed\n"
                    "linear m=1 k=2 n=3 dtype=f64,i32\n");
  assert_int_equal(cases.count, 2 * 2 * 2 * 2 + 2 + 2);
  for (size_t i = 0; i < cases.count; i++) {
    assay_cases again = {0};
    assay_error err;
    assert_int_equal(assay_cases_parse_line(*state, "--case", 0, cases.items[i].line, &again, &err),
                     ASSAY_OK);
    assert_int_equal(again.count, 1);
    assert_string_equal(again.items[0].line, cases.items[i].line);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      arena_test(defaults_and_order),
      arena_test(an_implied_default_is_left_out),
      arena_test(values_are_parsed),
      arena_test(lists_multiply_with_the_last_key_fastest),
      arena_test(a_default_follows_its_key_through_a_list),
      arena_test(annotations_and_places),
      arena_test(the_first_of_equal_lines_is_kept),
      arena_test(a_byte_order_mark_is_no_part_of_the_first_word),
      arena_test(equal_lines_that_expect_something_else_are_refused),
      arena_test(annotations_are_printed_as_they_are_read),
      arena_test(large_lists_are_found_again),
      arena_test(broken_lines_are_reported_where_they_break),
      arena_test(a_nul_byte_ends_nothing),
      arena_test(a_line_stands_for_a_bounded_number_of_cases),
      arena_test(lines_of_the_command_line),
      arena_test(canonical_lines_parse_to_themselves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
