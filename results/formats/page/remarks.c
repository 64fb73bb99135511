// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <string.h>

enum { MOST_ROWS = 200, MOST_MACHINES = 12 };

static bool is_remark(const assay_record *record) {
  return record->verdict == ASSAY_WARN || record->verdict == ASSAY_SKIP ||
         record->verdict == ASSAY_XFAIL;
}

void assay_page_remarks(assay_page *page) {
  static const char *const heads[] = {"verdict", "*case", "*reason", NULL};
  size_t left = 0, shown = 0;
  for (size_t i = 0; i < page->count; i++)
    left += is_remark(&page->records[i]);
  if (left == 0)
    return;
  xmlNodePtr section =
      assay_page_section(page, "remarks", "Remarks", "Warnings, known gaps and what was skipped");
  xmlNodePtr place = assay_dom_details(
      &page->dom, section,
      assay_arena_format(page->arena, "%zu verdict%s", left, left == 1 ? "" : "s"));
  xmlNodePtr table = assay_dom_table(&page->dom, place, heads);
  for (size_t i = 0; i < page->count && shown < MOST_ROWS; i++) {
    const assay_record *record = &page->records[i];
    if (!is_remark(record) || page->dom.bytes > ASSAY_PAGE_LIST_BYTES)
      continue;
    const char *const cells[] = {assay_verdict_name(record->verdict),
                                 assay_clip(page->arena, record->key, 200),
                                 assay_clip(page->arena, record->reason, 200)};
    assay_dom_row(&page->dom, table, heads, cells);
    shown++;
    left--;
  }
  assay_page_left_out(page, place, left, "such verdicts");
}

static const char *or_unknown(const assay_page *page, const char *text) {
  return text != NULL ? assay_clip(page->arena, text, 120) : "-";
}

static bool is_alike(const assay_record *a, const assay_record *b) {
  return (a->clock != NULL) == (b->clock != NULL) &&
         assay_environment_equal(a->environment, b->environment);
}

// One of each machine, and of each device that has a clock.
static size_t find_machines(const assay_page *page, const assay_record *seen[MOST_MACHINES]) {
  size_t count = 0;
  for (size_t i = 0; i < page->count && count < MOST_MACHINES; i++) {
    const assay_record *record = &page->records[i];
    size_t known = 0;
    if (record->environment == NULL)
      continue;
    while (known < count && !is_alike(seen[known], record))
      known++;
    if (known == count)
      seen[count++] = record;
    else if (seen[known]->environment->peak_gflops_f32 == 0)
      seen[known] = record; // of two alike, the one whose peaks were measured
  }
  return count;
}

static const char *or_unmeasured(const assay_page *page, double peak) {
  return peak > 0 ? assay_arena_string(page->arena, assay_print_number(peak).text) : "-";
}

void assay_page_environment(assay_page *page) {
  static const char *const heads[] = {"machine",      "LLVM",  "BLAS",     "BLAS core",
                                      "GPU",          "ptxas", "revision", "assay",
                                      "#f32 GFLOP/s", "#GB/s", NULL};
  const assay_record *seen[MOST_MACHINES];
  size_t count = find_machines(page, seen);
  if (count == 0)
    return;
  xmlNodePtr section = assay_page_section(page, "environment", "Environment", "Environment");
  xmlNodePtr table = assay_dom_table(&page->dom, section, heads);
  for (size_t i = 0; i < count; i++) {
    const assay_environment *env = seen[i]->environment;
    bool on_device = seen[i]->clock != NULL && env->cuda != NULL;
    const char *const cells[] = {or_unknown(page, on_device ? env->cuda : env->cpu),
                                 or_unknown(page, env->llvm),
                                 or_unknown(page, env->blas),
                                 or_unknown(page, env->blas_core),
                                 or_unknown(page, env->cuda),
                                 or_unknown(page, env->ptxas),
                                 or_unknown(page, env->revision),
                                 or_unknown(page, env->assay),
                                 or_unmeasured(page, env->peak_gflops_f32),
                                 or_unmeasured(page, env->peak_gbs)};
    assay_dom_row(&page->dom, table, heads, cells);
  }
}
