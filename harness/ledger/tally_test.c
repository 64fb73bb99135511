// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/tally.h"

#include "harness/ledger/scale_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COUNT = 8 };

// An item of COUNT elements that rounding moves, but for the first `exact` of them.
typedef struct bench {
  assay_arena *arena;
  assay_observation *plain, *got;
  assay_scale_element elements[COUNT];
  assay_scale_item item;
} bench;

static void open_bench(bench *it, assay_element element, int exact) {
  *it = (bench){.arena = assay_arena_create()};
  it->plain = made_observation(it->arena, element, COUNT);
  it->got = made_observation(it->arena, element, COUNT);
  for (int i = 0; i < COUNT; i++)
    it->elements[i] = i < exact
                          ? (assay_scale_element){.kind = ASSAY_SCALE_EXACT}
                          : (assay_scale_element){.kind = ASSAY_SCALE_SMOOTH, .scale = 0x1p-24};
  it->item = (assay_scale_item){.plain = &it->plain->items[0], .elements = it->elements};
}

static void set(bench *it, const float wanted[COUNT], const float error[COUNT]) {
  for (int i = 0; i < COUNT; i++) {
    made_floats(it->plain)[i] = wanted[i];
    made_floats(it->got)[i] = wanted[i] + error[i];
  }
}

// Whether the failures are small, and whether they are where rounding shows.
static void expect(const bench *it, int64_t failed, bool small, bool inexact) {
  assay_tally found = assay_tally_make(&it->item, &it->got->items[0]);
  assert_int_equal(found.failed, failed);
  assert_int_equal(assay_tally_is_small(&found), small);
  assert_int_equal(assay_tally_is_inexact(&found), inexact);
}

static const float ones[COUNT] = {1, 1, 1, 1, 1, 1, 1, 1};

static void tells_small_errors_from_large_ones(void **state) {
  (void)state;
  bench it;
  open_bench(&it, ASSAY_ELEMENT_F32, 0);
  set(&it, ones, (float[COUNT]){0});
  expect(&it, 0, true, true);
  set(&it, ones, (float[COUNT]){0.003F, -0.003F, 0.002F, 0.003F, 0.001F, 0.002F, 0.003F, 0.001F});
  expect(&it, COUNT, true, true); // bf16
  set(&it, ones, (float[COUNT]){0.04F, 0.001F, 0.002F, 0.001F, 0.003F, 0.002F, 0.001F, 0.002F});
  expect(&it, COUNT, true, true); // one far from the others, as at the end of a polynomial's range
  set(&it, ones, (float[COUNT]){0.04F});
  expect(&it, 1, false, true); // one, and it alone
  set(&it, ones, (float[COUNT]){0.2F, 0.001F, 0.002F, 0.001F, 0.003F, 0.002F, 0.001F, 0.002F});
  expect(&it, COUNT, false, true);
  set(&it, ones, (float[COUNT]){NAN, 0.001F});
  expect(&it, 2, false, false);
  assay_arena_destroy(it.arena);
}

// One large value makes of any other's error a small part of the whole.
static void looks_at_most_elements(void **state) {
  (void)state;
  bench it;
  open_bench(&it, ASSAY_ELEMENT_F32, 0);
  const float wanted[COUNT] = {1e6F, 1, 2, 3, 4, 5, 6, 7};
  set(&it, wanted, (float[COUNT]){0, 1, 2, -1, 3, -2, 4, 1});
  expect(&it, COUNT - 1, false, true);
  set(&it, wanted, (float[COUNT]){0, 0.002F, 0.002F, 0.01F, 0.004F, 0.02F, 0.01F, 0.01F});
  expect(&it, COUNT - 1, true, true);
  assay_arena_destroy(it.arena);
}

static void tells_exact_elements_from_inexact_ones(void **state) {
  (void)state;
  bench it;
  open_bench(&it, ASSAY_ELEMENT_F32, 2);
  set(&it, ones, (float[COUNT]){0.005F, 0.005F});
  expect(&it, 2, true, false); // exact ones alone
  set(&it, ones, (float[COUNT]){0, 0, 30, 40, 50});
  expect(&it, 3, false, true); // far away, and only where rounding shows
  set(&it, ones, (float[COUNT]){0.005F, 0, 30, 40, 50});
  expect(&it, 4, false, true); // exp(0) among exponentials
  set(&it, ones, (float[COUNT]){0.5F, 0, 30, 40, 50});
  expect(&it, 4, false, false);
  assay_arena_destroy(it.arena);
  open_bench(&it, ASSAY_ELEMENT_F32, COUNT);
  set(&it, ones, (float[COUNT]){0.001F, 0.001F, 0.001F, 0.001F, 0.001F, 0.001F, 0.001F, 0.001F});
  expect(&it, COUNT, true, false);
  assay_arena_destroy(it.arena);
}

static void tells_rounded_values_from_wrong_ones(void **state) {
  (void)state;
  bench it;
  open_bench(&it, ASSAY_ELEMENT_F32, COUNT);
  const float wanted[COUNT] = {301, 257, -515, 3, 1025, 2, 0, 4};
  set(&it, wanted, (float[COUNT]){1, -1, 3, 0, 7, 0, 0, 0});
  assay_tally found = assay_tally_make(&it.item, &it.got->items[0]);
  assert_true(assay_tally_is_rounded(&found) && !assay_tally_is_inexact(&found));
  set(&it, wanted, (float[COUNT]){1, -1, 3, 1, 7, 0, 0, 0});
  found = assay_tally_make(&it.item, &it.got->items[0]);
  assert_false(assay_tally_is_rounded(&found));
  set(&it, wanted, (float[COUNT]){0, 0, 0, 0, 0, 0, 0x1p-20F, 0}); // at 0
  found = assay_tally_make(&it.item, &it.got->items[0]);
  assert_false(assay_tally_is_rounded(&found));
  assay_arena_destroy(it.arena);
}

static void knows_no_small_error_of_an_integer(void **state) {
  (void)state;
  bench it;
  open_bench(&it, ASSAY_ELEMENT_INTEGER, COUNT);
  for (int i = 0; i < COUNT; i++)
    made_wholes(it.plain)[i] = made_wholes(it.got)[i] = 1000000;
  expect(&it, 0, true, true);
  made_wholes(it.got)[3]++;
  expect(&it, 1, false, false);
  assay_arena_destroy(it.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_small_errors_from_large_ones),
      cmocka_unit_test(looks_at_most_elements),
      cmocka_unit_test(tells_exact_elements_from_inexact_ones),
      cmocka_unit_test(tells_rounded_values_from_wrong_ones),
      cmocka_unit_test(knows_no_small_error_of_an_integer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
