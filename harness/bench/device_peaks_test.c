// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peaks from another process, whatever becomes of that.
#include "harness/bench/device_peaks.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static volatile sig_atomic_t stop;
static int here; // written by a child, this process sees nothing of it

static const char *hardware(const assay_device *device) {
  return (const char *)device;
}

static assay_code time_it(assay_loaded *loaded, int64_t runs, double *out_seconds,
                          assay_error *err) {
  (void)loaded;
  (void)runs;
  *out_seconds = 1;
  (void)err;
  return ASSAY_OK;
}

static assay_code tell(assay_device *device, assay_peaks *out_peaks, assay_error *err) {
  (void)device;
  (void)err;
  here = 1;
  *out_peaks = (assay_peaks){.gflops_f32 = 60000, .gflops_f64 = NAN, .gbs = INFINITY};
  return ASSAY_OK;
}

static assay_code refuse(assay_device *device, assay_peaks *out_peaks, assay_error *err) {
  (void)device;
  (void)out_peaks;
  return assay_fail(err, ASSAY_MISSING, "no memory left");
}

static assay_code die(assay_device *device, assay_peaks *out_peaks, assay_error *err) {
  (void)device;
  (void)out_peaks;
  (void)err;
  _exit(3);
}

static char names[][8] = {"one", "other", "one"};

static assay_opened open_as(assay_backend *backend, int name,
                            assay_code (*measure)(assay_device *, assay_peaks *, assay_error *)) {
  *backend = (assay_backend){
      .name = "mine", .time = time_it, .hardware = hardware, .measure_peaks = measure};
  return (assay_opened){.backend = backend, .device = (assay_device *)names[name]};
}

static assay_code measure(assay_code (*how)(assay_device *, assay_peaks *, assay_error *),
                          assay_peaks *out_peaks, assay_error *err) {
  assay_backend backend;
  assay_opened opened = open_as(&backend, 0, how);
  const assay_bench_options options = {
      .timeout = 10, .memory_bytes = INT64_C(1) << 30, .stop = &stop};
  return assay_device_peaks_measure(&opened, &options, out_peaks, err);
}

static void what_is_no_number_was_not_measured(void **state) {
  assay_peaks peaks;
  assay_error err;
  (void)state;
  assert_int_equal(measure(tell, &peaks, &err), ASSAY_OK);
  assert_true(peaks.gflops_f32 == 60000);
  assert_true(peaks.gflops_f64 == 0 && peaks.gbs == 0);
  assert_int_equal(here, 0); // it was another process that had the device
}

static void failures_have_their_reason(void **state) {
  assay_peaks peaks;
  assay_error err = {.text = ""};
  (void)state;
  assert_int_equal(measure(refuse, &peaks, &err), ASSAY_FAILED);
  assert_string_equal(err.text, "no memory left");
  assert_int_equal(measure(die, &peaks, &err), ASSAY_FAILED);
  assert_non_null(strstr(err.text, "3"));
  assert_true(peaks.gflops_f32 == 0);
}

static void devices_are_told_apart(void **state) {
  assay_backend backends[4];
  assay_opened one = open_as(&backends[0], 0, tell), other = open_as(&backends[1], 1, tell);
  assay_opened again = open_as(&backends[2], 2, tell), none = open_as(&backends[3], 0, NULL);
  (void)state;
  assert_true(assay_device_peaks_shared(&one, &again));
  assert_false(assay_device_peaks_shared(&one, &other));
  assert_false(assay_device_peaks_shared(&one, &none));
  assert_false(assay_device_peaks_known(&none));
  backends[0].time = NULL; // by whose clock nothing is timed
  assert_false(assay_device_peaks_known(&one));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_number_was_not_measured),
      cmocka_unit_test(failures_have_their_reason),
      cmocka_unit_test(devices_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
