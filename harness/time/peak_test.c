// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/time/peak.h"
#include "harness/time/pin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// What no machine of this kind is beyond: a tenth of a billion and a thousand billion.
static void a_peak_is_a_number_of_this_world(void **state) {
  (void)state;
  assay_peak peak;
  volatile sig_atomic_t stop = 0;
  assert_true(assay_peak_measure(1, &stop, &peak));
  assert_true(peak.gflops_f32 > 0.1 && peak.gflops_f32 < 1e3);
  assert_true(peak.gflops_f64 > 0.1 && peak.gflops_f64 < 1e3);
  assert_true(peak.gbs > 0.01 && peak.gbs < 1e3);
  assert_true(assay_peak_measure(2, &stop, &peak));
  assert_true(peak.gbs > 0);
}

static void a_peak_that_nobody_waits_for_is_not_measured(void **state) {
  (void)state;
  assay_peak peak = {.gbs = 1};
  volatile sig_atomic_t stop = SIGINT;
  assert_false(assay_peak_measure(2, &stop, &peak));
  assert_true(peak.gflops_f32 == 0 && peak.gflops_f64 == 0 && peak.gbs == 0);
}

static void caches_can_be_walked_out_of(void **state) {
  (void)state;
  assay_evictor *evictor = assay_evictor_create();
  assay_evict(evictor);
  assay_evictor_destroy(evictor);
}

static void more_processors_than_there_are_cannot_be_had(void **state) {
  (void)state;
  assay_error err;
  assert_int_equal(assay_pin(assay_processors() + 1, &err), ASSAY_INVALID);
  assert_int_equal(assay_pin(1, &err), ASSAY_OK);
  assert_int_equal(assay_processors(), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_peak_is_a_number_of_this_world),
      cmocka_unit_test(a_peak_that_nobody_waits_for_is_not_measured),
      cmocka_unit_test(caches_can_be_walked_out_of),
      cmocka_unit_test(more_processors_than_there_are_cannot_be_had),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
