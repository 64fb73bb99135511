// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/columns.h"
#include "compiler/base/text.h"

#include <inttypes.h>
#include <math.h>

assay_columns assay_columns_count(const assay_summary_row *row) {
  assay_columns columns = {.passed = row->verdicts[ASSAY_PASS] + row->verdicts[ASSAY_WARN],
                           .known_gap = row->verdicts[ASSAY_XFAIL],
                           .skipped = row->verdicts[ASSAY_SKIP]};
  for (int i = 0; i < ASSAY_VERDICT_COUNT; i++) {
    columns.verdicts += row->verdicts[i];
    if (assay_verdict_is_bad((assay_verdict)i))
      columns.failed += row->verdicts[i];
  }
  return columns;
}

static assay_margin_text print(double value, int decimals) {
  assay_margin_text text;
  if (isnan(value))
    snprintf(text.text, sizeof text.text, "-");
  else if (value < 1e6 || isinf(value))
    snprintf(text.text, sizeof text.text, "%.*f", decimals, value);
  else
    snprintf(text.text, sizeof text.text, "%.3g", value);
  return text;
}

assay_margin_text assay_margin_print(double margin) {
  return print(margin, 3);
}

assay_margin_text assay_total_seconds_print(double seconds) {
  return print(seconds, 2);
}

assay_margin_text assay_ratio_print(double ratio) {
  return print(ratio, 3);
}

const char *assay_verdicts_print(assay_arena *arena, const assay_summary_row *row) {
  assay_text text = {.arena = arena};
  for (int i = 0; i < ASSAY_VERDICT_COUNT; i++)
    if (row->verdicts[i] > 0)
      assay_text_print(&text, "%s%" PRId64 " %s", text.length > 0 ? ", " : "", row->verdicts[i],
                       assay_verdict_name((assay_verdict)i));
  return assay_text_get(&text);
}
