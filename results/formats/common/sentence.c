// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/sentence.h"
#include "compiler/base/text.h"
#include "results/formats/common/clean.h"
#include "results/formats/common/columns.h"

#include <inttypes.h>

size_t assay_baseline_regressions(const assay_run_totals *totals) {
  size_t found = 0;
  for (size_t i = 0; totals->comparison != NULL && i < totals->comparison->count; i++)
    if (totals->comparison->rows[i].regression)
      found += 1 + totals->comparison->rows[i].others;
  return found;
}

size_t assay_baseline_warnings(const assay_run_totals *totals) {
  size_t found = 0;
  for (size_t i = 0; totals->comparison != NULL && i < totals->comparison->count; i++)
    if (totals->comparison->rows[i].worse && !totals->comparison->rows[i].regression)
      found += 1 + totals->comparison->rows[i].others;
  return found;
}

size_t assay_known_failures(const assay_run_totals *totals, size_t count) {
  size_t found = 0;
  for (size_t i = 0; totals->known != NULL && i < count; i++)
    found += totals->known[i];
  return found;
}

// Nothing gets better by what is said later.
static void darken(assay_tone *tone, assay_tone other) {
  *tone = other > *tone ? other : *tone;
}

static void list(assay_text *text, const assay_summary_row *total, bool bad) {
  const char *before = ": ";
  for (int i = 0; i < ASSAY_VERDICT_COUNT; i++) {
    if (total->verdicts[i] == 0 || (bad && !assay_verdict_is_bad((assay_verdict)i)))
      continue;
    assay_text_print(text, "%s%" PRId64 " %s", before, total->verdicts[i],
                     assay_verdict_name((assay_verdict)i));
    before = ", ";
  }
  assay_text_print(text, ".");
}

static void compare(assay_text *text, const assay_run_totals *totals, assay_tone *tone) {
  if (totals->comparison == NULL)
    return;
  size_t worse = assay_baseline_regressions(totals), warned = assay_baseline_warnings(totals);
  size_t differ = 0;
  for (size_t i = 0; i < totals->comparison->count; i++)
    differ += !totals->comparison->rows[i].same;
  if (worse > 0)
    assay_text_print(text, " %zu regression%s against the baseline.", worse, worse == 1 ? "" : "s");
  else if (warned > 0)
    assay_text_print(text, " No regression against the baseline.");
  else if (differ > 0)
    assay_text_print(text, " No regression against the baseline, %zu difference%s.", differ,
                     differ == 1 ? "" : "s");
  else
    assay_text_print(text, " Nothing differs from the baseline.");
  if (warned > 0)
    assay_text_print(text, " %zu %srow%s worse, within what the thresholds allow.", warned,
                     worse > 0 ? "more " : "", warned == 1 ? " is" : "s are");
  if (worse > 0 || warned > 0)
    darken(tone, worse > 0 ? ASSAY_TONE_BAD : ASSAY_TONE_LOOK);
}

static void tell_known(assay_text *text, const assay_run_totals *totals, int64_t verdicts,
                       assay_tone *tone) {
  size_t known = assay_known_failures(totals, (size_t)verdicts);
  if (known == 0)
    return;
  assay_text_print(text, " %zu fail%s as the baseline does: known.", known, known == 1 ? "s" : "");
  darken(tone, ASSAY_TONE_LOOK);
}

const char *assay_sentence_make(assay_arena *arena, const assay_summary *summary,
                                const assay_run_totals *totals, assay_tone *out_tone) {
  const assay_summary_row *total = &summary->total;
  assay_columns columns = assay_columns_count(total);
  assay_text text = {.arena = arena};
  for (size_t i = 0; i < totals->failure_count; i++)
    assay_text_print(&text, "%s. ", assay_clip(arena, totals->failures[i], 400));
  if (columns.verdicts == 0) {
    assay_text_print(&text, "There are no verdicts.");
    *out_tone = ASSAY_TONE_LOOK;
  } else if (columns.failed > 0) {
    assay_text_print(&text, "%" PRId64 " of %" PRId64 " verdict%s bad", columns.failed,
                     columns.verdicts,
                     columns.verdicts == 1 ? " is"
                     : columns.failed == 1 ? "s is"
                                           : "s are");
    list(&text, total, true);
    *out_tone = ASSAY_TONE_BAD;
  } else if (columns.skipped == columns.verdicts) {
    assay_text_print(&text, "Everything was skipped");
    list(&text, total, false);
    *out_tone = ASSAY_TONE_LOOK;
  } else {
    if (columns.verdicts == 1)
      assay_text_print(&text, "The only verdict is as expected");
    else
      assay_text_print(&text, "All %" PRId64 " verdicts are as expected", columns.verdicts);
    list(&text, total, false);
    *out_tone = total->verdicts[ASSAY_WARN] > 0 ? ASSAY_TONE_LOOK : ASSAY_TONE_GOOD;
  }
  tell_known(&text, totals, columns.verdicts, out_tone);
  compare(&text, totals, out_tone);
  if (totals->failure_count > 0)
    *out_tone = ASSAY_TONE_BAD;
  return assay_text_get(&text);
}
