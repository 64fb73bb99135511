// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/npy.h"

#include "compiler/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

// A file of this version with this header text and data_size zeros.
static assay_file make_file(assay_arena *arena, int version, const char *header, size_t data_size) {
  size_t length = strlen(header);
  const char preamble[] = {(char)version, 0, (char)(length & 0xff), (char)(length >> 8), 0, 0};
  assay_text text = {.arena = arena};
  assay_text_print(&text, "\x93NUMPY");
  assay_text_append(&text, preamble, version == 1 ? 4 : 6);
  assay_text_append(&text, header, length);
  assay_text_append(&text, assay_arena_take(arena, data_size, 1), data_size);
  return (assay_file){.path = "x.npy", .bytes = text.data, .size = text.length};
}

// Parses and expects 24 bytes of 3x2 floats; the message where that fails, "" where not.
static const char *message(assay_arena *arena, const assay_file *file) {
  assay_npy npy;
  assay_error err;
  assay_code code = assay_npy_parse(arena, file, &npy, &err);
  if (code == ASSAY_OK)
    code = assay_npy_expect(file, &npy, "<f4", 4, &err);
  if (code == ASSAY_OK)
    return "";
  assert_int_equal(code, ASSAY_INVALID);
  assert_string_equal(err.where, "x.npy");
  return assay_arena_string(arena, err.text);
}

static void a_plain_array_is_read(void **state) {
  assay_file file =
      make_file(*state, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }   \n", 24);
  assay_npy npy;
  assay_error err;
  assert_int_equal(assay_npy_parse(*state, &file, &npy, &err), ASSAY_OK);
  assert_string_equal(npy.descr, "<f4");
  assert_int_equal(npy.rank, 2);
  assert_int_equal(npy.dim[0], 3);
  assert_int_equal(npy.dim[1], 2);
  assert_int_equal(npy.data_size, 24);
  assert_ptr_equal(npy.data, file.bytes + file.size - 24);
  assert_string_equal(message(*state, &file), "");
}

static void keys_come_in_any_order_and_quotes(void **state) {
  assay_file file =
      make_file(*state, 1, "{\"shape\":(3,2),\"fortran_order\" :False , 'descr':\"<f4\"}\n", 24);
  assert_string_equal(message(*state, &file), "");
}

static void scalars_and_vectors_have_pythons_shapes(void **state) {
  assay_npy npy;
  assay_error err;
  assay_file scalar =
      make_file(*state, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}\n", 4);
  assert_int_equal(assay_npy_parse(*state, &scalar, &npy, &err), ASSAY_OK);
  assert_int_equal(npy.rank, 0);
  assert_string_equal(message(*state, &scalar), "");
  assay_file vector =
      make_file(*state, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}\n", 20);
  assert_int_equal(assay_npy_parse(*state, &vector, &npy, &err), ASSAY_OK);
  assert_int_equal(npy.rank, 1);
  assert_string_equal(message(*state, &vector), "");
}

static void version_2_has_a_longer_length(void **state) {
  const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\n";
  assay_file file = make_file(*state, 2, header, 4);
  assert_string_equal(message(*state, &file), "");
}

static void fields_are_kept_as_text(void **state) {
  const char *fields = "[('a', '|u1'), (']', '<f8', (2,))]";
  const char *header =
      assay_arena_format(*state, "{'descr': %s, 'fortran_order': False, 'shape': (0,)}\n", fields);
  assay_file file = make_file(*state, 1, header, 0);
  assay_npy npy;
  assay_error err;
  assert_int_equal(assay_npy_parse(*state, &file, &npy, &err), ASSAY_OK);
  assert_string_equal(npy.descr, fields);
}

static void malformed_headers_are_told_apart(void **state) {
#define ORDER "'fortran_order': False, "
  static const struct {
    const char *header, *message;
  } cases[] = {
      {"{'descr': '>f4', " ORDER "'shape': (3, 2)}\n",
       "big-endian dtype >f4, expected little-endian ('<')"},
      {"{'descr': [('a', '>i4')], " ORDER "'shape': (3, 2)}\n",
       "big-endian dtype [('a', '>i4')], expected little-endian ('<')"},
      {"{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2)}\n",
       "array in Fortran order, expected C order (rows one after the other)"},
      {"{'descr': '<f8', " ORDER "'shape': (3, 2)}\n", "dtype <f8, expected <f4"},
      {"{'descr': '<f4', " ORDER "'shape': (3, 1)}\n",
       "trailing bytes: 24 bytes of data, expected 3 elements of 4 bytes"},
      {"{'descr': '<f4', " ORDER "'shape': (3, 3)}\n",
       "truncated .npy file: 24 bytes of data, expected 9 elements of 4 bytes"},
      {"{'descr': '<f4', " ORDER "'shape': (-3, 2)}\n",
       "malformed .npy header at byte 61: found '-', expected a dimension, a whole number from 0"},
      {"{'descr': '<f4', " ORDER "'shape': (3L, 2)}\n",
       "malformed .npy header at byte 62: found 'L', expected ','"},
      {"{'descr': '<f4', " ORDER "'shape': (3)}\n",
       "malformed .npy header at byte 62: found ')', expected ','"},
      {"{'descr': '<f4', " ORDER "'shape': (3, 2\n",
       "malformed .npy header at byte 65: found its end, expected ','"},
      {"{'descr': '<f4', " ORDER "'shape': (9223372036854775808,)}\n",
       "malformed .npy header at byte 79: found '8', expected a dimension below 2^63"},
      {"{'descr': '<f4', " ORDER "'shape': (4611686018427387904, 0, 2)}\n",
       "malformed .npy header at byte 86: found ')', expected a shape of fewer than 2^63 elements"},
      {"{'descr': '<f4', " ORDER "'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}\n",
       "malformed .npy header at byte 85: found '1', expected at most 8 dimensions"},
      {"{'descr': '<f4', " ORDER "'shape': (3, 2)} x\n",
       "malformed .npy header at byte 68: found 'x', expected spaces up to the header's end"},
      {"{'descr': '<f4', " ORDER "'shape': (3, 2)}",
       "malformed .npy header at byte 67: found its end, expected a newline"},
      {"{'descr': '<f4', " ORDER "'descr': '<f4'}\n",
       "malformed .npy header at byte 51: found ''', expected each of the keys 'descr', "
       "'fortran_order' and 'shape' once"},
      {"{'descr': '<f4', " ORDER "'size': (3, 2)}\n",
       "malformed .npy header at byte 51: found ''', expected each of the keys 'descr', "
       "'fortran_order' and 'shape' once"},
      {"{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 2)}\n",
       "malformed .npy header at byte 44: found '0', expected True or False"},
      {"{'descr': '<f4\\'', " ORDER "'shape': (3, 2)}\n",
       "malformed .npy header at byte 20: found ''', expected a dtype: a string or a list of "
       "fields"},
      {"{'descr': [('a', '<f4'), " ORDER "'shape': (3, 2)}\n",
       "malformed .npy header at byte 75: found its end, expected a dtype: a string or a list of "
       "fields"},
      {"{'descr': '<f4',\t" ORDER "'shape': (3, 2)}\n",
       "malformed .npy header at byte 26: 0x09 is no printable character"},
      {"\n", "malformed .npy header at byte 10: found its end, expected '{'"},
      {"", "malformed .npy header at byte 10: found its end, expected a newline"},
  };
#undef ORDER
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assay_file file = make_file(*state, 1, cases[i].header, 24);
    assert_string_equal(message(*state, &file), cases[i].message);
  }
}

static void what_is_no_npy_file_is_said_to_be_none(void **state) {
  assay_file empty = {.path = "x.npy", .bytes = "", .size = 0};
  assert_string_equal(message(*state, &empty),
                      "not a .npy file: expected it to start with \\x93NUMPY");
  assay_file text = {.path = "x.npy", .bytes = "1.0 2.0\n", .size = 8};
  assert_string_equal(message(*state, &text),
                      "not a .npy file: expected it to start with \\x93NUMPY");
}

static void every_truncation_is_an_error(void **state) {
  assay_file file =
      make_file(*state, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}\n", 24);
  for (size_t size = 0; size < file.size; size++) {
    // A copy of exactly so many bytes, so that the sanitizer sees a read past their end.
    char *bytes = malloc(size > 0 ? size : 1);
    memcpy(bytes, file.bytes, size);
    assay_file cut = {.path = "x.npy", .bytes = bytes, .size = size};
    assert_string_not_equal(message(*state, &cut), "");
    free(bytes);
  }
  file.size = 7;
  assert_string_equal(message(*state, &file), "truncated .npy file: 7 bytes, no header");
  file.size = 30;
  assert_string_equal(message(*state, &file), "truncated .npy file: 30 bytes, expected a header of "
                                              "58 from byte 10 on");
}

static void other_versions_are_refused(void **state) {
  assay_file file = make_file(*state, 1, "{}\n", 0);
  char *bytes = assay_arena_bytes(*state, file.bytes, file.size);
  bytes[6] = 3;
  file.bytes = bytes;
  assert_string_equal(message(*state, &file), ".npy format version 3.0, expected 1.0 or 2.0");
}

static void what_is_written_is_read_back(void **state) {
  static const double numbers[6] = {0.5, -1, 2, 1e300, -0.0, 3};
  static const struct {
    int rank;
    int64_t dim[3];
  } shapes[] = {{0, {0}}, {1, {6}}, {2, {2, 3}}, {3, {1, 2, 3}}, {2, {0, 7}}};
  const char *path = "npy_test-written.npy";
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    assay_error err;
    assay_file file;
    assay_npy npy;
    assert_int_equal(assay_npy_write(path, "<f8", 8, shapes[i].rank, shapes[i].dim, numbers, &err),
                     ASSAY_OK);
    assert_int_equal(assay_file_read(*state, path, &file, &err), ASSAY_OK);
    assert_int_equal(assay_npy_parse(*state, &file, &npy, &err), ASSAY_OK);
    assert_int_equal(assay_npy_expect(&file, &npy, "<f8", 8, &err), ASSAY_OK);
    assert_int_equal(npy.rank, shapes[i].rank);
    assert_memory_equal(npy.dim, shapes[i].dim, (size_t)npy.rank * sizeof npy.dim[0]);
    assert_memory_equal(npy.data, numbers, npy.data_size);
    assert_int_equal(((const char *)npy.data - file.bytes) % 64, 0);
  }
  assert_int_equal(unlink(path), 0);
}

static void a_file_that_cannot_be_written_is_named(void **state) {
  (void)state;
  assay_error err;
  int64_t one = 1;
  assert_int_equal(assay_npy_write("no/such/x.npy", "<f8", 8, 1, &one, &(double){1}, &err),
                   ASSAY_FAILED);
  assert_string_equal(err.where, "no/such/x.npy");
  assert_string_equal(err.text, "cannot write: No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_plain_array_is_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(keys_come_in_any_order_and_quotes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(scalars_and_vectors_have_pythons_shapes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(version_2_has_a_longer_length, set_up, tear_down),
      cmocka_unit_test_setup_teardown(fields_are_kept_as_text, set_up, tear_down),
      cmocka_unit_test_setup_teardown(malformed_headers_are_told_apart, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_npy_file_is_said_to_be_none, set_up, tear_down),
      cmocka_unit_test_setup_teardown(every_truncation_is_an_error, set_up, tear_down),
      cmocka_unit_test_setup_teardown(other_versions_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_written_is_read_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_file_that_cannot_be_written_is_named, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
