// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/measure.h"
#include "compiler/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double assay_quantile(const double sorted[], size_t count, double q) {
  double place = q * (double)(count - 1);
  size_t below = (size_t)place;
  if (below + 1 >= count)
    return sorted[count - 1];
  return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

assay_measure assay_measure_make(assay_arena *arena, const double samples[], size_t count) {
  assay_measure measure = {0};
  double *sorted = assay_arena_take(arena, count, sizeof *sorted), sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++)
    if (isfinite(samples[i]))
      sorted[measure.count++] = samples[i];
  measure.least = measure.low = measure.median = measure.high = measure.most = NAN;
  measure.mean = measure.deviation = NAN;
  if (measure.count == 0)
    return measure;
  assay_numbers_sort(sorted, measure.count);
  for (size_t i = 0; i < measure.count; i++)
    sum += sorted[i];
  measure.mean = sum / (double)measure.count;
  for (size_t i = 0; i < measure.count; i++)
    squares += (sorted[i] - measure.mean) * (sorted[i] - measure.mean);
  if (measure.count > 1)
    measure.deviation = sqrt(squares / (double)(measure.count - 1));
  measure.least = sorted[0];
  measure.low = assay_quantile(sorted, measure.count, 0.25);
  measure.median = assay_quantile(sorted, measure.count, 0.5);
  measure.high = assay_quantile(sorted, measure.count, 0.75);
  measure.most = sorted[measure.count - 1];
  return measure;
}

double assay_record_gflops(const assay_record *record, double median) {
  return record->flop > 0 && median > 0 ? record->flop / median / 1e9 : NAN;
}

double assay_record_gbs(const assay_record *record, double median) {
  return record->bytes > 0 && median > 0 ? record->bytes / median / 1e9 : NAN;
}

// Whether most of its arithmetic is in double precision: by "dtype=f64" in its case.
static bool is_f64(const assay_record *record) {
  const char *word = strstr(record->line, " dtype=f64");
  return word != NULL;
}

bool assay_record_by_tensor_cores(const assay_record *record) {
  return record->clock != NULL && strstr(record->line, " precision=tf32") != NULL;
}

double assay_record_of_peak(const assay_record *record, double gflops) {
  const assay_environment *env = record->environment;
  if (env == NULL || assay_record_by_tensor_cores(record))
    return NAN;
  double peak = is_f64(record) ? env->peak_gflops_f64 : env->peak_gflops_f32;
  return peak > 0 ? gflops / peak : NAN;
}

// Digits behind the point, so that three digits are seen.
static int decimals(double value) {
  double size = fabs(value);
  return size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
}

assay_quantity assay_print_seconds(double seconds) {
  static const struct {
    double factor;
    const char *name;
  } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "µs"}, {1e9, "ns"}};
  assay_quantity quantity = {"-"};
  if (!isfinite(seconds))
    return quantity;
  int unit = 0;
  while (unit < 3 && fabs(seconds) * units[unit].factor < 0.9995)
    unit++;
  double value = seconds * units[unit].factor;
  if (fabs(value) < 1e6)
    snprintf(quantity.text, sizeof quantity.text, "%.*f %s", decimals(value), value,
             units[unit].name);
  else
    snprintf(quantity.text, sizeof quantity.text, "%.2e %s", value, units[unit].name);
  return quantity;
}

assay_quantity assay_print_run(const assay_record *record, double seconds) {
  assay_quantity quantity = assay_print_seconds(seconds);
  size_t length = strlen(quantity.text);
  if (record->clock != NULL && isfinite(seconds))
    snprintf(quantity.text + length, sizeof quantity.text - length, " (device)");
  return quantity;
}

assay_quantity assay_print_number(double value) {
  assay_quantity quantity = {"-"};
  if (isnan(value))
    return quantity;
  double size = fabs(value);
  if (isinf(value))
    snprintf(quantity.text, sizeof quantity.text, value > 0 ? "inf" : "-inf");
  else if (size >= 1e6 || (size > 0 && size < 1e-3))
    snprintf(quantity.text, sizeof quantity.text, "%.2e", value);
  else
    snprintf(quantity.text, sizeof quantity.text, "%.*f",
             size < 1 && size > 0 ? 3 : decimals(value), value);
  return quantity;
}
