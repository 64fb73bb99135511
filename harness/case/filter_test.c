// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/suite.h"
#include "harness/case/testing.h"

#define LINE "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=sliced"

static bool selects_by(const char *const patterns[], size_t count, const char *data,
                       const char *backend) {
  assay_filter filter = {.patterns = patterns, .count = count};
  return assay_filter_selects(&filter, LINE, data, backend);
}

// The record LINE data=int backend=loop.
static bool selects(const char *pattern) {
  return selects_by(&pattern, 1, "int", "loop");
}

// Some record of LINE.
static bool selects_case(const char *pattern) {
  return selects_by(&pattern, 1, NULL, NULL);
}

static void no_pattern_selects_everything(void **state) {
  (void)state;
  assert_true(selects_by(NULL, 0, "int", "loop"));
  assert_true(selects_by(NULL, 0, NULL, NULL));
  assert_false(selects(""));
  assert_false(selects_case(""));
  assert_false(selects(" "));
}

static void prefixes_are_whole_tokens(void **state) {
  (void)state;
  assert_true(selects("matmul"));
  assert_true(selects("matmul m=3"));
  assert_true(selects(" matmul  m=3\tk=5 "));
  assert_true(selects(LINE));
  assert_true(selects(LINE " data=int"));
  assert_true(selects(LINE " data=int backend=loop"));
  assert_false(selects("mat"));
  assert_false(selects("matmul m=3 k=5 n=77"));
  assert_false(selects("batch_matmul"));
  assert_false(selects(LINE " data=real"));
  assert_false(selects(LINE " data=int backend=blas"));
  assert_false(selects(LINE " data=int backend=loop more=1"));
}

static void lines_mean_their_canonical_form(void **state) {
  (void)state;
  assert_true(selects("matmul n=7 k=5 m=3 result=sliced"));
  assert_true(selects("matmul result=sliced m=3 k=5 n=7 rhs_dtype=f32"));
  assert_true(selects("matmul n=7 k=5 m=3 result=sliced data=int"));
  assert_true(selects("matmul n=7 k=5 m=3 backend=loop result=sliced data=int"));
  assert_true(selects("matmul n=7 k=5 m=1,3 result=plain,sliced"));
  assert_true(selects("matmul n=7 k=5 m=3 result=sliced backend=blas,loop"));
  assert_false(selects("matmul n=7 k=5 m=3"));                      // result=plain
  assert_false(selects("matmul n=7 k=5 result=sliced"));            // m is missing
  assert_false(selects("matmul n=7 k=5 m=3 result=sliced rows=1")); // no such key
  assert_false(selects("matmul n=7 k=5 m=3 m=3 result=sliced"));    // given twice
  assert_false(selects("matmul n=7 k=5 m=3 result=sliced dtype=f64"));
  assert_false(selects("matmul n=7 k=5 m=3 result=sliced data=real"));
  assert_false(selects("linear n=7 k=5 m=3 result=sliced"));
  assert_false(selects("no_op n=7 k=5 m=3"));
}

// A whole line selects its own case, not the one that says more.
static void an_implied_default_is_meant_by_its_absence(void **state) {
  (void)state;
  const char *const plain = LINE, *const rough = LINE " precision=tf32";
  static const struct {
    const char *pattern;
    bool plain, rough;
  } rows[] = {
      {LINE, true, false},
      {LINE " data=int", true, false},
      {LINE " precision=tf32", false, true},
      {LINE " precision=tf32 data=int backend=loop", false, true},
      {LINE " precision=exact", true, false},
      {"matmul n=7 k=5 m=3 result=sliced", true, false},
      {"matmul n=7 k=5 m=3 result=sliced precision=tf32", false, true},
      {"matmul n=7 k=5 m=3 result=sliced precision=exact,tf32", true, true},
      {"matmul m=3 k=5", true, true},
      {"matmul", true, true},
      {"*precision=tf32*", false, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assay_filter filter = {.patterns = &rows[i].pattern, .count = 1};
    assert_int_equal(assay_filter_selects(&filter, plain, "int", "loop"), rows[i].plain);
    assert_int_equal(assay_filter_selects(&filter, rough, "int", "loop"), rows[i].rough);
  }
}

// A default that is another key's value.
static void a_default_follows_its_key(void **state) {
  (void)state;
  const char *line = "matmul m=1 k=1 n=1 dtype=f64 rhs_dtype=f64 lhs=plain rhs=plain result=plain";
  const char *mixed = "matmul m=1 k=1 n=1 dtype=f64 rhs_dtype=f32 lhs=plain rhs=plain result=plain";
  const char *pattern = "matmul n=1 k=1 m=1 dtype=f64";
  assay_filter filter = {.patterns = &pattern, .count = 1};
  assert_true(assay_filter_selects(&filter, line, "int", "loop"));
  assert_false(assay_filter_selects(&filter, mixed, "int", "loop"));
}

static void globs_match_lines_and_keys(void **state) {
  (void)state;
  assert_true(selects("*result=sliced*"));
  assert_true(selects("*result=sliced")); // the line
  assert_true(selects("matmul m=[1-4] *"));
  assert_true(selects("*backend=loop"));
  assert_true(selects("matmul m=? *data=int*"));
  assert_false(selects("*result=plain*"));
  assert_false(selects("matmul m=[4-9] *"));
  assert_false(selects("*backend=blas"));
  assert_false(selects("m=3*"));
}

static void exclusions(void **state) {
  (void)state;
  assert_false(selects("!matmul"));
  assert_true(selects("!linear"));
  assert_false(selects("!*backend=loop"));
  assert_true(selects("!*backend=blas"));
  assert_true(selects_by((const char *[]){"linear", "matmul m=3", "!*n=8 *"}, 3, "int", "loop"));
  assert_false(selects_by((const char *[]){"linear", "matmul m=3", "!*n=7 *"}, 3, "int", "loop"));
  assert_false(selects_by((const char *[]){"!linear", "batch_matmul"}, 2, "int", "loop"));
}

// A case line is selected where some record of it is.
static void case_lines_are_selected_by_their_records(void **state) {
  (void)state;
  assert_true(selects_case("matmul m=3 k=5"));
  assert_true(selects_case(LINE));
  assert_true(selects_case(LINE " data=real backend=blas"));
  assert_true(selects_case("matmul n=7 k=5 m=3 result=sliced data=real"));
  assert_true(selects_case("*backend=blas"));
  assert_true(selects_case("matmul m=[1-4] * data=int"));
  assert_true(selects_case("*sliced"));
  assert_false(selects_case("linear data=int"));
  assert_false(selects_case("matmul m=4*data=int"));
  assert_false(selects_case("data=int"));
  assert_false(selects_case("!matmul m=3"));
  assert_true(selects_case("!matmul m=3 data=int"));
  assert_true(selects_case("!*backend=blas"));
}

static void a_misspelt_op_is_explained(void **state) {
  static const char *const faults[][2] = {
      {"matmull m=3", "unknown op 'matmull'; did you mean 'matmul'?"},
      {"!linaer", "unknown op 'linaer'; did you mean 'linear'?"},
      {"convolution", "unknown op 'convolution'; 'assay list ops' names them"},
      {"linear m=3 kk=1", "linear has no key 'kk'; did you mean 'k'?"},
      {"linear m=3 5", "linear has no key '5'; known: m, k, n, dtype, precision, data, backend"},
      {"linear dtype=f32 m=3",
       "a prefix has the keys in order, 'linear m k n dtype precision'; in another "
       "order all of m k n are needed"},
      {"", "it is empty"},
      {"!", "it is empty"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    assert_string_equal(assay_filter_explain(*state, faults[i][0]), faults[i][1]);
  static const char *const fine[] = {"linear m=9999",
                                     "mat*",
                                     "linear",
                                     "!linear m=3 k=5",
                                     "linear n=1 k=2 m=3 backend=loop",
                                     "linear m=1 k=1 n=1 dtype=f32 data=int"};
  for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++)
    assert_null(assay_filter_explain(*state, fine[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pattern_selects_everything),
      cmocka_unit_test(prefixes_are_whole_tokens),
      cmocka_unit_test(lines_mean_their_canonical_form),
      cmocka_unit_test(an_implied_default_is_meant_by_its_absence),
      cmocka_unit_test(a_default_follows_its_key),
      cmocka_unit_test(globs_match_lines_and_keys),
      cmocka_unit_test(exclusions),
      cmocka_unit_test(case_lines_are_selected_by_their_records),
      arena_test(a_misspelt_op_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
