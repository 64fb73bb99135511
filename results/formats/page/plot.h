// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plots: scripts for gnuplot, drawn all at once, and put into the page as inline SVG.
//
// No text of a record gets into a script: scripts have L0, L1, ... where labels are to be, and the
// labels take their places in the drawing. Colors are classes, so that the page's style gives them:
// of a script's color "#00000N" it is cN for N from 1 to 10; black is the text's own.
#ifndef ASSAY_RESULTS_FORMATS_PAGE_PLOT_H
#define ASSAY_RESULTS_FORMATS_PAGE_PLOT_H

#include "compiler/base/text.h"
#include "results/formats/page/dom.h"

enum { ASSAY_PLOT_WIDTH = 460, ASSAY_PLOT_COLORS = 8 };
// Colors besides those of series: of what is not named, and of the page.
enum { ASSAY_PLOT_MUTED = 9, ASSAY_PLOT_BACKGROUND = 10 };

typedef struct assay_plot {
  xmlNodePtr place; // the drawing becomes its last child
  const char *title, *description;
  int height;        // pixels; the width is ASSAY_PLOT_WIDTH
  assay_text script; // what follows the terminal's settings
  const char **labels;
  size_t label_count, label_room;
} assay_plot;

typedef struct assay_plots {
  assay_dom *dom;
  assay_plot **items;
  size_t count, room;
} assay_plots;

// A new plot at the end of the place, in the arena of the document.
assay_plot *assay_plots_add(assay_plots *plots, xmlNodePtr place, int height, const char *title,
                            const char *description);
// The word of a script that stands for the label: "L3". The label is cut to so many characters.
const char *assay_plot_label(assay_arena *arena, assay_plot *plot, const char *label, size_t most);

// Draws all of them by one gnuplot. Where that cannot be, each place says so in words, and the
// reason is returned; NULL where all were drawn. allowed: false draws none.
const char *assay_plots_draw(assay_plots *plots, bool allowed);

// Runs a script by gnuplot; its standard output in the arena. NULL where it is not installed, ends
// otherwise than well, or takes longer than so many seconds, when it is killed; *out_reason is then
// one of these, in words.
const char *assay_gnuplot_run(assay_arena *arena, const char *script, double seconds,
                              const char **out_reason);

#endif
