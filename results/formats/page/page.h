// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HTML page and its sections: one file each, in the order of the page. A section that has
// nothing to show is left out.
#ifndef ASSAY_RESULTS_FORMATS_PAGE_PAGE_H
#define ASSAY_RESULTS_FORMATS_PAGE_PAGE_H

#include "results/formats/format.h"
#include "results/formats/page/plot.h"
#include "results/record/summary.h"

typedef struct assay_page {
  assay_arena *arena;
  assay_dom dom;
  assay_plots plots;
  xmlNodePtr navigation, main; // sections are children of main
  const assay_record *records;
  size_t count;
  const assay_run_totals *totals;
  const char **backends; // all that occur, sorted, the timed peers too
  size_t backend_count;
} assay_page;

// The page ends below 2 MB whatever the records hold: what is long stops when the text so far has
// so many bytes, and says how much is left out.
enum { ASSAY_PAGE_DETAIL_BYTES = 1000000, ASSAY_PAGE_LIST_BYTES = 1400000 };

extern const char *const assay_page_style[]; // CSS in pieces, ended with NULL

// A new section with a heading; name: what the page's navigation calls it.
xmlNodePtr assay_page_section(assay_page *page, const char *id, const char *name,
                              const char *title);
// The case's line, or where that is longer than most characters, without what all cases of its op
// on this page have in common.
const char *assay_page_line(const assay_page *page, const assay_record *record, size_t most);
// The place of a plot: a figure, its caption, below which the numbers follow (see dom's details).
xmlNodePtr assay_page_figure(assay_page *page, xmlNodePtr section, const char *caption);
// "... and 12 more ..." where left > 0.
void assay_page_left_out(assay_page *page, xmlNodePtr section, size_t left, const char *what);
// The color of a backend, 1 .. ASSAY_PLOT_COLORS.
int assay_page_color(const assay_page *page, const char *backend);

void assay_page_matrix(assay_page *page);     // op x backend
void assay_page_failures(assay_page *page);   // each that is bad, with what shows it again
void assay_page_comparison(assay_page *page); // with the baseline
void assay_page_timings(assay_page *page);    // benchmarks: bars, and a table
void assay_page_roofline(assay_page *page);   // benchmarks against the machine's peaks
void assay_page_margins(assay_page *page);    // per op
void assay_page_passes(assay_page *page);     // where compiling spends its time
ASSAY_MUST_USE assay_code assay_page_history(assay_page *page, assay_error *err);
void assay_page_remarks(assay_page *page);     // neither good nor bad: WARN, SKIP, XFAIL
void assay_page_environment(assay_page *page); // machines and libraries

#endif
