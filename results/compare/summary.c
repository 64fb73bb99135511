// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison in sentences.
#include "results/compare/table.h"

#include "compiler/base/text.h"

#include <string.h>

const char *assay_comparison_lone_kind(assay_arena *arena, const assay_comparison *comparison,
                                       assay_record_kind kind) {
  const assay_lone_kind *lone = &comparison->lone_kinds[kind];
  size_t count = lone->base + lone->new;
  if (count == 0)
    return NULL;
  return assay_arena_format(arena, "%zu record%s of kind %s %s: %s has none", count,
                            count == 1 ? "" : "s", assay_record_kind_name(kind),
                            lone->base > 0 ? "vanished"
                            : count == 1   ? "is new"
                                           : "are new",
                            lone->base > 0 ? "NEW" : "BASE");
}

static void print_gate(assay_text *text, const assay_comparison *comparison) {
  size_t untimed = comparison->untimed;
  if (comparison->gates > 0)
    assay_text_print(text, "; the gate fails on %zu row%s", comparison->gates,
                     comparison->gates == 1 ? "" : "s");
  else if (untimed == 0)
    assay_text_print(text, "; the gate passes");
  else
    assay_text_print(text, "; %s", comparison->wrong > 0 ? "the gate fails" : "no row fails it");
  if (untimed > 0)
    assay_text_print(text, "; %zu case%s not timed", untimed, untimed == 1 ? " was" : "s were");
}

const char *assay_comparison_summary(assay_arena *arena, const assay_comparison *comparison) {
  static const assay_change order[] = {ASSAY_VANISHED, ASSAY_SLOWER, ASSAY_CHANGED, ASSAY_FASTER,
                                       ASSAY_NEW,      ASSAY_UNSURE, ASSAY_SAME};
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%zu case%s", comparison->cases, comparison->cases == 1 ? "" : "s");
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (comparison->changes[order[i]] > 0)
      assay_text_print(&text, "%s %zu %s", strchr(text.data, ':') == NULL ? ":" : ",",
                       comparison->changes[order[i]], assay_change_name(order[i]));
  print_gate(&text, comparison);
  return assay_text_get(&text);
}
