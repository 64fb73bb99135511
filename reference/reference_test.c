// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/reference.h"

#include "reference/npy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define LINE "matmul m=1 k=5 n=2 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"
#define FILTER "; make it with: assay references update --case '" LINE "'"
#define FLOATING                                                                                   \
  "[('data', '|u1'), ('result', '|u1'), ('part', '|u1'), ('index', '<u4'), ('expected', '<f8'), "  \
  "('scale', '<f8')]"

static const assay_reference_need need = {.line = LINE, .op = "matmul", .result_count = 1};

// A project's root with nothing in it but the store's folder of the op.
typedef struct fixture {
  assay_arena *arena;
  char root[64];
  const char *path; // of the case's table
} fixture;

static int set_up(void **state) {
  static fixture made;
  made.arena = assay_arena_create();
  strcpy(made.root, "reference_test-XXXXXX");
  if (mkdtemp(made.root) == NULL)
    return -1;
  made.path = assay_arena_format(made.arena, "%s/%s", made.root,
                                 assay_reference_path(made.arena, need.op, need.line));
  *state = &made;
  static const char *const folders[] = {"reference", "reference/store", "reference/store/matmul"};
  for (int i = 0; i < 3; i++)
    if (mkdir(assay_arena_format(made.arena, "%s/%s", made.root, folders[i]), 0777) != 0)
      return -1;
  return 0;
}

static int tear_down(void **state) {
  fixture *use = *state;
  unlink(use->path);
  static const char *const folders[] = {"/reference/store/matmul", "/reference/store", "/reference",
                                        ""};
  int failed = 0;
  for (int i = 0; i < 4; i++)
    failed |= rmdir(assay_arena_format(use->arena, "%s%s", use->root, folders[i]));
  assay_arena_destroy(use->arena);
  return failed;
}

// One row of a table of floats.
typedef struct row {
  unsigned char data, result, part;
  uint32_t index;
  double expected, scale;
} row;

// f32 1x2 on both data sets.
enum { GOOD = 10, REAL = 5 };
static const row good[GOOD] = {
    {0, 0, 0, 0, 7, 0}, {0, 0, 0, 1, -3, 0},        {0, 0, 3, 0, 4, 0},        {0, 0, 3, 1, 1, 0},
    {0, 0, 3, 2, 2, 0}, {1, 0, 0, 0, 0.25, 1e-300}, {1, 0, 0, 1, 0.75, 0.125}, {1, 0, 3, 0, 4, 0},
    {1, 0, 3, 1, 1, 0}, {1, 0, 3, 2, 2, 0}};

static FILE *create(const char *path) {
  FILE *stream = fopen(path, "wb");
  if (stream == NULL)
    abort();
  return stream;
}

static void write_rows(const fixture *use, const row rows[], size_t count) {
  enum { SIZE = 23, ROWS = 544 };
  unsigned char bytes[SIZE * ROWS];
  assert_true(count <= ROWS);
  for (size_t i = 0; i < count; i++) {
    unsigned char *at = bytes + SIZE * i;
    memcpy(at, (unsigned char[]){rows[i].data, rows[i].result, rows[i].part}, 3);
    memcpy(at + 3, &rows[i].index, 4);
    memcpy(at + 7, &rows[i].expected, 8);
    memcpy(at + 15, &rows[i].scale, 8);
  }
  // The writer quotes plain dtypes only, so a structured header is spelled out here.
  char header[256] = "\x93NUMPY\x01";
  int length =
      snprintf(header + 10, sizeof header - 10,
               "{'descr': " FLOATING ", 'fortran_order': False, 'shape': (%zu,)}\n", count);
  header[8] = (char)length;
  FILE *stream = create(use->path);
  assert_int_equal(fwrite(header, 1, 10 + (size_t)length, stream), 10 + length);
  assert_int_equal(fwrite(bytes, 1, SIZE * count, stream), SIZE * count);
  assert_int_equal(fclose(stream), 0);
}

static void write_text(const fixture *use, const char *text, size_t size) {
  FILE *stream = create(use->path);
  assert_int_equal(fwrite(text, 1, size, stream), size);
  assert_int_equal(fclose(stream), 0);
}

// Loading must fail with this code and text, the remedy behind it.
static void expect_refusal(const fixture *use, const assay_reference_need *wanted, assay_code code,
                           const char *text) {
  const assay_reference *reference;
  assay_error err;
  assert_int_equal(assay_reference_load(use->arena, use->root, wanted, &reference, &err), code);
  assert_string_equal(err.where, use->path);
  assert_string_equal(err.text, text);
}

static void the_path_is_that_of_the_oracle(void **state) {
  fixture *use = *state;
  assert_string_equal(
      assay_reference_path(use->arena, "matmul",
                           "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain "
                           "result=plain"),
      "reference/store/matmul/m3-k5-n7-f32-996d43286942186b.npy");
  assert_string_equal(
      assay_reference_path(use->arena, "batch_matmul",
                           "batch_matmul b=2 m=3 k=5 n=7 dtype=i32 rhs_dtype=f64 lhs=sliced "
                           "rhs=sliced result=heads"),
      "reference/store/batch_matmul/b2-m3-k5-n7-i32-f64-sliced-heads-0518cd464ff84b06.npy");
}

static void a_stored_table_is_read(void **state) {
  fixture *use = *state;
  const assay_reference *reference;
  assay_expected expected;
  assay_error err;
  write_rows(use, good, GOOD);
  assert_int_equal(assay_reference_load(use->arena, use->root, &need, &reference, &err), ASSAY_OK);
  assert_int_equal(assay_reference_get(reference, "real", 0, &expected, &err), ASSAY_OK);
  assert_string_equal(expected.type.dtype, "f32");
  assert_int_equal(expected.type.rank, 2);
  assert_true(expected.type.dim[0] == 1 && expected.type.dim[1] == 2);
  assert_true(expected.rows[0].scale == 1e-300);
  assert_false(expected.whole);
  assert_false(expected.sampled);
  assert_int_equal(expected.count, 2);
  assert_int_equal(expected.rows[1].part, ASSAY_PART_ELEMENT);
  assert_int_equal(expected.rows[1].index, 1);
  assert_true(expected.rows[1].want == 0.75 && expected.rows[1].scale == 0.125);
  assert_int_equal(assay_reference_get(reference, "int", 0, &expected, &err), ASSAY_OK);
  assert_true(expected.rows[0].want == 7 && expected.rows[0].scale == 0);
}

static void what_the_table_lacks_is_missing(void **state) {
  fixture *use = *state;
  const assay_reference *reference;
  assay_expected expected;
  assay_error err;
  write_rows(use, good, REAL);
  expect_refusal(use, &need, ASSAY_INVALID, "nothing of result 0 on data set real" FILTER);
  write_rows(use, good, GOOD);
  assert_int_equal(assay_reference_load(use->arena, use->root, &need, &reference, &err), ASSAY_OK);
  assert_int_equal(assay_reference_get(reference, "swamp", 0, &expected, &err), ASSAY_MISSING);
  assert_string_equal(err.where, use->path);
  assert_string_equal(err.text, "no expected values of result 0 on data set swamp" FILTER);
  assert_int_equal(assay_reference_get(reference, "int", 1, &expected, &err), ASSAY_MISSING);
}

static void files_that_are_no_table_are_refused(void **state) {
  fixture *use = *state;
  assay_error err;
  expect_refusal(use, &need, ASSAY_MISSING, "cannot open: No such file or directory" FILTER);
  write_text(use, "hello\n", 6);
  expect_refusal(use, &need, ASSAY_INVALID,
                 "not a .npy file: expected it to start with \\x93NUMPY" FILTER);
  static const char fortran[] =
      "\x93NUMPY\x01\x00\x39\x00{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2)}\n";
  write_text(use, fortran, sizeof fortran - 1);
  expect_refusal(use, &need, ASSAY_INVALID,
                 "array in Fortran order, expected C order (rows one after the other)" FILTER);
  int64_t dim[2] = {2, 3};
  float values[6] = {0};
  assert_int_equal(assay_npy_write(use->path, "<f4", 4, 2, dim, values, &err), ASSAY_OK);
  expect_refusal(use, &need, ASSAY_INVALID, "array of 2 dimensions, expected a table (1)" FILTER);
  assert_int_equal(assay_npy_write(use->path, "<f4", 4, 1, dim, values, &err), ASSAY_OK);
  expect_refusal(use, &need, ASSAY_INVALID, "dtype <f4, expected " FLOATING FILTER);
  write_rows(use, good, GOOD);
  struct stat status;
  assert_int_equal(stat(use->path, &status), 0);
  assert_int_equal(truncate(use->path, status.st_size - 6), 0);
  expect_refusal(use, &need, ASSAY_INVALID,
                 "truncated .npy file: 224 bytes of data, expected 10 elements of 23 bytes" FILTER);
}

static void results_without_a_proper_type_are_refused(void **state) {
  fixture *use = *state;
  // The dtype is unknown or of integers; the sizes are fewer or more than the elements, or none.
  static const struct {
    size_t row;
    struct row with;
    const char *text;
  } cases[] = {
      {2, {0, 0, 3, 0, 6, 0}, NULL},
      {2, {0, 0, 3, 0, -1, 0}, NULL},
      {2, {0, 0, 3, 0, NAN, 0}, NULL},
      {2, {0, 0, 3, 0, 2, 0}, NULL},
      {4, {0, 0, 3, 3, 2, 0}, NULL},
      {4, {0, 0, 3, 2, 0, 0}, NULL},
      {4, {0, 0, 3, 2, 0x1p40, 0}, NULL},
      {4,
       {0, 0, 3, 2, 3, 0},
       "result 0 on data set int has 2 elements and 0 probe sums, expected all 3 elements"},
      {4, {0, 0, 3, 2, 1, 0}, "row 1 (data 0, result 0, part 0, index 1) is outside the result"},
      {4,
       {0, 0, 3, 2, 129, 0},
       "result 0 on data set int has 2 elements and 0 probe sums, expected all 129 elements, or "
       "some and the sums of all rows and columns"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    row rows[GOOD];
    memcpy(rows, good, sizeof rows);
    rows[cases[i].row] = cases[i].with;
    write_rows(use, rows, GOOD);
    const char *text = cases[i].text;
    if (text == NULL)
      text = "a result without a type (a dtype's number and at most 8 sizes)";
    expect_refusal(use, &need, ASSAY_INVALID, assay_arena_format(use->arena, "%s" FILTER, text));
  }
}

static void rows_out_of_order_or_range_are_refused(void **state) {
  fixture *use = *state;
  static const struct {
    size_t row;
    struct row with;
    const char *text;
  } cases[] = {
      {1, {0, 0, 0, 2, 7, 0}, "row 1 (data 0, result 0, part 0, index 2) is outside the result"},
      {0, {2, 0, 0, 0, 7, 0}, "row 0 (data 2, result 0, part 0) is of none of the results"},
      {0, {0, 1, 0, 0, 7, 0}, "row 0 (data 0, result 1, part 0) is of none of the results"},
      {1, {0, 0, 4, 0, 7, 0}, "row 1 (data 0, result 0, part 4) is of none of the results"},
      {1, {0, 0, 1, 1, 7, 0}, "row 1 (data 0, result 0, part 1, index 1) is outside the result"},
      {1, {0, 0, 2, 2, 7, 0}, "row 1 (data 0, result 0, part 2, index 2) is outside the result"},
      {1,
       {0, 0, 2, 1, 7, 0},
       "result 0 on data set int has 1 elements and 1 probe sums, expected all 2 elements"},
      {1, {0, 0, 0, 0, 7, 0}, "row 1 is not in order (by data, result, part, index)"},
      {5, {0, 0, 0, 0, 7, 0}, "row 5 is not in order (by data, result, part, index)"},
      {5, {1, 0, 0, 0, 7, -1}, "row 5 has the error scale -1, expected a finite one from 0"},
      {5, {1, 0, 0, 0, 7, NAN}, "row 5 has the error scale nan, expected a finite one from 0"},
      {6, {1, 0, 0, 1, 7, INFINITY}, "row 6 has the error scale inf, expected a finite one from 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    row rows[GOOD];
    memcpy(rows, good, sizeof rows);
    rows[cases[i].row] = cases[i].with;
    write_rows(use, rows, GOOD);
    expect_refusal(use, &need, ASSAY_INVALID,
                   assay_arena_format(use->arena, "%s" FILTER, cases[i].text));
  }
}

// A result of 129x2: one element and both probes, or every element.
static size_t fill_large(row rows[], bool sampled) {
  size_t count = 0;
  for (uint8_t data = 0; data < 2; data++) {
    if (sampled) {
      rows[count++] = (row){data, 0, 0, 257, 1, 0};
      for (uint32_t i = 0; i < 129; i++)
        rows[count++] = (row){data, 0, 1, i, 1, 0};
      for (uint32_t i = 0; i < 2; i++)
        rows[count++] = (row){data, 0, 2, i, 1, 0};
    }
    for (uint32_t i = 0; !sampled && i < 258; i++)
      rows[count++] = (row){data, 0, 0, i, NAN, 0};
    static const double type[] = {5, 129, 2};
    for (uint32_t i = 0; i < 3; i++)
      rows[count++] = (row){data, 0, 3, i, type[i], 0};
  }
  return count;
}

static void a_large_result_needs_both_probes_or_every_element(void **state) {
  fixture *use = *state;
  row rows[2 * 261];
  for (int sampled = 0; sampled < 2; sampled++) {
    size_t count = fill_large(rows, sampled);
    write_rows(use, rows, count);
    const assay_reference *reference;
    assay_expected expected;
    assay_error err = {0};
    assay_code code = assay_reference_load(use->arena, use->root, &need, &reference, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(code, ASSAY_OK);
    assert_int_equal(assay_reference_get(reference, "int", 0, &expected, &err), ASSAY_OK);
    assert_true(expected.sampled == sampled);
    assert_int_equal(expected.count, sampled ? 132 : 258);
    memmove(&rows[3], &rows[4], (count - 4) * sizeof rows[0]);
    write_rows(use, rows, count - 1);
    expect_refusal(use, &need, ASSAY_INVALID,
                   assay_arena_format(use->arena,
                                      "result 0 on data set int has %d elements and %d probe sums, "
                                      "expected all 258 elements, or some and the sums of all rows "
                                      "and columns" FILTER,
                                      sampled ? 1 : 257, sampled ? 130 : 0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_path_is_that_of_the_oracle, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_stored_table_is_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_the_table_lacks_is_missing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(files_that_are_no_table_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(results_without_a_proper_type_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rows_out_of_order_or_range_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_large_result_needs_both_probes_or_every_element, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
