// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/print.h"

#include "compiler/base/text.h"
#include "harness/ledger/origin.h"

#include <math.h>
#include <string.h>

// Columns of the table: the first two are as wide as they need to be, within limits; what is said
// of a state takes the rest.
enum { TABLE_WIDTH = 100, NUMBERS_WIDTH = 26, MAX_NAME = 36, MAX_WHERE = 14 };

typedef struct columns {
  int name, where, said;
} columns;

static const char *where_of(const assay_execution *execution) {
  return execution->symbol[0] != '\0' ? execution->symbol : execution->anchor;
}

// Two columns a level; passes nested deeper than that are rare, and stay in line.
static int indent_of(const assay_execution *execution) {
  enum { MOST = 5 };
  return 2 * (execution->depth < MOST ? execution->depth : MOST);
}

static bool is_accused(const assay_ledger_answer *answer, int row) {
  return answer->blame.fault != ASSAY_FAULT_NONE && row == answer->blame.row;
}

// A string cut to a width, with its end shown by dots.
static void print_cut(FILE *stream, const char *text, int width, bool pad) {
  int length = (int)strcspn(text, "\n");
  if (length > width)
    fprintf(stream, "%.*s...", width - 3, text);
  else
    fprintf(stream, "%.*s%*s", length, text, pad ? width - length : 0, "");
}

static void print_margin(FILE *stream, double margin) {
  if (isnan(margin))
    fprintf(stream, " %7s", "-");
  else if (isinf(margin))
    fprintf(stream, " %7s", "inf");
  else
    fprintf(stream, " %7.2g", margin);
}

// "the first tail: loc("x.mlir":2:8): op was not bufferized; ... see current operation: %1 =
// "toy.sub"(...)": the row has room for the operation, else for what comes after the place.
static const char *without_place(const char *reason) {
  const char *at = strstr(reason, "see current operation: ");
  if (at != NULL)
    return at + strlen("see current operation: ");
  at = strstr(reason, ": loc(");
  const char *end = at != NULL ? strstr(at, "): ") : NULL;
  return end != NULL ? end + strlen("): ") : reason;
}

static bool is_unrun(const assay_ledger_row *row) {
  return row->fault == ASSAY_FAULT_NONE && row->execution->changed && !row->execution->failed &&
         !row->ran;
}

static const char *say(const assay_ledger_row *row) {
  const assay_execution *execution = row->execution;
  if (is_unrun(row))
    return row->not_run[0] != '\0' ? without_place(row->not_run) : "not run";
  if (row->fault != ASSAY_FAULT_NONE)
    return row->what[0] != '\0' ? row->what : assay_fault_name(row->fault);
  if (execution->failed)
    return "failed";
  if (!execution->changed)
    return "unchanged";
  if (!row->right)
    return row->what;
  return row->bitwise_changed ? "right, other bits" : "right, same bits";
}

static void print_row(FILE *stream, const assay_ledger_answer *answer, int index, columns widths,
                      bool color) {
  const assay_ledger_row *row = &answer->rows[index];
  const assay_execution *execution = row->execution;
  bool accused = is_accused(answer, index);
  fprintf(stream, "%s%4d  ", accused && color ? "\033[31m" : "", execution->n);
  int indent = indent_of(execution);
  for (int i = 0; i < indent; i += 2)
    fputs(". ", stream);
  print_cut(stream, execution->name, widths.name - indent, true);
  fputs("  ", stream);
  print_cut(stream, where_of(execution), widths.where, true);
  for (int i = 0; i < ASSAY_DATA_SETS; i++)
    print_margin(stream, row->margin[i]);
  fputs("  ", stream);
  int width = widths.said;
  if (is_unrun(row) && row->not_run[0] != '\0')
    width -= fprintf(stream, "not run: ");
  print_cut(stream, say(row), width, false);
  fprintf(stream, "%s\n", accused && color ? "\033[0m" : "");
}

// MLIR's messages may hold pieces of IR of many lines; an answer is one.
static const char *one_line(assay_arena *arena, const char *message) {
  char *line = assay_arena_string(arena, message);
  for (char *at = line; *at != '\0'; at++)
    if (*at == '\n' || *at == '\r')
      *at = ' ';
  return line;
}

static const char *say_failed(assay_arena *arena, const assay_ledger_answer *answer) {
  const assay_execution *failed = answer->rows[answer->failed_row].execution;
  const char *message = answer->failed_message;
  return assay_arena_format(arena, "pipeline failed at %d %s: %s", failed->n, failed->name,
                            message != NULL && message[0] != '\0' ? one_line(arena, message)
                                                                  : "it says nothing");
}

const char *assay_ledger_sentence(assay_arena *arena, const assay_ledger_answer *answer) {
  const assay_blame *blame = &answer->blame;
  // A pipeline that stopped half-way was not found to be without a fault.
  if (blame->fault == ASSAY_FAULT_NONE && answer->inconclusive == NULL && answer->failed_row >= 0)
    return say_failed(arena, answer);
  if (blame->fault == ASSAY_FAULT_NONE)
    return answer->inconclusive != NULL ? assay_arena_format(arena, "inconclusive: %s",
                                                             one_line(arena, answer->inconclusive))
                                        : "no bad pass";
  const assay_execution *bad = answer->rows[blame->row].execution;
  const assay_execution *from = answer->rows[blame->range_from].execution;
  return from == bad
             ? assay_arena_format(arena, "first bad pass: %d %s (%s)", bad->n, bad->name,
                                  assay_fault_name(blame->fault))
             : assay_arena_format(arena, "first bad pass: between %d %s and %d %s (%s)", from->n,
                                  from->name, bad->n, bad->name, assay_fault_name(blame->fault));
}

const char *assay_ledger_inside(assay_arena *arena, const assay_ledger_answer *answer) {
  const assay_blame *blame = &answer->blame;
  if (blame->step == NULL && blame->pattern == NULL)
    return NULL;
  static const char nameless[] = "a pattern ";
  bool named =
      blame->pattern != NULL && strncmp(blame->pattern, nameless, sizeof nameless - 1) != 0;
  return assay_arena_format(arena, "%s%s%s%s%s", blame->step != NULL ? "step " : "",
                            blame->step != NULL ? blame->step : "",
                            blame->step != NULL && blame->pattern != NULL ? ", " : "",
                            named ? "pattern " : "", blame->pattern != NULL ? blame->pattern : "");
}

static bool is_shown(const assay_ledger_answer *answer, int index, bool all) {
  const assay_execution *execution = answer->rows[index].execution;
  return all || execution->changed || execution->failed || is_accused(answer, index);
}

static int at_most(size_t length, int limit) {
  return length < (size_t)limit ? (int)length : limit;
}

static columns fit(const assay_ledger_answer *answer, bool all) {
  columns made = {.name = (int)strlen("pass"), .where = (int)strlen("on")};
  for (int i = 0; i < answer->row_count; i++) {
    const assay_execution *execution = answer->rows[i].execution;
    if (!is_shown(answer, i, all))
      continue;
    int name = at_most(strlen(execution->name) + (size_t)indent_of(execution), MAX_NAME);
    int where = at_most(strlen(where_of(execution)), MAX_WHERE);
    made.name = name > made.name ? name : made.name;
    made.where = where > made.where ? where : made.where;
  }
  made.said = TABLE_WIDTH - NUMBERS_WIDTH - made.name - made.where;
  return made;
}

static void print_table(FILE *stream, const assay_ledger_answer *answer, bool all, bool color) {
  columns widths = fit(answer, all);
  bool headed = false;
  for (int i = 0; i < answer->row_count; i++) {
    if (!is_shown(answer, i, all))
      continue;
    if (!headed)
      fprintf(stream, "%4s  %-*s  %-*s %7s %7s  %s\n", "n", widths.name, "pass", widths.where, "on",
              "int", "real", "state");
    headed = true;
    print_row(stream, answer, i, widths, color);
  }
}

void assay_ledger_print(FILE *stream, const assay_ledger_answer *answer, bool all, bool color) {
  print_table(stream, answer, all, color);
  assay_arena *arena = assay_arena_create();
  bool found = answer->blame.fault != ASSAY_FAULT_NONE || answer->inconclusive != NULL;
  if (answer->failed_row >= 0 && found)
    fprintf(stream, "%s\n", say_failed(arena, answer));
  fprintf(stream, "%s\n", assay_ledger_sentence(arena, answer));
  if (answer->first_changing >= 0) {
    const assay_execution *first = answer->rows[answer->first_changing].execution;
    fprintf(stream, "first changing pass: %d %s\n", first->n, first->name);
  }
  for (int i = 0; i < answer->origin_count; i++)
    fprintf(stream, "%s\n",
            one_line(arena, assay_origin_sentence(arena, answer, &answer->origins[i])));
  assay_arena_destroy(arena);
}

int assay_ledger_status(const assay_ledger_answer *answer) {
  if (answer->blame.fault != ASSAY_FAULT_NONE)
    return 1;
  bool unanswered = answer->inconclusive != NULL || answer->failed_row >= 0;
  for (int i = 0; i < answer->origin_count; i++)
    unanswered |= answer->origins[i].unanswered;
  return unanswered ? 2 : 0;
}
