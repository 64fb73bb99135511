// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tables of a comparison are made of.
#ifndef ASSAY_RESULTS_COMPARE_COLUMNS_H
#define ASSAY_RESULTS_COMPARE_COLUMNS_H

#include "compiler/base/arena.h"

#include <stdbool.h>
#include <stdio.h>

enum { ASSAY_COLUMNS_WIDTH = 100 };

typedef enum assay_paint { ASSAY_PLAIN, ASSAY_RED, ASSAY_GREEN, ASSAY_YELLOW } assay_paint;

// The text padded to the width, in that color where `color`: escapes have no width.
void assay_paint_print(FILE *stream, bool color, assay_paint paint, const char *text, int width);

// The text as assay_printable() has it, in at most `width` bytes, its middle left out where it is
// longer; no UTF-8 sequence is cut. In the arena.
const char *assay_columns_fit(assay_arena *arena, const char *text, size_t width);

// "1.234 ms"; "-" of NaN. In the arena.
const char *assay_columns_seconds(assay_arena *arena, double seconds);
// "+3.1 %", "x12.3" of what grew tenfold or more, "-" of NaN.
const char *assay_columns_change(assay_arena *arena, double ratio);
// Three decimals, "inf", or "-" of NaN.
const char *assay_columns_margin(assay_arena *arena, double margin);

#endif
