// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/guard.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static assay_guarded make(assay_dtype dtype, int64_t rows, int64_t columns) {
  const assay_shape shape = assay_shape_make(2, rows, columns);
  assay_guarded guarded;
  assay_error err;
  assert_int_equal(assay_guarded_create(dtype, &shape, &guarded, &err), ASSAY_OK);
  return guarded;
}

static void aligns_and_poisons(void **state) {
  (void)state;
  for (int dtype = 0; dtype < ASSAY_DTYPE_COUNT; dtype++) {
    assay_guarded first = make((assay_dtype)dtype, 3, 7), second = make((assay_dtype)dtype, 3, 7);
    assert_int_equal((uintptr_t)first.buffer.data % 64, 0);
    assert_int_equal(assay_guarded_unwritten(&first, &second), 0);
    assay_guarded_poison(&second, 1);
    assert_int_equal(assay_guarded_unwritten(&first, &second), 0);
    // Every byte of the two poisons differs, so that a byte that was left alone shows as well.
    const unsigned char *a = first.buffer.data, *b = second.buffer.data;
    for (size_t i = 0; i < first.size; i++)
      assert_int_not_equal(a[i], b[i]);
    assert_int_equal(assay_guarded_overrun(&first), 0);
    assert_int_equal(assay_guarded_overrun(&second), 0);
    assay_guarded_destroy(&first);
    assay_guarded_destroy(&second);
  }
}

// Reading poison or a canary shows: both are NaN for floats.
static void poisons_floats_with_nan(void **state) {
  (void)state;
  assay_guarded narrow = make(ASSAY_F32, 1, 1), wide = make(ASSAY_F64, 1, 1);
  for (int round = 0; round < 2; round++) {
    assay_guarded_poison(&narrow, round);
    assay_guarded_poison(&wide, round);
    for (int i = -8; i <= 8; i++) {
      assert_true(isnan(((float *)narrow.buffer.data)[i]));
      assert_true(isnan(((double *)wide.buffer.data)[i]));
    }
  }
  assay_guarded_destroy(&narrow);
  assay_guarded_destroy(&wide);
}

static void sees_a_byte_outside(void **state) {
  (void)state;
  assay_guarded guarded = make(ASSAY_F32, 2, 3);
  unsigned char *bytes = guarded.buffer.data;
  static const int64_t places[] = {1, 2, 64, 4096, -1, -2, -64, -4096};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    unsigned char *byte = places[i] > 0 ? bytes + guarded.size + places[i] - 1 : bytes + places[i];
    *byte ^= 1;
    assert_int_equal(assay_guarded_overrun(&guarded), places[i]);
    *byte ^= 1;
    assert_int_equal(assay_guarded_overrun(&guarded), 0);
  }
  assay_guarded_destroy(&guarded);
}

static void sees_a_changed_element(void **state) {
  (void)state;
  assay_guarded guarded = make(ASSAY_F64, 2, 3);
  double *elements = guarded.buffer.data;
  for (int i = 0; i < 6; i++)
    elements[i] = i;
  assay_error err;
  assert_int_equal(assay_guarded_seal(&guarded, &err), ASSAY_OK);
  assert_int_equal(assay_guarded_changed(&guarded), -1);
  elements[5] = nextafter(5, 6);
  assert_int_equal(assay_guarded_changed(&guarded), 5);
  elements[0] = -0.0; // another sign is another value here
  assert_int_equal(assay_guarded_changed(&guarded), 0);
  assay_guarded_destroy(&guarded);
}

static void sees_what_was_not_written(void **state) {
  (void)state;
  assay_guarded first = make(ASSAY_I32, 2, 2), second = make(ASSAY_I32, 2, 2);
  assay_guarded_poison(&second, 1);
  int32_t *a = first.buffer.data, *b = second.buffer.data;
  for (int i = 0; i < 3; i++)
    a[i] = b[i] = i;
  assert_int_equal(assay_guarded_unwritten(&first, &second), 3);
  assert_int_equal(assay_guarded_differs(&first, &second), 3);
  // A result that happens to equal one round's poison was written all the same.
  b[3] = a[3];
  assert_int_equal(assay_guarded_unwritten(&first, &second), -1);
  assert_int_equal(assay_guarded_differs(&first, &second), -1);
  b[1] = 7;
  assert_int_equal(assay_guarded_differs(&first, &second), 1);
  assay_guarded_destroy(&first);
  assay_guarded_destroy(&second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aligns_and_poisons),        cmocka_unit_test(poisons_floats_with_nan),
      cmocka_unit_test(sees_a_byte_outside),       cmocka_unit_test(sees_a_changed_element),
      cmocka_unit_test(sees_what_was_not_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
