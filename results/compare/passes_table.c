// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of both sides as tables.
#include "compiler/base/text.h"
#include "results/compare/columns.h"
#include "results/compare/passes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SHOWN_GROUPS = 10, NAME = 32, FAULT = 42, BACKEND = 24 };

// One pass in all cases of a group, on one side.
typedef struct side {
  bool present;
  double seconds;                // NaN: not timed
  int64_t ops_before, ops_after; // -1: not counted
  size_t changed;                // in how many cases
  double margin;                 // the largest; NaN: none
  bool margin_nan;               // one is NaN
  int nan_added;
  const char *fault;
} side;

// Of what is timed.
static double add_seconds(double sum, double more) {
  return isnan(sum) ? more : isnan(more) ? sum : sum + more;
}

static side add_up(const assay_pass_group *group, size_t row, bool base) {
  side sum = {.present = true, .seconds = NAN, .margin = NAN};
  for (size_t i = 0; i < group->count; i++) {
    const assay_pass_pair *pair = &group->cases[i]->rows[row];
    const assay_pass_row *pass = base ? pair->base : pair->new;
    if (pass == NULL)
      return (side){.seconds = NAN, .ops_before = -1, .margin = NAN};
    sum.seconds = add_seconds(sum.seconds, pass->seconds);
    bool counted = sum.ops_before >= 0 && pass->ops_before >= 0 && pass->ops_after >= 0;
    sum.ops_before = counted ? sum.ops_before + pass->ops_before : -1;
    sum.ops_after = counted ? sum.ops_after + pass->ops_after : -1;
    sum.changed += pass->changed;
    sum.margin = fmax(sum.margin, pass->margin); // fmax leaves NaN out
    sum.margin_nan = sum.margin_nan || pass->margin_nan;
    sum.nan_added += pass->nan_added;
    if (pass->fault != NULL)
      sum.fault = pass->fault;
  }
  return sum;
}

static const char *ops(assay_arena *arena, const side *of) {
  if (of->ops_before < 0)
    return "-";
  return assay_arena_format(arena, "%" PRId64 ">%" PRId64, of->ops_before, of->ops_after);
}

static const char *both(assay_arena *arena, const char *base, const char *new) {
  return strcmp(base, new) == 0 ? base : assay_arena_format(arena, "%s, %s", base, new);
}

static const char *changed(assay_arena *arena, const side *of, size_t cases) {
  if (!of->present)
    return "-";
  if (cases == 1 || of->changed == 0 || of->changed == cases)
    return of->changed > 0 ? "yes" : "no";
  return assay_arena_format(arena, "%zu of %zu", of->changed, cases);
}

static const char *margin(assay_arena *arena, const side *of) {
  return of->margin_nan ? "NaN" : assay_columns_margin(arena, of->margin);
}

// What a pass is found to do wrong, on a line of its own.
static void print_findings(FILE *stream, assay_arena *arena, const side *base, const side *new,
                           size_t slower) {
  const char *old = base->fault != NULL ? base->fault : "none";
  const char *now = new->fault != NULL ? new->fault : "none";
  if (base->fault != NULL || new->fault != NULL)
    fprintf(
        stream, "    fault: %s\n",
        both(arena, assay_columns_fit(arena, old, FAULT), assay_columns_fit(arena, now, FAULT)));
  if (base->nan_added > 0 || new->nan_added > 0)
    fprintf(stream, "    NaN attributes made: %d, then %d\n", base->nan_added, new->nan_added);
  if (slower > 0)
    fprintf(stream, "    takes more than ten times as long in %zu case%s\n", slower,
            slower == 1 ? "" : "s");
}

static void print_pass(FILE *stream, assay_arena *arena, const assay_pass_group *group, size_t row,
                       bool color) {
  static const char *const marks[] = {[ASSAY_PASS_KEPT] = " ",
                                      [ASSAY_PASS_ADDED] = "+",
                                      [ASSAY_PASS_REMOVED] = "-",
                                      [ASSAY_PASS_MOVED] = ">"};
  const assay_pass_pair *pair = &group->cases[0]->rows[row];
  const char *name = (pair->new != NULL ? pair->new : pair->base)->name;
  const char *mark = pair->mark == ASSAY_PASS_KEPT && pair->differs != 0 ? "*" : marks[pair->mark];
  side base = add_up(group, row, true), new = add_up(group, row, false);
  assay_paint_print(stream, color, mark[0] != ' ' ? ASSAY_YELLOW : ASSAY_PLAIN,
                    assay_arena_format(arena, "%s %s", mark, assay_columns_fit(arena, name, NAME)),
                    NAME + 2);
  fprintf(stream, "  %8s  %8s  %-9s  %-12s  %s\n", assay_columns_seconds(arena, base.seconds),
          assay_columns_seconds(arena, new.seconds),
          both(arena, changed(arena, &base, group->count), changed(arena, &new, group->count)),
          both(arena, margin(arena, &base), margin(arena, &new)),
          assay_columns_fit(arena, both(arena, ops(arena, &base), ops(arena, &new)), 19));
  // The cases of a group differ in the same ways.
  print_findings(stream, arena, &base, &new,
                 (pair->differs & ASSAY_PASS_DIFFERS_TIME) != 0 ? group->count : 0);
}

// Marked by the rule that marks a pass.
static void print_total(FILE *stream, assay_arena *arena, const assay_pass_group *group,
                        bool color) {
  double base = NAN, new = NAN;
  for (size_t i = 0; i < group->count; i++) {
    base = add_seconds(base, group->cases[i]->base_seconds);
    new = add_seconds(new, group->cases[i]->new_seconds);
  }
  bool slower = assay_pass_takes_far_longer(base, new);
  assay_paint_print(stream, color, slower ? ASSAY_YELLOW : ASSAY_PLAIN,
                    slower ? "* total" : "  total", NAME + 2);
  fprintf(stream, "  %8s  %8s  %s\n", assay_columns_seconds(arena, base),
          assay_columns_seconds(arena, new), assay_columns_change(arena, new / base));
}

static const char *first_bad(assay_arena *arena, const assay_first_bad *bad) {
  if (bad->n == 0)
    return "none";
  return assay_arena_format(arena, "%d %s (%s)", bad->n, bad->name != NULL ? bad->name : "?",
                            bad->fault != NULL ? bad->fault : "?");
}

static void print_group(FILE *stream, assay_arena *arena, const assay_pass_group *group, bool whole,
                        bool color) {
  const assay_pass_case *first = group->cases[0];
  const char *title = assay_arena_format(
      arena, "%s, %s, %s in %zu case%s: ", assay_columns_fit(arena, first->new->backend, BACKEND),
      assay_record_kind_name(first->new->kind), group->differs ? "changed" : "as before",
      group->count, group->count == 1 ? "" : "s");
  size_t width = strlen(title) < 60 ? ASSAY_COLUMNS_WIDTH - strlen(title) : 40;
  fprintf(stream, "%s%s\n", title, assay_columns_fit(arena, first->new->key, width));
  fprintf(stream, "  %-*s  %8s  %8s  %-9s  %-12s  %s\n", NAME, "pass", "base", "new", "changed",
          "margin", "operations");
  for (size_t row = 0; row < first->count; row++)
    if (whole || first->rows[row].mark != ASSAY_PASS_KEPT || first->rows[row].differs != 0)
      print_pass(stream, arena, group, row, color);
  print_total(stream, arena, group, color);
  if (first->base->first_bad.n > 0 || first->new->first_bad.n > 0)
    fprintf(stream, "  first bad pass: %s\n",
            assay_columns_fit(arena,
                              both(arena, first_bad(arena, &first->base->first_bad),
                                   first_bad(arena, &first->new->first_bad)),
                              ASSAY_COLUMNS_WIDTH - 18));
  fputc('\n', stream);
}

static bool is_same_pipeline(const assay_pass_group *a, const assay_pass_group *b) {
  return a->cases[0]->new->kind == b->cases[0]->new->kind &&
         strcmp(a->cases[0]->new->backend, b->cases[0]->new->backend) == 0;
}

void assay_passes_print(FILE *stream, assay_arena *arena, const assay_pass_comparison *passes,
                        bool color, bool verbose) {
  if (passes->without > 0)
    fprintf(stream, "passes: %zu case%s them on one side only\n", passes->without,
            passes->without == 1 ? " has" : "s have");
  if (passes->count == 0)
    fputs("passes: no case has any on both sides (assay run --passes, assay bench)\n", stream);
  else
    fputs("passes: + added, - removed, > moved, * differs; BASE, then NEW where they differ; sums "
          "over cases\n\n",
          stream);
  size_t shown = 0, hidden = 0;
  for (size_t i = 0; i < passes->group_count; i++) {
    const assay_pass_group *group = &passes->groups[i];
    bool first = i == 0 || !is_same_pipeline(group, group - 1);
    shown = first ? 0 : shown;
    if (!verbose && (shown == SHOWN_GROUPS || (!first && !group->differs))) {
      hidden++;
      continue;
    }
    print_group(stream, arena, group, first || verbose, color);
    shown++;
  }
  if (hidden > 0)
    fprintf(stream, "... and %zu more group%s of cases (--verbose, --format json=FILE)\n\n", hidden,
            hidden == 1 ? "" : "s");
}
