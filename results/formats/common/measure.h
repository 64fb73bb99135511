// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What samples say together.
#ifndef ASSAY_RESULTS_FORMATS_COMMON_MEASURE_H
#define ASSAY_RESULTS_FORMATS_COMMON_MEASURE_H

#include "results/record/record.h"

// Of the finite samples; NaN where there are too few.
typedef struct assay_measure {
  size_t count;
  double least, low, median, high, most; // low and high: the quartiles
  double mean, deviation;                // deviation: of the sample, by count - 1
} assay_measure;

assay_measure assay_measure_make(assay_arena *arena, const double samples[], size_t count);
// The q-quantile of sorted values, interpolated; count >= 1.
double assay_quantile(const double sorted[], size_t count, double q);

// 1e9 operations a second, 1e9 bytes a second, by the median; NaN where the record does not say.
double assay_record_gflops(const assay_record *record, double median);
double assay_record_gbs(const assay_record *record, double median);
// Whether a device may have used its tensor cores, which are above the peaks of its other
// arithmetic.
bool assay_record_by_tensor_cores(const assay_record *record);
// Of the peak that the record's environment has for its dtype, 0 .. 1; NaN where it has none, as
// for tensor cores.
double assay_record_of_peak(const assay_record *record, double gflops);
// "12.3 ms": three digits and a unit; "-" for NaN.
typedef struct assay_quantity {
  char text[32];
} assay_quantity;
assay_quantity assay_print_seconds(double seconds);
// The same of a record's run, "12.3 ms (device)" where a device's own clock took it.
assay_quantity assay_print_run(const assay_record *record, double seconds);
// Three significant digits without an exponent where it can be: "0.012", "1230"; "-" for NaN.
assay_quantity assay_print_number(double value);

#endif
