// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/columns.h"

#include "results/record/printable.h"

#include <math.h>
#include <string.h>

void assay_paint_print(FILE *stream, bool color, assay_paint paint, const char *text, int width) {
  static const char *const codes[] = {
      [ASSAY_RED] = "\033[31m", [ASSAY_GREEN] = "\033[32m", [ASSAY_YELLOW] = "\033[33m"};
  if (color && paint != ASSAY_PLAIN)
    fprintf(stream, "%s%-*s\033[0m", codes[paint], width, text);
  else
    fprintf(stream, "%-*s", width, text);
}

static bool is_continuation(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *assay_columns_fit(assay_arena *arena, const char *text, size_t width) {
  const char *line = assay_printable(arena, text);
  size_t length = strlen(line);
  if (length <= width)
    return line;
  size_t head = (width - 3 + 1) / 2, tail = length - (width - 3 - head);
  while (head > 0 && is_continuation(line[head]))
    head--;
  while (tail < length && is_continuation(line[tail]))
    tail++;
  return assay_arena_format(arena, "%.*s...%s", (int)head, line, line + tail);
}

const char *assay_columns_seconds(assay_arena *arena, double seconds) {
  if (isnan(seconds))
    return "-";
  static const struct {
    double scale;
    const char *name;
  } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
  size_t unit = 0;
  while (unit < 3 && seconds * units[unit].scale < 0.9995)
    unit++;
  return assay_arena_format(arena, "%.4g %s", seconds * units[unit].scale, units[unit].name);
}

const char *assay_columns_change(assay_arena *arena, double ratio) {
  if (isnan(ratio))
    return "-";
  if (ratio >= 10)
    return assay_arena_format(arena, "x%.3g", ratio);
  double percent = (ratio - 1) * 100;
  return assay_arena_format(arena, fabs(percent) < 0.095 && percent != 0 ? "%+.2g %%" : "%+.1f %%",
                            percent);
}

const char *assay_columns_margin(assay_arena *arena, double margin) {
  if (isnan(margin))
    return "-";
  return assay_arena_format(arena, margin < 1e5 || isinf(margin) ? "%.3f" : "%.3g", margin);
}
